import { IS_COUNTED } from '../../../engine/adapters/postgres/deliveries/counted.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Clicks } from './delivery-figures.ts';
import type { Period } from './period.ts';

export interface AudienceGroup {
  readonly device: string | null;
  /** In lower case. */
  readonly browser: string | null;
  readonly country: string | null;
  readonly count: number;
}

/** Active subscribers by device, browser and country: a few thousand rows however large the app, of narrow ones. */
export function countAudience(sql: Sql, appId: AppId): Promise<AudienceGroup[]> {
  return sql.query<AudienceGroup>(
    `SELECT device_type AS device, browser, country, count(*) AS count FROM subscription_facets
     WHERE app_id = $1 AND status = 'subscribed' GROUP BY device_type, browser, country`,
    [appId],
  );
}

export interface DeliveryTotals {
  readonly deliveries: number;
  readonly accepted: number;
  readonly clicks: number;
}

/**
 * Deliveries of the app, and notifications that push services accepted; running ones by their shards. Of each
 * delivery as many clicks as were accepted at most.
 */
export async function countDeliveries(sql: Sql, appId: AppId, clicks: Clicks): Promise<DeliveryTotals> {
  const [row] = await sql.query<DeliveryTotals>(
    `SELECT count(*) AS deliveries, coalesce(sum(coalesce(live.accepted, success_count)), 0) AS accepted,
       coalesce(sum(least(coalesce(clicked.clicks, 0), coalesce(live.accepted, success_count))), 0) AS clicks
     FROM deliveries LEFT JOIN LATERAL (
       SELECT sum(accepted_count) AS accepted FROM shards WHERE delivery_id = deliveries.id
     ) AS live ON status IN ('processing', 'cancelled')
     LEFT JOIN (SELECT * FROM unnest($2::bigint[], $3::integer[]) AS given (id, clicks)) AS clicked
       ON clicked.id = deliveries.id
     WHERE app_id = $1 AND ${IS_COUNTED}`,
    [appId, [...clicks.keys()], [...clicks.values()]],
  );
  return {
    deliveries: row?.deliveries ?? 0,
    accepted: Number(row?.accepted ?? 0),
    clicks: Number(row?.clicks ?? 0),
  };
}

export interface SubscriberCounts {
  readonly total: number;
  readonly active: number;
}

export async function readSubscriberCounts(sql: Sql, appId: AppId): Promise<SubscriberCounts> {
  const [row] = await sql.query<SubscriberCounts>(
    `SELECT subscriber_count AS total, active_subscriber_count AS active FROM apps WHERE id = $1`,
    [appId],
  );
  return row ?? { total: 0, active: 0 };
}

export interface NewSubscribers {
  readonly date: string;
  readonly new_subscribers: number;
}

/** By the day (UTC) they came; days without any are left out. */
export function countNewByDay(
  sql: Sql,
  appId: AppId,
  { firstDay, until }: Period,
): Promise<NewSubscribers[]> {
  return sql.query<NewSubscribers>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS date, new_subscribers FROM subscriber_days
     WHERE app_id = $1 AND day >= $2::date AND day < $3::date ORDER BY day`,
    [appId, firstDay, until.toISOString().slice(0, 10)],
  );
}

export interface LeftSubscribers {
  readonly date: string;
  readonly left_subscribers: number;
}

/**
 * By the day (UTC) they unsubscribed, themselves or found gone by a push service; days without any are left out. One
 * who came back is subscribed again and counts on no day; one who was deleted since has no row to count.
 */
export function countLeftByDay(sql: Sql, appId: AppId, { from, until }: Period): Promise<LeftSubscribers[]> {
  return sql.query<LeftSubscribers>(
    `SELECT to_char(unsubscribed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*) AS left_subscribers
     FROM subscriptions
     WHERE app_id = $1 AND status = 'unsubscribed' AND unsubscribed_at >= $2 AND unsubscribed_at < $3
     GROUP BY 1 ORDER BY 1`,
    [appId, from, until],
  );
}
