import type { DeliveryId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/**
 * Stops what nobody works on of a delivery that was cancelled in the caller's transaction. Released rows that
 * somebody leases at this moment are passed over: whoever leases them is told that the delivery is cancelled.
 * Planned and waiting ones are waited for: only a release holds them, and that waits for nothing.
 */
export async function stopShards(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await awaitReleases(sql, deliveryId);
  // A statement of its own, which sees as released what it had to wait for; and one for all, which locks the
  // counts of their blocks in order.
  await sql.query(
    `UPDATE shards SET state = 'stopped', due_at = NULL
     WHERE id IN (SELECT id FROM shards WHERE delivery_id = $1 AND state IN ('planned', 'released', 'waiting')
                  FOR UPDATE SKIP LOCKED)`,
    [deliveryId],
  );
}

async function awaitReleases(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await sql.query(
    `SELECT count(*) FROM (
       SELECT id FROM shards WHERE delivery_id = $1 AND state IN ('planned', 'waiting') FOR UPDATE
     ) AS quiet`,
    [deliveryId],
  );
}
