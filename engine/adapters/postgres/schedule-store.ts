import type { Database } from './database.ts';
import { REPUBLISH_AFTER_SECONDS } from './release-shards.ts';

/** What becomes due, moved on by whichever engine looks first: claims skip rows that another one holds. */
export function createScheduleStore(database: Database) {
  return {
    /** Scheduled deliveries whose time has come, in the order of their times, onto the outbox. */
    startDueDeliveries: async (limit: number): Promise<number> => {
      const rows = await database.query(
        `WITH due AS (
           SELECT id FROM deliveries WHERE status = 'scheduled' AND scheduled_at <= now()
           ORDER BY scheduled_at, id LIMIT $1 FOR UPDATE SKIP LOCKED
         ), started AS (
           UPDATE deliveries SET status = 'pending', updated_at = now() FROM due
           WHERE deliveries.id = due.id RETURNING deliveries.id, deliveries.scheduled_at
         )
         INSERT INTO outbox (topic, key, value)
         SELECT 'deliveries', id::text, jsonb_build_object('delivery_id', id) FROM started ORDER BY scheduled_at, id
         RETURNING id`,
        [limit],
      );
      return rows.length;
    },

    /**
     * Shards that are due: waiting for their next attempt, left by an engine whose lease has ended, or
     * released so long ago that their message may be lost.
     */
    releaseDueShards: async (limit: number): Promise<number> => {
      const rows = await database.query(
        `WITH due AS (
           SELECT id FROM shards WHERE state IN ('released', 'running', 'waiting') AND due_at <= now()
           ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
         ), released AS (
           UPDATE shards SET state = 'released', lease_owner = NULL, lease_epoch = lease_epoch + 1,
             due_at = now() + make_interval(secs => $2)
           FROM due, deliveries WHERE shards.id = due.id AND deliveries.id = shards.delivery_id
           RETURNING shards.id, shards.delivery_id, shards.app_id, deliveries.lane
         )
         INSERT INTO outbox (topic, key, value)
         SELECT 'shards.' || lane, id::text, jsonb_build_object('shard_id', id, 'delivery_id', delivery_id, 'app_id', app_id)
         FROM released RETURNING id`,
        [limit, REPUBLISH_AFTER_SECONDS],
      );
      return rows.length;
    },
  };
}
