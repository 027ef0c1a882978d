import type { DeliveryId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/**
 * A released shard that nobody leased within this time is published again: its message may be lost with
 * the log, or rest among the dead letters. A second message for one shard does no harm.
 */
export const REPUBLISH_AFTER_SECONDS = 120;

/** Moves the next planned shards of a delivery to the log, through the outbox, in the caller's transaction. */
export async function releaseShards(
  sql: Sql,
  deliveryId: DeliveryId,
  topic: string,
  count: number,
): Promise<void> {
  await sql.query(
    `WITH released AS (
       UPDATE shards SET state = 'released', due_at = now() + make_interval(secs => $4)
       WHERE id IN (SELECT id FROM shards WHERE delivery_id = $1 AND state = 'planned'
                    ORDER BY number LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, delivery_id, app_id, number
     )
     INSERT INTO outbox (topic, key, value)
     SELECT $2, id::text, jsonb_build_object('shard_id', id, 'delivery_id', delivery_id, 'app_id', app_id)
     FROM released ORDER BY number`,
    [deliveryId, topic, count, REPUBLISH_AFTER_SECONDS],
  );
}
