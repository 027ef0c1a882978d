import type { DeliveryId } from '../../contract/ids.ts';
import type { BlockCount, PlannedShard } from '../../contract/shard.ts';
import { type Lane, shardTopic } from '../../contract/topics.ts';
import { completeDelivery } from './complete-delivery.ts';
import type { Database, Sql } from './database.ts';
import { releaseShards } from './release-shards.ts';

interface PlannableDelivery {
  readonly app_id: number;
  readonly lane: Lane;
}

/** The plan stage's statements. Each is safe to run again: a planned delivery is no longer plannable. */
export function createPlanStore(database: Database) {
  return {
    plan: (
      deliveryId: DeliveryId,
      pack: (counts: readonly BlockCount[]) => PlannedShard[],
      releaseWindow: number,
    ) =>
      database.transaction(async (sql) => {
        const delivery = await lockPlannable(sql, deliveryId);
        if (delivery === null) return { kind: 'nothing-to-plan' } as const;
        const shards = pack(await countAudience(sql, delivery.app_id));
        const targets = shards.reduce((sum, shard) => sum + shard.targets, 0);
        await insertShards(sql, deliveryId, delivery.app_id, shards);
        await startProcessing(sql, deliveryId, shards.length, targets);
        if (shards.length === 0) await completeDelivery(sql, deliveryId);
        else await releaseShards(sql, deliveryId, shardTopic(delivery.lane), releaseWindow);
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

async function lockPlannable(sql: Sql, deliveryId: DeliveryId): Promise<PlannableDelivery | null> {
  const [row] = await sql.query<PlannableDelivery>(
    `SELECT app_id, lane FROM deliveries WHERE id = $1 AND status IN ('pending', 'queued') FOR UPDATE`,
    [deliveryId],
  );
  return row ?? null;
}

function countAudience(sql: Sql, appId: number): Promise<BlockCount[]> {
  return sql.query<BlockCount>(
    `SELECT seq >> 10 AS block, count(*)::int AS targets FROM subscriptions
     WHERE app_id = $1 AND status = 'subscribed' GROUP BY 1 ORDER BY 1`,
    [appId],
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
): Promise<void> {
  await sql.query(
    `UPDATE deliveries SET status = 'processing', queued_at = coalesce(queued_at, now()), started_at = now(),
       updated_at = now(), open_shards = $2, total_subscribers = $3
     WHERE id = $1`,
    [deliveryId, shards, targets],
  );
}
