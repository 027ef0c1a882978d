import type { Sql } from '../sql.ts';
import { firstId, MOST, REPUBLISH_AFTER_SECONDS, shardMessage } from './release-shards.ts';

/**
 * Shards of an app and lane that wait for the app's budget at once, on the log or running. Each takes what the budget
 * gives it, so a few are enough for all of it; and the most recently active readers go first the more exactly, the
 * fewer there are.
 */
const SHARDS_AT_ONCE = 8;

/**
 * Where the app is no longer limited, its shards become ordinary ones that are due now.
 * @returns how many.
 */
export async function endBudgets(
  sql: Sql,
  most: number = MOST,
  except: readonly number[] = [],
): Promise<number> {
  const rows = await sql.query(
    `UPDATE shards SET budgeted = false, due_at = now()
     WHERE id IN (SELECT id FROM shards WHERE ${isFree} ORDER BY id LIMIT $2) AND ${isFree} RETURNING id`,
    [except, most],
  );
  return rows.length;
}

export const firstOfEndedBudget = (sql: Sql, except: readonly number[]): Promise<number | null> =>
  firstId(sql, `SELECT id FROM shards WHERE ${isFree} ORDER BY id LIMIT 1`, [except]);

// $1 none of these.
const isFree = `budgeted AND state = 'waiting' AND id <> ALL($1::bigint[])
       AND NOT EXISTS (SELECT FROM push_service_standings AS standing WHERE standing.app_id = shards.app_id AND ended_at IS NULL)`;

/**
 * Releases shards that wait for the budget of a push service, in the caller's transaction that holds the release lock:
 * outside the lanes' windows, as paced ones. Of an app, shards of earlier rounds go first
 * (`contract/expected-clicks.ts`), then older deliveries.
 * @returns how many were released.
 */
export async function releaseBudgeted(
  sql: Sql,
  most: number = MOST,
  except: readonly number[] = [],
): Promise<number> {
  const rows = await sql.query(
    `WITH ${next}, taken AS (
       SELECT id FROM shards WHERE id IN (SELECT id FROM next ORDER BY id LIMIT $3)
         AND state = 'waiting' FOR UPDATE SKIP LOCKED
     ), released AS (
       UPDATE shards SET state = 'released', due_at = now() + make_interval(secs => $4)
       FROM taken WHERE shards.id = taken.id RETURNING shards.id, delivery_id, app_id
     )
     INSERT INTO outbox (topic, key, value)
     SELECT 'shards.' || lane, id::text, ${shardMessage} FROM released JOIN next USING (id) ORDER BY id RETURNING id`,
    [SHARDS_AT_ONCE, except, most, REPUBLISH_AFTER_SECONDS],
  );
  return rows.length;
}

/** The shard that `releaseBudgeted` would begin with; null: there is none. */
export const firstBudgeted = (sql: Sql, except: readonly number[]): Promise<number | null> =>
  firstId(sql, `WITH ${next} SELECT id FROM next ORDER BY id LIMIT 1`, [SHARDS_AT_ONCE, except]);

// $1 shards at once, $2 none of these.
const next = `mine AS (
       SELECT shards.id, shards.app_id, shards.state, lane, row_number() OVER (
         PARTITION BY shards.app_id, lane, shards.state = 'waiting'
         ORDER BY activity_round, coalesce(scheduled_at, created_at), shards.id) AS place
       FROM shards JOIN deliveries ON deliveries.id = delivery_id
       WHERE budgeted AND state IN ('waiting', 'released', 'running') AND deliveries.status = 'processing'
         AND shards.id <> ALL($2::bigint[])
     ), in_hand AS (
       SELECT app_id, lane, count(*) AS shards FROM mine WHERE state <> 'waiting' GROUP BY app_id, lane
     ), next AS (
       SELECT mine.id, mine.lane FROM mine LEFT JOIN in_hand USING (app_id, lane)
       WHERE mine.state = 'waiting' AND place <= $1 - coalesce(in_hand.shards, 0)
     )`;
