import {
  type AudienceRules,
  acceptedBy,
  everyone,
  type NamedReach,
  namedReaches,
  parseRules,
  reachKey,
} from '../../../contract/audience.ts';
import { parseCampaignPart } from '../../../contract/campaign.ts';
import { type Audience, freezeAudience } from '../../../contract/frozen-audience.ts';
import type { AppId, DeliveryId, OrganizationId } from '../../../contract/ids.ts';
import type {
  CountedDelivery,
  EarlyCorrection,
  Plan,
  Turn,
  UnfrozenDelivery,
} from '../../../contract/plan.ts';
import type { BlockCount, PlannedShard } from '../../../contract/shard.ts';
import type { Lane } from '../../../contract/topics.ts';
import type { Database } from '../database.ts';
import { audiencePredicate, countedIn, noReaches, type ReachMaps } from '../deliveries/audience.ts';
import { completeDelivery } from '../deliveries/complete-delivery.ts';
import { freezeReach, frozenReaches } from '../deliveries/reaches.ts';
import type { Sql } from '../sql.ts';
import { paceShards } from './pace-shards.ts';

interface PlannableDelivery {
  readonly app_id: AppId;
  readonly time_zone: string;
  readonly lane: Lane;
  readonly segment_id: number | null;
  readonly delivery_category_id: number | null;
  /** The segment's, as they were approved or else as they are now. */
  readonly rules: unknown;
  readonly campaign_part: unknown;
  /** Null: as fast as it goes. */
  readonly rate_per_minute: number | null;
  readonly at: Date;
  /** Null: it corrects none. */
  readonly corrects_delivery_id: DeliveryId | null;
  /** That one still has messages in flight. */
  readonly is_early: boolean;
}

