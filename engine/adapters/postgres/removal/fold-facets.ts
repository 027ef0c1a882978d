import type { Database } from '../database.ts';

/** Of one step. Few of them have a letter that is rewritten. */
const ROWS_PER_STEP = 10_000;

/**
 * Folds what readers of before are searched by: it was written in the small letters of the database's locale. An app's
 * rows are gone over from their end; rows that somebody writes at this moment are folded by that, or next time.
 * @returns 0 where nothing is left.
 */
export const foldFacets = (database: Database): Promise<number> =>
  database.transaction(async (sql) => {
    const [due] = await sql.query<{ app_id: number; from: number; below: number }>(
      `SELECT app_id, greatest(below - ${ROWS_PER_STEP}, 0) AS from, below FROM unfolded_facets
       ORDER BY app_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    if (due === undefined) return 0;
    const range = [due.app_id, due.from, due.below];
    await sql.query(
      `UPDATE subscription_facets SET words = folded(words), browser = folded(browser)
       WHERE app_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM ${unfolded} FOR UPDATE SKIP LOCKED))`,
      range,
    );
    const left = await sql.query(`SELECT 1 FROM ${unfolded} LIMIT 1`, range);
    if (left.length > 0) return 0;
    await sql.query(
      due.from === 0
        ? `DELETE FROM unfolded_facets WHERE app_id = $1`
        : `UPDATE unfolded_facets SET below = $2 WHERE app_id = $1`,
      due.from === 0 ? [due.app_id] : [due.app_id, due.from],
    );
    return 1;
  });

const unfolded = `subscription_facets WHERE app_id = $1 AND seq >= $2 AND seq < $3
  AND (words <> folded(words) OR browser <> folded(browser))`;
