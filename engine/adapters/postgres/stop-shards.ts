import type { DeliveryId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

/**
 * Stops what nobody works on of a delivery that was cancelled in the caller's transaction. Rows that somebody
 * moves at this moment are passed over: waiting for one could deadlock with its settling, and whoever leases it
 * next is told that the delivery is cancelled.
 */
export async function stopShards(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await sql.query(
    `UPDATE shards SET state = 'stopped', due_at = NULL
     WHERE id IN (SELECT id FROM shards WHERE delivery_id = $1 AND state IN ('planned', 'released', 'waiting')
                  FOR UPDATE SKIP LOCKED)`,
    [deliveryId],
  );
}