/** The plan stage's statements. Each is safe to run again: a planned delivery is no longer plannable. */
export function createPlanStore(database: Database) {
  return {
    takeTurn: async (
      lane: Lane,
      served: readonly OrganizationId[],
      own: DeliveryId,
    ): Promise<Turn | null> => {
      const [turn] = await database.query<Turn>(nextTurn, [lane, served, TURN_SECONDS, own]);
      return turn ?? null;
    },

    countAudience: async (
      deliveryId: DeliveryId,
    ): Promise<CountedDelivery | UnfrozenDelivery | EarlyCorrection | null> => {
      const [delivery] = await database.query<PlannableDelivery>(plannableDelivery, [deliveryId]);
      if (delivery === undefined) return null;
      const { corrects_delivery_id: corrects } = delivery;
      if (corrects !== null && delivery.is_early) return { corrects };
      const audience = audienceOf(deliveryId, delivery);
      const named = namedReaches(audience?.rules ?? null);
      const reaches = named.length === 0 ? noReaches : await frozenReaches(database, deliveryId);
      const unfrozen = named.filter((each) => !reaches.has(reachKey(each)));
      if (unfrozen.length > 0) return { appId: delivery.app_id, unfrozen, isCorrection: corrects !== null };
      return {
        lane: delivery.lane,
        ratePerMinute: delivery.rate_per_minute,
        audience,
        counts: await countAudience(database, delivery.app_id, audience, reaches),
      };
    },

    freezeReach: (deliveryId: DeliveryId, named: NamedReach, seqs: Uint8Array): Promise<void> =>
      freezeReach(database, deliveryId, named, seqs),

    postpone: async (deliveryId: DeliveryId, seconds: number): Promise<void> => {
      await database.query(
        `UPDATE deliveries SET status = 'queued', queued_at = coalesce(queued_at, now()), updated_at = now(),
           plan_after = now() + make_interval(secs => $2)
         WHERE id = $1 AND status IN ('pending', 'queued')`,
        [deliveryId, seconds],
      );
    },

    writePlan: (deliveryId: DeliveryId, plan: Plan): Promise<boolean> =>
      database.transaction(async (sql) => {
        const [delivery] = await sql.query<PlannableDelivery>(
          `${plannableDelivery} FOR UPDATE OF deliveries`,
          [deliveryId],
        );
        if (delivery === undefined) return false;
        await insertShards(sql, deliveryId, delivery.app_id, plan.shards);
        await startProcessing(sql, deliveryId, plan);
        if (plan.shards.length === 0) await completeDelivery(sql, deliveryId);
        else if (delivery.rate_per_minute !== null) await paceShards(sql, deliveryId);
        return true;
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

/** Longer than most plans take: one that takes longer may be counted by another engine, too, and is written once. */
const TURN_SECONDS = 20;

const nextTurn = `WITH next AS (
    SELECT deliveries.id, organization_id FROM deliveries JOIN apps ON apps.id = app_id
    WHERE deliveries.status = 'queued' AND lane = coalesce((SELECT lane FROM deliveries WHERE id = $4), $1) AND (plan_after IS NULL OR plan_after < now()) AND apps.deleted_at IS NULL
      AND NOT EXISTS (SELECT FROM deliveries WHERE id = $4 AND status = 'pending')
    ORDER BY array_position($2::bigint[], organization_id) NULLS FIRST, coalesce(scheduled_at, deliveries.created_at), deliveries.id
    LIMIT 1 FOR UPDATE OF deliveries SKIP LOCKED
  )
  UPDATE deliveries SET plan_after = now() + make_interval(secs => $3) FROM next WHERE deliveries.id = next.id
  RETURNING deliveries.id AS "deliveryId", organization_id AS "organizationId", traceparent`;

const plannableDelivery = `
  SELECT deliveries.app_id, apps.time_zone, lane, segment_id, delivery_category_id, coalesce(approved_rules, rules) AS rules, campaign_part, rate_per_minute, now() AS at,
    corrects_delivery_id, EXISTS (
      SELECT FROM shards WHERE delivery_id = corrects_delivery_id AND state NOT IN ('settled', 'stopped')) AS is_early
  FROM deliveries JOIN apps ON apps.id = deliveries.app_id
  LEFT JOIN segments ON segments.id = segment_id AND segments.app_id = deliveries.app_id
  WHERE deliveries.id = $1 AND status IN ('pending', 'queued') AND apps.deleted_at IS NULL`;

/** @throws RangeError where the segment's rules are not there: that must never become a delivery to everyone. */
function audienceOf(deliveryId: DeliveryId, delivery: PlannableDelivery): Audience | null {
  const part = parseCampaignPart(delivery.campaign_part);
  return freezeAudience(
    {
      rules: part?.kind === 'named' ? everyone : rulesOf(delivery),
      categoryId: delivery.delivery_category_id,
      zone: delivery.time_zone,
      part,
    },
    delivery.at,
    deliveryId,
  );
}

const rulesOf = ({
  segment_id,
  rules,
  corrects_delivery_id: corrects,
}: PlannableDelivery): AudienceRules | null =>
  corrects !== null ? acceptedBy(corrects) : segment_id === null ? null : parseRules(rules);

/** A block without a match is not planned: a subscription that starts to match there later is not served. */
function countAudience(
  sql: Pick<Sql, 'query'>,
  appId: number,
  audience: Audience | null,
  reaches: ReachMaps,
): Promise<BlockCount[]> {
  const matches = audience === null ? { text: 'TRUE', values: [] } : audiencePredicate(audience, 1, reaches);
  return sql.query<BlockCount>(
    `SELECT seq >> 10 AS block, count(*)::int AS targets FROM ${countedIn(audience)}
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
  { shards, audience, traceparent }: Plan,
): Promise<void> {
  const targets = shards.reduce((sum, shard) => sum + shard.targets, 0);
  await sql.query(
    `UPDATE deliveries SET status = 'processing', queued_at = coalesce(queued_at, now()), started_at = now(),
       updated_at = now(), plan_position = pg_current_wal_insert_lsn(), open_shards = $2, total_subscribers = $3, audience = $4,
       traceparent = coalesce($5, traceparent)
     WHERE id = $1`,
    [deliveryId, shards.length, targets, audience === null ? null : JSON.stringify(audience), traceparent],
  );
}
