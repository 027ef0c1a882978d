import type { DeliveryId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/**
 * Gives each planned shard of a paced delivery the time at which the targets before it are through at the
 * delivery's rate, in the caller's transaction. The scheduler of whichever engine publishes a shard when it
 * is due, so the rate holds over any number of engines and none keeps count. Those that come after the expiry
 * are due then, to be ended.
 */
export async function paceShards(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await sql.query(
    `UPDATE shards SET state = 'waiting', starts_at = paced.at, due_at = paced.at
     FROM (
       SELECT shards.id, least(expires_at, now() + make_interval(secs =>
         60.0 * (sum(planned_targets) OVER (ORDER BY number) - planned_targets) / rate_per_minute)) AS at
       FROM shards JOIN deliveries ON deliveries.id = delivery_id WHERE delivery_id = $1
     ) AS paced
     WHERE shards.id = paced.id`,
    [deliveryId],
  );
}
