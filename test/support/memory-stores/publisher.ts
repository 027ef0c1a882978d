import { toCheckAnew } from '../../../api/client/campaigns/save-campaign.ts';
import type { CampaignProgress, CampaignSettings } from '../../../engine/contract/campaign.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { type Lane, planTopic } from '../../../engine/contract/topics.ts';
import type { Wording } from '../../../engine/contract/wording.ts';
import { isOpen } from './campaign-store.ts';
import { forgetAccepted } from './endpoint-record.ts';
import { addToOutbox, type SubscriptionRow, shardsOf, subscriptionKey, type Tables } from './tables.ts';

export interface NewDelivery {
  readonly lane?: Lane;
  readonly scheduledAtMs?: number | null;
  readonly expiresAtMs?: number | null;
  readonly ttlSeconds?: number;
  readonly ratePerMinute?: number | null;
  readonly ignoreCap?: boolean;
  readonly rehearsal?: boolean;
  readonly wording?: Wording | null;
  readonly corrects?: DeliveryId;
}

/** What the API's transactions write: subscriptions, deliveries with their outbox row, cancels. */
export interface MemoryPublisher {
  subscribe(appId: AppId, seq: number, endpoint: string): void;
  unsubscribe(appId: AppId, seq: number): void;
  /** The reader states a language, and tags. */
  state(appId: AppId, seq: number, reads: NonNullable<SubscriptionRow['reads']>): void;
  /** The reader's browser reports another time zone. */
  travel(appId: AppId, seq: number, zone: string): void;
  createCampaign(
    appId: AppId,
    settings: CampaignSettings,
    firstStepAtMs: number,
    progress?: CampaignProgress,
  ): number;
  /** A person changes an open one, and its next step is due at once. */
  changeCampaign(id: number): void;
  /** False: no step of it is to come. Its deliveries are cancelled one by one. */
  cancelCampaign(id: number): boolean;
  createDelivery(appId: AppId, given?: NewDelivery): DeliveryId;
  /** Stops what is left of it, and sends another text to those who got it. Null: it reached nobody, or is corrected already. */
  correct(deliveryId: DeliveryId): DeliveryId | null;
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
  campaign: null,
  audience: null,
  corrects: null,
  planAfterMs: null,
};
const defaults = {
  lane: 'bulk',
  scheduledAtMs: null,
  expiresAtMs: null,
  ttlSeconds: 3_600,
  ratePerMinute: null,
  ignoreCap: false,
  rehearsal: false,
  wording: null,
} as const;

export function createMemoryPublisher(tables: Tables): MemoryPublisher {
  const countActive = (appId: AppId, by: number): void =>
    tables.active.put(appId, (tables.active.get(appId) ?? 0) + by);

  const publisher: MemoryPublisher = {
    subscribe: (appId, seq, endpoint) => {
      const key = subscriptionKey(appId, seq);
      const before = tables.subscriptions.get(key);
      if (!before?.subscribed) countActive(appId, 1);
      if (before !== undefined && before.endpoint !== endpoint) forgetAccepted(tables, appId, seq);
      const row = { appId, seq, endpoint, subscribed: true, lastSeenAtMs: tables.now() };
      const { zone, zoneChangedAtMs } = before ?? { zone: null, zoneChangedAtMs: null };
      const reads = before?.reads === undefined ? {} : { reads: before.reads };
      tables.subscriptions.put(key, { ...row, zone, zoneChangedAtMs, ...reads });
    },
    state: (appId, seq, reads) => {
      const key = subscriptionKey(appId, seq);
      const row = tables.subscriptions.get(key);
      if (row !== undefined) tables.subscriptions.put(key, { ...row, reads });
    },
    travel: (appId, seq, zone) => {
      const key = subscriptionKey(appId, seq);
      const row = tables.subscriptions.get(key);
      if (row === undefined || row.zone === zone) return;
      tables.subscriptions.put(key, { ...row, zone, zoneChangedAtMs: tables.now() });
    },
    createCampaign: (appId, settings, firstStepAtMs, progress = {}) => {
      const id = tables.nextId();
      tables.campaigns.put(id, {
        ...{ id, appId, settings, progress, status: 'scheduled', step: 0 },
        ...{ nextStepAtMs: firstStepAtMs, retryAtMs: null, parent: null },
      });
      return id;
    },
    changeCampaign: (id) => {
      const campaign = tables.campaigns.get(id);
      if (campaign === undefined || !isOpen(campaign.status)) return;
      const { feed } = campaign.progress;
      const progress = feed === undefined ? campaign.progress : { feed: toCheckAnew(feed) };
      const due = { nextStepAtMs: tables.now(), retryAtMs: null, step: campaign.step + 1 };
      tables.campaigns.put(id, { ...campaign, ...due, progress });
    },
    cancelCampaign: (id) => {
      const campaign = tables.campaigns.get(id);
      if (campaign === undefined || !isOpen(campaign.status)) return false;
      tables.campaigns.put(id, {
        ...campaign,
        status: 'cancelled',
        nextStepAtMs: null,
        step: campaign.step + 1,
      });
      return true;
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
    correct: (deliveryId) => {
      const wrong = tables.deliveries.get(deliveryId);
      if (wrong === undefined || wrong.rehearsal || shardsOf(tables, deliveryId).length === 0) return null;
      const others = tables.deliveries.all().filter(({ corrects }) => corrects === deliveryId);
      if (others.some(({ status }) => status !== 'cancelled' && status !== 'failed')) return null;
      publisher.cancel(deliveryId);
      const { appId, lane, ttlSeconds } = wrong;
      return publisher.createDelivery(appId, { lane, ttlSeconds, ignoreCap: true, corrects: deliveryId });
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
  return publisher;
}
