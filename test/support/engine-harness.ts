import { createMemoryLog } from '../../engine/adapters/memory/log.ts';
import { createMemoryStore, type MemoryStore } from '../../engine/adapters/memory/store.ts';
import { createBlockStore } from '../../engine/adapters/postgres/block-store.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createPaceStore } from '../../engine/adapters/postgres/pace-store.ts';
import { createPlanStore } from '../../engine/adapters/postgres/plan-store.ts';
import { createRelayStep } from '../../engine/adapters/postgres/relay.ts';
import { createScheduleStore } from '../../engine/adapters/postgres/schedule-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/shard-store.ts';
import { hasBit } from '../../engine/contract/bitmap.ts';
import { systemClock } from '../../engine/contract/clock.ts';
import { copiedSeqs } from '../../engine/contract/copied-seqs.ts';
import { type Outcome, outcomeCode } from '../../engine/contract/outcome.ts';
import type { SubjectOf } from '../../engine/contract/vapid-subject.ts';
import type { BlockSender } from '../../engine/dispatch/ports.ts';
import { createRunBlock } from '../../engine/dispatch/run-block.ts';
import { createRunShard, type ShardEnding } from '../../engine/dispatch/run-shard.ts';
import { createSlots } from '../../engine/dispatch/slots.ts';
import { createDispatchStage } from '../../engine/dispatch/stage.ts';
import { startLoop } from '../../engine/loop.ts';
import { createPlanDelivery } from '../../engine/plan/plan-delivery.ts';
import { createScheduleTick } from '../../engine/plan/schedule.ts';
import { createPlanStage } from '../../engine/plan/stage.ts';
import type { BlockSent, SendBlock } from '../../engine/worker/protocol.ts';
import { testSealer } from './builders.ts';

/** An engine without threads: the real stages and Postgres, a log in memory, and a sender made by the test. */
export interface EngineHarness {
  readonly endings: ShardEnding[];
  /** How often a stage paused its intake. */
  pauses(): number;
  close(deadlineMs?: number): Promise<void>;
  /** Stops dead: nothing more is written by this engine. */
  crash(): Promise<void>;
}

export interface EngineHarnessOptions {
  readonly database: Database;
  readonly logStore: MemoryStore;
  readonly sender: BlockSender;
  readonly owner?: string;
  readonly leaseMs?: number;
  readonly shardBlocks?: number;
  readonly releaseWindow?: number;
  readonly retryBaseMs?: number;
  readonly maxAttempts?: number;
  readonly subjectOf?: SubjectOf;
}

export const createLogStore = createMemoryStore;

export async function startEngineHarness(options: EngineHarnessOptions): Promise<EngineHarness> {
  const { database } = options;
  const leaseMs = options.leaseMs ?? 10_000;
  const releaseWindow = options.releaseWindow ?? 2;
  const log = createMemoryLog({ store: options.logStore, clock: systemClock });
  const endings: ShardEnding[] = [];
  let pauses = 0;
  const blocks = createBlockStore(database);
  const planStore = createPlanStore(database);
  const nowMs = () => Date.now();
  const runBlock = createRunBlock({
    store: blocks,
    sender: options.sender,
    leaseMs,
    subjectOf: options.subjectOf ?? (() => 'mailto:operator@news.example'),
    nowMs,
    onWorkerLost: () => {},
  });
  const runShard = createRunShard({
    shards: createShardStore(database, testSealer, releaseWindow),
    blocks,
    runBlock,
    slots: createSlots(4),
    takePlaces: createPaceStore(database).takePlaces,
    owner: options.owner ?? 'engine-1',
    leaseMs,
    retry: { maxAttempts: options.maxAttempts ?? 5, baseMs: options.retryBaseMs ?? 20, maxMs: 100 },
    nowMs,
    random: () => 0.5,
    onBlock: () => {},
  });
  const common = {
    log,
    maxAttempts: 3,
    stallAfterMs: 30_000,
    awayPauseMs: 50,
    onPause: () => {
      pauses++;
    },
    storeAnswers: () => database.ping(),
  };
  const dispatch = createDispatchStage({
    ...common,
    runShard,
    options: { ...common, shardsInHand: { bulk: 2, breaking: 1 } },
    onShardEnd: (ending) => endings.push(ending),
  });
  const plan = createPlanStage({
    ...common,
    store: planStore,
    planDelivery: createPlanDelivery({
      store: planStore,
      shardBlocks: options.shardBlocks ?? 2,
      releaseWindow,
    }),
    onPlanned: () => {},
  });
  const relay = createRelayStep(database, log, {
    topics: ['deliveries.breaking', 'deliveries', 'shards.breaking', 'shards.bulk'],
    outcomesPerBatch: 64,
    outcomesDelayMs: 1_000,
  });
  const loopOptions = { idleMs: 20, maxBackoffMs: 200, onError: () => {} };
  const tick = createScheduleTick({
    store: createScheduleStore(database, releaseWindow),
    wakeRelay: () => {},
  });
  const loops = [startLoop({ step: relay, ...loopOptions }), startLoop({ step: tick, ...loopOptions })];
  await Promise.all([plan.start(), dispatch.start()]);

  return {
    endings,
    pauses: () => pauses,
    close: async (deadlineMs = 5_000) => {
      await Promise.all([plan.close(deadlineMs), dispatch.close(deadlineMs)]);
      await Promise.all(loops.map((loop) => loop.close()));
      await log.close(deadlineMs);
    },
    crash: async () => {
      await Promise.all(loops.map((loop) => loop.close()));
      await log.close(0);
    },
  };
}

/** A sender that answers at once; `decide` says what becomes of each target. */
export function createFakeSender(
  decide: (seq: number) => Outcome,
): BlockSender & { readonly sent: Map<number, number> } {
  const sent = new Map<number, number>();
  return {
    sent,
    sendBlock: async (task) => {
      const seqs = wantedSeqs(task);
      for (const seq of seqs) sent.set(seq, (sent.get(seq) ?? 0) + 1);
      return blockSent(seqs, decide);
    },
  };
}

export function wantedSeqs(task: SendBlock): number[] {
  const present = copiedSeqs(task.targets);
  const first = firstSeq(task.targets);
  const base = first - (first % 1_024);
  return Array.from({ length: 1_024 }, (_, index) => base + index).filter(
    (seq) => hasBit(present, seq) && hasBit(task.wanted, seq),
  );
}

function firstSeq(copy: Uint8Array): number {
  return new DataView(copy.buffer, copy.byteOffset).getInt32(19 + 2 + 4);
}

export function blockSent(seqs: readonly number[], decide: (seq: number) => Outcome): BlockSent {
  const outcomes = seqs.map(decide);
  return {
    kind: 'block-sent',
    seqs: Uint32Array.from(seqs),
    outcomes: Uint8Array.from(outcomes.map((outcome) => outcomeCode[outcome])),
    failures: new Uint8Array(seqs.length),
    statuses: Uint16Array.from(outcomes.map((outcome) => (outcome === 'accepted' ? 201 : 500))),
    services: new Uint8Array(seqs.length),
    latenciesMs: new Uint16Array(seqs.length),
    retryAfterMs: {},
    reasons: [],
  };
}

/** Polls until `probe` holds; @throws Error naming what was waited for. */
export async function until(
  what: string,
  probe: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  while (!(await probe())) {
    if (performance.now() > endsAt) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
