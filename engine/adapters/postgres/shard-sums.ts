import type { DeliveryId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/** The counters of a delivery that has not completed: the sums over its shards. */
export interface ShardSums {
  /** Of the blocks whose audience is fixed so far. */
  readonly audience: number;
  readonly capped: number;
  readonly accepted: number;
  readonly failed: number;
  /** Attempts without a known ending: the message left and no answer came. */
  readonly ambiguous: number;
}

const nothing: ShardSums = Object.freeze({ audience: 0, capped: 0, accepted: 0, failed: 0, ambiguous: 0 });

/** One aggregate for any number of deliveries; each of them has an entry, zeros where it has no shard. */
export async function sumShards(
  sql: Sql,
  deliveryIds: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, ShardSums>> {
  const rows = await sql.query<ShardSums & { readonly delivery_id: DeliveryId }>(
    `SELECT delivery_id, sum(audience_count) AS audience, sum(capped_count) AS capped,
       sum(accepted_count) AS accepted, sum(failed_count) AS failed, sum(unknown_count) AS ambiguous
     FROM shards WHERE delivery_id = ANY($1::bigint[]) GROUP BY delivery_id`,
    [deliveryIds],
  );
  const found = new Map(rows.map(({ delivery_id, ...sums }) => [delivery_id, sums]));
  return new Map(deliveryIds.map((id) => [id, found.get(id) ?? nothing]));
}
