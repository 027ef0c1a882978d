import { randomUUID } from 'node:crypto';
import type { StatisticsChanges } from '../adapters/clickhouse/anonymize.ts';
import type { EventStore } from '../adapters/clickhouse/event-store.ts';
import type { OutcomeStore } from '../adapters/clickhouse/outcome-store.ts';
import type { ReachedReads } from '../adapters/clickhouse/reached.ts';
import { createCampaignStore } from '../adapters/postgres/campaigns/campaign-store.ts';
import { createWelcomeStore } from '../adapters/postgres/campaigns/welcome-store.ts';
import type { Database } from '../adapters/postgres/database.ts';
import { readAccepted } from '../adapters/postgres/deliveries/reaches.ts';
import { createBlockStore } from '../adapters/postgres/dispatch/block-store.ts';
import { createBudgetStore } from '../adapters/postgres/dispatch/budget-store.ts';
import { createPaceStore } from '../adapters/postgres/dispatch/pace-store.ts';
import type { ReplicaReads } from '../adapters/postgres/dispatch/read-replicas.ts';
import { createShardStore } from '../adapters/postgres/dispatch/shard-store.ts';
import { createFindDue } from '../adapters/postgres/due-work.ts';
import { createPlanStore } from '../adapters/postgres/plan/plan-store.ts';
import { createReleaseStore } from '../adapters/postgres/plan/release-store.ts';
import { createScheduleStore } from '../adapters/postgres/plan/schedule-store.ts';
import { createEngagementStore } from '../adapters/postgres/record/engagement-store.ts';
import { createRelayStep, type RelayOptions } from '../adapters/postgres/relay.ts';
import type { Sealer } from '../adapters/postgres/sealed-secret.ts';
import { openServerClock, type ServerClock } from '../adapters/postgres/server-clock.ts';
import { createStandingStore } from '../adapters/postgres/standing/standing-store.ts';
import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import { noTracing, type Tracing } from '../adapters/telemetry/tracing.ts';
import type { EngineConfig } from '../config.ts';
import type { NamedReach } from '../contract/audience.ts';
import { countBits } from '../contract/bitmap.ts';
import { systemClock } from '../contract/concurrency/clock.ts';
import { resultWithin, within } from '../contract/concurrency/time-limit.ts';
import type { DueBeside } from '../contract/due-work.ts';
import type { AppId } from '../contract/ids.ts';
import type { Log } from '../contract/log.ts';
import { createSubjectOf, type SubjectOf } from '../contract/vapid-subject.ts';
import { type EngineControl, startEngineControl } from '../control/control.ts';
import { countBlock, sampleDepths } from '../control/engine-metrics.ts';
import { createDispatchTraces } from '../dispatch/traces.ts';
import type { WorkerPool } from '../dispatch/worker-pool.ts';
import { logFailure } from '../kit/roles/log-failure.ts';
import { noteFailure } from '../kit/roles/note-failure.ts';
import { createPublicAddresses } from '../network/public-addresses.ts';
import type { DeliveryProofs } from '../notification/delivery-proof.ts';
import { createFetchFeed } from '../notification/feeds/fetch-feed.ts';
import { createReadFeed } from '../notification/feeds/read-feed.ts';
import { createReadItemImage } from '../notification/images/read-item-image.ts';
import { newOrigin } from '../notification/origin.ts';
import { tracedPlan } from '../plan/traced-plan.ts';
import { createEventsStage } from '../record/events-stage.ts';
import { createRecordStage } from '../record/stage.ts';
import type { StandingChanged } from '../standing/step.ts';
import {
  type AssembledEngine,
  assembleEngine,
  type EngineObserver,
  type EngineOptions,
  type EnginePorts,
} from './assemble.ts';
import { startNotify } from './outgoing-loops.ts';
import { noteRefused } from './refused-rows.ts';
import { startRemoval } from './removal-loops.ts';
import { openReplicas } from './replicas.ts';
import { startUpkeep } from './upkeep-loops.ts';
import { startWebhooks } from './webhook-loops.ts';
import { BREAKING_TASKS_PER_THREAD, createWorkers } from './workers.ts';

