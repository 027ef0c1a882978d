import { holdBlockEnds } from '../adapters/postgres/dispatch/hold-block-ends.ts';
import type { ReadItemImage } from '../campaigns/feeds/check-feed.ts';
import { createFeedStep } from '../campaigns/feeds/feed-step.ts';
import type { CampaignStore, CountClicked } from '../campaigns/ports.ts';
import { createCampaignStep } from '../campaigns/step.ts';
import { createWelcomeStep, type WelcomeStore } from '../campaigns/welcome-step.ts';
import type { Clock } from '../contract/concurrency/clock.ts';
import type { DueWork } from '../contract/due-work.ts';
import type { AppId } from '../contract/ids.ts';
import type { Log } from '../contract/log.ts';
import type { SubjectOf } from '../contract/vapid-subject.ts';
import { countRuns } from '../control/runs.ts';
import { createBudgets, createNoteAnswers } from '../dispatch/budgets.ts';
import { createGovernors, type Governors } from '../dispatch/governor.ts';
import type { BlockSender, BlockStore, BudgetStore, ShardStore } from '../dispatch/ports.ts';
import type { RetryOptions } from '../dispatch/retry-policy.ts';
import { type BlockEnding, type BlockFailure, createRunBlock } from '../dispatch/run-block.ts';
import type { ReserveSendTime } from '../dispatch/run-paced-block.ts';
import { createRunShard, type ShardEnding } from '../dispatch/run-shard.ts';
import { createSendingWatch, type SendingWatch } from '../dispatch/sending-watch.ts';
import { createSlots } from '../dispatch/slots.ts';
import { createDispatchStage, type DispatchStage } from '../dispatch/stage.ts';
import type { DispatchTraces } from '../dispatch/traces.ts';
import { type Loop, startLoop } from '../kit/roles/loop.ts';
import type { FetchFeed } from '../notification/feeds/fetch-feed.ts';
import type { ReadFeed } from '../notification/feeds/read-feed.ts';
import type { NotificationOrigin } from '../notification/notification.ts';
import {
  createPlanDelivery,
  type PlanDelivery,
  type PlanEnding,
  type PlanStore,
  type ReadReach,
} from '../plan/plan-delivery.ts';
import type { ReleaseStore } from '../plan/release.ts';
import { createScheduleTick, type ScheduleStore } from '../plan/schedule.ts';
import { createPlanStage, type PlanStage } from '../plan/stage.ts';
import type { StandingStore } from '../standing/ports.ts';
import { createStandingStep, type StandingChanged } from '../standing/step.ts';

/** The stages' dependencies. Production fills them with Postgres and threads, a simulation from memory. */
export interface EnginePorts {
  readonly log: Log;
  readonly plans: PlanStore;
  readonly readReach: ReadReach;
  /** What may be due now, of what the loops below take. */
  readonly findDue: () => Promise<readonly DueWork[]>;
  readonly schedule: ScheduleStore;
  readonly campaigns: CampaignStore;
  readonly welcomes: WelcomeStore;
  readonly countClicked: CountClicked;
  readonly fetchFeed: FetchFeed;
  readonly readFeed: ReadFeed;
  readonly readItemImage: ReadItemImage;
  /** A new delivery of the app with this identifier, and the proof that its beacons carry. */
  readonly identify: (app: string) => NotificationOrigin;
  readonly release: ReleaseStore;
  readonly shards: ShardStore;
  readonly blocks: BlockStore;
  readonly reserveSendTime: ReserveSendTime;
  readonly budgets: BudgetStore;
  readonly standings: StandingStore;
  readonly sender: BlockSender;
  /** Grows, and may wrap around, with each request of the threads that ended. */
  readonly countAnswers: () => number;
  /** One poll of the outbox. @returns how many rows it moved to the log. */
  readonly relayStep: () => Promise<number>;
  /** Whether the store of the shards answers now: distinguishes an outage from a wrong statement. */
  readonly storeAnswers: () => Promise<boolean>;
  /** Timers and pauses. */
  readonly clock: Clock;
  /** The time of the clock that wrote the expiry times: Postgres', in ms since 1970. */
  readonly nowMs: () => number;
  /** How far that clock is ahead of this machine's. */
  readonly aheadMs: () => number;
  readonly random: () => number;
  readonly subjectOf: SubjectOf;
  /** Laid around each planning. */
  readonly tracePlan: (planDelivery: PlanDelivery) => PlanDelivery;
  /** Laid around each shard, each block and each block's end. */
  readonly traces: DispatchTraces;
}

