import { guardRules } from '../../../engine/contract/chrome-guard.ts';
import { LAST_ROUND } from '../../../engine/contract/expected-clicks.ts';
import { isTest } from '../../../engine/contract/frozen-audience.ts';
import type { ShardId } from '../../../engine/contract/ids.ts';
import type {
  CapRule,
  Lease,
  LeasedShard,
  SettleEnding,
  WishesHeeded,
} from '../../../engine/contract/shard.ts';
import { startAt, wordingStartedAt } from '../../../engine/contract/timestamp.ts';
import type { Lane } from '../../../engine/contract/topics.ts';
import type { ShardStore } from '../../../engine/dispatch/ports.ts';
import { complete, heldShard, isCancelled, releaseShards } from './shards.ts';
import type { DeliveryRow, ShardRow, Tables } from './tables.ts';

/** `engine/adapters/postgres/dispatch/shard-store.ts`. */
export function createMemoryShardStore(tables: Tables, releaseWindow: number): ShardStore {
  const write = (shard: ShardRow, changes: Partial<ShardRow>): ShardRow => {
    const row = { ...shard, ...changes };
    tables.shards.put(shard.id, row);
    return row;
  };
  const putDown = (shard: ShardRow, changes: Partial<ShardRow>): void => {
    const state = isCancelled(tables, shard.deliveryId) ? 'stopped' : 'waiting';
    write(shard, { ...changes, state, owner: null });
  };
  const isFree = ({ state, dueAtMs }: ShardRow): boolean =>
    state === 'released' || (state === 'running' && (dueAtMs ?? 0) < tables.now());

  return {
    lease: async (shardId: ShardId, owner: string, leaseMs: number): Promise<LeasedShard | null> => {
      const shard = tables.shards.get(shardId);
      const delivery = shard && tables.deliveries.get(shard.deliveryId);
      if (shard === undefined || delivery === undefined || !isFree(shard)) return null;
      const { epoch, attempts } = shard;
      const dueAtMs = tables.now() + leaseMs;
      const lostLeases = shard.lostLeases + (shard.state === 'running' ? 1 : 0);
      const leased = {
        ...({ state: 'running', owner, epoch: epoch + 1, attempts: attempts + 1, dueAtMs } as const),
        lostLeases,
      };
      return {
        ...toLeasedShard(write(shard, leased), delivery, owner),
        capRules: capRulesOf(tables, delivery),
        wishes: wishesHeeded(tables, delivery),
      };
    },

    renew: async (lease, leaseMs) => {
      const shard = heldShard(tables, lease);
      if (shard === null) return 'lost';
      write(shard, { dueAtMs: tables.now() + leaseMs });
      return isCancelled(tables, lease.deliveryId) ? 'cancelled' : 'held';
    },

    suspend: async (lease, delayMs, how) => {
      const shard = heldShard(tables, lease);
      if (shard === null) return false;
      const attempts = Math.max(0, shard.attempts - (how?.heldBack ? 1 : 0));
      const activityRound = Math.min(LAST_ROUND, Math.max(shard.activityRound, how?.nextRound ?? 0));
      const budgeted = how?.budgeted === true;
      putDown(shard, { dueAtMs: tables.now() + delayMs, attempts, activityRound, budgeted });
      return true;
    },

    handBack: async (lease) => {
      const shard = heldShard(tables, lease);
      if (shard === null) return;
      const attempts = Math.max(0, shard.attempts - 1);
      putDown(shard, { dueAtMs: tables.now(), attempts });
    },

    settle: async (lease: Lease & { readonly lane: Lane }): Promise<SettleEnding> => {
      const shard = heldShard(tables, lease);
      if (shard === null) return { kind: 'lease-lost' };
      write(shard, { state: 'settled', owner: null, dueAtMs: null });
      const { status, openShards } = closeOneShard(tables, shard);
      const completes = status !== 'cancelled' && openShards === 0;
      const completed = completes ? complete(tables, lease.deliveryId) : null;
      releaseShards(tables, lease.lane, releaseWindow);
      return completed === null ? { kind: 'settled' } : { kind: 'completed', delivery: completed };
    },

    stop: async (lease) => {
      const shard = heldShard(tables, lease);
      if (shard !== null) write(shard, { state: 'stopped', owner: null, dueAtMs: null });
      return shard !== null;
    },
  };
}

function closeOneShard(tables: Tables, { deliveryId }: ShardRow): DeliveryRow {
  const delivery = tables.deliveries.get(deliveryId);
  if (delivery === undefined) throw new Error(`delivery ${deliveryId} is gone while its shards run`);
  const closed = { ...delivery, openShards: delivery.openShards - 1 };
  tables.deliveries.put(deliveryId, closed);
  return closed;
}

function toLeasedShard(
  shard: ShardRow,
  delivery: DeliveryRow,
  owner: string,
): Omit<LeasedShard, 'capRules' | 'wishes'> {
  const acceptedAtMs = shard.startsAtMs ?? delivery.scheduledAtMs ?? delivery.createdAtMs;
  return {
    shardId: shard.id,
    deliveryId: shard.deliveryId,
    appId: shard.appId,
    owner,
    epoch: shard.epoch,
    lane: delivery.lane,
    blocks: shard.blocks,
    planPosition: null,
    audience: delivery.audience,
    cancelled: delivery.status === 'cancelled',
    attempt: shard.attempts,
    activityRound: shard.activityRound,
    budgeted: shard.budgeted,
    lostLeases: shard.lostLeases,
    acceptedAtMs,
    ttlSeconds: delivery.ttlSeconds,
    expiresAtMs: delivery.expiresAtMs,
    urgency: 'normal',
    topic: null,
    plaintext: startAt(Uint8Array.from(delivery.plaintext), acceptedAtMs),
    wording: wordingStartedAt(delivery.wording, acceptedAtMs),
    rehearsal: delivery.rehearsal,
    siteDomain: 'https://news.example',
    vapidPublicKey: '',
    vapidPrivateKey: '',
    vapidKeyNumber: 1,
    formerVapidKeys: [],
    ratePerMinute: delivery.ratePerMinute,
  };
}

function capRulesOf(tables: Tables, { appId, ignoreCap, corrects, audience }: DeliveryRow): CapRule[] {
  const cap = ignoreCap ? undefined : tables.caps.get(appId);
  const passes = corrects !== null || isTest(audience);
  const guard = passes ? undefined : tables.guards.get(appId);
  return [
    ...(cap === undefined ? [] : [{ ...cap, concerns: null }]),
    ...(guard === undefined ? [] : guardRules(guard)),
  ];
}

function wishesHeeded(tables: Tables, { corrects, audience, lane }: DeliveryRow): WishesHeeded {
  if (tables.wishes.all().length === 0 || corrects !== null || isTest(audience)) return 'none';
  return lane === 'breaking' ? 'all-but-quiet-hours' : 'all';
}
