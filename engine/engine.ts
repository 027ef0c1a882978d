import { randomUUID } from 'node:crypto';
import type { StatisticsChanges } from './adapters/clickhouse/anonymize.ts';
import type { EventStore } from './adapters/clickhouse/event-store.ts';
import type { OutcomeStore } from './adapters/clickhouse/outcome-store.ts';
import { createBlockStore } from './adapters/postgres/block-store.ts';
import type { Database } from './adapters/postgres/database.ts';
import { createEngagementStore } from './adapters/postgres/engagement-store.ts';
import { holdBlockEnds } from './adapters/postgres/hold-block-ends.ts';
import { createPaceStore } from './adapters/postgres/pace-store.ts';
import { createPlanStore } from './adapters/postgres/plan-store.ts';
import { SAMPLE_EVERY_MS, sampleProgress } from './adapters/postgres/progress-store.ts';
import { createRelayStep } from './adapters/postgres/relay.ts';
import { createScheduleStore } from './adapters/postgres/schedule-store.ts';
import type { Sealer } from './adapters/postgres/sealed-secret.ts';
import { openServerClock, type ServerClock } from './adapters/postgres/server-clock.ts';
import { createShardStore } from './adapters/postgres/shard-store.ts';
import type { Logger } from './adapters/telemetry/logger.ts';
import type { Metrics } from './adapters/telemetry/metrics.ts';
import { noTracing, type Tracing } from './adapters/telemetry/tracing.ts';
import type { EngineConfig } from './config.ts';
import { systemClock, within } from './contract/clock.ts';
import type { Log } from './contract/log.ts';
import { createSubjectOf, type SubjectOf } from './contract/vapid-subject.ts';
import { createGovernors } from './dispatch/governor.ts';
import { createRunBlock } from './dispatch/run-block.ts';
import { createRunShard } from './dispatch/run-shard.ts';
import { createSlots } from './dispatch/slots.ts';
import { createDispatchStage, type DispatchStage } from './dispatch/stage.ts';
import { createDispatchTraces } from './dispatch/traces.ts';
import type { WorkerPool } from './dispatch/worker-pool.ts';
import { type EngineControl, startEngineControl } from './internal-control.ts';
import { countBlock, sampleDepths } from './internal-metrics.ts';
import { countRuns } from './internal-runs.ts';
import { type Loop, startLoop } from './loop.ts';
import { createPlanDelivery } from './plan/plan-delivery.ts';
import { createScheduleTick } from './plan/schedule.ts';
import { createPlanStage, type PlanStage } from './plan/stage.ts';
import { tracedPlan } from './plan/traced-plan.ts';
import { createEventsStage } from './record/events-stage.ts';
import { createRecordStage } from './record/stage.ts';
import { startRemoval } from './removal-loops.ts';
import { BREAKING_TASKS_PER_THREAD, createWorkers } from './workers.ts';

/** What an engine stands on; whoever starts it opens and closes these. */
export interface EngineParts {
  readonly database: Database;
  readonly log: Log;
  readonly outcomeStore: OutcomeStore;
  readonly eventStore: EventStore;
  readonly statisticsChanges: StatisticsChanges;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Left out: VAPID_SUBJECT, else an app's own site. */
  readonly subjectOf?: SubjectOf;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
}

/**
 * The stages, their worker threads and the loops that move what is due. `close` takes no more work, lets
 * what is in hand finish up to the deadline, and hands the rest back to Postgres and the log.
 */
export interface Engine {
  close(deadlineMs: number): Promise<void>;
  wakeRelay(): void;
  /** Pause, resume and drain, for operators. */
  readonly control: EngineControl;
}

const ATTEMPTS_PER_MESSAGE = 5;
const AWAY_PAUSE_MS = 1_000;
const STALL_AFTER_MS = 120_000;
const OUTCOME_BLOCKS_PER_BATCH = 64;
const OUTCOMES_DELAY_MS = 1_000;
const RELAY_IDLE_MS = 200;
const MAX_BACKOFF_MS = 5_000;
/** Postgres' clock is asked so often. */
const CLOCK_READ_MS = 30_000;
/** What is due starts within 2 s of its time, also after a Postgres that did not answer for a moment. */
const MAX_DUE_BACKOFF_MS = 1_000;
/** A step in hand may hang on a database or a log that is away: what it began is done again by whoever is next. */
const CLOSE_LOOPS_MS = 2_000;
/** A paused engine's shards end by themselves within this, unless a push service holds them up. */
const FINISH_MS = 120_000;

