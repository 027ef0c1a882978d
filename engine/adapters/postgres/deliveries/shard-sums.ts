import type { DeliveryStatus } from '../../../contract/delivery.ts';
import type { DeliveryId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/** The counters of a delivery that has not completed: the sums over its shards. */
export interface ShardSums {
  /** Only blocks whose audience is fixed so far. */
  readonly audience: number;
  readonly capped: number;
  /** Of these, by Chrome's guard. */
  readonly guarded: number;
  /** And by readers' own wishes. */
  readonly wished: number;
  readonly accepted: number;
  readonly failed: number;
  /** Attempts without a known ending: the message was sent and no answer came. */
  readonly ambiguous: number;
}

const nothing: ShardSums = Object.freeze({
  audience: 0,
  capped: 0,
  guarded: 0,
  wished: 0,
  accepted: 0,
  failed: 0,
  ambiguous: 0,
});

/** One aggregate for any number of deliveries; each of them has an entry, zeros where it has no shard. */
export async function sumShards(
  sql: Sql,
  deliveryIds: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, ShardSums>> {
  const rows = await sql.query<ShardSums & { readonly delivery_id: DeliveryId }>(
    `SELECT delivery_id, sum(audience_count) AS audience, sum(capped_count) AS capped,
       sum(guarded_count) AS guarded, sum(wished_count) AS wished, sum(accepted_count) AS accepted, sum(failed_count) AS failed, sum(unknown_count) AS ambiguous
     FROM shards WHERE delivery_id = ANY($1::bigint[]) GROUP BY delivery_id`,
    [deliveryIds],
  );
  const found = new Map(rows.map(({ delivery_id, ...sums }) => [delivery_id, sums]));
  return new Map(deliveryIds.map((id) => [id, found.get(id) ?? nothing]));
}

/** The counts in a delivery's row, under the names that the specification gives them. */
interface Counts {
  readonly id: DeliveryId;
  readonly status: DeliveryStatus;
  readonly total_subscribers: number;
  readonly capped_subscribers: number;
  readonly guarded_subscribers: number;
  readonly wished_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly ambiguous: number;
}

/**
 * While a delivery runs, and after it was cancelled, its counts are the sums over its shards: one query for all
 * that are given. Those of a completed one are in its row.
 */
export async function withLiveCounts<T extends Counts>(sql: Sql, deliveries: readonly T[]): Promise<T[]> {
  const live = deliveries.filter(({ status }) => status === 'processing' || status === 'cancelled');
  if (live.length === 0) return [...deliveries];
  const sums = await sumShards(
    sql,
    live.map(({ id }) => id),
  );
  return deliveries.map((delivery) => withSums(delivery, sums.get(delivery.id)));
}

/**
 * The total is the plan's count until the fixed audiences exceed it: subscribers who joined between the plan
 * and a block's first run are in them. A sum of ended targets instead would grow while sending, and the
 * delivery completes with the audiences as its total.
 */
function withSums<T extends Counts>(delivery: T, sums: ShardSums | undefined): T {
  if (sums === undefined) return delivery;
  return {
    ...delivery,
    total_subscribers: Math.max(delivery.total_subscribers, sums.audience),
    capped_subscribers: sums.capped,
    guarded_subscribers: sums.guarded,
    wished_subscribers: sums.wished,
    success_count: sums.accepted,
    failed_count: sums.failed,
    ambiguous: sums.ambiguous,
  };
}
