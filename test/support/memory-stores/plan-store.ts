import { acceptedBy, namedReaches, reachKey } from '../../../engine/contract/audience.ts';
import { BLOCK_SIZE } from '../../../engine/contract/bitmap.ts';
import { type Audience, freezeAudience } from '../../../engine/contract/frozen-audience.ts';
import { type DeliveryId, type OrganizationId, type ShardId, toId } from '../../../engine/contract/ids.ts';
import type { BlockCount, PlannedShard } from '../../../engine/contract/shard.ts';
import type { PlanStore } from '../../../engine/plan/plan-delivery.ts';
import { isIn } from './audience.ts';
import { complete } from './shards.ts';
import { type DeliveryRow, type ShardRow, shardsOf, subscribedOf, type Tables } from './tables.ts';

/** `engine/adapters/postgres/plan/plan-store.ts`, for deliveries to everyone, to parts of campaigns, and corrections. */
export function createMemoryPlanStore(tables: Tables): PlanStore {
  return {
    takeTurn: async (lane, served, own) => {
      const mine = tables.deliveries.get(own);
      if (mine?.status === 'pending') return null;
      // Each app is an organization of its own.
      const lastServed = ({ appId }: DeliveryRow) => served.indexOf(toId<OrganizationId>(appId));
      const [next] = tables.deliveries
        .all()
        .filter((row) => row.status === 'queued' && row.lane === (mine?.lane ?? lane))
        .filter(({ planAfterMs }) => planAfterMs === null || planAfterMs < tables.now())
        .sort((a, b) => lastServed(a) - lastServed(b) || dueAt(a) - dueAt(b) || a.id - b.id);
      if (next === undefined) return null;
      tables.deliveries.put(next.id, { ...next, planAfterMs: tables.now() + TURN_MS });
      return { deliveryId: next.id, organizationId: toId(next.appId), traceparent: null };
    },

    countAudience: async (deliveryId) => {
      const delivery = tables.deliveries.get(deliveryId);
      if (delivery === undefined || !isPlannable(delivery)) return null;
      const { appId, lane, ratePerMinute, campaign, corrects } = delivery;
      if (corrects !== null && shardsOf(tables, corrects).some(isOpen)) return { corrects };
      const rules = corrects === null ? null : acceptedBy(corrects);
      const asked = { rules, categoryId: null, zone: 'UTC', part: campaign?.part ?? null };
      const audience = freezeAudience(asked, new Date(tables.now()), deliveryId);
      const unfrozen = namedReaches(rules).filter(
        (named) => tables.frozenReaches.get(`${deliveryId}/${reachKey(named)}`) === undefined,
      );
      if (unfrozen.length > 0) return { appId, unfrozen, isCorrection: corrects !== null };
      return { lane, ratePerMinute, audience, counts: countAudience(tables, delivery, audience) };
    },

    freezeReach: async (deliveryId, named, seqs) => {
      const key = `${deliveryId}/${reachKey(named)}`;
      if (tables.frozenReaches.get(key) === undefined) tables.frozenReaches.put(key, seqs);
    },

    postpone: async (deliveryId, seconds) => {
      const delivery = tables.deliveries.get(deliveryId);
      if (delivery === undefined || !isPlannable(delivery)) return;
      const planAfterMs = tables.now() + seconds * 1_000;
      tables.deliveries.put(deliveryId, { ...delivery, status: 'queued', planAfterMs });
    },

    writePlan: async (deliveryId, { shards, audience }) => {
      const delivery = tables.deliveries.get(deliveryId);
      if (delivery === undefined || !isPlannable(delivery)) return false;
      insertShards(tables, delivery, shards);
      tables.deliveries.put(deliveryId, {
        ...delivery,
        status: 'processing',
        openShards: shards.length,
        audience,
        total: shards.reduce((sum, shard) => sum + shard.targets, 0),
      });
      if (shards.length === 0) complete(tables, deliveryId);
      else if (delivery.ratePerMinute !== null) paceShards(tables, delivery, delivery.ratePerMinute);
      return true;
    },

    failDelivery: async (deliveryId: DeliveryId, reason: string) => {
      const delivery = tables.deliveries.get(deliveryId);
      if (delivery === undefined || !isPlannable(delivery)) return;
      tables.deliveries.put(deliveryId, { ...delivery, status: 'failed', errorMessage: reason });
    },
  };
}

/** As TURN_SECONDS of the real one. */
const TURN_MS = 20_000;
const dueAt = ({ scheduledAtMs, createdAtMs }: DeliveryRow): number => scheduledAtMs ?? createdAtMs;
const isOpen = ({ state }: ShardRow): boolean => state !== 'settled' && state !== 'stopped';
const isPlannable = ({ status }: DeliveryRow): boolean => status === 'pending' || status === 'queued';

function countAudience(tables: Tables, { appId }: DeliveryRow, audience: Audience | null): BlockCount[] {
  const counts = new Map<number, number>();
  for (const { seq } of subscribedOf(tables, appId).filter((row) => isIn(tables, audience, row))) {
    const block = Math.floor(seq / BLOCK_SIZE);
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return [...counts].map(([block, targets]) => ({ block, targets }));
}

const newShard: Pick<
  ShardRow,
  | 'state'
  | 'epoch'
  | 'attempts'
  | 'activityRound'
  | 'budgeted'
  | 'lostLeases'
  | 'audience'
  | 'capped'
  | 'guarded'
  | 'wished'
  | 'accepted'
  | 'failed'
  | 'unknown'
> = {
  state: 'planned',
  epoch: 0,
  attempts: 0,
  activityRound: 0,
  budgeted: false,
  lostLeases: 0,
  audience: 0,
  capped: 0,
  guarded: 0,
  wished: 0,
  accepted: 0,
  failed: 0,
  unknown: 0,
};

function insertShards(tables: Tables, delivery: DeliveryRow, shards: readonly PlannedShard[]): void {
  for (const [number, { blocks, targets }] of shards.entries()) {
    const id = tables.nextId() as ShardId;
    tables.shards.put(id, {
      ...newShard,
      id,
      deliveryId: delivery.id,
      appId: delivery.appId,
      number,
      blocks,
      plannedTargets: targets,
      dueAtMs: null,
      owner: null,
      startsAtMs: null,
      reasons: {},
    });
  }
}

/** How long before its time a shard is released. */
const LEAD_MS = 10_000;

function paceShards(tables: Tables, delivery: DeliveryRow, ratePerMinute: number): void {
  tables.paces.put(delivery.id, tables.now());
  let before = 0;
  for (const shard of shardsOf(tables, delivery.id)) {
    const paced = tables.now() + (60_000 * before) / ratePerMinute;
    const at = Math.min(paced, delivery.expiresAtMs ?? Number.POSITIVE_INFINITY);
    const dueAtMs = Math.max(tables.now(), at - LEAD_MS);
    tables.shards.put(shard.id, { ...shard, state: 'waiting', startsAtMs: at, dueAtMs });
    before += shard.plannedTargets;
  }
}
