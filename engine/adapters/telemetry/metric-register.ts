import { completedStatuses } from '../../contract/delivery.ts';
import { outcomes } from '../../contract/outcome.ts';
import { pushServices } from '../../contract/push-service.ts';

/**
 * Every metric there is: name, kind, unit, meaning, and the values its labels may take. Labels come from
 * these sets alone: an app or a delivery as a label would let memory grow with the audience.
 */
export interface MetricEntry {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  /** What one stands for; for a histogram, what its bounds are in. */
  readonly unit: string;
  readonly meaning: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Upper bounds of a histogram's buckets. */
  readonly bounds?: readonly number[];
}

/** How a shard's run ended, as dispatch says it (`ShardEnding`). */
export const shardEndings = [
  'not-ours',
  'settled',
  'suspended',
  'stopped',
  'handed-back',
  'lease-lost',
] as const;

/** Who stops taking in because something behind it is full or away. */
export const pausingStages = ['plan', 'dispatch', 'record'] as const;

const none = {} as const;

export const metricRegister = {
  deliveriesCompleted: {
    name: 'broadside_deliveries_completed_total',
    kind: 'counter',
    unit: 'deliveries',
    meaning: 'Deliveries that came to their end, by status.',
    labels: { status: completedStatuses },
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
  peakMemory: {
    name: 'broadside_process_peak_memory_bytes',
    kind: 'gauge',
    unit: 'bytes',
    meaning: 'The most resident memory the process ever held, threads included.',
    labels: none,
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
    meaning: 'Times a stage stopped taking in because what is behind it was full or away.',
    labels: { stage: pausingStages },
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;
