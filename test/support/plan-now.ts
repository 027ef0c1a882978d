import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createPlanStore } from '../../engine/adapters/postgres/plan/plan-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import type { CountedDelivery } from '../../engine/contract/plan.ts';
import type { BlockCount, PlannedShard } from '../../engine/contract/shard.ts';
import { packShards } from '../../engine/plan/pack-shards.ts';
import type { PlanEnding, PlanStore } from '../../engine/plan/plan-delivery.ts';
import type { ReleaseStore } from '../../engine/plan/release.ts';

type Pack = (counts: readonly BlockCount[]) => readonly PlannedShard[];

const blockByBlock: Pack = (counts) => packShards(counts, 1);

/** @throws Error where its rules name the reach of another delivery. */
export async function countIn(plan: PlanStore, deliveryId: DeliveryId): Promise<CountedDelivery | null> {
  const counted = await plan.countAudience(deliveryId);
  if (counted !== null && !('counts' in counted)) throw new Error('this delivery needs what others reached');
  return counted;
}

/** What the plan stage does with a delivery, with shards as the test cuts them. */
export async function planIn(
  { plan, release }: { readonly plan: PlanStore; readonly release: ReleaseStore },
  deliveryId: DeliveryId,
  pack: Pack = blockByBlock,
): Promise<PlanEnding> {
  const counted = await countIn(plan, deliveryId);
  if (counted === null) return { kind: 'nothing-to-plan' };
  const shards = pack(counted.counts);
  const written = await plan.writePlan(deliveryId, {
    audience: counted.audience,
    shards,
    traceparent: null,
  });
  if (!written) return { kind: 'nothing-to-plan' };
  await release.releaseFirst(counted.lane, counted.ratePerMinute !== null);
  const targets = shards.reduce((sum, shard) => sum + shard.targets, 0);
  return { kind: 'planned', shards: shards.length, targets };
}

export const planNow = (database: Database, deliveryId: DeliveryId, releaseWindow: number, pack?: Pack) =>
  planIn(
    { plan: createPlanStore(database), release: createReleaseStore(database, releaseWindow) },
    deliveryId,
    pack,
  );
