import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { createRemember } from '../../analytics/remember.ts';
import type { StoredDelivery } from '../store.ts';

/** Later, other notifications and visits are as likely a reason. */
export const LEFT_WITHIN_HOURS = 48;
const DAY_MS = 86_400_000;
/** Integrators poll a delivery every few seconds, and this reads everyone who unsubscribed in two days. */
const KEEP_SECONDS = 60;

/**
 * Of the subscribers whom it was accepted for, those who unsubscribed within 48 hours of its start and are unsubscribed
 * still: themselves, or found gone by a later delivery. Null where that cannot be said: nothing was sent, or the app
 * deletes unsubscribed ones and may have deleted some of these. At most a minute old.
 */
export function createReadLeftAfter(sql: Sql) {
  const remember = createRemember(sql, KEEP_SECONDS);
  return async function readLeftAfter(
    appId: AppId,
    { id, started_at: startedAt, rehearsal, test }: StoredDelivery,
    nowMs: number,
  ): Promise<number | null> {
    if (startedAt === null || rehearsal || test) return null;
    const counted = await remember(appId, `left-after ${id}`, () =>
      countLeftAfter(sql, appId, id, startedAt),
    );
    return leftOf(counted, startedAt, nowMs);
  };
}

/** Null: the app may have deleted some of them. */
export const leftOf = ({ left, days }: LeftAfter, startedAt: Date, nowMs: number): number | null =>
  days !== null && nowMs - startedAt.getTime() > days * DAY_MS ? null : left;

interface LeftAfter {
  readonly left: number;
  /** After which the app deletes unsubscribed ones. */
  readonly days: number | null;
}

/**
 * Blocks by their shards, since that index fits no other question; and brought together by a sort, not a join. Without
 * statistics of the app a join reads the blocks of all its deliveries for each subscriber.
 */
export async function countLeftAfter(
  sql: Sql,
  appId: AppId,
  deliveryId: DeliveryId,
  startedAt: Date,
): Promise<LeftAfter> {
  const [row] = await sql.query<LeftAfter>(
    `WITH known AS (
       SELECT seq >> 10 AS block, seq & 1023 AS bit, NULL::bytea AS accepted FROM subscriptions
       WHERE app_id = $1 AND status = 'unsubscribed' AND unsubscribed_at >= $3
         AND unsubscribed_at < $3::timestamptz + make_interval(hours => $4)
       UNION ALL
       SELECT block, NULL, accepted FROM shards JOIN blocks ON shard_id = shards.id WHERE shards.delivery_id = $2
     ), matched AS (
       SELECT bit, string_agg(accepted, '') OVER (PARTITION BY block) AS accepted FROM known
     )
     SELECT (SELECT count(*)::int FROM matched WHERE get_bit(accepted, bit) = 1) AS left,
       CASE WHEN auto_delete_unsubscribed_enabled THEN auto_delete_unsubscribed_days END AS days
     FROM apps WHERE id = $1`,
    [appId, deliveryId, startedAt, LEFT_WITHIN_HOURS],
  );
  // An app that is being deleted has nobody left to count.
  return row ?? { left: 0, days: null };
}
