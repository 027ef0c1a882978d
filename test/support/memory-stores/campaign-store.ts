import type { CampaignStore } from '../../../engine/campaigns/ports.ts';
import {
  type CampaignStatus,
  type DueCampaign,
  openCampaignStatuses,
} from '../../../engine/contract/campaign.ts';
import { noFace } from '../../../engine/contract/face.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { isInPart } from './audience.ts';
import { addToOutbox, type CampaignRow, shardsOf, subscribedOf, type Tables } from './tables.ts';

const HOUR_MS = 3_600_000;

export const isOpen = (status: CampaignStatus): boolean =>
  (openCampaignStatuses as readonly CampaignStatus[]).includes(status);

/** `engine/adapters/postgres/campaigns/campaign-store.ts`. */
export function createMemoryCampaignStore(tables: Tables): CampaignStore {
  return {
    findDue: async (limit) =>
      tables.campaigns
        .all()
        .filter((row) => row.settings.plan.kind !== 'feed' && isReady(tables, row))
        .sort(byTime)
        .slice(0, limit)
        .map((row) => dueOf(tables, row)),

    claimFeeds: async (limit, busy, leaseMs) => {
      const taken = new Set(busy);
      return tables.campaigns
        .all()
        .filter((row) => row.settings.plan.kind === 'feed' && isReady(tables, row))
        .sort(byTime)
        .filter(({ appId }) => !taken.has(appId) && taken.size < taken.add(appId).size)
        .slice(0, limit)
        .map((row) => {
          tables.campaigns.put(row.id, { ...row, retryAtMs: tables.now() + leaseMs });
          return dueOf(tables, row);
        });
    },

    keepFeed: async ({ id, step }, leaseMs) => {
      const row = tables.campaigns.get(id);
      if (row === undefined || row.step !== step || row.nextStepAtMs === null) return;
      tables.campaigns.put(id, { ...row, retryAtMs: Math.max(row.retryAtMs ?? 0, tables.now() + leaseMs) });
    },

    readFeed: async (id, keys) => ({
      seen: new Set(keys.filter((key) => isKnown(tables, id, key))),
      lastHour: tables.feedItems
        .all()
        .filter((row) => row.campaignId === id && row.createdAtMs > tables.now() - HOUR_MS).length,
    }),

    readVariants: async (id) =>
      tables.deliveries
        .all()
        .filter(({ campaign }) => campaign?.id === id && campaign.role.startsWith('variant-'))
        .map((delivery) => ({
          deliveryId: delivery.id,
          content: Number(delivery.campaign?.role.slice('variant-'.length)) - 1,
          accepted: shardsOf(tables, delivery.id).reduce((sum, { accepted }) => sum + accepted, 0),
        }))
        .sort((a, b) => a.content - b.content),

    hasReaders: async (appId, part) =>
      subscribedOf(tables, appId).some((row) => isInPart(part, row, tables.now())),

    move: async (due, move, identities) => {
      const row = tables.campaigns.get(due.id);
      if (row === undefined || row.step !== due.step || !isDue(tables, row)) return false;
      for (const { role } of move.feed?.items ?? [])
        if (tables.feedItems.get(`${row.id}/${role}`) !== undefined)
          throw new Error(`feed ${row.id} has ${role} already`);
      const { status, progress, nextAt } = move;
      const nextStepAtMs = nextAt?.getTime() ?? null;
      tables.campaigns.put(row.id, {
        ...row,
        status,
        progress,
        nextStepAtMs,
        retryAtMs: null,
        step: row.step + 1,
      });
      for (const key of move.feed?.seen ?? []) tables.feedKeys.put(`${row.id}/${key}`, tables.now());
      for (const { role, status: itemStatus } of move.feed?.items ?? []) {
        const key = `${row.id}/${role}`;
        const item = { campaignId: row.id, role, status: itemStatus, createdAtMs: tables.now() };
        tables.feedItems.put(key, item);
      }
      for (const [index, { role, part }] of move.deliveries.entries())
        createDelivery(tables, row, { role, part, plaintext: identities[index]?.plaintext });
      for (const { run, settings } of move.runs) {
        const id = tables.nextId();
        const parent = { id: row.id, run };
        if (tables.campaigns.all().some((other) => other.parent?.id === row.id && other.parent.run === run))
          throw new Error(`the run ${run} of campaign ${row.id} is there already`);
        tables.campaigns.put(id, {
          ...{ id, appId: row.appId, settings, progress: {}, status: 'scheduled', step: 0 },
          ...{ nextStepAtMs: due.now.getTime(), retryAtMs: null, parent },
        });
      }
      return true;
    },

    defer: async ({ id, step }, seconds) => {
      const row = tables.campaigns.get(id);
      if (row === undefined || row.step !== step || row.nextStepAtMs === null) return;
      tables.campaigns.put(id, { ...row, retryAtMs: tables.now() + seconds * 1_000 });
    },
  };
}

const byTime = (a: CampaignRow, b: CampaignRow): number =>
  (a.nextStepAtMs ?? 0) - (b.nextStepAtMs ?? 0) || a.id - b.id;

const isReady = (tables: Tables, row: CampaignRow): boolean =>
  isDue(tables, row) && (row.retryAtMs ?? 0) <= tables.now();

const isKnown = (tables: Tables, id: number, key: string): boolean =>
  tables.feedKeys.get(`${id}/${key}`) !== undefined ||
  tables.feedItems.get(`${id}/item ${key}`) !== undefined;

const dueOf = (
  tables: Tables,
  { id, appId, settings, progress, step, nextStepAtMs }: CampaignRow,
): DueCampaign => ({
  ...{ id, appId, app: 'app', name: 'campaign', settings, progress, step },
  ...{ dueAt: new Date(nextStepAtMs ?? 0), quietHours: null, zone: 'UTC', face: noFace },
  now: new Date(tables.now()),
});

const isDue = (tables: Tables, { status, nextStepAtMs }: CampaignRow): boolean =>
  isOpen(status) && nextStepAtMs !== null && nextStepAtMs <= tables.now();

function createDelivery(
  tables: Tables,
  { id: campaignId, appId, settings }: CampaignRow,
  {
    role,
    part,
    plaintext = new Uint8Array(),
  }: {
    readonly role: string;
    readonly part: CampaignPartOrNull;
    readonly plaintext: Uint8Array | undefined;
  },
): void {
  if (tables.deliveries.all().some(({ campaign }) => campaign?.id === campaignId && campaign.role === role))
    throw new Error(`campaign ${campaignId} has a delivery ${role} already`);
  const id = tables.nextId() as DeliveryId;
  const { ignoreCap, ttlSeconds, ratePerMinute, rehearsal } = settings.options;
  tables.deliveries.put(id, {
    ...{ id, appId, plaintext, status: 'pending', lane: 'bulk', createdAtMs: tables.now() },
    ...{ ignoreCap, ttlSeconds, ratePerMinute, rehearsal, scheduledAtMs: null, expiresAtMs: null },
    ...{ queuedAtMs: null, openShards: 0, total: 0, capped: 0, accepted: 0, failed: 0, errorMessage: null },
    ...{ campaign: { id: campaignId, role, part }, audience: null, corrects: null, planAfterMs: null },
    wording: null,
  });
  addToOutbox(tables, 'deliveries', String(id), { value: { delivery_id: id } });
}

type CampaignPartOrNull = Parameters<CampaignStore['move']>[1]['deliveries'][number]['part'];
