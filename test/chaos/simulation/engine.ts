import { assembleEngine, type EngineOptions } from '../../../engine/compose/assemble.ts';
import { dueWork } from '../../../engine/contract/due-work.ts';
import type { Consumer, Log } from '../../../engine/contract/log.ts';
import { readFeedHere } from '../../../engine/notification/feeds/read-feed.ts';
import { createRecordStage } from '../../../engine/record/stage.ts';
import { createMemoryLog } from '../../support/memory-log/log.ts';
import { fetchFeedIn } from './feeds.ts';
import { createProcess, type Process } from './process.ts';
import { createRandom } from './random.ts';
import { readAccepted } from './reached.ts';
import { createRecordedSendings } from './recorded-sendings.ts';
import { createEngineStores } from './stores.ts';
import { createThreads, type Threads } from './worker.ts';
import type { World } from './world.ts';

/** One engine of the simulation: the real stages and loops, in a process that can die at any moment. */
export interface SimulatedEngine {
  readonly process: Process;
  readonly threads: Threads;
  /** Ends in good order, as after SIGTERM. */
  stop(deadlineMs: number): Promise<void>;
  /** Ends at once: nothing of it happens any more. */
  crash(): void;
}

const BULK_SLOTS = 3;
const BREAKING_SLOTS = 1;
/** Blocks in flight: the most that one crash can leave unrecorded. */
export const SLOTS = BULK_SLOTS + BREAKING_SLOTS;
const LEASE_MS = 8_000;
const SESSION_TIMEOUT_MS = 3_000;
const ATTEMPTS_PER_MESSAGE = 5;
export const MAX_ATTEMPTS = 4;
/** Engines died under the shard so often that it fails unsent. */
export const isHopeless = (lostLeases: number): boolean => lostLeases > MAX_ATTEMPTS * 3;

const LOOP = { idleMs: 700, maxBackoffMs: 5_000 };

const OPTIONS = {
  leaseMs: LEASE_MS,
  shardBlocks: 1,
  slots: { bulk: BULK_SLOTS, breaking: BREAKING_SLOTS },
  retry: { maxAttempts: MAX_ATTEMPTS, baseMs: 500, maxMs: 8_000 },
  attemptsPerMessage: ATTEMPTS_PER_MESSAGE,
  stallAfterMs: 60_000,
  awayPauseMs: 1_000,
  relay: LOOP,
  schedule: LOOP,
} satisfies Omit<EngineOptions, 'owner'>;

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const uncounted = { recordBatch: () => {}, backPressurePause: () => {} };

export async function startSimulatedEngine(world: World, name: string): Promise<SimulatedEngine> {
  const process = createProcess(name, world.clock);
  const { log, consumers } = logOf(world);
  const random = world.random.fork();
  const threads = createThreads({
    ...{ process, services: world.services, random: world.random.fork() },
    ...{ defects: world.defects, throws: createRandom(world.seed ^ 0x7410) },
    keepsPermits: world.broken?.keepsPermits === true,
    maxInFlight: world.maxInFlight,
  });
  const stores = createEngineStores(world, process, log, random);
  const recorded = createRecordedSendings(world, process, threads);
  const engine = assembleEngine(
    {
      log,
      plans: stores.plan,
      readReach: async (_appId, { deliveryId }, withUnknown) => readAccepted(world, deliveryId, withUnknown),
      findDue: async () => dueWork,
      schedule: stores.schedule,
      campaigns: stores.campaigns,
      // Nobody subscribes there: what is written with a subscription is tested on Postgres.
      welcomes: { findDue: async () => [], sendDue: async () => 0, postpone: async () => {} },
      countClicked: async (_appId, deliveryId) => {
        if (world.outcomes.weather.away) throw new Error('ClickHouse is away');
        return world.outcomes.settledRows(deliveryId).accepted % 7;
      },
      fetchFeed: fetchFeedIn(world, process, random),
      readFeed: async (given) => readFeedHere(given),
      readItemImage: async () => null,
      identify: (app) => ({ app, delivery: 'delivery', proof: 'proof' }),
      release: stores.release,
      shards: recorded.shards(stores.shards),
      blocks: stores.blocks,
      reserveSendTime: stores.pace.reserveSendTime,
      budgets: stores.budgets,
      standings: stores.standings,
      sender: recorded.sender,
      countAnswers: () => 0,
      relayStep: stores.relayStep,
      storeAnswers: async () => !world.storeWeather.away && process.alive(),
      clock: process.clock,
      nowMs: world.tables.now,
      aheadMs: () => world.tables.now() - process.wallMs(),
      random: random.next,
      subjectOf: (site) => site,
      tracePlan: (planDelivery) => planDelivery,
      traces: { shard: (run) => run, block: (run) => run, ends: recorded.ends },
    },
    { ...OPTIONS, owner: name },
    {
      paused: () => world.note(`${name} pauses its intake`),
      planned: (ending) => world.note(`${name} plan: ${ending.kind}`),
      shardEnded: (ending) => world.note(`${name} shard: ${ending.kind}`),
      blockEnded: () => {},
      blockFailed: ({ deliveryId, block, tries, isLast }) => {
        world.note(
          `${name} block ${deliveryId}/${block} threw, attempt ${tries}${isLast ? ': the last' : ''}`,
        );
        world.threw.add(`${deliveryId}/${block}`);
      },
      shardFailed: (error) => world.note(`${name} shard: ${(error as Error).message}`),
      workerLost: () => world.note(`${name} lost a worker`),
      campaignDeferred: (id) => world.note(`${name} defers campaign ${id}`),
      standingChanged: ({ kind, appId, service }) =>
        world.note(`${name} ${service} of app ${appId}: ${kind}`),
      welcomesPostponed: () => {},
      loopFailed: (_loop, error) => world.note(`${name} loop: ${(error as Error).message}`),
    },
  );
  const [plan, dispatch] = [engine.createPlan(), engine.createDispatch()];
  const record = createRecordStage({ log, logger: silent, metrics: uncounted, store: world.outcomes });
  await Promise.all([plan.start(), dispatch.start(), record.start()]);
  world.note(`${name} started`);

  return {
    process,
    threads,
    stop: async (deadlineMs) => {
      const { relay, ...loops } = engine.loops;
      await Promise.all(Object.values(loops).map((loop) => loop.close()));
      await Promise.all([plan.close(deadlineMs), dispatch.close(deadlineMs)]);
      await relay.close();
      await record.close(deadlineMs);
      world.note(`${name} stopped`);
    },
    crash: () => {
      world.note(`${name} crashed`);
      process.die();
      for (const consumer of consumers) log.crash(consumer);
      for (const sending of world.sendings)
        if (sending.process === name && sending.state !== 'recorded') sending.fate ??= 'crash';
      // The store notices that the connection is gone: what its transaction held is free.
      stores.letGo();
    },
  };
}

/** The log as one process opens it, with its consumers, so that a crash can end them. */
function logOf(world: World) {
  const log = createMemoryLog({
    store: world.logStore,
    clock: world.clock,
    sessionTimeoutMs: SESSION_TIMEOUT_MS,
  });
  const consumers: Consumer[] = [];
  const consume: Log['consume'] = async (topic, options, handle) => {
    const consumer = await log.consume(topic, options, world.broken?.handler?.(handle) ?? handle);
    consumers.push(consumer);
    return consumer;
  };
  return { log: { ...log, consume }, consumers };
}
