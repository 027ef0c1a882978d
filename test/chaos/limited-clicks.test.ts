// tier: system
import { describe, expect, it } from 'vitest';
import { BLOCK_SIZE, bitmapOf, emptyBitmap } from '../../engine/contract/bitmap.ts';
import { weightAt } from '../../engine/contract/expected-clicks.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import { blockKey, subscriptionKey } from '../support/memory-stores/tables.ts';
import { startSimulatedEngine } from './simulation/engine.ts';
import { limitedServices } from './simulation/limited-services.ts';
import { createRandom, type Random } from './simulation/random.ts';
import { createWorld, type World } from './simulation/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FCM = 'fcm.googleapis.com';
const APP = 1 as AppId;
const READERS = 4 * BLOCK_SIZE;
/**
 * Chrome's 1,000 a minute are 60,000 readers in the first hour: of 200,000 not a third. Here readers, limit and time are
 * those of a fiftieth of such an app, so that a virtual hour is not played event by event.
 */
const ALLOWED = 240;
const FIRST_HOUR = 5 * MINUTE;
const EARLIER = 30;
const HISTORY_DAYS = 28;

/** What nobody but the simulation knows. */
interface Reader {
  readonly seq: number;
  /** The probability that this reader clicks a notification. */
  readonly preference: number;
  readonly daysHere: number;
  /** Days since the last click or visit. */
  readonly activeDaysAgo: number;
  readonly clicks: readonly number[];
}

type Preference = (random: Random) => number;

const preferences: Readonly<Record<string, Preference>> = {
  'a few enthusiasts, many who click now and then, and most hardly ever': (random) => {
    const lot = random.next();
    if (lot < 0.08) return 0.35;
    return lot < 0.35 ? 0.06 : 0.004;
  },
  'all kinds of readers, of whom each next hundredth clicks a little less': (random) =>
    0.5 * random.next() ** 6,
  'everybody between never and three in ten': (random) => 0.3 * random.next(),
};

/** Days ago that each earlier delivery was sent, the oldest first. */
const sentDaysAgo = Array.from({ length: EARLIER }, (_, n) => (HISTORY_DAYS * (EARLIER - n)) / EARLIER);

function makeReader(seq: number, preference: number, random: Random): Reader {
  // Every fifth came lately.
  const daysHere = random.chance(0.2) ? random.next() * HISTORY_DAYS : HISTORY_DAYS + 1;
  const clicks = sentDaysAgo.filter((daysAgo) => daysAgo < daysHere && random.chance(preference));
  // Those who click more come by more often, too, if loosely so.
  const visitDaysAgo = -Math.log(1 - random.next()) / (0.05 + preference * (0.5 + random.next()));
  const activeDaysAgo = Math.min(daysHere, visitDaysAgo, ...clicks);
  return { seq, preference, daysHere, clicks, activeDaysAgo };
}

function subscribe({ tables, publisher }: World, { seq, activeDaysAgo, clicks }: Reader): void {
  publisher.subscribe(APP, seq, `https://${FCM}/${APP}/${seq}/0`);
  const key = subscriptionKey(APP, seq);
  const row = tables.subscriptions.get(key);
  if (row === undefined) throw new Error('not subscribed');
  const lastDaysAgo = Math.min(...clicks);
  const counted = clicks.reduce((sum, daysAgo) => sum + weightAt(daysAgo - lastDaysAgo), 0);
  const clicked = { clicks: counted, atMs: tables.now() - lastDaysAgo * DAY };
  const lastSeenAtMs = tables.now() - activeDaysAgo * DAY;
  tables.subscriptions.put(key, { ...row, lastSeenAtMs, ...(clicks.length > 0 && { clicked }) });
}

