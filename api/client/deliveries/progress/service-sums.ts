import { currentSpan, RATE_SECONDS } from '../../../../engine/adapters/postgres/dispatch/count-services.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';
import { pushServices } from '../../../../engine/contract/push-service.ts';
import { countIndex } from '../../../../engine/contract/service-counts.ts';

/** A delivery's result at one push service; accepted and failed add up to the delivery's own. */
export interface ServiceSums {
  readonly service: (typeof pushServices)[number];
  readonly accepted: number;
  readonly failed: number;
  readonly throttled: number;
}

/** Summed over the shards when read: only services with any count, in the order of `pushServices`. */
export async function sumServices(sql: Sql, deliveryId: DeliveryId): Promise<ServiceSums[]> {
  const rows = await sql.query<{ place: number; total: number }>(
    `SELECT place::int, sum(value)::int AS total
     FROM shards, unnest(service_counts) WITH ORDINALITY AS counts (value, place)
     WHERE delivery_id = $1 GROUP BY place`,
    [deliveryId],
  );
  const totals = new Map(rows.map(({ place, total }) => [place - 1, total]));
  return pushServices.map((service, index) => ({
    service,
    accepted: totals.get(countIndex(index, 'accepted')) ?? 0,
    failed: totals.get(countIndex(index, 'failed')) ?? 0,
    throttled: totals.get(countIndex(index, 'throttled')) ?? 0,
  }));
}

/** Targets that were tried or held back, and are left for another attempt: by index in `pushServices`. */
export async function sumWaiting(sql: Sql, deliveryId: DeliveryId): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.query<{ place: number; total: number }>(
    `SELECT place::int, sum(value)::int AS total
     FROM blocks, unnest(waiting) WITH ORDINALITY AS counts (value, place)
     WHERE blocks.waiting IS NOT NULL AND shard_id IN (SELECT id FROM shards WHERE delivery_id = $1) GROUP BY place`,
    [deliveryId],
  );
  return new Map(rows.map(({ place, total }) => [place - 1, total]));
}

/** Messages accepted a second over the last five to ten seconds: by index in `pushServices`. */
export async function sumRates(sql: Sql, deliveryId: DeliveryId): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.query<{ place: number; rate: number }>(
    `SELECT place::int, (sum(value) / (${RATE_SECONDS} + extract(epoch FROM now())
         - ${RATE_SECONDS} * ${currentSpan}))::float8 AS rate
     FROM shards CROSS JOIN LATERAL (
       SELECT value, place FROM unnest(span_accepted) WITH ORDINALITY AS latest (value, place)
       UNION ALL
       SELECT value, place FROM unnest(CASE WHEN span = ${currentSpan} THEN span_before ELSE '{}' END)
         WITH ORDINALITY AS before (value, place)
     ) AS counts
     WHERE delivery_id = $1 AND span >= ${currentSpan} - 1 GROUP BY place`,
    [deliveryId],
  );
  return new Map(rows.map(({ place, rate }) => [place - 1, rate]));
}