/** The engine's dependencies; the caller opens and closes these. */
export interface EngineParts {
  readonly database: Database;
  readonly log: Log;
  readonly outcomeStore: OutcomeStore;
  readonly eventStore: EventStore;
  readonly statisticsChanges: StatisticsChanges;
  readonly reached: ReachedReads;
  readonly sealer: Sealer;
  readonly proofs: DeliveryProofs;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Left out: VAPID_SUBJECT, otherwise an app's own site. */
  readonly subjectOf?: SubjectOf;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
}

/**
 * The stages, their worker threads and the loops that start scheduled work. `close` takes no more work, lets
 * work in flight finish up to the deadline, and hands the rest back to Postgres and the log.
 */
export interface Engine {
  close(deadlineMs: number): Promise<void>;
  wakeRelay(): void;
  /** False: blocks fail in a row, or nothing was sent for a minute though shards run (`dispatch/sending-watch.ts`). */
  isSending(): boolean;
  /** Pause, resume and drain, for operators. */
  readonly control: EngineControl;
}

const ATTEMPTS_PER_MESSAGE = 5;
const AWAY_PAUSE_MS = 1_000;
const STALL_AFTER_MS = 120_000;
/** Not events: nothing in Postgres made them true, so the API puts them on the log itself. */
const RELAY: RelayOptions = {
  topics: ['deliveries.breaking', 'deliveries', 'shards.breaking', 'shards.bulk', 'outcomes'],
  outcomesPerBatch: 64,
  outcomesDelayMs: 1_000,
};
/** Whoever makes work here wakes the relay: this is for outcomes, which wait longer for their batch, and for rows of one that died. */
const RELAY_IDLE_MS = 500;
/** Of other processes; what this one writes after a quiet time reaches ClickHouse so much later, once. */
const RELAY_QUIET_MS = 2_500;
const MAX_BACKOFF_MS = 5_000;
/** Scheduled work starts within 2 s of its time, also after Postgres did not answer for a moment. */
const MAX_DUE_BACKOFF_MS = 1_000;
/** Between two looks for what is due while nothing is. */
const MAX_QUIET_MS = 1_000;
/** A running step may hang on a database or a log that is unavailable: another engine repeats its work. */
const CLOSE_LOOPS_MS = 2_000;
/** A ClickHouse that hangs must not hold the planners from other deliveries. */
const REACH_LIMIT_MS = 5_000;
const REACH_LATE = `ClickHouse did not answer within ${REACH_LIMIT_MS / 1_000} s`;
/** A paused engine's shards end within this time, unless a push service delays them. */
const FINISH_MS = 120_000;

