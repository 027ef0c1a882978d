import type { Database, Sql } from './database.ts';

/** Most rows of one statement. */
const ROWS_PER_SWEEP = 1_000;
/** Up to 2 MB each. */
const IMAGES_PER_SWEEP = 20;
/** A delivery's idempotency key answers for so long, and may be used anew afterwards. */
export const keyIsAlive = `created_at > now() - interval '24 hours'`;

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
    sweep('breaking_uses', `day < current_date - 7`),
    sweep('new_subscriptions', `since < now() - interval '1 hour'`),
    // Of whom nothing was sent to for so long, or who was deleted: strikes are in a row.
    sweep('failing_endpoints', `last_at < now() - interval '90 days'`),
    () => removeOldKeys(database, ROWS_PER_SWEEP),
    () => removeUnusedImages(database, IMAGES_PER_SWEEP),
  ];
}

/** Removes keys past their 24 hours, at most `limit` of them. @returns how many. */
export async function removeOldKeys(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM idempotency_keys WHERE (app_id, key) IN (
       SELECT app_id, key FROM idempotency_keys WHERE NOT (${keyIsAlive})
       ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING key`,
    [limit],
  );
  return rows.length;
}

/**
 * Removes images that no delivery names, at most `limit` of them, and none that was used within a day: a
 * delivery that is about to name one has just used it.
 * @returns how many were removed.
 */
export async function removeUnusedImages(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM images WHERE hash IN (
       SELECT hash FROM images WHERE used_at < now() - interval '1 day'
         AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.image_hash = images.hash)
       ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING hash`,
    [limit],
  );
  return rows.length;
}
