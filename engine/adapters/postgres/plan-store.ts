import { type Audience, freezeAudience, parseRules } from '../../contract/audience.ts';
import type { DeliveryId } from '../../contract/ids.ts';
import type { BlockCount, PlannedShard } from '../../contract/shard.ts';
import type { Lane } from '../../contract/topics.ts';
import type { Traceparent } from '../../contract/trace-context.ts';
import { audiencePredicate } from './audience.ts';
import { completeDelivery } from './complete-delivery.ts';
import type { Database, Sql } from './database.ts';
import { paceShards } from './pace-shards.ts';
import { releasePaced } from './release-paced.ts';
import { awaitRelease, releaseShards } from './release-shards.ts';

interface PlannableDelivery {
  readonly app_id: number;
  readonly lane: Lane;
  readonly segment_id: number | null;
  readonly delivery_category_id: number | null;
  /** The segment's, as they are now. */
  readonly rules: unknown;
  /** Null: as fast as it goes. */
  readonly rate_per_minute: number | null;
  readonly at: Date;
}

/** The plan stage's statements. Each is safe to run again: a planned delivery is no longer plannable. */
export function createPlanStore(database: Database) {
  return {
    plan: (
      deliveryId: DeliveryId,
      pack: (counts: readonly BlockCount[], ratePerMinute: number | null) => PlannedShard[],
      releaseWindow: number,
      traceparent: Traceparent | null = null,
    ) =>
      database.transaction(async (sql) => {
        const delivery = await lockPlannable(sql, deliveryId);
        if (delivery === null) return { kind: 'nothing-to-plan' } as const;
        const audience = audienceOf(delivery);
        const shards = pack(await countAudience(sql, delivery.app_id, audience), delivery.rate_per_minute);
        const targets = shards.reduce((sum, shard) => sum + shard.targets, 0);
        await insertShards(sql, deliveryId, delivery.app_id, shards);
        await startProcessing(sql, deliveryId, shards.length, targets, audience, traceparent);
        if (shards.length === 0) await completeDelivery(sql, deliveryId);
        else await releaseFirst(sql, deliveryId, delivery, releaseWindow);
        return { kind: 'planned', shards: shards.length, targets } as const;
      }),

    failDelivery: async (deliveryId: DeliveryId, reason: string): Promise<void> => {
      await database.query(
        `UPDATE deliveries SET status = 'failed', error_message = $2, completed_at = now(), updated_at = now()
         WHERE id = $1 AND status IN ('pending', 'queued')`,
        [deliveryId, reason],
      );
    },
  };
}

async function releaseFirst(
  sql: Sql,
  deliveryId: DeliveryId,
  { rate_per_minute: rate, lane }: PlannableDelivery,
  releaseWindow: number,
): Promise<void> {
  if (rate !== null) await paceShards(sql, deliveryId);
  await awaitRelease(sql);
  if (rate !== null) await releasePaced(sql);
  else await releaseShards(sql, lane, releaseWindow);
}

async function lockPlannable(sql: Sql, deliveryId: DeliveryId): Promise<PlannableDelivery | null> {
  const [row] = await sql.query<PlannableDelivery>(
    `SELECT deliveries.app_id, lane, segment_id, delivery_category_id, rules, rate_per_minute,
       now() AS at
     FROM deliveries JOIN apps ON apps.id = deliveries.app_id
     LEFT JOIN segments ON segments.id = segment_id AND segments.app_id = deliveries.app_id
     WHERE deliveries.id = $1 AND status IN ('pending', 'queued') AND apps.deleted_at IS NULL
     FOR UPDATE OF deliveries`,
    [deliveryId],
  );
  return row ?? null;
}

/** @throws RangeError where the segment's rules are not there: that must never become a delivery to everyone. */
function audienceOf(delivery: PlannableDelivery): Audience | null {
  return freezeAudience(
    {
      rules: delivery.segment_id === null ? null : parseRules(delivery.rules),
      categoryId: delivery.delivery_category_id,
    },
    delivery.at,
  );
}

/** A block without a match is not planned: who starts to match there later is not served. */
function countAudience(sql: Sql, appId: number, audience: Audience | null): Promise<BlockCount[]> {
  const matches = audience === null ? { text: 'TRUE', values: [] } : audiencePredicate(audience, 1);
  return sql.query<BlockCount>(
    `SELECT seq >> 10 AS block, count(*)::int AS targets FROM subscriptions
     WHERE app_id = $1 AND status = 'subscribed' AND ${matches.text} GROUP BY 1 ORDER BY 1`,
    [appId, ...matches.values],
  );
}

/** Arrays of arrays must be rectangular in Postgres, so the blocks of a shard travel as text. */
async function insertShards(
  sql: Sql,
  deliveryId: DeliveryId,
  appId: number,
  shards: readonly PlannedShard[],
): Promise<void> {
  await sql.query(
    `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets)
     SELECT $1, $2, number - 1, blocks::integer[], targets
     FROM unnest($3::text[], $4::integer[]) WITH ORDINALITY AS planned (blocks, targets, number)`,
    [
      deliveryId,
      appId,
      shards.map(({ blocks }) => `{${blocks.join(',')}}`),
      shards.map(({ targets }) => targets),
    ],
  );
}

async function startProcessing(
  sql: Sql,
  deliveryId: DeliveryId,
  shards: number,
  targets: number,
  audience: Audience | null,
  traceparent: Traceparent | null,
): Promise<void> {
  await sql.query(
    `UPDATE deliveries SET status = 'processing', queued_at = coalesce(queued_at, now()), started_at = now(),
       updated_at = now(), open_shards = $2, total_subscribers = $3, audience = $4,
       traceparent = coalesce($5, traceparent)
     WHERE id = $1`,
    [deliveryId, shards, targets, audience === null ? null : JSON.stringify(audience), traceparent],
  );
}