export async function startEngine(config: EngineConfig, parts: EngineParts): Promise<Engine> {
  if (config.allowAnyPushHost) {
    parts.logger.warn(
      {},
      'ALLOW_ANY_PUSH_HOST is on: any subscription may make this process send to any address',
    );
  }
  // Before any loop runs: where these fail there is nothing to stop.
  const serverClock = await openServerClock(parts.database);
  const workers = await createWorkers(config, parts);
  sampleDepths(parts);
  const removal = startRemoval(parts);
  const notify = startNotify({ ...parts, mail: config });
  const webhooks = startWebhooks(parts);
  const upkeep = startUpkeep(parts, serverClock);
  const { log, logger, metrics } = parts;
  const replicas = openReplicas(config, parts);
  const engine = assembleEngine(
    createPorts(config, parts, workers, serverClock, replicas, (work) => {
      for (const each of [notify, webhooks, upkeep]) each.nudge(work);
    }),
    optionsOf(config),
    createObserver(logger, metrics),
  );
  const { relay, ...loops } = engine.loops;
  metrics.sampleGovernors(engine.governors.sample);
  const record = createRecordStage({ ...parts, store: parts.outcomeStore });
  const events = createEventsStage({
    log,
    logger,
    metrics,
    store: parts.eventStore,
    engagement: createEngagementStore(parts.database),
    engagementAnswers: () => parts.database.ping(),
  });
  const closeLoops = (): Promise<unknown> =>
    within(
      systemClock,
      CLOSE_LOOPS_MS,
      Promise.all([...Object.values(loops), upkeep, removal, notify, webhooks].map((each) => each.close())),
    );
  const [control] = await Promise.all([
    startControl(config, logger, engine),
    ...[record.start(), events.start()],
  ]).catch(async (error) => {
    // The caller closes the log, and with it the readers that were let in.
    await Promise.all([closeLoops(), within(systemClock, CLOSE_LOOPS_MS, relay.close()), workers.close(0)]);
    await replicas?.close();
    throw error;
  });
  metrics.sampleEngine({
    ...control,
    stillForMs: engine.sending.stillForMs,
    workerUtilisation: () => workers.utilisation(),
    encryption: () => workers.encryption(),
  });

  return {
    wakeRelay: () => relay.wake(),
    isSending: engine.sending.isWell,
    control,
    close: async (deadlineMs) => {
      await Promise.all([closeLoops(), control.close(deadlineMs)]);
      // The last blocks' outcomes are in the outbox: the next process that relays finds them there.
      await within(systemClock, CLOSE_LOOPS_MS, relay.close());
      await Promise.all([record.close(deadlineMs), events.close(deadlineMs), workers.close(deadlineMs)]);
      await replicas?.close();
    },
  };
}

function startControl(config: EngineConfig, logger: Logger, engine: AssembledEngine): Promise<EngineControl> {
  return startEngineControl({
    ...engine,
    finishMs: FINISH_MS,
    drainMs: config.drainDeadlineMs,
    onState: (state) => logger.info({ state }, 'the engine follows the operator’s request'),
    onError: (error) =>
      logFailure(logger, error, 'the engine cannot follow the operator’s request', { level: 'error' }),
  });
}

/**
 * Bulk blocks queue for a slot and never for a thread: in the thread queue they would use the room reserved for
 * breaking ones.
 */
const bulkSlots = ({ blocksInFlight, workerThreads, tasksPerThread }: EngineConfig): number =>
  Math.min(blocksInFlight, workerThreads * tasksPerThread);

function createPorts(
  config: EngineConfig,
  parts: EngineParts,
  workers: WorkerPool,
  serverClock: ServerClock,
  replicas: ReplicaReads | null,
  nudge: (work: DueBeside) => void,
): EnginePorts {
  const { database, log, sealer, tracing = noTracing } = parts;
  const addresses = createPublicAddresses();
  const reacted = (appId: AppId, named: NamedReach): Promise<Uint8Array> =>
    resultWithin(systemClock, REACH_LIMIT_MS, parts.reached.reacted(appId, named), REACH_LATE);
  return {
    log,
    plans: createPlanStore(database),
    readReach: (appId, named, withUnknown) =>
      named.reach === 'accepted'
        ? readAccepted(database, appId, named.deliveryId, withUnknown)
        : reacted(appId, named),
    campaigns: createCampaignStore(database),
    welcomes: createWelcomeStore(database),
    countClicked: async (appId, deliveryId) =>
      countBits(await reacted(appId, { deliveryId, reach: 'clicked' })),
    identify: (app) => newOrigin(parts.proofs, app),
    fetchFeed: createFetchFeed({ addresses }),
    readFeed: createReadFeed(),
    readItemImage: createReadItemImage(addresses),
    findDue: createFindDue(database, nudge),
    schedule: createScheduleStore(database),
    release: createReleaseStore(database, config.releaseWindowShards),
    shards: createShardStore(database, sealer, config.releaseWindowShards),
    blocks: createBlockStore(database, replicas),
    reserveSendTime: createPaceStore(database).reserveSendTime,
    budgets: createBudgetStore(database),
    standings: createStandingStore(database),
    sender: workers,
    countAnswers: () => workers.answers(),
    relayStep: createRelayStep(database, log, { ...RELAY, onRefused: noteRefused(parts.logger) }),
    storeAnswers: () => database.ping(),
    clock: systemClock,
    nowMs: serverClock.now,
    aheadMs: serverClock.aheadMs,
    random: Math.random,
    subjectOf: parts.subjectOf ?? createSubjectOf(config.vapidSubject),
    tracePlan: (planDelivery) => tracedPlan(tracing, planDelivery),
    traces: createDispatchTraces(tracing),
  };
}

