import { completedStatuses } from '../../contract/delivery.ts';
import { outcomes } from '../../contract/outcome.ts';
import { pushServices } from '../../contract/push-service.ts';
import { topics } from '../../contract/topics.ts';

/**
 * Every metric there is: name, kind, unit, meaning, and the values its labels may take. Labels come from
 * these sets alone: an app or a delivery as a label would let memory grow with the audience.
 */
export interface MetricEntry {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** The unit of one; for a histogram, the unit of its bounds. */
  readonly unit: string;
  readonly meaning: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram's buckets. */
  readonly bounds?: readonly number[];
}

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

/** The topics that the reporting role takes from the log. */
export const ingestTopics = ['ad-stats', 'fx-rates'] as const;
export type IngestTopic = (typeof ingestTopics)[number];

/** The states that an operator may put an engine into (`engine/operate/control.ts`). */
export const engineStates = ['running', 'pausing', 'paused', 'resuming', 'draining', 'drained'] as const;
export type EngineState = (typeof engineStates)[number];

export const openStatuses = ['pending', 'scheduled', 'queued', 'processing'] as const;
export const openShardStates = ['planned', 'released', 'running', 'waiting'] as const;

/** The answers to a request for a report; `other` should not occur. */
export const reportStatuses: readonly string[] = [
  ...['200', '400', '401', '404', '405', '406', '413', '415', '422', '429', '500', '503'],
  'other',
] as const;

/** Why an answer broke off in its middle: its client disconnected, it took too long, or its rows did not end. */
export const brokenOffReasons = ['reader', 'time', 'rows', 'slow'] as const;

const none = {} as const;

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
    unit: 'deliveries',
    meaning: 'Deliveries of the whole installation that have not ended, by status, read when asked.',
    labels: { status: openStatuses },
  },
  shardsOpen: {
    name: 'broadside_shards_open',
    kind: 'gauge',
    unit: 'shards',
    meaning: 'Shards of the whole installation that have not ended, by state, read when asked.',
    labels: { state: openShardStates },
  },
  shardsInHand: {
    name: 'broadside_shards_in_hand',
    kind: 'gauge',
    unit: 'shards',
    meaning: 'Shards that this engine works on.',
    labels: none,
  },
  engineState: {
    name: 'broadside_engine_state',
    kind: 'gauge',
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
    unit: 'rows',
    meaning: 'Outbox rows not yet on the log, read when asked; absent while Postgres does not answer.',
    labels: none,
  },
  logLag: {
    name: 'broadside_log_lag_messages',
    kind: 'gauge',
    unit: 'messages',
    meaning:
      'Messages on the log that are not done, by topic, read when asked; absent while the log is away.',
    labels: { topic: topics },
  },
  workerUtilisation: {
    name: 'broadside_worker_utilisation_ratio',
    kind: 'gauge',
    unit: 'ratio',
    meaning: 'Share of the time since it was last asked that the worker threads were busy, on average.',
    labels: none,
  },
  peakMemory: {
    name: 'broadside_process_peak_memory_bytes',
    kind: 'gauge',
    unit: 'bytes',
    meaning: 'The most resident memory the process ever held, threads included.',
    labels: none,
  },
  governorLimit: {
    name: 'broadside_governor_requests_in_flight_limit',
    kind: 'gauge',
    unit: 'requests',
    meaning: 'Requests that each thread may have in flight, by push service, over all apps sent for lately.',
    labels: { push_service: pushServices },
  },
  governorPaused: {
    name: 'broadside_governor_paused',
    kind: 'gauge',
    unit: 'channels',
    meaning:
      'Channels (an app’s way to a push service) that are paused now: throttled, or the breaker is open.',
    labels: { push_service: pushServices },
  },
  governorOpen: {
    name: 'broadside_governor_breakers_open',
    kind: 'gauge',
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
  workerThreadsLost: {
    name: 'broadside_worker_threads_lost_total',
    kind: 'counter',
    unit: 'threads',
    meaning: 'Worker threads that died by themselves and were replaced.',
    labels: none,
  },
  backPressurePauses: {
    name: 'broadside_back_pressure_pauses_total',
    kind: 'counter',
    unit: 'pauses',
    meaning: 'Times a stage paused intake because a later one was full or away.',
    labels: { stage: pausingStages },
  },
  ingestBatches: {
    name: 'broadside_ingest_batches_total',
    kind: 'counter',
    unit: 'batches',
    meaning: 'Batches of ad statistics and of rates that count now or did before, by topic.',
    labels: { topic: ingestTopics },
  },
  ingestRows: {
    name: 'broadside_ingest_rows_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Rows that came in with those batches, by topic; none of a batch that was known to count.',
    labels: { topic: ingestTopics },
  },
  ingestSetAside: {
    name: 'broadside_ingest_rows_set_aside_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Bad rows of ad statistics on the log, kept in ad_stats_refused with their reason.',
    labels: none,
  },
  ingestSeconds: {
    name: 'broadside_ingest_batch_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From taking a batch from the log until it counts, by topic.',
    labels: { topic: ingestTopics },
    bounds: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  ingestLag: {
    name: 'broadside_ingest_lag_messages',
    kind: 'gauge',
    unit: 'messages',
    meaning:
      'Batches on the log that do not count yet, by topic, read when asked; absent while the log is away.',
    labels: { topic: ingestTopics },
  },
  reportRequests: {
    name: 'broadside_report_requests_total',
    kind: 'counter',
    unit: 'requests',
    meaning: 'Requests for a report by the status of their answer.',
    labels: { status: reportStatuses },
  },
  reportSeconds: {
    name: 'broadside_report_seconds',
    kind: 'histogram',
    unit: 'seconds',
    meaning: 'From a request for a report to the end of its answer, of those that were answered with one.',
    labels: none,
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  reportBytes: {
    name: 'broadside_report_bytes_total',
    kind: 'counter',
    unit: 'bytes',
    meaning: 'Bytes of reports as ClickHouse gave them.',
    labels: none,
  },
  reportRows: {
    name: 'broadside_report_rows_total',
    kind: 'counter',
    unit: 'rows',
    meaning: 'Rows of reports, but for those in Parquet.',
    labels: none,
  },
  reportsBrokenOff: {
    name: 'broadside_reports_broken_off_total',
    kind: 'counter',
    unit: 'answers',
    meaning: 'Answers that broke off after their first byte, by why.',
    labels: { reason: brokenOffReasons },
  },
  reportsInHand: {
    name: 'broadside_reports_in_hand',
    kind: 'gauge',
    unit: 'reports',
    meaning: 'Reports that this process makes or sends.',
    labels: none,
  },
  reportSpoolBytes: {
    name: 'broadside_report_spool_bytes',
    kind: 'gauge',
    unit: 'bytes',
    meaning: 'On the disk of this process, of reports whose clients have not read them yet.',
    labels: none,
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;