export interface EngineOptions {
  /** Names this engine in its leases. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Blocks of a shard. */
  readonly shardBlocks: number;
  /** Blocks in flight, by lane; slots for `breaking` ones are kept on top of those of bulk. */
  readonly slots: { readonly bulk: number; readonly breaking: number };
  readonly retry: RetryOptions;
  /** Attempts at one message of the log. */
  readonly attemptsPerMessage: number;
  /** A message whose handling makes no progress within this time is given to another engine. */
  readonly stallAfterMs: number;
  /** How long intake pauses while the store does not answer. */
  readonly awayPauseMs: number;
  readonly relay: LoopPace;
  readonly schedule: LoopPace;
}

export interface LoopPace {
  readonly idleMs: number;
  /** Where nothing happened for a while; left out: as `idleMs`. */
  readonly quietMs?: number;
  readonly maxBackoffMs: number;
}

/** Loops of their own: reading clicks may take seconds, and a thousand welcomes are one transaction. */
export type EngineLoop = 'relay' | 'due' | 'standings' | DueWork;

/** An engine's reports while it runs: production logs and counts them, a test records them. */
export interface EngineObserver {
  paused(stage: 'plan' | 'dispatch'): void;
  planned(ending: PlanEnding): void;
  shardEnded(ending: ShardEnding): void;
  blockEnded(ending: BlockEnding, durationMs: number): void;
  /** A line threw while a block was sent. */
  blockFailed(failure: BlockFailure): void;
  /** A shard's run threw though Postgres answers: its message comes again. */
  shardFailed(error: unknown): void;
  /** A worker thread died with a block, which is sent again. */
  workerLost(error: unknown): void;
  loopFailed(loop: EngineLoop, error: unknown): void;
  /** A push service limits an app from now on, otherwise than before, or no longer. */
  standingChanged(changed: StandingChanged): void;
  /** A campaign's step failed, and is tried again. */
  campaignDeferred(campaignId: number, error: unknown): void;
  /** An app's welcomes failed, and are tried again. */
  welcomesPostponed(appId: AppId, error: unknown): void;
}

/** The sending half of an engine. Its loops run; its stages are made, and not started. */
export interface AssembledEngine {
  readonly loops: Readonly<Record<EngineLoop, Loop>>;
  readonly governors: Governors;
  /** A stage that was closed does not start again: each call makes a new one. */
  createPlan(): PlanStage;
  createDispatch(): DispatchStage;
  shardsInHand(): number;
  readonly sending: Pick<SendingWatch, 'isWell' | 'stillForMs'>;
}

/** Two, so that the last answers of one leave no worker idle. */
const SHARDS_IN_HAND = Object.freeze({ bulk: 2, breaking: 2 });

/** One that takes what is due is woken for it. */
const UNASKED_MS = 60_000;
/** A minute is judged once it is over. */
const STANDINGS: LoopPace = Object.freeze({ idleMs: 5_000, maxBackoffMs: 30_000 });

/**
 * Puts the stages together: the one wiring of production, the tests' harness and the simulation.
 */
export function assembleEngine(
  ports: EnginePorts,
  options: EngineOptions,
  observer: EngineObserver,
): AssembledEngine {
  const { log, clock, storeAnswers } = ports;
  const loops = startLoops(ports, options, observer);
  const governors = createGovernors(clock.now);
  const sending = createSendingWatch(clock, ports.countAnswers);
  const watched = sending.over(observer);
  const runner = sending.watch(createShardRunner(ports, options, watched, governors));
  const runs = countRuns(ports.traces.shard(runner));
  const { attemptsPerMessage: maxAttempts, stallAfterMs, awayPauseMs } = options;
  const stageOptions = { maxAttempts, stallAfterMs, awayPauseMs };
  const planDelivery = ports.tracePlan(
    createPlanDelivery({
      store: ports.plans,
      release: ports.release,
      readReach: ports.readReach,
      shardBlocks: options.shardBlocks,
    }),
  );
  return {
    loops,
    governors,
    shardsInHand: runs.inHand,
    sending,
    createPlan: () =>
      createPlanStage({
        ...stageOptions,
        log,
        storeAnswers,
        store: ports.plans,
        planDelivery,
        onPause: () => observer.paused('plan'),
        onPlanned: (ending) => {
          observer.planned(ending);
          loops.relay.wake();
        },
      }),
    createDispatch: () =>
      createDispatchStage({
        log,
        storeAnswers,
        clock,
        runShard: runs.run,
        options: { ...stageOptions, shardsInHand: SHARDS_IN_HAND },
        onPause: () => observer.paused('dispatch'),
        onFailed: watched.shardFailed,
        onShardEnd: (ending) => {
          observer.shardEnded(ending);
          loops.relay.wake();
        },
      }),
  };
}

