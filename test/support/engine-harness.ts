import { createCampaignStore } from '../../engine/adapters/postgres/campaigns/campaign-store.ts';
import { createWelcomeStore } from '../../engine/adapters/postgres/campaigns/welcome-store.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { readAccepted } from '../../engine/adapters/postgres/deliveries/reaches.ts';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { createBudgetStore } from '../../engine/adapters/postgres/dispatch/budget-store.ts';
import { createPaceStore } from '../../engine/adapters/postgres/dispatch/pace-store.ts';
import type { ReplicaReads } from '../../engine/adapters/postgres/dispatch/read-replicas.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createFindDue } from '../../engine/adapters/postgres/due-work.ts';
import { createPlanStore } from '../../engine/adapters/postgres/plan/plan-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { createScheduleStore } from '../../engine/adapters/postgres/plan/schedule-store.ts';
import { createRelayStep } from '../../engine/adapters/postgres/relay.ts';
import { createStandingStore } from '../../engine/adapters/postgres/standing/standing-store.ts';
import { noTracing } from '../../engine/adapters/telemetry/tracing.ts';
import type { CountClicked } from '../../engine/campaigns/ports.ts';
import { assembleEngine } from '../../engine/compose/assemble.ts';
import { hasBit } from '../../engine/contract/bitmap.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import { type Outcome, outcomeCode } from '../../engine/contract/outcome.ts';
import type { SubjectOf } from '../../engine/contract/vapid-subject.ts';
import { copiedSeqs } from '../../engine/dispatch/copied-seqs.ts';
import type { BlockSender } from '../../engine/dispatch/ports.ts';
import type { ShardEnding } from '../../engine/dispatch/run-shard.ts';
import { createDispatchTraces } from '../../engine/dispatch/traces.ts';
import { createDeliveryProofs } from '../../engine/notification/delivery-proof.ts';
import { createFetchFeed, type FetchFeed } from '../../engine/notification/feeds/fetch-feed.ts';
import { createReadFeed } from '../../engine/notification/feeds/read-feed.ts';
import { createReadItemImage } from '../../engine/notification/images/read-item-image.ts';
import { newOrigin } from '../../engine/notification/origin.ts';
import type { ReadReach } from '../../engine/plan/plan-delivery.ts';
import type { BlockSent, SendBlock } from '../../engine/worker/protocol.ts';
import { testSealer } from './builders.ts';
import { loopbackAllowed } from './images.ts';
import { createMemoryLog } from './memory-log/log.ts';
import { createMemoryStore, type MemoryStore } from './memory-log/store.ts';

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
  /** How long a loop that has nothing to do rests: where a test waits long, polling takes most of its CPU. Absent: 50. */
  readonly idleMs?: number;
  readonly shardBlocks?: number;
  readonly releaseWindow?: number;
  readonly retryBaseMs?: number;
  readonly maxAttempts?: number;
  readonly subjectOf?: SubjectOf;
  /** Absent: the primary alone is read. */
  readonly replicas?: ReplicaReads;
  /** Absent: the accepted reach, which needs no ClickHouse. */
  readonly readReach?: ReadReach;
  /** Absent: nobody clicks. */
  readonly countClicked?: CountClicked;
  /** Absent: this machine's own servers. */
  readonly fetchFeed?: FetchFeed;
}

export const createLogStore = createMemoryStore;

export async function startEngineHarness(options: EngineHarnessOptions): Promise<EngineHarness> {
  const { database } = options;
  const releaseWindow = options.releaseWindow ?? 2;
  const log = createMemoryLog({ store: options.logStore, clock: systemClock });
  const endings: ShardEnding[] = [];
  let pauses = 0;
  const loop = { idleMs: options.idleMs ?? 50, maxBackoffMs: 200 };
  const engine = assembleEngine(
    {
      log,
      plans: createPlanStore(database),
      readReach:
        options.readReach ??
        ((appId, named, withUnknown) => readAccepted(database, appId, named.deliveryId, withUnknown)),
      findDue: createFindDue(database),
      schedule: createScheduleStore(database),
      campaigns: createCampaignStore(database),
      welcomes: createWelcomeStore(database),
      countClicked: options.countClicked ?? (async () => 0),
      fetchFeed: options.fetchFeed ?? createFetchFeed({ addresses: loopbackAllowed }),
      readFeed: createReadFeed(),
      readItemImage: createReadItemImage(loopbackAllowed),
      identify: (app) => newOrigin(createDeliveryProofs(new Uint8Array(32)), app),
      release: createReleaseStore(database, releaseWindow),
      shards: createShardStore(database, testSealer, releaseWindow),
      blocks: createBlockStore(database, options.replicas ?? null),
      reserveSendTime: createPaceStore(database).reserveSendTime,
      budgets: createBudgetStore(database),
      standings: createStandingStore(database),
      sender: options.sender,
      countAnswers: () => 0,
      // Outcomes stay in the outbox: tests read them there.
      relayStep: createRelayStep(database, log, {
        topics: ['deliveries.breaking', 'deliveries', 'shards.breaking', 'shards.bulk'],
        outcomesPerBatch: 64,
        outcomesDelayMs: 1_000,
      }),
      storeAnswers: () => database.ping(),
      clock: systemClock,
      nowMs: () => Date.now(),
      aheadMs: () => 0,
      random: () => 0.5,
      subjectOf: options.subjectOf ?? (() => 'mailto:operator@news.example'),
      tracePlan: (planDelivery) => planDelivery,
      traces: createDispatchTraces(noTracing),
    },
    {
      owner: options.owner ?? 'engine-1',
      leaseMs: options.leaseMs ?? 10_000,
      shardBlocks: options.shardBlocks ?? 2,
      slots: { bulk: 4, breaking: 1 },
      retry: { maxAttempts: options.maxAttempts ?? 5, baseMs: options.retryBaseMs ?? 20, maxMs: 100 },
      attemptsPerMessage: 3,
      stallAfterMs: 30_000,
      awayPauseMs: 50,
      relay: loop,
      schedule: loop,
    },
    {
      paused: () => {
        pauses++;
      },
      planned: () => {},
      shardEnded: (ending) => endings.push(ending),
      blockEnded: () => {},
      blockFailed: (failure) => console.error('a block threw:', failure),
      shardFailed: (error) => console.error('a shard cannot be run:', error),
      workerLost: () => {},
      loopFailed: () => {},
      standingChanged: () => {},
      // Tried again a minute later: a test that waits for the step says why it takes that long.
      welcomesPostponed: (appId, error) => console.error(`welcomes of app ${appId} are postponed:`, error),
      campaignDeferred: (id, error) => console.error(`campaign ${id} is deferred:`, error),
    },
  );
  const [plan, dispatch, loops] = [engine.createPlan(), engine.createDispatch(), Object.values(engine.loops)];
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

/** A sender that answers at once; `decide` gives each target's outcome. */
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

/** A probe asks a database, an API or a browser, and costs more than the wait that it may save. */
const POLL_MS = 50;

/** Polls until `probe` holds; @throws Error naming the awaited condition. */
export async function until(
  what: string,
  probe: () => Promise<boolean> | boolean,
  timeoutMs = 120_000,
): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  while (!(await probe())) {
    if (performance.now() > endsAt) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
