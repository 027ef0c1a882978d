import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';

/**
 * Stops the idle shards of a delivery that was cancelled in the caller's transaction. Released rows that are
 * being leased at this moment are skipped: the lease reports the cancel. Planned and waiting ones are waited
 * for: only a release holds them, and that waits for nothing.
 */
export async function stopShards(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await awaitReleases(sql, deliveryId);
  // A statement of its own, which sees rows as released that it had to wait for; and one for all, which locks
  // the counts of their blocks in order.
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