export async function startEngine(config: EngineConfig, parts: EngineParts): Promise<Engine> {
  if (config.allowAnyPushHost) {
    parts.logger.warn(
      {},
      'ALLOW_ANY_PUSH_HOST is on: any subscription may make this process send to any address',
    );
  }
  // Before any loop runs: where it fails there is nothing to stop.
  const serverClock = await openServerClock(parts.database);
  sampleDepths(parts);
  const relay = startRelay(parts);
  const schedule = startSchedule(config, parts, relay);
  const removal = startRemoval(parts);
  const samples = startSamples(parts);
  const clockLoop = startClockLoop(serverClock, parts.logger);
  const workers = await createWorkers(config, parts);
  const dispatch = createDispatch(config, parts, { workers, relay, serverClock });
  const { log, logger, metrics } = parts;
  const record = createRecordStage({ ...parts, store: parts.outcomeStore });
  const events = createEventsStage({
    ...{ log, logger, metrics },
    store: parts.eventStore,
    engagement: createEngagementStore(parts.database),
    engagementAnswers: () => parts.database.ping(),
  });
  const [control] = await Promise.all([
    startControl(config, parts, dispatch),
    ...[record.start(), events.start()],
  ]);
  metrics.sampleEngine({ ...control, workerUtilisation: () => workers.utilisation() });

  return {
    wakeRelay: () => relay.wake(),
    control,
    close: async (deadlineMs) => {
      const loops = Promise.all([schedule, removal, samples, clockLoop].map((loop) => loop.close()));
      await Promise.all([within(systemClock, CLOSE_LOOPS_MS, loops), control.close(deadlineMs)]);
      // The last blocks' outcomes are in the outbox: whatever process relays next finds them there.
      await within(systemClock, CLOSE_LOOPS_MS, relay.close());
      await Promise.all([record.close(deadlineMs), events.close(deadlineMs), workers.close(deadlineMs)]);
    },
  };
}

function startRelay({ database, log, logger }: EngineParts): Loop {
  const step = createRelayStep(database, log, {
    // Not events: nothing in Postgres made them true, so the API puts them on the log itself.
    topics: ['deliveries.breaking', 'deliveries', 'shards.breaking', 'shards.bulk', 'outcomes'],
    outcomesPerBatch: OUTCOME_BLOCKS_PER_BATCH,
    outcomesDelayMs: OUTCOMES_DELAY_MS,
  });
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, 'the outbox waits: the log or Postgres does not answer');
  return startLoop({ step, idleMs: RELAY_IDLE_MS, maxBackoffMs: MAX_BACKOFF_MS, onError });
}

function startSchedule(config: EngineConfig, { database, logger }: EngineParts, relay: Loop): Loop {
  const store = createScheduleStore(database, config.releaseWindowShards);
  const step = createScheduleTick({ store, wakeRelay: relay.wake });
  const onError = (error: unknown): void =>
    logger.warn({ err: error }, 'what is due waits: Postgres does not answer');
  return startLoop({ step, idleMs: config.schedulerIntervalMs, maxBackoffMs: MAX_DUE_BACKOFF_MS, onError });
}

/** What forecasts are made of; where it fails there are none for a while, and nothing else is worse. */
function startSamples({ database, logger }: EngineParts): Loop {
  const step = async (): Promise<number> => {
    await sampleProgress(database);
    return 0;
  };
  const onError = (error: unknown): void =>
    logger.debug({ err: error }, 'no forecasts: Postgres does not answer');
  return startLoop({ step, idleMs: SAMPLE_EVERY_MS, maxBackoffMs: MAX_BACKOFF_MS, onError });
}

function startClockLoop(serverClock: ServerClock, logger: EngineParts['logger']): Loop {
  const step = async (): Promise<number> => {
    await serverClock.read();
    return 0;
  };
  const onError = (error: unknown): void =>
    logger.debug({ err: error }, 'the time goes on from its last reading: Postgres does not answer');
  return startLoop({ step, idleMs: CLOCK_READ_MS, maxBackoffMs: CLOCK_READ_MS, onError });
}

