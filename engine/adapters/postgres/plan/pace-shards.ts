import type { DeliveryId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';

/**
 * How long before the targets in front of it are sent a shard is released: enough for the log and for the
 * engine that leases it, so that no gap opens in the rate.
 */
const LEAD_SECONDS = 10;

/**
 * Gives each planned shard of a paced delivery the time at which the targets before it are sent at the
 * delivery's rate, in the caller's transaction, and starts the delivery's pace. These times only keep few
 * shards running: the pace (`pace-store.ts`) decides when a target is sent, over any number of engines. Shards
 * that come after the expiry are due then, to be ended.
 *
 * The pace lives in `delivery_paces`, which issues permits at the rate. If its owner dies, any engine takes the next
 * permit: lost time shifts the schedule, and nothing is made up.
 */
export async function paceShards(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await sql.query(
    `INSERT INTO delivery_paces (delivery_id, rate_per_minute)
     SELECT id, rate_per_minute FROM deliveries WHERE id = $1`,
    [deliveryId],
  );
  await sql.query(
    `UPDATE shards SET state = 'waiting', starts_at = paced.at,
       due_at = greatest(now(), paced.at - make_interval(secs => $2))
     FROM (
       SELECT shards.id, least(expires_at, now() + make_interval(secs =>
         60.0 * (sum(planned_targets) OVER (ORDER BY number) - planned_targets) / rate_per_minute)) AS at
       FROM shards JOIN deliveries ON deliveries.id = delivery_id WHERE delivery_id = $1
     ) AS paced
     WHERE shards.id = paced.id`,
    [deliveryId, LEAD_SECONDS],
  );
}
