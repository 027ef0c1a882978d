import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { type Lane, planTopic } from '../../../engine/contract/topics.ts';
import { forgetAccepted } from './endpoint-record.ts';
import { addToOutbox, shardsOf, subscriptionKey, type Tables } from './tables.ts';

export interface NewDelivery {
  readonly lane?: Lane;
  readonly scheduledAtMs?: number | null;
  readonly expiresAtMs?: number | null;
  readonly ttlSeconds?: number;
  readonly ratePerMinute?: number | null;
  readonly ignoreCap?: boolean;
  readonly rehearsal?: boolean;
}

/** What the API's transactions write: subscriptions, deliveries with their outbox row, cancels. */
export interface MemoryPublisher {
  subscribe(appId: AppId, seq: number, endpoint: string): void;
  unsubscribe(appId: AppId, seq: number): void;
  createDelivery(appId: AppId, given?: NewDelivery): DeliveryId;
  /** False: it has ended already. */
  cancel(deliveryId: DeliveryId): boolean;
}

const nothing = {
  queuedAtMs: null,
  openShards: 0,
  total: 0,
  capped: 0,
  accepted: 0,
  failed: 0,
  errorMessage: null,
};
const defaults = {
  lane: 'bulk',
  scheduledAtMs: null,
  expiresAtMs: null,
  ttlSeconds: 3_600,
  ratePerMinute: null,
  ignoreCap: false,
  rehearsal: false,
} as const;

export function createMemoryPublisher(tables: Tables): MemoryPublisher {
  const countActive = (appId: AppId, by: number): void =>
    tables.active.put(appId, (tables.active.get(appId) ?? 0) + by);

  return {
    subscribe: (appId, seq, endpoint) => {
      const key = subscriptionKey(appId, seq);
      const before = tables.subscriptions.get(key);
      if (!before?.subscribed) countActive(appId, 1);
      if (before !== undefined && before.endpoint !== endpoint) forgetAccepted(tables, appId, seq);
      const row = { appId, seq, endpoint, subscribed: true, lastSeenAtMs: tables.now() };
      tables.subscriptions.put(key, row);
    },
    unsubscribe: (appId, seq) => {
      const key = subscriptionKey(appId, seq);
      const row = tables.subscriptions.get(key);
      if (!row?.subscribed) return;
      tables.subscriptions.put(key, { ...row, subscribed: false });
      countActive(appId, -1);
    },
    createDelivery: (appId, given = {}) => {
      const id = tables.nextId() as DeliveryId;
      const plaintext = Buffer.from(JSON.stringify({ delivery: id }));
      const asked = { ...defaults, ...given };
      const status = asked.scheduledAtMs === null ? 'pending' : 'scheduled';
      tables.deliveries.put(id, {
        ...{ id, appId, plaintext, status, createdAtMs: tables.now() },
        ...nothing,
        ...asked,
      });
      if (status === 'pending')
        addToOutbox(tables, planTopic(asked.lane), String(id), { value: { delivery_id: id } });
      return id;
    },
    cancel: (deliveryId) => {
      const delivery = tables.deliveries.get(deliveryId);
      if (delivery === undefined) return false;
      if (!['pending', 'scheduled', 'queued', 'processing'].includes(delivery.status)) return false;
      tables.deliveries.put(deliveryId, { ...delivery, status: 'cancelled' });
      for (const shard of shardsOf(tables, deliveryId)) {
        if (!['planned', 'released', 'waiting'].includes(shard.state)) continue;
        tables.shards.put(shard.id, { ...shard, state: 'stopped', dueAtMs: null });
      }
      return true;
    },
  };
}
