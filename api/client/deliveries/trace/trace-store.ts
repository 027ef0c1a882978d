import { audiencePredicate, noReaches } from '../../../../engine/adapters/postgres/deliveries/audience.ts';
import { frozenReachesOfBlock } from '../../../../engine/adapters/postgres/deliveries/reaches.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryStatus } from '../../../../engine/contract/delivery.ts';
import { parseAudience } from '../../../../engine/contract/frozen-audience.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';

/** All that Postgres knows of one subscription in one delivery, at one moment. */
export interface TraceFacts {
  readonly seq: number;
  readonly subscription_status: string;
  readonly subscribed_at: Date;
  readonly unsubscribed_at: Date | null;
  readonly delivery_status: DeliveryStatus;
  readonly started_at: Date | null;
  readonly error_message: string | null;
  readonly rehearsal: boolean;
  readonly test: boolean;
  /** As it was frozen; null: every subscribed one. */
  readonly audience: unknown;
  /** Of the subscription's block. Null: the plan found no match in it, or there is no plan yet. */
  readonly shard_state: string | null;
  readonly shard_attempts: number | null;
  readonly due_at: Date | null;
  /** The time from which it is not sent any more (`validUntilMs` of dispatch); null: no such time. */
  readonly wanted_until: Date | null;
  /** Bits of the block's maps; null: the block has not run. */
  readonly in_audience: boolean | null;
  readonly accepted: boolean | null;
  readonly settled: boolean | null;
  readonly capped: boolean;
  /** Also capped, by Chrome's guard alone. */
  readonly guarded: boolean;
  /** Also capped, by the reader's own wish alone. */
  readonly wished: boolean;
  /** Of the reader's wishes as they are now, which may have changed since. */
  readonly paused_until: Date | null;
  readonly own_max: number | null;
  readonly own_window_minutes: number | null;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  /** Why its endpoint was retired, unless a browser subscribed with it since; otherwise null. */
  readonly retired_reason: string | null;
}

/** Null where the app has no such delivery or no such subscription. */
export async function readTraceFacts(
  sql: Sql,
  appId: AppId,
  deliveryId: DeliveryId,
  subscriptionId: number,
): Promise<TraceFacts | null> {
  const [row] = await sql.query<TraceFacts>(
    `SELECT seq, subscriptions.status AS subscription_status, subscriptions.created_at AS subscribed_at,
       unsubscribed_at, deliveries.status AS delivery_status, started_at, error_message, rehearsal, test,
       deliveries.audience, shards.state AS shard_state, shards.attempts AS shard_attempts, shards.due_at,
       CASE WHEN ttl_seconds = 0 THEN expires_at ELSE least(expires_at,
         coalesce(starts_at, scheduled_at, deliveries.created_at) + make_interval(secs => ttl_seconds))
       END AS wanted_until,
       get_bit(blocks.audience, seq & 1023) = 1 AS in_audience,
       get_bit(blocks.accepted, seq & 1023) = 1 AS accepted,
       get_bit(blocks.settled, seq & 1023) = 1 AS settled,
       coalesce(get_bit(blocks.capped, seq & 1023) = 1, false) AS capped,
       coalesce(get_bit(blocks.guarded, seq & 1023) = 1, false) AS guarded,
       coalesce(get_bit(blocks.wished, seq & 1023) = 1, false) AS wished,
       wish.paused_until, wish.max_notifications AS own_max, wish.window_minutes AS own_window_minutes,
       wish.quiet_from, wish.quiet_to,
       (SELECT reason FROM failing_endpoints AS failing WHERE failing.app_id = subscriptions.app_id
          AND failing.seq = subscriptions.seq AND retired_at = unsubscribed_at) AS retired_reason
     FROM deliveries
     JOIN subscriptions ON subscriptions.app_id = $1 AND subscriptions.seq = (SELECT seq_of_subscription($1, $3))
     LEFT JOIN LATERAL (SELECT paused_until, max_notifications, window_minutes, quiet_from, quiet_to
       FROM reader_wishes WHERE reader_wishes.app_id = subscriptions.app_id AND reader_wishes.seq = subscriptions.seq) AS wish ON true
     LEFT JOIN shards ON shards.delivery_id = deliveries.id AND seq >> 10 = ANY(shards.blocks)
     LEFT JOIN blocks ON blocks.app_id = deliveries.app_id AND block = seq >> 10
       AND blocks.delivery_id = deliveries.id
     WHERE deliveries.app_id = $1 AND deliveries.id = $2`,
    [appId, deliveryId, subscriptionId],
  );
  return row ?? null;
}

/** Whether the subscription matches the delivery's frozen audience now. */
export async function matchesNow(sql: Sql, appId: AppId, seq: number, frozen: unknown): Promise<boolean> {
  const audience = parseAudience(frozen);
  if (audience === null) return true;
  const { delivery_id: id } = audience;
  const reaches = id === undefined ? noReaches : await frozenReachesOfBlock(sql, id, seq >> 10);
  const { text, values } = audiencePredicate(audience, 2, reaches);
  const rows = await sql.query(`SELECT 1 FROM subscriptions WHERE app_id = $1 AND seq = $2 AND ${text}`, [
    appId,
    seq,
    ...values,
  ]);
  return rows.length === 1;
}

export interface CappingDelivery {
  readonly delivery_id: DeliveryId;
  readonly name: string;
  readonly started_at: Date | null;
}

/**
 * The deliveries that took a subscription's slots of a window as it was when this one started: they were sent to it,
 * or still may be. At most as many as a cap may allow.
 * @param windowMinutes null: of the app's frequency cap, as it is now.
 */
export function readCappingDeliveries(
  sql: Sql,
  appId: AppId,
  deliveryId: DeliveryId,
  seq: number,
  windowMinutes: number | null,
): Promise<CappingDelivery[]> {
  return sql.query<CappingDelivery>(
    `SELECT other.id AS delivery_id, other.name, other.started_at
     FROM deliveries AS capped JOIN apps ON apps.id = capped.app_id
     JOIN blocks ON blocks.app_id = capped.app_id AND block = $3::integer >> 10 AND delivery_id <> capped.id
       AND slots_at > capped.started_at - make_interval(mins => coalesce($4, frequency_cap_window_minutes))
     JOIN deliveries AS other ON other.id = blocks.delivery_id
     WHERE capped.app_id = $1 AND capped.id = $2
       AND other.started_at <= coalesce(capped.completed_at, now())
       AND (get_bit(accepted, $3 & 1023) = 1
         OR (slots_at = 'infinity' AND get_bit(blocks.audience, $3 & 1023) > get_bit(settled, $3 & 1023)))
     ORDER BY other.id DESC LIMIT 100`,
    [appId, deliveryId, seq, windowMinutes],
  );
}
