import { completedStatuses } from '../../contract/delivery.ts';
import { outcomes } from '../../contract/outcome.ts';
import { pushServices } from '../../contract/push-service.ts';
import { topics } from '../../contract/topics.ts';
import { type MetricEntry, none } from './metric-entry.ts';
import { reportingEntries } from './reporting-entries.ts';
import { serviceEntries } from './service-entries.ts';

/** The ending of a shard's run, by dispatch's names (`ShardEnding`). */
export const shardEndings = [
  'not-ours',
  'settled',
  'suspended',
  'stopped',
  'handed-back',
  'lease-lost',
] as const;

/** The stages that pause intake because a later one is full or away. */
export const pausingStages = ['plan', 'dispatch', 'record', 'ingest'] as const;

/** Where targets are read where there are replicas. */
export const targetSources = ['primary', 'replica'] as const;

/** The states that an operator may put an engine into (`engine/control/control.ts`). */
export const engineStates = ['running', 'pausing', 'paused', 'resuming', 'draining', 'drained'] as const;
export type EngineState = (typeof engineStates)[number];

export const openStatuses = ['pending', 'scheduled', 'queued', 'processing'] as const;
export const openShardStates = ['planned', 'released', 'running', 'waiting'] as const;

/** Of messages still to be sent; `paced`: their delivery's rate holds them back. */
export const openTargetStates = [...openShardStates, 'paced'] as const;

/** Where a due delivery may be waiting: for its start, for its plan, or a shard of it for an engine. */
export const lateStages = ['start', 'plan', 'dispatch'] as const;

/** What threads may encrypt with (`ThreadStarted`). */
export const encryptionBackends = ['node', 'openssl', 'multibuffer'] as const;
export type EncryptionBackend = (typeof encryptionBackends)[number];

/**
 * Every metric there is: name, kind, unit, meaning, and the values its labels may take. Labels come from
 * these sets alone: an app or a delivery as a label would let memory grow with the audience.
 */
