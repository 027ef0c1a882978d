import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import type { BatchHandler, Consumer, Log, LogRecord } from '../contract/log.ts';
import { createGrowingPause } from './growing-pause.ts';
import type { OutcomeStore } from './ports.ts';
import { unpackBatch } from './unpack-batch.ts';

/**
 * Record: batches of outcomes from the log → ClickHouse. One message is one insert, and its `batch_id` the
 * insert's token: a message that comes again changes nothing, as long as it is never split or joined.
 *
 * `start` takes part in the reader group. While ClickHouse is away every message stays on the log,
 * uncharged; intake pauses for a time that grows up to `maxPauseMs`, and sending goes on. A message that
 * cannot be read, or whose rows ClickHouse refuses, becomes a dead letter whole: had some of its blocks been
 * inserted under its name, a later repair under that name would be dropped as a repetition.
 * `close` starts no further insert and waits for the one in hand up to the deadline; an insert cut off there
 * comes again and is counted once.
 */
export interface RecordStage {
  /** @throws Error when called twice, or the log is away. */
  start(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

export interface RecordOptions {
  /** Messages in hand; with 64 blocks each, 4 hold about 1.2 MB packed. */
  readonly maxRecords: number;
  /** Inserts at the same time. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  /** Longer than an insert may take, or its message is given to somebody else meanwhile. */
  readonly stallAfterMs: number;
  /** How long intake pauses when ClickHouse is away for the first time; twice as long each time after. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

const defaults: RecordOptions = Object.freeze({
  maxRecords: 4,
  concurrency: 1,
  maxAttempts: 3,
  stallAfterMs: 120_000,
  firstPauseMs: 250,
  maxPauseMs: 15_000,
});

export function createRecordStage(deps: {
  readonly log: Log;
  readonly store: OutcomeStore;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'recordBatch' | 'backPressurePause'>;
  readonly options?: Partial<RecordOptions>;
}): RecordStage {
  const { log, store, logger, metrics } = deps;
  const options = { ...defaults, ...deps.options };
  const pause = createGrowingPause(options.firstPauseMs, options.maxPauseMs);
  let consumer: Promise<Consumer> | null = null;

  const handle: BatchHandler<'outcomes'> = async (records, claim) => {
    for (const record of records) {
      if (!claim.holds() || claim.signal.aborted) break;
      const ending = await insert(record);
      if (ending.kind === 'away') return backOff(ending.reason);
      noteRecorded(ending.rows);
      await claim.done(record);
    }
    return { kind: 'handled' };
  };

  async function insert(record: LogRecord<'outcomes'>) {
    const { batch_id } = record.value;
    try {
      return await store.insertOutcomes(unpackBatch(record.value), batch_id);
    } catch (error) {
      logger.error(
        { err: error, batch_id, attempt: record.attempt },
        'a batch of outcomes cannot be recorded',
      );
      throw error;
    }
  }

  function backOff(reason: string) {
    const resumeAfterMs = pause.next();
    metrics.backPressurePause('record');
    logger.warn({ reason, resumeAfterMs }, 'outcomes wait on the log: ClickHouse does not take them');
    return { kind: 'full', resumeAfterMs } as const;
  }

  function noteRecorded(rows: number): void {
    if (pause.reset()) logger.info({}, 'ClickHouse takes outcomes again');
    metrics.recordBatch(rows);
  }

  return {
    start: async () => {
      if (consumer !== null) throw new Error('record was started before');
      const { maxRecords, concurrency, maxAttempts, stallAfterMs } = options;
      consumer = log.consume('outcomes', { maxRecords, concurrency, maxAttempts, stallAfterMs }, handle);
      await consumer;
    },
    close: async (deadlineMs) => {
      await (await consumer)?.close(deadlineMs);
    },
  };
}
