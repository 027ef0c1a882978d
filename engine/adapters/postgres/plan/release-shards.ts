import { type Lane, shardTopic } from '../../../contract/topics.ts';
import type { Sql } from '../sql.ts';

/**
 * A released shard that was not leased within this time is published again: its message may be lost with the
 * log, or be among the dead letters. A second message for one shard does no harm.
 */
export const REPUBLISH_AFTER_SECONDS = 120;

/** The minimum of a lane's shards waiting on the log, so that idle engines find some. */
export const DEFAULT_RELEASE_WINDOW = 4;

/** The content of a released shard's message, where `id`, `delivery_id` and `app_id` are those of the shard. */
export const shardMessage = `jsonb_strip_nulls(jsonb_build_object('shard_id', id, 'delivery_id', delivery_id, 'app_id', app_id,
    'traceparent', (SELECT traceparent FROM deliveries WHERE deliveries.id = delivery_id)))`;

const RELEASE_LOCK = `hashtextextended('release of shards', 0)`;

/**
 * One transaction releases at a time: two at once would both fill the same window. If another one is at it, the
 * tick does the rest.
 */
export async function mayRelease(sql: Sql): Promise<boolean> {
  const [lock] = await sql.query<{ held: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${RELEASE_LOCK}) AS held`,
  );
  return lock?.held === true;
}

/** Waits: the holder of the lock waits for nothing and commits at once. */
export async function awaitRelease(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${RELEASE_LOCK})`);
}

/**
 * Fills a lane's window on the log, through the outbox, in the caller's transaction that holds the lock above.
 *
 * The log gives out shards in the order they came, so few must be on it: as many shards as engines work on at
 * this moment, which is what they take next, and at least `window`. The next shard is chosen again each time.
 * The organization with the fewest targets in flight goes first, so that organizations share the engines evenly
 * whatever they have planned and over however many apps; within one, the app with the fewest. Of equal ones the
 * one whose last turn is longest ago. Of an app, shards with fewer rounds go first
 * (`contract/expected-clicks.ts`), then retries before shards that never ran, and older deliveries before
 * younger ones.
 * @returns how many were released.
 */
export async function releaseShards(
  sql: Sql,
  lane: Lane,
  { window, most = MOST, except = [] }: ReleaseLimits,
): Promise<number> {
  const values = [lane, window, most, except, REPUBLISH_AFTER_SECONDS, shardTopic(lane)];
  return (await sql.query(releaseStatement, values)).length;
}

/** The shard that `releaseShards` would begin with; null: there is none, or no room. */
export const firstToRelease = (
  sql: Sql,
  lane: Lane,
  { window, except = [] }: ReleaseLimits,
): Promise<number | null> =>
  firstId(sql, `WITH ${ranking} SELECT id FROM ranked ORDER BY rank LIMIT 1`, [lane, window, MOST, except]);

export interface ReleaseLimits {
  readonly window: number;
  /** By default, as many as there is room for. */
  readonly most?: number;
  /** Shards that cannot be released. */
  readonly except?: readonly number[];
}

/** More than there is ever room for. */
export const MOST = 1_000_000;

export async function firstId(sql: Sql, text: string, values: readonly unknown[]): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(text, values);
  return row?.id ?? null;
}

const left = `greatest(shards.planned_targets - shards.accepted_count - shards.failed_count - shards.capped_count, 0)`;

/** By key, and for each row before it is multiplied: the planner would read every app there is to join them. */
const ownerOf = (table: string): string =>
  `CROSS JOIN LATERAL (SELECT organization_id FROM apps WHERE apps.id = ${table}.app_id OFFSET 0) AS owner`;

