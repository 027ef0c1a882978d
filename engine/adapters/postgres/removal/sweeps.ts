import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { createFoldFacets } from './fold-facets.ts';

/** Most rows of one statement. */
const ROWS_PER_SWEEP = 1_000;
/** Up to 2 MB each. */
const IMAGES_PER_SWEEP = 20;
/** How long a delivery's idempotency key answers; afterwards it may be used again. */
export const keyIsAlive = `created_at > now() - interval '24 hours'`;

/**
 * Expired rows. Each sweep deletes up to a thousand rows that are no longer read, and returns the number:
 * readers check the expiry themselves, so a late sweep does no harm.
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
    // Sessions of users who do not log in again: a login deletes the user's own. Past the longest lifetime of
    // any.
    sweep('sessions', `created_at < now() - interval '31 days'`),
    sweep('invitations', 'expires_at < now()'),
    sweep(
      'request_hits',
      `NOT EXISTS (SELECT 1 FROM unnest(hits) AS hit WHERE hit > now() - interval '1 hour')`,
    ),
    sweep('breaking_uses', `day < current_date - 7`),
    sweep('new_subscriptions', `since < now() - interval '1 hour'`),
    sweep('push_service_minutes', `minute < now() - interval '45 days'`),
    // For subscriptions without a message for this long, or deleted ones: strikes are in a row.
    sweep('failing_endpoints', `last_at < now() - interval '90 days'`),
    sweep('subscription_prunings', `day < current_date - 400`),
    // With their sends.
    sweep('alerts', `created_at < now() - interval '90 days'`),
    sweep('webhook_messages', `ended_at < now() - interval '7 days'`),
    createFoldFacets(database),
    () => completeErasures(database, ROWS_PER_SWEEP),
    () => removeOldKeys(database, ROWS_PER_SWEEP),
    () => removeUnusedImages(database, IMAGES_PER_SWEEP),
  ];
}

/**
 * Erasures, and parts of them, whose subscriptions ClickHouse names no more: they forget the numbers, too.
 * @returns how many.
 */
export async function completeErasures(sql: Sql, limit: number): Promise<number> {
  return (
    (await complete(sql, 'erasures', 'true', limit)) +
    (await complete(sql, 'erasure_parts', 'erased_at IS NOT NULL', limit))
  );
}

async function complete(sql: Sql, table: string, condition: string, limit: number): Promise<number> {
  const rows = await sql.query(
    `UPDATE ${table} SET completed_at = now(), seqs = '{}' WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} AS done WHERE ${condition} AND completed_at IS NULL AND NOT EXISTS (
         SELECT FROM forgotten_subscriptions AS pending
         WHERE pending.app_id = done.app_id AND pending.seq = ANY(done.seqs))
       LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING 1`,
    [limit],
  );
  return rows.length;
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
 * Removes images that no app, no delivery, no open campaign and no draft names, at most `limit` of them, and none that was used within a day: a
 * delivery that is about to name one has just used it.
 * @returns how many were removed.
 */
export async function removeUnusedImages(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM images WHERE hash IN (
       SELECT hash FROM images WHERE used_at < now() - interval '1 day'
         AND NOT EXISTS (SELECT 1 FROM app_images WHERE app_images.hash = images.hash)
         AND NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.image_hash = images.hash)
         AND NOT EXISTS (SELECT 1 FROM delivery_icons WHERE delivery_icons.hash = images.hash)
         AND NOT EXISTS (SELECT 1 FROM campaigns WHERE image_hashes @> ARRAY[images.hash]
           AND status IN ('scheduled', 'running', 'deciding'))
         AND NOT EXISTS (SELECT 1 FROM welcome_templates 
           WHERE welcome_templates.image_hash = images.hash OR welcome_templates.icon_hash = images.hash)
         AND NOT EXISTS (SELECT 1 FROM feed_items WHERE feed_items.image_hash = images.hash AND status = 'draft')
         AND NOT EXISTS (SELECT 1 FROM feed_items WHERE feed_items.icon_hash = images.hash AND status = 'draft')
       ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING hash`,
    [limit],
  );
  return rows.length;
}
