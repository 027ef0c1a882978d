import { expect, it } from 'vitest';
import { bitsOf, emptyBitmap } from '../../engine/contract/bitmap.ts';
import type {
  CampaignContent,
  CampaignMove,
  CampaignPart,
  CampaignSettings,
  DueCampaign,
} from '../../engine/contract/campaign.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { inStores, mustLease, plan } from './stores-steps.ts';
import type { StoresHarness, StoresWorld } from './stores-world.ts';

const HOUR_MS = 3_600_000;
const identity = (n: number) => ({ identifier: `dlv_${n}`, plaintext: Uint8Array.of(n) });

const words: CampaignContent = {
  title: 'Title',
  body: 'Text',
  url: 'https://news.example/',
  imageUrl: null,
  imageHash: null,
  buttons: [],
};
const settings: CampaignSettings = {
  contents: [words],
  options: {
    segmentId: null,
    categoryId: null,
    ignoreCap: false,
    ttlSeconds: 3_600,
    requireInteraction: false,
    silent: false,
    vibratePattern: [],
    topic: null,
    urgency: 'normal',
    ratePerMinute: null,
    rehearsal: false,
    queryParams: [],
  },
  plan: { kind: 'ab_test', testParts: 5_000, decideBy: 'clicks', decideAfterMinutes: 15, fallback: 0 },
};

const feedSettings: CampaignSettings = {
  ...settings,
  contents: [],
  plan: {
    ...{ kind: 'feed', url: 'https://news.example/feed', everyMinutes: 1, digest: null },
    mapping: { title: '{title}', body: '{summary}', image: true },
    filter: { categories: null, words: null, without: null },
    ...{ publish: 'automatic', perHour: 3, overflow: 'summary', imageBase: 'https://push.example' },
  },
};

const LEASE_MS = 15_000;

async function claim(world: StoresWorld, id: number): Promise<DueCampaign> {
  const found = (await world.campaigns.claimFeeds(10, [], LEASE_MS)).find((each) => each.id === id);
  if (found === undefined) throw new Error(`feed ${id} is not due`);
  return found;
}

const moveOf = (deliveries: CampaignMove['deliveries'], rest: Partial<CampaignMove> = {}): CampaignMove => ({
  ...{ deliveries, runs: [], progress: { testedAt: 'then' }, status: 'running' },
  nextAt: new Date(Date.now() + HOUR_MS),
  ...rest,
});
const toAll = (role: string) => ({ role, content: 0, part: null });

async function due(world: StoresWorld, id: number): Promise<DueCampaign> {
  const found = (await world.campaigns.findDue(10)).find((each) => each.id === id);
  if (found === undefined) throw new Error(`campaign ${id} is not due`);
  return found;
}

/** A campaign of one delivery to this part, planned and with its block fixed. @returns whom it has. */
async function serve(world: StoresWorld, deliveryId: DeliveryId): Promise<number[]> {
  await plan(world, deliveryId);
  const lease = await mustLease(world, deliveryId, 0);
  const { audience } = lease;
  if (audience === null) throw new Error('a part of a campaign has no audience');
  const fixed = await world.blocks.fixAudience(
    lease,
    0,
    await world.blocks.readAudience(world.appId, 0, audience),
  );
  return bitsOf(fixed?.audience ?? emptyBitmap(), 0);
}

