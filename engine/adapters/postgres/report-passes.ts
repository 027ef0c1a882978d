import type { Sql } from './sql.ts';

/** From the API's question to the reporting API's answer to it. */
export const PASS_SECONDS = 60;
/** Of one user, unused: more than are counted in a minute are of no use. */
const MOST_PASSES = 100;

/**
 * If its owner dies: a pass that nobody uses is deleted with the user's next one, and is worth nothing after a minute.
 * @returns false where the user has too many that are not used.
 */
export async function insertReportPass(sql: Sql, userId: number, secretHash: Buffer): Promise<boolean> {
  const rows = await sql.query(
    `WITH old AS (
       DELETE FROM report_passes WHERE user_id = $1 AND made_at <= now() - make_interval(secs => $3)
     )
     INSERT INTO report_passes (secret_hash, user_id)
     SELECT $2, $1 WHERE (
       SELECT count(*) FROM report_passes WHERE user_id = $1 AND made_at > now() - make_interval(secs => $3)
     ) < $4 RETURNING user_id`,
    [userId, secretHash, PASS_SECONDS, MOST_PASSES],
  );
  return rows.length > 0;
}
