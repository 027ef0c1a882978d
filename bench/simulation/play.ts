import type { MeasuredCosts } from '../../api/cli/capacity/measured-costs.ts';
import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import type { Lane } from '../../engine/contract/topics.ts';
import { decideRetry } from '../../engine/dispatch/retry-policy.ts';
import { packShards } from '../../engine/plan/pack-shards.ts';
import { createRandom } from '../../test/chaos/simulation/random.ts';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { createRestraint, createService, type Restraint, type SimulatedService } from './push-service.ts';
import { createLaneOfShards, type LaneOfShards, type SimulatedBlock, type SimulatedShard } from './shards.ts';

export interface Scene {
  readonly readers: number;
  readonly engines: number;
  /** Of each engine. */
  readonly threads: number;
  /** CPU of a message in an engine, in µs. */
  readonly engineUs: number;
  readonly costs: MeasuredCosts;
  /** Of the readers, those at the push service that throttles, 0 to 1. */
  readonly throttlingShare: number;
  readonly throttlingPerSecond: number;
  readonly latencyMs: number;
  /** A breaking delivery in the middle; 0: none. */
  readonly breakingReaders: number;
  readonly breakingAtSeconds: number;
}

export interface Slice {
  readonly second: number;
  readonly accepted: number;
  readonly throttled: number;
  readonly transactions: number;
  readonly shards: ReturnType<LaneOfShards['counts']>;
}

export interface Played {
  readonly slices: readonly Slice[];
  /** From the creation until everyone was served. */
  readonly bulkSeconds: number;
  readonly breakingSeconds: number | null;
  readonly throttled: number;
  /** How long the statement was busy that releases shards, of the whole time. */
  readonly releaseShare: number;
}

/** As the settings are shipped. */
const SHARD_BLOCKS = 8;
const WINDOW = 4;
const TASKS_PER_THREAD = 2;
const SHARDS_IN_HAND = 2;
const TICK_MS = 500;
/** The notification would no longer be sent. */
const MOST_SECONDS = 86_400;
const RETRY = { maxAttempts: 8, baseMs: 1_000, maxMs: 300_000 };
const TTL_SECONDS = 86_400;
const SEED = 1;

interface SimulatedEngine {
  /** A push service limits each app by itself: the breaking delivery is of another publisher. */
  readonly restraint: Record<Lane, Restraint>;
  readonly inHand: Record<Lane, number>;
  readonly slots: Record<Lane, number>;
  /** Blocks of shards in hand that wait for a slot. */
  readonly open: Record<Lane, { shard: SimulatedShard; block: SimulatedBlock }[]>;
  running: number;
}