/** The maps of what was sent before. */
function remember({ tables }: World, readers: readonly Reader[]): void {
  for (const [number, daysAgo] of sentDaysAgo.entries())
    for (let block = 0; block < READERS / BLOCK_SIZE; block++) {
      const there = readers
        .slice(block * BLOCK_SIZE, (block + 1) * BLOCK_SIZE)
        .filter(({ daysHere }) => daysAgo < daysHere);
      const accepted = bitmapOf(there.map(({ seq }) => seq));
      const deliveryId = (1_000_000 + number) as DeliveryId;
      tables.blocks.put(blockKey(deliveryId, block), {
        ...{ appId: APP, deliveryId, block, shardId: (1_000_000 + number) as ShardId },
        ...{ audience: accepted, accepted, settled: accepted, capped: emptyBitmap() },
        acceptedAtMs: new Map(there.map(({ seq }) => [seq, tables.now() - daysAgo * DAY])),
      });
    }
}

function limit({ tables }: World): void {
  const nowMs = tables.now();
  const limitedSinceMs = nowMs - HOUR;
  tables.standings.put(`${APP}/fcm/${limitedSinceMs}`, {
    ...{ appId: APP, service: 'fcm', nextAtMs: nowMs, breakingUntilMs: 0, endedAtMs: null },
    limited: {
      ...{ limitedSinceMs, allowedPerMinute: ALLOWED, lowestPerMinute: ALLOWED, probableEndAtMs: null },
      ...{ throttledAtMs: nowMs - (nowMs % MINUTE), growAtMs: nowMs + DAY, growWaitMinutes: 1_440 },
    },
  });
}

/** Two engines send one delivery. @returns the `seq`s that were served in the first hour. */
async function sendForAnHour(readers: readonly Reader[], seed: number): Promise<number[]> {
  const calm = createWorld(seed, null);
  Object.assign(calm.services.temper, { throttled: 0, rejected: 0, failing: 0, silent: 0 });
  Object.assign(calm.logWeather, { repeating: 0, lagging: 0, forgetting: 0, losing: 0 });
  const services = limitedServices(calm.services, calm.clock, FCM, ALLOWED, () => ALLOWED);
  const world: World = { ...calm, services, maxInFlight: 100 };
  for (const reader of readers) subscribe(world, reader);
  remember(world, readers);
  limit(world);
  const engines = await Promise.all([1, 2].map((n) => startSimulatedEngine(world, `engine-${n}`)));
  world.publisher.createDelivery(APP, { ttlSeconds: 2_419_200 });
  const startedAtMs = world.clock.now();
  while (world.clock.now() - startedAtMs < FIRST_HOUR) {
    await new Promise(setImmediate);
    if (!world.clock.advanceToNext()) throw new Error('nothing goes on');
  }
  for (const engine of engines) engine.process.die();
  return services.requests.flatMap(({ seq, accepted, atMs }) =>
    accepted && atMs - startedAtMs <= FIRST_HOUR ? [seq] : [],
  );
}

describe('a delivery of an app that is limited', () => {
  it.each(Object.keys(preferences))(
    'reaches at least four fifths of the clicks that an oracle would in its first hour: %s',
    async (what) => {
      const preference = preferences[what] as Preference;
      const random = createRandom(7);
      const readers = Array.from({ length: READERS }, (_, seq) =>
        makeReader(seq, preference(random), random),
      );
      const served = await sendForAnHour(readers, 4);
      expect(new Set(served).size).toBe(served.length);
      // The budget is used.
      expect(served.length).toBeGreaterThan(((ALLOWED * FIRST_HOUR) / MINUTE) * 0.9);

      const clicksOf = (first: readonly Reader[]): number =>
        first.slice(0, served.length).reduce((sum, reader) => sum + reader.preference, 0);
      const ours = clicksOf(served.map((seq) => readers[seq] as Reader));
      const oracle = clicksOf(readers.toSorted((a, b) => b.preference - a.preference));
      const byActivity = clicksOf(readers.toSorted((a, b) => a.activeDaysAgo - b.activeDaysAgo));
      const [oraclesText, oursText, activityText] = [oracle, ours, byActivity].map(Math.round);
      console.info(
        `${what}: clicks in the first hour: ${oraclesText} of an oracle, ${oursText} by expected clicks, ${activityText} by last activity`,
      );
      expect(ours / oracle).toBeGreaterThanOrEqual(0.8);
      expect(ours).toBeGreaterThan(byActivity);
    },
  );
});