export function describeCampaigns(harness: StoresHarness): void {
  it('moves a due campaign once: its deliveries, its progress and its next step are one', () =>
    inStores(harness, async (world) => {
      const id = await world.createCampaign(settings);
      const found = await due(world, id);
      expect(found).toMatchObject({ appId: world.appId, settings, progress: {} });
      const move = moveOf([toAll('variant-1'), toAll('variant-2')]);
      const both = [identity(1), identity(2)];
      const moved = await Promise.all([
        world.campaigns.move(found, move, both),
        world.campaigns.move(found, move, [identity(3), identity(4)]),
      ]);
      expect(moved.toSorted()).toEqual([false, true]);
      expect((await world.deliveriesOf(id)).map(({ role }) => role)).toEqual(['variant-1', 'variant-2']);
      expect(await world.outbox()).toEqual(['deliveries', 'deliveries']);
      expect(await world.campaigns.findDue(10)).toEqual([]);
      await world.pass(2 * HOUR_MS);
      const next = await due(world, id);
      expect(next.progress).toEqual({ testedAt: 'then' });
      expect(next.step).toBeGreaterThan(found.step);
      expect(await world.campaigns.move(found, move, both)).toBe(false);
    }));

  it('writes nothing of a step with a role that is there already', () =>
    inStores(harness, async (world) => {
      const id = await world.createCampaign(settings);
      await world.campaigns.move(await due(world, id), moveOf([toAll('winner')]), [identity(1)]);
      await world.pass(2 * HOUR_MS);
      const again = await due(world, id);
      const move = moveOf([toAll('winner')], { status: 'completed', nextAt: null });
      await expect(world.campaigns.move(again, move, [identity(2)])).rejects.toThrow();
      expect(await world.deliveriesOf(id)).toHaveLength(1);
    }));

  it('leaves a step that failed for later, and no other campaign with it', () =>
    inStores(harness, async (world) => {
      const [id, other] = [await world.createCampaign(settings), await world.createCampaign(settings)];
      await world.campaigns.defer(await due(world, id), 60, 'Later.');
      expect((await world.campaigns.findDue(10)).map((each) => each.id)).toEqual([other]);
      await world.pass(60_001);
      expect((await due(world, id)).step).toBe(0);
    }));

  it('does not move one that was cancelled since it was read', () =>
    inStores(harness, async (world) => {
      const id = await world.createCampaign(settings);
      const found = await due(world, id);
      await world.cancelCampaign(id);
      expect(await world.campaigns.move(found, moveOf([toAll('variant-1')]), [identity(1)])).toBe(false);
      expect(await world.campaigns.findDue(10)).toEqual([]);
      expect(await world.deliveriesOf(id)).toEqual([]);
    }));

  it('creates a firing as a campaign, due at once', () =>
    inStores(harness, async (world) => {
      const id = await world.createCampaign(settings);
      const runs = [{ run: '2026-11-23T08:00:00.000Z', settings }];
      await world.campaigns.move(await due(world, id), moveOf([], { runs }), []);
      expect(await world.runsOf(id)).toEqual(['2026-11-23T08:00:00.000Z']);
      expect(await world.campaigns.findDue(10)).toHaveLength(1);
    }));

  it('gives a feed to one engine at a time, one of an app, and to no step of other campaigns', () =>
    inStores(harness, async (world) => {
      const [id, other] = [
        await world.createCampaign(feedSettings),
        await world.createCampaign(feedSettings),
      ];
      expect(await world.campaigns.findDue(10)).toEqual([]);
      const claims = await Promise.all([
        world.campaigns.claimFeeds(10, [], LEASE_MS),
        world.campaigns.claimFeeds(10, [world.appId], LEASE_MS),
      ]);
      expect(claims.map((claimed) => claimed.map((each) => each.id))).toEqual([[id], []]);
      expect((await world.campaigns.claimFeeds(10, [], LEASE_MS)).map((each) => each.id)).toEqual([other]);
      expect(await world.campaigns.claimFeeds(10, [], LEASE_MS)).toEqual([]);
      // One of the two checks goes on, and the engine of the other died.
      await world.pass(LEASE_MS - 1_000);
      const looking = claims[0]?.[0];
      if (looking === undefined) throw new Error('nobody looks');
      await world.campaigns.keepFeed(looking, LEASE_MS);
      await world.pass(1_001);
      expect((await world.campaigns.claimFeeds(10, [], LEASE_MS)).map((each) => each.id)).toEqual([other]);
      await world.pass(LEASE_MS + 1);
      expect((await world.campaigns.claimFeeds(10, [], LEASE_MS)).map((each) => each.id)).toEqual([id]);
    }));

  it('notes what a feed had with the deliveries of its items, once', () =>
    inStores(harness, async (world) => {
      const id = await world.createCampaign(feedSettings);
      const found = await claim(world, id);
      const item = (key: string, status: 'sent' | 'draft') =>
        ({ role: `item ${key}`, status, content: words, items: 1, image: null, icon: null }) as const;
      const sent = { role: 'item g1', content: words, part: null };
      const feed = { seen: ['g1', 'l1', 'g2', 'g3'], items: [item('g1', 'sent'), item('g2', 'draft')] };
      const move = moveOf([sent], { feed, nextAt: new Date(Date.now() + 1_000) });
      const moved = await Promise.all([
        world.campaigns.move(found, move, [identity(1)]),
        world.campaigns.move(found, move, [identity(2)]),
      ]);
      expect(moved.toSorted()).toEqual([false, true]);
      expect((await world.deliveriesOf(id)).map(({ role }) => role)).toEqual(['item g1']);
      const { seen, lastHour } = await world.campaigns.readFeed(id, ['g1', 'l1', 'g3', 'g4']);
      expect([[...seen].toSorted(), lastHour]).toEqual([['g1', 'g3', 'l1'], 2]);
      expect((await world.campaigns.readFeed(id + 1, ['g1'])).seen.size).toBe(0);
      await world.pass(180_001);
      const again = moveOf([sent], { feed: { seen: ['g5'], items: [item('g1', 'sent')] } });
      await expect(world.campaigns.move(await claim(world, id), again, [identity(3)])).rejects.toThrow();
      expect((await world.campaigns.readFeed(id, ['g5'])).seen.size).toBe(0);
    }));

  it('knows whether a part has readers, by share and by zone', () =>
    inStores(harness, async (world) => {
      await world.subscribe(20);
      await world.travel(3, 'Asia/Tokyo');
      const share = (from: number, below: number): CampaignPart => ({ kind: 'share', key: 'c', from, below });
      expect(await world.campaigns.hasReaders(world.appId, share(0, 10_000))).toBe(true);
      expect(await world.campaigns.hasReaders(world.appId, share(0, 1))).toBe(false);
      expect(await world.campaigns.hasReaders(world.appId, zonesPart(1, ['Asia/Tokyo']))).toBe(true);
      expect(await world.campaigns.hasReaders(world.appId, zonesPart(1, ['Asia/Seoul']))).toBe(false);
    }));

  it('gives a reader who travels to one delivery of a campaign, whichever fixes the block first', () =>
    inStores(harness, async (world) => {
      await world.subscribe(6);
      for (const seq of [0, 1, 2]) await world.travel(seq, 'Asia/Tokyo');
      const id = await world.createCampaign(settings);
      const parts = [
        zonesPart(id, ['Asia/Tokyo'], ['Asia/Tokyo']),
        zonesPart(id, ['UTC'], ['Asia/Tokyo', 'UTC']),
      ];
      const deliveries = parts.map((part, index) => ({ role: `zones ${index}`, content: 0, part }));
      await world.campaigns.move(await due(world, id), moveOf(deliveries), [identity(1), identity(2)]);
      const [tokyo, utc] = await world.deliveriesOf(id);
      if (tokyo === undefined || utc === undefined) throw new Error('no deliveries');
      expect(await serve(world, tokyo.id)).toEqual([0, 1, 2]);
      // Served there, and now in a zone that comes; and from that zone to one that was served.
      await world.travel(0, 'UTC');
      await world.travel(4, 'Asia/Tokyo');
      expect(await serve(world, utc.id)).toEqual([3, 4, 5]);
    }));
}

/** @param come zones whose time has come, for those who moved. */
const zonesPart = (id: number, zones: string[], come: string[] = []): CampaignPart => ({
  kind: 'zones',
  campaign_id: id,
  zones,
  zone: 'UTC',
  moved: {
    since: new Date(Date.now() - HOUR_MS).toISOString(),
    instants: [{ at: new Date(0).toISOString(), zones: come }],
  },
});
