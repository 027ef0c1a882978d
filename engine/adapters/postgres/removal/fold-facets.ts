import type { Database } from '../database.ts';

/** Of one step. Few of them have a letter that is rewritten. */
const ROWS_PER_STEP = 10_000;

/**
 * Folds what readers of before are searched by: it was written in the small letters of the database's locale. The apps take
 * turns, each with some rows from its end, so that none waits for a large one or for one whose rows cannot be folded; rows
 * that somebody writes at this moment are folded by that, or in a later turn.
 * @returns a step that resolves to 0 where nothing is left, or a whole round brought nothing.
 */
export function createFoldFacets(database: Database): () => Promise<number> {
  let last = 0;
  /** The first app that kept rows since any was done with some. */
  let keptBy: number | null = null;

  return () =>
    database.transaction(async (sql) => {
      const [due] = await sql.query<Due>(
        `SELECT app_id, greatest(below - ${ROWS_PER_STEP}, 0) AS from, below FROM unfolded_facets
         ORDER BY app_id <= $1, app_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [last],
      );
      if (due === undefined || due.app_id === keptBy) {
        keptBy = null;
        return 0;
      }
      last = due.app_id;
      const range = [due.app_id, due.from, due.below];
      await sql.query(
        `UPDATE subscription_facets SET words = folded(words), browser = folded(browser)
         WHERE app_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM ${unfolded} FOR UPDATE SKIP LOCKED))`,
        range,
      );
      const left = await sql.query(`SELECT 1 FROM ${unfolded} LIMIT 1`, range);
      if (left.length > 0) {
        keptBy ??= due.app_id;
        return 1;
      }
      keptBy = null;
      await sql.query(
        due.from === 0
          ? `DELETE FROM unfolded_facets WHERE app_id = $1`
          : `UPDATE unfolded_facets SET below = $2 WHERE app_id = $1`,
        due.from === 0 ? [due.app_id] : [due.app_id, due.from],
      );
      return 1;
    });
}

interface Due {
  readonly app_id: number;
  readonly from: number;
  readonly below: number;
}

const unfolded = `subscription_facets WHERE app_id = $1 AND seq >= $2 AND seq < $3
  AND (words <> folded(words) OR browser <> folded(browser))`;
