import { IS_COUNTED } from '../../../engine/adapters/postgres/deliveries/counted.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import type { Period } from './period.ts';

/** Clicks of deliveries, as ClickHouse counted them. */
export type Clicks = ReadonlyMap<DeliveryId, number>;

/** A cancellation is the last that is written of a delivery: it counts on that day, whenever it was due. */
const countedAt = `CASE WHEN status = 'cancelled' THEN updated_at ELSE coalesce(scheduled_at, created_at) END`;
/** For deliveries that were not cancelled an index has this time. */
const inPeriod = `(status = 'cancelled' OR coalesce(scheduled_at, created_at) >= $2
  AND coalesce(scheduled_at, created_at) < $3) AND ${countedAt} >= $2 AND ${countedAt} < $3`;

/**
 * The app's deliveries of the period: on the day (UTC) that each was due or cancelled, with the number accepted
 * (for a running or cancelled one by its shards), and its clicks, never more than that. Parameters: $1 app, $2
 * from, $3 until, $4 and $5 the clicked deliveries and their clicks.
 */
const figures = `
  SELECT id, identifier, title, status, completed_at, coalesce(live.accepted, success_count)::bigint AS accepted,
    to_char(${countedAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date,
    least(coalesce(clicked.clicks, 0), coalesce(live.accepted, success_count))::bigint AS clicks
  FROM deliveries
  LEFT JOIN LATERAL (
    SELECT sum(accepted_count) AS accepted FROM shards WHERE delivery_id = deliveries.id
  ) AS live ON status IN ('processing', 'cancelled')
  LEFT JOIN unnest($4::bigint[], $5::integer[]) AS clicked (id, clicks) USING (id)
  WHERE app_id = $1 AND ${inPeriod} AND ${IS_COUNTED}`;

const valuesOf = (appId: AppId, { from, until }: Period, clicks: Clicks): unknown[] => [
  appId,
  from.toISOString(),
  until.toISOString(),
  [...clicks.keys()],
  [...clicks.values()],
];

export interface DayFigures {
  readonly date: string;
  readonly total: number;
  readonly successful: number;
  readonly accepted: number;
  readonly clicks: number;
}

export const noFigures: Omit<DayFigures, 'date'> = Object.freeze({
  total: 0,
  successful: 0,
  accepted: 0,
  clicks: 0,
});

/** Days without a delivery are absent. */
export function sumByDay(sql: Sql, appId: AppId, period: Period, clicks: Clicks): Promise<DayFigures[]> {
  return sql.query<DayFigures>(
    `SELECT date, count(*) AS total, count(*) FILTER (WHERE status = 'success') AS successful,
       sum(accepted)::bigint AS accepted, sum(clicks)::bigint AS clicks
     FROM (${figures}) AS figures GROUP BY date ORDER BY date`,
    valuesOf(appId, period, clicks),
  );
}

export interface DueDelivery {
  readonly id: DeliveryId;
  readonly date: string;
  readonly accepted: number;
}

/** As many as ClickHouse names in one answer: one every 78 seconds of 90 days. */
const MOST_DUE = 100_000;

/** The app's deliveries of the period that push services accepted anything of; of too many the newest. */
export function listAccepted(sql: Sql, appId: AppId, period: Period): Promise<DueDelivery[]> {
  return sql.query<DueDelivery>(
    `SELECT id, date, accepted FROM (${figures}) AS figures WHERE accepted > 0
     ORDER BY id DESC LIMIT ${MOST_DUE}`,
    valuesOf(appId, period, new Map()),
  );
}

export interface TopDelivery {
  readonly id: DeliveryId;
  readonly identifier: string;
  readonly title: string;
  readonly clicks: number;
  readonly accepted: number;
  readonly completed_at: Date;
}

/** By the rate as displayed, to the hundredth of a percent; at the same rate the most clicked first. */
export function topDeliveries(
  sql: Sql,
  appId: AppId,
  period: Period,
  clicks: Clicks,
  most: number,
): Promise<TopDelivery[]> {
  return sql.query<TopDelivery>(
    `SELECT id, identifier, title, clicks, accepted, completed_at FROM (${figures}) AS figures
     WHERE status IN ('success', 'partial') AND accepted > 0
     ORDER BY round(clicks * 10000.0 / accepted) DESC, clicks DESC, id DESC LIMIT $6`,
    [...valuesOf(appId, period, clicks), most],
  );
}

export interface EndedDelivery {
  readonly id: DeliveryId;
  /** Messages, accepted or failed permanently. */
  readonly ended: number;
}

/** The app's deliveries that ran in the period, and how far each is; of too many the newest. */
export function listEnded(sql: Sql, appId: AppId, { from }: Period): Promise<EndedDelivery[]> {
  return sql.query<EndedDelivery>(
    `SELECT id, coalesce(live.ended, success_count + failed_count)::bigint AS ended
     FROM deliveries LEFT JOIN LATERAL (
       SELECT sum(accepted_count + failed_count) AS ended FROM shards WHERE delivery_id = deliveries.id
     ) AS live ON status IN ('processing', 'cancelled')
     WHERE app_id = $1 AND ${IS_COUNTED} AND started_at IS NOT NULL
       AND coalesce(completed_at, CASE WHEN status = 'cancelled' THEN updated_at ELSE now() END) >= $2
     ORDER BY id DESC LIMIT ${MOST_DUE}`,
    [appId, from.toISOString()],
  );
}

export interface StatusCount {
  readonly status: string;
  readonly count: number;
}

export function countByStatus(sql: Sql, appId: AppId, { from, until }: Period): Promise<StatusCount[]> {
  return sql.query<StatusCount>(
    `SELECT status, count(*) AS count FROM deliveries
     WHERE app_id = $1 AND ${inPeriod} AND ${IS_COUNTED}
     GROUP BY status`,
    [appId, from.toISOString(), until.toISOString()],
  );
}
