import type { Clock } from '../../../contract/concurrency/clock.ts';
import { planTopic } from '../../../contract/topics.ts';
import type { Database } from '../database.ts';
import { createRowsApart } from '../rows-apart.ts';

const planTopicOfLane = `CASE lane WHEN 'breaking' THEN '${planTopic('breaking')}' ELSE '${planTopic('bulk')}' END`;
/** A healthy log has a delivery planned within a second: after this time its message may be lost. */
const PUBLISH_QUEUED_AGAIN_SECONDS = 300;

export const isStarting = `status = 'scheduled' AND scheduled_at <= now()`;
export const isStale = `status = 'queued'
  AND coalesce(plan_after, updated_at + make_interval(secs => ${PUBLISH_QUEUED_AGAIN_SECONDS})) < now()`;

const isOther = 'deliveries.id <> ALL($2::bigint[])';
const startOrder = `scheduled_at, lane = 'bulk', id`;
const isLost = `${isStale} AND NOT EXISTS (
  SELECT FROM outbox WHERE topic = ${planTopicOfLane} AND key = deliveries.id::text)`;

/**
 * Due rows, moved on by the first engine that looks: claims skip rows that another one holds. A delivery that cannot be
 * moved stops no other one.
 */
export function createScheduleStore(database: Database, clock?: Pick<Clock, 'now'>) {
  const move = async (statement: string, limit: number, except: readonly number[]): Promise<number> =>
    (await database.query(statement, [limit, except])).length;
  const firstOf =
    (condition: string, order: string) =>
    async (except: readonly number[]): Promise<number | null> => {
      const [row] = await database.query<{ id: number }>(
        `SELECT id FROM deliveries WHERE ${condition} AND ${isOther} ORDER BY ${order} LIMIT $1`,
        [1, except],
      );
      return row?.id ?? null;
    };
  return {
    /**
     * Scheduled deliveries whose time has come, onto the outbox: in the order of their times, of one time the
     * breaking ones first.
     */
    startDueDeliveries: createRowsApart(
      {
        take: (limit, except) => move(startDue, limit, except),
        first: firstOf(isStarting, startOrder),
      },
      clock,
    ),

    /**
     * Deliveries that have been on the log for this long without being planned, onto the outbox again: their
     * messages may be lost with the log's disk. One that only waits for its turn is planned once all the same,
     * and one whose row is still in the outbox needs no second one.
     * A delivery whose planning was postponed goes once its time has come.
     */
    publishQueuedAgain: createRowsApart(
      {
        take: (limit, except) => move(publishAgain, limit, except),
        first: firstOf(isLost, 'updated_at'),
      },
      clock,
    ),
  };
}

const startDue = `WITH due AS (
    SELECT id FROM deliveries WHERE ${isStarting} AND ${isOther}
    ORDER BY ${startOrder} LIMIT $1 FOR UPDATE SKIP LOCKED
  ), started AS (
    UPDATE deliveries SET status = 'pending', updated_at = now() FROM due
    WHERE deliveries.id = due.id RETURNING deliveries.id, deliveries.scheduled_at, deliveries.lane, deliveries.traceparent
  )
  INSERT INTO outbox (topic, key, value)
  SELECT ${planTopicOfLane}, id::text,
    jsonb_strip_nulls(jsonb_build_object('delivery_id', id, 'traceparent', traceparent)) FROM started
  ORDER BY ${startOrder} RETURNING id`;

const publishAgain = `WITH stale AS (
    SELECT id FROM deliveries WHERE ${isLost} AND ${isOther}
    ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), again AS (
    UPDATE deliveries SET updated_at = now(), plan_after = NULL FROM stale
    WHERE deliveries.id = stale.id RETURNING deliveries.id, deliveries.lane
  )
  INSERT INTO outbox (topic, key, value)
  SELECT ${planTopicOfLane}, id::text, jsonb_build_object('delivery_id', id) FROM again ORDER BY id RETURNING id`;
