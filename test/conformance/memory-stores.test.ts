// tier: unit
import { weightAt } from '../../engine/contract/expected-clicks.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { createMemoryBlockStore } from '../support/memory-stores/block-store.ts';
import { createMemoryCampaignStore } from '../support/memory-stores/campaign-store.ts';
import { createMemoryPlanStore } from '../support/memory-stores/plan-store.ts';
import { createMemoryPublisher } from '../support/memory-stores/publisher.ts';
import { createMemoryOutbox, createMemoryRelayStep } from '../support/memory-stores/relay.ts';
import { createMemoryReleaseStore } from '../support/memory-stores/release-store.ts';
import { createMemoryScheduleStore } from '../support/memory-stores/schedule-store.ts';
import { createMemoryShardStore } from '../support/memory-stores/shard-store.ts';
import {
  createMemoryBudgetStore,
  createMemoryStandingStore,
} from '../support/memory-stores/standing-store.ts';
import { createTables, shardsOf, subscribedOf, subscriptionKey } from '../support/memory-stores/tables.ts';
import { describeStores } from './stores.ts';
import { type StoresWorld, WINDOW } from './stores-world.ts';

const topics = ['deliveries', 'deliveries.breaking', 'shards.breaking', 'shards.bulk', 'outcomes'] as const;

async function open(): Promise<StoresWorld> {
  let nowMs = Date.now();
  const tables = createTables(() => nowMs);
  const publisher = createMemoryPublisher(tables);
  const outbox = createMemoryOutbox(tables, new Set());
  const appId = 1 as AppId;
  let batches = 0;
  return {
    appId,
    plan: createMemoryPlanStore(tables),
    shards: createMemoryShardStore(tables, WINDOW),
    blocks: createMemoryBlockStore(tables),
    schedule: createMemoryScheduleStore(tables),
    campaigns: createMemoryCampaignStore(tables),
    release: createMemoryReleaseStore(tables, WINDOW),
    budgets: createMemoryBudgetStore(tables),
    standings: createMemoryStandingStore(tables),
    relay: (log) =>
      createMemoryRelayStep(outbox, log, { topics, outcomesPerBatch: 3, outcomesDelayMs: 60_000 }, () =>
        String(++batches),
      )(),
    subscribe: async (count) => {
      for (let seq = 0; seq < count; seq++)
        publisher.subscribe(appId, seq, `https://push.example/${appId}/${seq}`);
    },
    unsubscribe: async (seq) => publisher.unsubscribe(appId, seq),
    comeBack: async (seq) => {
      const key = subscriptionKey(appId, seq);
      const row = tables.subscriptions.get(key);
      if (row !== undefined) tables.subscriptions.put(key, { ...row, lastSeenAtMs: nowMs + 60_000 });
    },
    click: async (seq, daysAgo) => {
      const key = subscriptionKey(appId, seq);
      const row = tables.subscriptions.get(key);
      const atMs = nowMs - daysAgo * 86_400_000;
      if (row === undefined || (row.clicked?.atMs ?? Number.NEGATIVE_INFINITY) >= atMs) return;
      const before = row.clicked ? row.clicked.clicks * weightAt((atMs - row.clicked.atMs) / 86_400_000) : 0;
      tables.subscriptions.put(key, { ...row, clicked: { clicks: before + 1, atMs } });
    },
    moveEndpoint: async (seq) =>
      publisher.subscribe(appId, seq, `https://push.example/${appId}/${seq}/moved`),
    subscribed: async () => ({
      seqs: subscribedOf(tables, appId).map(({ seq }) => seq),
      active: tables.active.get(appId) ?? 0,
    }),
    setCap: async (cap) => tables.caps.put(appId, cap),
    setGuard: async (guard) => tables.guards.put(appId, guard),
    setChrome: async (seq, chrome, seenDaysAgo) => {
      const key = subscriptionKey(appId, seq);
      const row = tables.subscriptions.get(key);
      const lastSeenAtMs = nowMs - seenDaysAgo * 86_400_000;
      if (row !== undefined) tables.subscriptions.put(key, { ...row, chrome, lastSeenAtMs });
    },
    setWishes: async (seq, wishes) => tables.wishes.put(subscriptionKey(appId, seq), wishes),
    createDelivery: async ({ scheduledInMs, rehearsal = false, lane = 'bulk' } = {}) => {
      const scheduledAtMs = scheduledInMs === undefined ? null : nowMs + scheduledInMs;
      const id = publisher.createDelivery(appId, { scheduledAtMs, rehearsal, lane });
      for (const row of tables.outbox.all())
        if (row.topic.startsWith('deliveries')) tables.outbox.delete(row.id);
      return id;
    },
    cancel: async (id) => void publisher.cancel(id),
    createCampaign: async (settings) => publisher.createCampaign(appId, settings, nowMs),
    cancelCampaign: async (id) => void publisher.cancelCampaign(id),
    travel: async (seq, zone) => publisher.travel(appId, seq, zone),
    deliveriesOf: async (id) =>
      tables.deliveries
        .all()
        .flatMap((row) => (row.campaign?.id === id ? [{ id: row.id, role: row.campaign.role }] : [])),
    runsOf: async (id) =>
      tables.campaigns.all().flatMap(({ parent }) => (parent?.id === id ? [parent.run] : [])),
    pass: async (ms) => {
      nowMs += ms;
    },
    delivery: async (id) => {
      const row = tables.deliveries.get(id);
      if (row === undefined) throw new Error(`no delivery ${id}`);
      const { status, openShards: open, total, capped, accepted, failed, errorMessage: message } = row;
      return { status, open, total, capped, accepted, failed, message };
    },
    shardsOf: async (id) =>
      shardsOf(tables, id).map(
        ({ id, state, epoch, attempts, audience, capped, guarded, wished, accepted, failed, unknown }) => ({
          ...{ id, state, epoch, attempts, audience, capped, guarded, wished, accepted, failed, unknown },
        }),
      ),
    outbox: async () => tables.outbox.all().map(({ topic }) => topic),
    close: async () => {},
  };
}

describeStores('the stores in memory', { open });