interface LoopPart extends LoopPace {
  readonly step: () => Promise<number | 'rest'>;
  /** What its steps began goes on beside them; resolves when that has ended. */
  readonly idle?: () => Promise<void>;
}

function startLoops(
  ports: EnginePorts,
  options: EngineOptions,
  observer: EngineObserver,
): AssembledEngine['loops'] {
  const { clock } = ports;
  const start = (name: EngineLoop, { idle, ...part }: LoopPart): Loop => {
    const loop = startLoop({ ...part, clock, onError: (error) => observer.loopFailed(name, error) });
    const close = () => loop.close().then(idle);
    return { ...loop, close };
  };
  const relay = start('relay', { ...options.relay, step: ports.relayStep });
  const parts = partsOf(ports, options, observer, relay.wake);
  const others = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, start(name as keyof typeof parts, part)]),
  ) as Record<keyof typeof parts, Loop>;
  const due = start('due', {
    ...options.schedule,
    step: async () => {
      const found = await ports.findDue();
      for (const work of found) others[work].nudge();
      return found.length === 0 ? 0 : 'rest';
    },
  });
  return { relay, due, ...others };
}

/** Each loop that takes work, with its pace and what it is given. */
function partsOf(
  { schedule, release, campaigns, welcomes, standings, identify, clock, ...ports }: EnginePorts,
  { schedule: { maxBackoffMs }, leaseMs }: EngineOptions,
  { campaignDeferred: onDeferred, ...observer }: EngineObserver,
  wakeRelay: () => void,
): Readonly<Record<DueWork | 'standings', LoopPart>> {
  const { countClicked, fetchFeed, readFeed, readItemImage: readImage } = ports;
  const reads = { fetchFeed, readFeed, readImage };
  const pace = { idleMs: UNASKED_MS, maxBackoffMs };
  const feeds = createFeedStep({
    store: campaigns,
    ...reads,
    identify,
    clock,
    leaseMs,
    wakeRelay,
    onDeferred,
  });
  const campaign = createCampaignStep({ store: campaigns, countClicked, identify, wakeRelay, onDeferred });
  const welcome = { store: welcomes, identify, wakeRelay, onPostponed: observer.welcomesPostponed };
  return {
    schedule: { ...pace, step: createScheduleTick({ store: schedule, release, wakeRelay }) },
    campaigns: { ...pace, step: campaign },
    feeds: { ...pace, ...feeds },
    // Each engine judges, and the first to write it decides.
    standings: {
      ...STANDINGS,
      step: createStandingStep({ store: standings, onChanged: observer.standingChanged }),
    },
    welcomes: { ...pace, step: createWelcomeStep(welcome) },
  };
}

function createShardRunner(
  ports: EnginePorts,
  { owner, leaseMs, retry, slots }: EngineOptions,
  observer: EngineObserver,
  governors: Governors,
) {
  const { clock, nowMs, traces } = ports;
  const blocks = traces.ends(holdBlockEnds(ports.blocks, clock));
  const budgets = createBudgets(ports.budgets, clock);
  const runBlock = createRunBlock({
    store: blocks,
    sender: ports.sender,
    governors,
    budgets,
    noteAnswers: createNoteAnswers(ports.budgets, budgets),
    leaseMs,
    nowMs,
    aheadMs: ports.aheadMs,
    subjectOf: ports.subjectOf,
    onWorkerLost: observer.workerLost,
    onBlockFailed: observer.blockFailed,
    maxAttempts: retry.maxAttempts,
  });
  return createRunShard({
    shards: ports.shards,
    blocks,
    runBlock: traces.block(runBlock),
    slots: createSlots(slots.bulk, slots.breaking),
    reserveSendTime: ports.reserveSendTime,
    budgets,
    reserveBudget: ports.budgets.reserve,
    owner,
    leaseMs,
    retry,
    nowMs,
    clock,
    random: ports.random,
    onBlock: observer.blockEnded,
  });
}
