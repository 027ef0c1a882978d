import { createMemoryLog } from '../../../engine/adapters/memory/log.ts';
import type { Consumer, Log } from '../../../engine/contract/log.ts';
import { createRunShard } from '../../../engine/dispatch/run-shard.ts';
import { createSlots } from '../../../engine/dispatch/slots.ts';
import { createDispatchStage } from '../../../engine/dispatch/stage.ts';
import { type Loop, startLoop } from '../../../engine/loop.ts';
import { createPlanDelivery } from '../../../engine/plan/plan-delivery.ts';
import { createScheduleTick } from '../../../engine/plan/schedule.ts';
import { createPlanStage } from '../../../engine/plan/stage.ts';
import { createRecordStage } from '../../../engine/record/stage.ts';
import { createProcess, type Process } from './process.ts';
import { createRunRecordedBlock } from './run-recorded-block.ts';
import { createEngineStores, type EngineStores, RELEASE_WINDOW } from './stores.ts';
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
/** Blocks in hand: the most that one crash can leave unrecorded. */
export const SLOTS = BULK_SLOTS + BREAKING_SLOTS;
const LEASE_MS = 8_000;
const SESSION_TIMEOUT_MS = 3_000;
const ATTEMPTS_PER_MESSAGE = 5;
export const MAX_ATTEMPTS = 4;
/** Engines died under the shard so often that it is given up unsent. */
export const isHopeless = (lostLeases: number): boolean => lostLeases > MAX_ATTEMPTS * 3;

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const uncounted = { recordBatch: () => {}, backPressurePause: () => {} };

export async function startSimulatedEngine(world: World, name: string): Promise<SimulatedEngine> {
  const process = createProcess(name, world.clock);
  const { log, consumers } = logOf(world);
  const random = world.random.fork();
  const threads = createThreads({ process, services: world.services, random: world.random.fork() });
  const stores = createEngineStores(world, process, log, random);
  const loops = startLoops(world, process, stores);
  const common = {
    log,
    storeAnswers: async () => !world.storeWeather.away && process.alive(),
    maxAttempts: ATTEMPTS_PER_MESSAGE,
    stallAfterMs: 60_000,
    awayPauseMs: 1_000,
    onPause: () => world.note(`${name} pauses its intake`),
    clock: process.clock,
  };
  const dispatch = createDispatchStage({
    ...common,
    options: { ...common, shardsInHand: { bulk: 2, breaking: 1 } },
    runShard: createRunShard({
      ...{ shards: stores.shards, blocks: stores.blocks },
      runBlock: createRunRecordedBlock(world, process, threads, stores.blocks, LEASE_MS),
      slots: createSlots(BULK_SLOTS, BREAKING_SLOTS),
      takePlaces: stores.pace.takePlaces,
      owner: name,
      leaseMs: LEASE_MS,
      retry: { maxAttempts: MAX_ATTEMPTS, baseMs: 500, maxMs: 8_000 },
      nowMs: world.tables.now,
      random: random.next,
      onBlock: () => {},
      clock: process.clock,
    }),
    onShardEnd: (ending) => {
      world.note(`${name} shard: ${ending.kind}`);
      loops.relay.wake();
    },
  });
  const plan = createPlanStage({
    ...common,
    store: stores.plan,
    planDelivery: createPlanDelivery({ store: stores.plan, shardBlocks: 1, releaseWindow: RELEASE_WINDOW }),
    onPlanned: (ending) => world.note(`${name} plan: ${ending.kind}`),
  });
  const record = createRecordStage({ log, logger: silent, metrics: uncounted, store: world.outcomes });
  await Promise.all([plan.start(), dispatch.start(), record.start()]);
  world.note(`${name} started`);

  return {
    process,
    threads,
    stop: async (deadlineMs) => {
      await loops.schedule.close();
      await Promise.all([plan.close(deadlineMs), dispatch.close(deadlineMs)]);
      await loops.relay.close();
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

function startLoops(world: World, process: Process, stores: EngineStores): { relay: Loop; schedule: Loop } {
  const common = { idleMs: 700, maxBackoffMs: 5_000, clock: process.clock };
  const onError = (error: unknown): void => world.note(`${process.name} loop: ${(error as Error).message}`);
  const relay = startLoop({ ...common, step: stores.relayStep, onError });
  const step = createScheduleTick({ store: stores.schedule, wakeRelay: relay.wake });
  return { relay, schedule: startLoop({ ...common, step, onError }) };
}
