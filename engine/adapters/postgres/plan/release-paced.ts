import type { Sql } from '../sql.ts';
import { firstId, MOST, REPUBLISH_AFTER_SECONDS, shardMessage } from './release-shards.ts';

/**
 * How many shards of a paced delivery are on the log or running: a few, so that one is always ready when
 * another ends, and two seconds of its rate where that is more.
 */
const SHARDS_AT_ONCE = 4;
const SECONDS_AT_ONCE = 2;
const TARGETS_OF_A_SHARD = 8_192;

/**
 * Releases due shards of paced deliveries, in the caller's transaction that holds the release lock. They are
 * outside the lanes' windows: their engines wait most of the time, and their rate is their share. Organizations
 * take turns: one with many paced deliveries does not delay another's. A shard's TTL counts from its release
 * where that comes late: a delay shifts the schedule.
 * @returns how many were released.
 */
export async function releasePaced(
  sql: Sql,
  most: number = MOST,
  except: readonly number[] = [],
): Promise<number> {
  const rows = await sql.query(
    `WITH ${due}, taken AS (
       SELECT id FROM shards WHERE id IN (SELECT id FROM due ORDER BY turn, due_at, id LIMIT $5)
         AND state = 'waiting' FOR UPDATE SKIP LOCKED
     ), released AS (
       UPDATE shards SET state = 'released', due_at = now() + make_interval(secs => $6),
         starts_at = CASE WHEN attempts = 0 THEN greatest(starts_at, now()) ELSE starts_at END
       FROM taken, deliveries WHERE shards.id = taken.id AND deliveries.id = shards.delivery_id
       RETURNING shards.id, delivery_id, shards.app_id, lane
     )
     INSERT INTO outbox (topic, key, value)
     SELECT 'shards.' || lane, id::text, ${shardMessage}
     FROM released JOIN due USING (id) ORDER BY due.turn, due.due_at, id RETURNING id`,
    [...limits, except, most, REPUBLISH_AFTER_SECONDS],
  );
  return rows.length;
}

/** The shard that `releasePaced` would begin with; null: there is none. */
export const firstPaced = (sql: Sql, except: readonly number[]): Promise<number | null> =>
  firstId(sql, `WITH ${due} SELECT id FROM due ORDER BY turn, due_at, id LIMIT 1`, [...limits, except]);

const limits = [SHARDS_AT_ONCE, SECONDS_AT_ONCE, TARGETS_OF_A_SHARD] as const;
// $1 to $3 the limits, $4 none of these.
const due = `due AS (
       SELECT next.id, next.due_at,
         row_number() OVER (PARTITION BY organization_id ORDER BY next.due_at, next.id) AS turn
       FROM deliveries JOIN apps ON apps.id = deliveries.app_id
       CROSS JOIN LATERAL (
         SELECT count(*) AS shards FROM shards
         WHERE delivery_id = deliveries.id AND state IN ('released', 'running')
       ) AS in_hand
       CROSS JOIN LATERAL (
         SELECT id, due_at FROM shards
         WHERE delivery_id = deliveries.id AND state = 'waiting' AND due_at <= now() AND id <> ALL($4::bigint[])
         ORDER BY due_at, number
         LIMIT greatest(0, $1 + ceil(rate_per_minute / 60.0 * $2 / $3)::bigint - in_hand.shards)
       ) AS next
       WHERE deliveries.status = 'processing' AND rate_per_minute IS NOT NULL
     )`;
