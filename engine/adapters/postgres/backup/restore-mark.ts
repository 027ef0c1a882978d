/**
 * The table that stands in a database for as long as a restore into it has not ended.
 * It is `broadside_restore`, and in a data folder the file `restoring` stands too. If its owner dies, no role starts
 * there, and another restore with `--overwrite` begins again.
 */
export const restoreMark = 'broadside_restore';
