/** The table that stands in a database for as long as a restore into it has not ended. */
export const restoreMark = 'broadside_restore';