function createPlan(config: EngineConfig, parts: EngineParts): PlanStage {
  const { database, log, logger, metrics, tracing = noTracing } = parts;
  const store = createPlanStore(database);
  return createPlanStage({
    log,
    store,
    planDelivery: tracedPlan(
      tracing,
      createPlanDelivery({
        store,
        shardBlocks: config.shardBlocks,
        releaseWindow: config.releaseWindowShards,
      }),
    ),
    storeAnswers: () => database.ping(),
    awayPauseMs: AWAY_PAUSE_MS,
    maxAttempts: ATTEMPTS_PER_MESSAGE,
    stallAfterMs: STALL_AFTER_MS,
    onPause: () => metrics.backPressurePause('plan'),
    onPlanned: (ending) => {
      logger.debug({ ending }, 'delivery planned');
      if (ending.kind === 'planned' && ending.shards === 0) metrics.deliveryCompleted('success');
    },
  });
}

interface DispatchUses {
  readonly workers: WorkerPool;
  readonly relay: Loop;
  readonly serverClock: ServerClock;
}

interface Dispatch {
  /** One that was closed does not start again. */
  readonly createStage: () => DispatchStage;
  readonly shardsInHand: () => number;
}

function startControl(config: EngineConfig, parts: EngineParts, dispatch: Dispatch): Promise<EngineControl> {
  const { logger } = parts;
  return startEngineControl({
    createDispatch: dispatch.createStage,
    createPlan: () => createPlan(config, parts),
    shardsInHand: dispatch.shardsInHand,
    finishMs: FINISH_MS,
    drainMs: config.drainDeadlineMs,
    onState: (state) => logger.info({ state }, 'the engine does as an operator asked'),
    onError: (error) => logger.error({ err: error }, 'the engine cannot do as an operator asked'),
  });
}

/** Bulk blocks queue for a slot and never for a thread: there they would fill the places kept for breaking ones. */
const bulkSlots = ({ blocksInFlight, workerThreads, tasksPerThread }: EngineConfig): number =>
  Math.min(blocksInFlight, workerThreads * tasksPerThread);

function createDispatch(
  config: EngineConfig,
  parts: EngineParts,
  { workers, relay, serverClock }: DispatchUses,
): Dispatch {
  const { database, log, logger, metrics } = parts;
  const traces = createDispatchTraces(parts.tracing ?? noTracing);
  const blocks = traces.ends(holdBlockEnds(createBlockStore(database)));
  const governors = createGovernors();
  metrics.sampleGovernors(governors.sample);
  const runBlock = createRunBlock({
    governors,
    store: blocks,
    sender: workers,
    leaseMs: config.leaseMs,
    subjectOf: parts.subjectOf ?? createSubjectOf(config.vapidSubject),
    nowMs: serverClock.now,
    aheadMs: serverClock.aheadMs,
    onWorkerLost: (error) => logger.warn({ err: error }, 'a block is sent again: its worker died'),
  });
  const runShard = createRunShard({
    shards: createShardStore(database, parts.sealer, config.releaseWindowShards),
    blocks,
    runBlock: traces.block(runBlock),
    slots: createSlots(bulkSlots(config), config.workerThreads * BREAKING_TASKS_PER_THREAD),
    takePlaces: createPaceStore(database).takePlaces,
    owner: `${process.pid}-${randomUUID()}`,
    leaseMs: config.leaseMs,
    retry: { maxAttempts: config.maxAttempts, baseMs: config.retryBaseMs, maxMs: config.retryMaxMs },
    nowMs: serverClock.now,
    random: Math.random,
    onBlock: (ending, durationMs) => countBlock(metrics, ending, durationMs),
  });
  const runs = countRuns(traces.shard(runShard));
  const createStage = () =>
    createDispatchStage({
      log,
      runShard: runs.run,
      storeAnswers: () => database.ping(),
      options: {
        // Two bulk shards, so that one's last answers do not leave the workers idle; breaking ones on top.
        shardsInHand: { bulk: 2, breaking: 2 },
        maxAttempts: ATTEMPTS_PER_MESSAGE,
        stallAfterMs: STALL_AFTER_MS,
        awayPauseMs: AWAY_PAUSE_MS,
      },
      onPause: () => metrics.backPressurePause('dispatch'),
      onShardEnd: (ending) => {
        metrics.shardEnded(ending.kind);
        if (ending.kind === 'settled' && ending.completed !== null)
          metrics.deliveryCompleted(ending.completed);
        relay.wake();
      },
    });
  return { createStage, shardsInHand: runs.inHand };
}
