import type { AppId } from '../../../engine/contract/ids.ts';
import { topics } from '../../../engine/contract/topics.ts';
import type { BrokenBuild } from './broken-builds.ts';
import { startCampaigns } from './campaigns.ts';
import { checkPromises, isOver } from './checks.ts';
import { scheduleCorrections } from './corrections.ts';
import { startSimulatedEngine } from './engine.ts';
import { type Fleet, scheduleFaults } from './faults.ts';
import { unreadFeeds } from './feeds.ts';
import { oddWording, stateOddly } from './odd-readers.ts';
import { endpointOf } from './push-service.ts';
import { createRandom } from './random.ts';
import { subscribeStrangers } from './strangers.ts';
import { scheduleThrows } from './throws.ts';
import { FAULTS_END_MS, LASTING_TTL_SECONDS } from './times.ts';
import { createWorld, type World } from './world.ts';

export interface SeedEnding {
  readonly seed: number;
  /** Each broken promise as a sentence; none: the seed holds. */
  readonly broken: readonly string[];
  /** Every event, in order: equal for equal seeds. */
  readonly trace: readonly string[];
  readonly virtualMs: number;
  readonly sendings: number;
  /** Copies beyond the first that reached a subscriber. */
  readonly duplicates: number;
}

/**
 * Everything must have ended this long after the last fault: several leases and retries, and the TTL of a
 * delivery that waits for none but strangers any more.
 */
const QUIET_WITHIN_MS = 50 * 60_000;
/** Apps among whose first readers there are strangers. */
const WITH_STRANGERS = 0.3;
const WITH_CAMPAIGNS = 0.3;
const WITH_ODD_READERS = 0.5;
const STEPS_PER_LOOK = 16;
const MAX_STEPS = 400_000;

/** Plays one seed from the start to quiet, in virtual time, and holds the promises against what happened. */
export async function runSeed(seed: number, broken: BrokenBuild | null = null): Promise<SeedEnding> {
  const world = createWorld(seed, broken);
  const fleet = createFleet(world);
  populate(world);
  scheduleFaults(world, fleet);
  scheduleCorrections(world);
  scheduleThrows(world);
  const startedAtMs = world.clock.now();
  const unquiet = await untilQuiet(world, fleet);
  const virtualMs = world.clock.now() - startedAtMs;
  for (const engine of fleet.engines) engine?.process.die();
  return {
    seed,
    broken: [...checkPromises(world), ...unquiet],
    trace: world.trace,
    virtualMs,
    sendings: world.sendings.length,
    duplicates: countDuplicates(world),
  };
}

function createFleet(world: World): Fleet {
  let started = 0;
  const starting = new Set<number>();
  const fleet: Fleet = {
    engines: Array.from({ length: world.random.int(1, 3) }, () => null),
    start: (index) => {
      if (fleet.engines[index] !== null || starting.has(index)) return;
      starting.add(index);
      void startSimulatedEngine(world, `engine-${++started}`).then((engine) => {
        starting.delete(index);
        fleet.engines[index] = engine;
      });
    },
  };
  for (const index of fleet.engines.keys()) fleet.start(index);
  return fleet;
}

/** One or two apps with sparse blocks, and a few deliveries over the first half of the faults. */
function populate(world: World): void {
  const { random, publisher, clock } = world;
  const odd = createRandom(world.seed ^ 0x0dd);
  const apps = Array.from({ length: random.int(1, 2) }, (_, index) => (index + 1) as AppId);
  for (const appId of apps) {
    if (random.chance(0.4))
      world.tables.caps.put(appId, { windowMinutes: random.int(1, 3), maxNotifications: random.int(1, 2) });
    const blocks = random.int(1, 5);
    for (let count = random.int(0, 30); count > 0; count--) {
      const seq = random.int(0, blocks * 1_024 - 1);
      publisher.subscribe(appId, seq, endpointOf(appId, seq, 0));
    }
    if (odd.chance(WITH_ODD_READERS)) stateOddly(world, appId, odd);
    if (random.chance(WITH_STRANGERS)) subscribeStrangers(world, appId, random);
    if (random.chance(WITH_CAMPAIGNS)) startCampaigns(world, appId, random.fork());
  }
  for (let count = random.int(1, 5); count > 0; count--) {
    const at = count === 1 ? 0 : random.int(0, FAULTS_END_MS);
    const appId = random.pick(apps);
    const given = {
      lane: random.chance(0.3) ? 'breaking' : 'bulk',
      scheduledAtMs: random.chance(0.3) ? clock.now() + at + random.int(0, 20_000) : null,
      ignoreCap: random.chance(0.2),
      ttlSeconds: random.chance(0.2) ? random.int(5, 60) : LASTING_TTL_SECONDS,
      expiresAtMs: random.chance(0.15) ? clock.now() + at + random.int(2_000, 60_000) : null,
      ratePerMinute: random.chance(0.2) ? random.int(10, 100) : null,
      rehearsal: random.chance(0.15),
      wording: odd.chance(0.3) ? oddWording : null,
    } as const;
    if (at === 0) publisher.createDelivery(appId, given);
    else clock.setTimer(at, () => publisher.createDelivery(appId, given));
  }
}

/** Fires one timer after another, each after all that the one before set going has come to rest. */
async function untilQuiet(world: World, fleet: Fleet): Promise<string[]> {
  const { clock } = world;
  const endsAtMs = clock.now() + FAULTS_END_MS + QUIET_WITHIN_MS;
  const healedAtMs = clock.now() + FAULTS_END_MS;
  for (let step = 0; step < MAX_STEPS; step++) {
    await new Promise(setImmediate);
    if (step % STEPS_PER_LOOK === 0 && clock.now() > healedAtMs && unrest(world, fleet).length === 0)
      return [];
    if (clock.now() > endsAtMs || !clock.advanceToNext()) break;
  }
  return unrest(world, fleet).map((what) => `it never came to rest: ${what}`);
}

/** What is not at rest yet, in words. */
function unrest(world: World, fleet: Fleet): string[] {
  const { tables, logStore, sendings } = world;
  const open = tables.shards.all().filter(({ state }) => state !== 'settled' && state !== 'stopped');
  const unended = tables.deliveries.all().filter(({ status }) => !isOver(status));
  const unfinished = tables.campaigns
    .all()
    .filter(({ nextStepAtMs, settings }) => nextStepAtMs !== null && settings.plan.kind !== 'feed');
  return [
    ...fleet.engines.flatMap((engine, index) => (engine === null ? [`engine ${index} is down`] : [])),
    ...topics.filter((topic) => logStore.lag(topic) > 0).map((topic) => `${topic} has messages`),
    ...tables.outbox.all().map(({ topic }) => `the outbox has a row of ${topic}`),
    ...open.map(({ id, state }) => `shard ${id} is ${state}`),
    // Also by an engine that has lost the lease meanwhile: it hears of it when it wants to record the block.
    ...sendings
      .filter(({ state, fate }) => state !== 'recorded' && fate === null)
      .map(({ process }) => `${process} is sending`),
    ...unended.map(({ id, status }) => `delivery ${id} is ${status}`),
    ...unreadFeeds(world),
    ...unfinished.map(({ id, status }) => `campaign ${id} is ${status}`),
  ];
}

function countDuplicates({ sendings }: World): number {
  const copies = new Map<string, number>();
  for (const { deliveryId, copies: sent } of sendings)
    for (const { seq } of sent)
      copies.set(`${deliveryId}/${seq}`, (copies.get(`${deliveryId}/${seq}`) ?? 0) + 1);
  return [...copies.values()].reduce((sum, count) => sum + count - 1, 0);
}