export const metricRegister = {
  deliveriesCompleted: {
    name: 'broadside_deliveries_completed_total',
    kind: 'counter',
    unit: 'deliveries',
    meaning: 'Deliveries that came to their end, by status.',
    labels: { status: completedStatuses },
  },
  deliveriesOpen: {
    name: 'broadside_deliveries_open',
    kind: 'gauge',
    across: 'most',
    unit: 'deliveries',
    meaning: 'Deliveries of the whole installation that have not ended, by status, read when asked.',
    labels: { status: openStatuses },
  },
  deliveriesLate: {
    name: 'broadside_deliveries_late_seconds',
    kind: 'gauge',
    across: 'most',
    unit: 'seconds',
    meaning:
      'How long the oldest due delivery has waited, by what it waits for, read when asked; 0: none is late.',
    labels: { stage: lateStages },
  },
  shardsOpen: {
    name: 'broadside_shards_open',
    kind: 'gauge',
    across: 'most',
    unit: 'shards',
    meaning: 'Shards of the whole installation that have not ended, by state, read when asked.',
    labels: { state: openShardStates },
  },
  targetsOpen: {
    name: 'broadside_targets_open',
    kind: 'gauge',
    across: 'most',
    unit: 'messages',
    meaning:
      'Messages of the whole installation that are still to be sent, by the state of their shard, read when asked. Scale engines by these.',
    labels: { state: openTargetStates },
  },
  shardsInHand: {
    name: 'broadside_shards_in_hand',
    kind: 'gauge',
    across: 'sum',
    unit: 'shards',
    meaning: 'Shards that this engine works on.',
    labels: none,
  },
  engineState: {
    name: 'broadside_engine_state',
    kind: 'gauge',
    across: 'sum',
    unit: 'engines',
    meaning: '1 for the state that this engine is in, 0 for the others.',
    labels: { state: engineStates },
  },
  shardsEnded: {
    name: 'broadside_shards_ended_total',
    kind: 'counter',
    unit: 'shard runs',
    meaning: 'Runs of a shard by how they ended; lease-lost: another engine took it over meanwhile.',
    labels: { ending: shardEndings },
  },
  attempts: {
    name: 'broadside_attempts_total',
    kind: 'counter',
    unit: 'attempts',
    meaning: 'Attempts to send to one subscription, by push service and outcome.',
    labels: { push_service: pushServices, outcome: outcomes },
  },
  attemptsUnknown: {
    name: 'broadside_attempts_unknown_total',
    kind: 'counter',
    unit: 'attempts',
    meaning: 'Attempts whose message was sent and never answered: it may have arrived, and is sent again.',
    labels: { push_service: pushServices },
  },
  answerSeconds: {
    name: 'broadside_answer_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From handing a message over to the push service’s answer, of those that were answered.',
    labels: { push_service: pushServices },
    bounds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  blockSeconds: {
    name: 'broadside_block_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From reading the targets of a block to its committed end.',
    labels: none,
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  outboxRows: {
    name: 'broadside_outbox_rows',
    kind: 'gauge',
    across: 'most',
    unit: 'rows',
    meaning: 'Outbox rows not yet on the log, read when asked; absent while Postgres does not answer.',
    labels: none,
  },
  outboxRefused: {
    name: 'broadside_outbox_refused_rows',
    kind: 'gauge',
    across: 'most',
    unit: 'rows',
    meaning: 'Outbox rows that the log refused for what they are, and that are set aside, read when asked.',
    labels: none,
  },
  outboxOldest: {
    name: 'broadside_outbox_oldest_seconds',
    kind: 'gauge',
    across: 'most',
    unit: 'seconds',
    meaning: 'Age of the oldest outbox row, read when asked; 0: none waits.',
    labels: none,
  },
  logLag: {
    name: 'broadside_log_lag_messages',
    kind: 'gauge',
    across: 'most',
    unit: 'messages',
    meaning:
      'Messages on the log that are not done, by topic, read when asked; absent while the log is unavailable.',
    labels: { topic: topics },
  },
  workerUtilisation: {
    name: 'broadside_worker_utilisation_ratio',
    kind: 'gauge',
    across: 'each',
    unit: 'ratio',
    meaning: 'Share of the time since it was last asked that the worker threads were busy, on average.',
    labels: none,
  },
  encryptionBackend: {
    name: 'broadside_encryption_backend',
    kind: 'gauge',
    across: 'sum',
    unit: 'engines',
    meaning: '1 for what this engine’s newest worker thread encrypts with, 0 for the others.',
    labels: { backend: encryptionBackends },
  },
  peakMemory: {
    name: 'broadside_process_peak_memory_bytes',
    kind: 'gauge',
    across: 'each',
    unit: 'bytes',
    meaning: 'The most resident memory the process ever held, threads included.',
    labels: none,
  },
  governorLimit: {
    name: 'broadside_governor_requests_in_flight_limit',
    kind: 'gauge',
    across: 'least',
    unit: 'requests',
    meaning: 'Requests that each thread may have in flight, by push service, over all apps sent for lately.',
    labels: { push_service: pushServices },
  },
  governorPaused: {
    name: 'broadside_governor_paused',
    kind: 'gauge',
    across: 'most',
    unit: 'channels',
    meaning:
      'Channels (an app’s way to a push service) that are paused now: throttled, or the breaker is open.',
    labels: { push_service: pushServices },
  },
  governorOpen: {
    name: 'broadside_governor_breakers_open',
    kind: 'gauge',
    across: 'most',
    unit: 'channels',
    meaning: 'Ways of apps to a push service whose circuit breaker is open, for it does not answer.',
    labels: { push_service: pushServices },
  },
  recordBatches: {
    name: 'broadside_record_batches_total',
    kind: 'counter',
    unit: 'inserts',
    meaning: 'Batches of outcomes and events that ClickHouse acknowledged, repetitions included.',
    labels: none,
  },
  recordRows: {
    name: 'broadside_record_rows_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Rows in those batches.',
    labels: none,
  },
  recordSeconds: {
    name: 'broadside_record_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From taking a batch of outcomes or events from the log until ClickHouse acknowledged it.',
    labels: none,
    bounds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  blocksFailed: {
    name: 'broadside_blocks_failed_total',
    kind: 'counter',
    unit: 'blocks',
    meaning:
      'Times that a block threw while it was sent, or its shard could not be run though Postgres answers.',
    labels: none,
  },
  targetReads: {
    name: 'broadside_target_reads_total',
    kind: 'counter',
    unit: 'reads',
    meaning: 'Reads of a block’s targets where DATABASE_READ_URLS names replicas, by who answered.',
    labels: { source: targetSources },
  },
  sendingStill: {
    name: 'broadside_sending_still_seconds',
    kind: 'gauge',
    unit: 'seconds',
    meaning: 'Time in which no request and no block ended though shards run; 0 where none runs.',
    labels: none,
    across: 'most',
  },
  workerThreadsLost: {
    name: 'broadside_worker_threads_lost_total',
    kind: 'counter',
    unit: 'threads',
    meaning: 'Worker threads that died by themselves and were replaced.',
    labels: none,
  },
  pushHostsLeft: {
    name: 'broadside_push_hosts_left_total',
    kind: 'counter',
    unit: 'times',
    meaning:
      'Times that Broadside’s own HTTP/2 gave up on a push service, whose messages then went by undici.',
    labels: none,
  },
  backPressurePauses: {
    name: 'broadside_back_pressure_pauses_total',
    kind: 'counter',
    unit: 'pauses',
    meaning: 'Times a stage paused intake because a later one was full or away.',
    labels: { stage: pausingStages },
  },
  ...reportingEntries,
  ...serviceEntries,
} as const satisfies Readonly<Record<string, MetricEntry>>;