/** One delivery on the virtual clock, and a breaking one in the middle of it. */
export function play(scene: Scene): Played {
  const clock = createManualClock(0);
  const random = createRandom(SEED).next;
  const services: Record<Lane, SimulatedService> = {
    bulk: createService(scene.throttlingPerSecond),
    breaking: createService(scene.throttlingPerSecond),
  };
  const lanes: Record<Lane, LaneOfShards> = {
    bulk: createLaneOfShards(WINDOW),
    breaking: createLaneOfShards(WINDOW),
  };
  const engines: SimulatedEngine[] = Array.from({ length: scene.engines }, () => ({
    restraint: { bulk: createRestraint(), breaking: createRestraint() },
    inHand: { bulk: 0, breaking: 0 },
    slots: { bulk: scene.threads * TASKS_PER_THREAD, breaking: scene.threads },
    open: { bulk: [], breaking: [] },
    running: 0,
  }));
  const running = new Map<SimulatedShard, { left: number; engine: SimulatedEngine }>();
  const now = { accepted: 0, throttled: 0, transactions: 0 };
  const slices: Slice[] = [];
  const endedAtMs: Record<Lane, number | null> = { bulk: null, breaking: null };
  let releaseFreeAtMs = 0;
  let releaseBusyMs = 0;
  let throttled = 0;

  /** One transaction releases at a time: a second waits for the first. */
  function release(lane: Lane): void {
    const startsAtMs = Math.max(clock.now(), releaseFreeAtMs);
    releaseFreeAtMs = startsAtMs + scene.costs.release_ms;
    releaseBusyMs += scene.costs.release_ms;
    clock.setTimer(releaseFreeAtMs - clock.now(), () => {
      lanes[lane].release(clock.now(), Number.POSITIVE_INFINITY);
      handOut();
    });
  }

  /** The log gives shards to engines that have room, in turns. */
  function handOut(): void {
    for (const lane of ['breaking', 'bulk'] as const)
      for (let round = 0; round < SHARDS_IN_HAND; round++)
        for (const engine of engines) {
          if (engine.inHand[lane] > round) continue;
          const shard = lanes[lane].lease();
          if (shard === undefined) break;
          engine.inHand[lane]++;
          running.set(shard, { left: shard.blocks.length, engine });
          engine.open[lane].push(...shard.blocks.map((block) => ({ shard, block })));
          startBlocks(engine, lane);
        }
  }

  function startBlocks(engine: SimulatedEngine, lane: Lane): void {
    while (engine.slots[lane] > 0) {
      const next = engine.open[lane].shift();
      if (next === undefined) return;
      engine.slots[lane]--;
      engine.running++;
      runBlock(engine, lane, next.shard, next.block);
    }
  }

  function runBlock(engine: SimulatedEngine, lane: Lane, shard: SimulatedShard, block: SimulatedBlock): void {
    const tried = block.throttling;
    const waitsFor = Math.max(1, engine.running / scene.threads);
    const cpuMs = ((tried + block.other) * scene.engineUs * waitsFor) / 1_000;
    const pacedMs = engine.restraint[lane].sentAtMs(tried, clock.now()) - clock.now();
    clock.setTimer(Math.max(cpuMs, pacedMs) + scene.latencyMs * (0.5 + random()), () => {
      const taken = services[lane].take(tried, clock.now());
      if (tried > 0) engine.restraint[lane].answered(tried - taken, clock.now());
      now.accepted += taken + block.other;
      now.throttled += tried - taken;
      throttled += tried - taken;
      now.transactions += (BLOCK_SIZE * scene.costs.transactions_per_1000) / 1_000;
      block.throttling -= taken;
      block.other = 0;
      engine.slots[lane]++;
      engine.running--;
      endBlock(lane, shard);
      startBlocks(engine, lane);
    });
  }

  function endBlock(lane: Lane, shard: SimulatedShard): void {
    const run = running.get(shard);
    if (run === undefined) return;
    run.left--;
    if (run.left > 0) return;
    running.delete(shard);
    run.engine.inHand[lane]--;
    const open = shard.blocks.filter(({ throttling }) => throttling > 0);
    shard.blocks.splice(0, shard.blocks.length, ...open);
    if (open.length === 0) lanes[lane].settle(shard);
    else lanes[lane].suspend(shard, clock.now() + retryMs(shard));
    if (!lanes[lane].isOpen()) endedAtMs[lane] = clock.now();
    release(lane);
  }

  /** By the product's own policy; 429 to a part of a block leaves the rest untried, which counts no attempt. */
  function retryMs(shard: SimulatedShard): number {
    const ended = { attempt: shard.attempts, retryAfterMs: null, acceptedAtMs: 0, ttlSeconds: TTL_SECONDS };
    const decision = decideRetry({ ...ended, expiresAtMs: null, heldBack: true }, RETRY, clock.now(), random);
    return decision.kind === 'retry' ? decision.delayMs : RETRY.maxMs;
  }

  function create(lane: Lane, readers: number, atMs: number): void {
    const planMs = (scene.costs.plan_ms_per_million * readers) / 1e6;
    clock.setTimer(atMs + planMs, () => {
      lanes[lane].plan(shardsOf(lane, readers, scene.throttlingShare));
      release(lane);
    });
  }

  function tick(): void {
    for (const lane of ['breaking', 'bulk'] as const) release(lane);
    const second = clock.now() / 1_000;
    if (Number.isInteger(second)) {
      slices.push({ second, ...now, shards: lanes.bulk.counts() });
      Object.assign(now, { accepted: 0, throttled: 0, transactions: 0 });
    }
    const isOpen = (lane: Lane, readers: number): boolean => readers > 0 && endedAtMs[lane] === null;
    const open = isOpen('bulk', scene.readers) || isOpen('breaking', scene.breakingReaders);
    if (open && second < MOST_SECONDS) clock.setTimer(TICK_MS, tick);
  }

  if (scene.readers > 0) create('bulk', scene.readers, 0);
  if (scene.breakingReaders > 0) create('breaking', scene.breakingReaders, scene.breakingAtSeconds * 1_000);
  clock.setTimer(TICK_MS, tick);
  while (clock.advanceToNext());
  const bulkSeconds = (endedAtMs.bulk ?? Number.NaN) / 1_000;
  return {
    slices,
    bulkSeconds,
    breakingSeconds:
      endedAtMs.breaking === null ? null : endedAtMs.breaking / 1_000 - scene.breakingAtSeconds,
    throttled,
    releaseShare: releaseBusyMs / 1_000 / bulkSeconds,
  };
}

function shardsOf(lane: Lane, readers: number, throttlingShare: number): SimulatedShard[] {
  const blocks = Math.ceil(readers / BLOCK_SIZE);
  const counts = Array.from({ length: blocks }, (_, block) => ({
    block,
    targets: Math.min(BLOCK_SIZE, readers - block * BLOCK_SIZE),
  }));
  const targetsOf = new Map(counts.map(({ block, targets }) => [block, targets]));
  return packShards(counts, SHARD_BLOCKS).map((shard) => ({
    lane,
    blocks: shard.blocks.map((block) => {
      const targets = targetsOf.get(block) ?? 0;
      const throttling = Math.round(targets * throttlingShare);
      return { throttling, other: targets - throttling };
    }),
    state: 'planned',
    dueAtMs: 0,
    attempts: 0,
  }));
}
