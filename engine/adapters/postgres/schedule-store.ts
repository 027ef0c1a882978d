import { planTopic } from '../../contract/topics.ts';
import type { Database, Sql } from './database.ts';
import { releasePaced } from './release-paced.ts';
import {
  DEFAULT_RELEASE_WINDOW,
  mayRelease,
  REPUBLISH_AFTER_SECONDS,
  releaseShards,
  shardMessage,
} from './release-shards.ts';

const planTopicOfLane = `CASE lane WHEN 'breaking' THEN '${planTopic('breaking')}' ELSE '${planTopic('bulk')}' END`;
/** A log that is well has a delivery planned within a second: after so long its message may be lost. */
const PUBLISH_QUEUED_AGAIN_SECONDS = 300;

/** What becomes due, moved on by whichever engine looks first: claims skip rows that another one holds. */
export function createScheduleStore(database: Database, releaseWindow = DEFAULT_RELEASE_WINDOW) {
  return {
    /**
     * Scheduled deliveries whose time has come, onto the outbox: in the order of their times, of one time the
     * breaking ones first.
     */
    startDueDeliveries: async (limit: number): Promise<number> => {
      const rows = await database.query(
        `WITH due AS (
           SELECT id FROM deliveries WHERE status = 'scheduled' AND scheduled_at <= now()
           ORDER BY scheduled_at, lane = 'bulk', id LIMIT $1 FOR UPDATE SKIP LOCKED
         ), started AS (
           UPDATE deliveries SET status = 'pending', updated_at = now() FROM due
           WHERE deliveries.id = due.id RETURNING deliveries.id, deliveries.scheduled_at, deliveries.lane, deliveries.traceparent
         )
         INSERT INTO outbox (topic, key, value)
         SELECT ${planTopicOfLane}, id::text,
           jsonb_strip_nulls(jsonb_build_object('delivery_id', id, 'traceparent', traceparent)) FROM started
         ORDER BY scheduled_at, lane = 'bulk', id RETURNING id`,
        [limit],
      );
      return rows.length;
    },

    /**
     * Deliveries that the log has had for so long without anybody planning them, onto the outbox again: their
     * messages may be lost with the log's disk. One that only waits for its turn is planned once all the same,
     * and one whose row is still in the outbox needs no second one.
     */
    publishQueuedAgain: async (limit: number): Promise<number> => {
      const rows = await database.query(
        `WITH stale AS (
           SELECT id FROM deliveries
           WHERE status = 'queued' AND updated_at < now() - make_interval(secs => $2) AND NOT EXISTS (
             SELECT FROM outbox WHERE topic = 'deliveries' AND key = deliveries.id::text)
           ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED
         ), again AS (
           UPDATE deliveries SET updated_at = now() FROM stale
           WHERE deliveries.id = stale.id RETURNING deliveries.id
         )
         INSERT INTO outbox (topic, key, value)
         SELECT 'deliveries', id::text, jsonb_build_object('delivery_id', id) FROM again ORDER BY id RETURNING id`,
        [limit, PUBLISH_QUEUED_AGAIN_SECONDS],
      );
      return rows.length;
    },

    /**
     * Puts shards onto the log: those left by an engine whose lease has ended, those released so long ago that
     * their message may be lost, and then, in their fair order, as many as the lanes have room for. One engine
     * does so at a time; for the others there is nothing to do.
     */
    releaseDueShards: (limit: number): Promise<number> =>
      database.transaction(async (sql) => {
        if (!(await mayRelease(sql))) return 0;
        let released = await releaseAgain(sql, limit);
        for (const lane of ['breaking', 'bulk'] as const) {
          released += await releaseShards(sql, lane, releaseWindow);
        }
        return released + (await releasePaced(sql));
      }),
  };
}

async function releaseAgain(sql: Sql, limit: number): Promise<number> {
  const rows = await sql.query(
    `WITH due AS (
       SELECT id FROM shards WHERE state IN ('released', 'running') AND due_at <= now()
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), released AS (
       UPDATE shards SET state = 'released', lease_owner = NULL, lease_epoch = lease_epoch + 1,
         lost_leases = lost_leases + (shards.state = 'running')::int, due_at = now() + make_interval(secs => $2)
       FROM due, deliveries WHERE shards.id = due.id AND deliveries.id = shards.delivery_id
       RETURNING shards.id, shards.delivery_id, shards.app_id, deliveries.lane
     )
     INSERT INTO outbox (topic, key, value)
     SELECT 'shards.' || lane, id::text, ${shardMessage}
     FROM released RETURNING id`,
    [limit, REPUBLISH_AFTER_SECONDS],
  );
  return rows.length;
}