// $1 lane, $2 window, $3 at most, $4 none of these. Paced deliveries are excluded, and shards that wait for a budget are in
// nobody's way.
const ranking = `
  in_hand AS (
    SELECT shards.app_id, count(*) FILTER (WHERE state = 'running') AS running,
      count(*) FILTER (WHERE state = 'released') AS released, sum(${left}) AS targets
    FROM shards JOIN deliveries ON deliveries.id = shards.delivery_id
    WHERE state IN ('released', 'running') AND lane = $1 AND rate_per_minute IS NULL AND NOT budgeted GROUP BY shards.app_id
  ), room AS (
    SELECT least($3::bigint, greatest(0, greatest($2::bigint, coalesce(sum(running), 0)) - coalesce(sum(released), 0)))::bigint
      AS places FROM in_hand
  ), held AS (
    SELECT organization_id, sum(targets)::bigint AS targets FROM in_hand ${ownerOf('in_hand')} GROUP BY organization_id
  ), of_apps AS (
    SELECT next.id, next.targets, organization_id, deliveries.app_id, turn, row_number() OVER queue AS place,
      coalesce(in_hand.targets, 0) + sum(next.targets) OVER queue - next.targets AS before_it
    FROM deliveries ${ownerOf('deliveries')}
    CROSS JOIN LATERAL (
      (SELECT id, due_at, activity_round AS round, ${left} AS targets FROM shards
       WHERE delivery_id = deliveries.id AND state = 'waiting' AND due_at <= now() AND id <> ALL($4::bigint[])
       ORDER BY activity_round, due_at LIMIT (SELECT places FROM room))
      UNION ALL
      (SELECT id, NULL, 0, ${left} FROM shards WHERE delivery_id = deliveries.id AND state = 'planned' AND id <> ALL($4::bigint[])
       ORDER BY number LIMIT (SELECT places FROM room))
    ) AS next
    LEFT JOIN in_hand ON in_hand.app_id = deliveries.app_id
    LEFT JOIN release_turns ON release_turns.app_id = deliveries.app_id AND release_turns.lane = $1
    WHERE deliveries.status = 'processing' AND deliveries.lane = $1 AND rate_per_minute IS NULL
    WINDOW queue AS (PARTITION BY deliveries.app_id
      ORDER BY next.round, next.due_at NULLS LAST, coalesce(scheduled_at, deliveries.created_at), next.id
      ROWS UNBOUNDED PRECEDING)
  ), of_organizations AS (
    SELECT id, of_apps.organization_id, organization_turns.turn, row_number() OVER queue AS place,
      coalesce(held.targets, 0) + sum(of_apps.targets) OVER queue - of_apps.targets AS before_it
    FROM of_apps LEFT JOIN held ON held.organization_id = of_apps.organization_id
    LEFT JOIN organization_turns
      ON organization_turns.organization_id = of_apps.organization_id AND organization_turns.lane = $1
    WHERE of_apps.place <= (SELECT places FROM room)
    WINDOW queue AS (PARTITION BY of_apps.organization_id
      ORDER BY of_apps.before_it, of_apps.turn NULLS FIRST, app_id, of_apps.place ROWS UNBOUNDED PRECEDING)
  ), ranked AS (
    SELECT id, organization_id, row_number() OVER () AS rank
    FROM (
      SELECT id, organization_id FROM of_organizations
      ORDER BY before_it, turn NULLS FIRST, organization_id, place LIMIT (SELECT places FROM room)
    ) AS first
  )`;

// $5 seconds until it is published again, $6 topic.
const releaseStatement = `
  WITH ${ranking}, taken AS (
    SELECT shards.id FROM shards
    WHERE id IN (SELECT id FROM ranked)
      AND state IN ('planned', 'waiting') FOR UPDATE SKIP LOCKED
  ), released AS (
    UPDATE shards SET state = 'released', due_at = now() + make_interval(secs => $5)
    FROM taken WHERE shards.id = taken.id RETURNING shards.id, delivery_id, app_id
  ), turned AS (
    INSERT INTO release_turns (app_id, lane, turn)
    SELECT app_id, $1, clock_timestamp() FROM (SELECT DISTINCT app_id FROM released) AS apps
    ON CONFLICT (app_id, lane) DO UPDATE SET turn = excluded.turn
  ), organization_turned AS (
    INSERT INTO organization_turns (organization_id, lane, turn)
    SELECT organization_id, $1, clock_timestamp()
    FROM (SELECT DISTINCT organization_id FROM released JOIN ranked USING (id)) AS organizations
    ON CONFLICT (organization_id, lane) DO UPDATE SET turn = excluded.turn
  )
  INSERT INTO outbox (topic, key, value)
  SELECT $6, id::text, ${shardMessage}
  FROM released JOIN ranked USING (id) ORDER BY rank RETURNING id`;