const optionsOf = (config: EngineConfig): EngineOptions => ({
  owner: `${process.pid}-${randomUUID()}`,
  leaseMs: config.leaseMs,
  shardBlocks: config.shardBlocks,
  slots: { bulk: bulkSlots(config), breaking: config.workerThreads * BREAKING_TASKS_PER_THREAD },
  retry: { maxAttempts: config.maxAttempts, baseMs: config.retryBaseMs, maxMs: config.retryMaxMs },
  attemptsPerMessage: ATTEMPTS_PER_MESSAGE,
  stallAfterMs: STALL_AFTER_MS,
  awayPauseMs: AWAY_PAUSE_MS,
  relay: { idleMs: RELAY_IDLE_MS, quietMs: RELAY_QUIET_MS, maxBackoffMs: MAX_BACKOFF_MS },
  schedule: {
    idleMs: config.schedulerIntervalMs,
    quietMs: Math.min(2 * config.schedulerIntervalMs, MAX_QUIET_MS),
    maxBackoffMs: MAX_DUE_BACKOFF_MS,
  },
});

const loopFailures = {
  relay: 'the outbox waits: the log or Postgres does not answer',
  due: 'what is due waits: Postgres does not answer',
  schedule: 'scheduled work waits: Postgres does not answer',
  campaigns: 'campaigns wait: Postgres does not answer',
  feeds: 'feeds wait: Postgres does not answer',
  standings: 'budgets of push services stay as they are: Postgres does not answer',
  welcomes: 'welcomes wait: Postgres does not answer',
};

const standingWords: Readonly<Record<StandingChanged['kind'], string>> = {
  began: 'a push service limits an app: its engines share a budget from now on',
  changed: 'the budget of a limited app is another one',
  ended: 'a push service no longer limits an app',
};

const createObserver = (logger: Logger, metrics: Metrics): EngineObserver => ({
  paused: (stage) => metrics.backPressurePause(stage),
  planned: (ending) => {
    if (ending.kind === 'postponed') {
      const { deliveryId, cause } = ending;
      logger.warn(
        { deliveryId, err: cause },
        'a delivery waits: whom an earlier one reached is not known now',
      );
    } else logger.debug({ ending }, 'delivery planned');
    if (ending.kind === 'planned' && ending.shards === 0) metrics.deliveryCompleted('success');
  },
  shardEnded: (ending) => {
    metrics.shardEnded(ending.kind);
    if (ending.kind !== 'settled' || ending.completed === null) return;
    metrics.deliveryCompleted(ending.completed.status);
    noteFailure(logger, ending.completed);
  },
  blockEnded: (ending, durationMs) => countBlock(metrics, ending, durationMs),
  blockFailed: (failure) => {
    metrics.blockFailed();
    logger.error({ ...failure }, 'a block threw while it was sent: what was sent is recorded');
  },
  shardFailed: (error) => {
    metrics.blockFailed();
    logFailure(logger, error, 'a shard cannot be run: it is tried again', { level: 'error' });
  },
  workerLost: (error) => logger.warn({ err: error }, 'a block is sent again: its worker died'),
  campaignDeferred: (campaignId, error) =>
    logFailure(logger, error, 'a campaign’s step is tried again in a minute', { fields: { campaignId } }),
  standingChanged: (changed) => logger.warn({ ...changed }, standingWords[changed.kind]),
  welcomesPostponed: (appId, error) =>
    logFailure(logger, error, 'an app’s welcomes are tried again in a minute', { fields: { appId } }),
  loopFailed: (loop, error) => logFailure(logger, error, loopFailures[loop]),
});
