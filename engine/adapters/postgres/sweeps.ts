import type { Database } from './database.ts';

/** Most rows of one statement. */
const ROWS_PER_SWEEP = 1_000;

/**
 * What has had its time. Each sweep deletes up to a thousand rows that nobody asks for any more, and says how
 * many: the rows they would be found by say themselves that they have expired, so sweeping late does no harm.
 */
export function createSweeps(database: Database): readonly (() => Promise<number>)[] {
  const sweep = (table: string, expired: string) => async (): Promise<number> => {
    const rows = await database.query(
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM ${table} WHERE ${expired} LIMIT $1 FOR UPDATE SKIP LOCKED
       )) RETURNING 1`,
      [ROWS_PER_SWEEP],
    );
    return rows.length;
  };
  return [
    // Of users who do not log in again: a login takes its user's own with it. Past the longest that any lasts.
    sweep('sessions', `created_at < now() - interval '31 days'`),
    sweep('invitations', 'expires_at < now()'),
    sweep(
      'request_hits',
      `NOT EXISTS (SELECT 1 FROM unnest(hits) AS hit WHERE hit > now() - interval '1 hour')`,
    ),
  ];
}
