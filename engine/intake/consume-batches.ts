import type { Logger } from '../adapters/telemetry/logger.ts';
import type { Metrics } from '../adapters/telemetry/metrics.ts';
import { createBackOff } from '../contract/concurrency/back-off.ts';
import type { InsertEnding, StoreAway } from '../contract/insert-ending.ts';
import type { BatchHandler, Consumer, Log, LogRecord } from '../contract/log.ts';

/**
 * Batches from the log → ClickHouse, some with a note in Postgres. One message is one insert, and its
 * `batch_id` the insert's token: a repeated message changes nothing, as long as it is never split or joined.
 *
 * `start` joins the reader group. While a store is unavailable every message stays on the log and no attempt is
 * counted; intake pauses for a time that grows up to `maxPauseMs`. A message that cannot be read, or whose rows
 * ClickHouse refuses, becomes a dead letter whole: had some of it been inserted under its name, a later repair
 * under that name would be dropped as a repetition. `close` starts no further insert and waits for the running
 * one up to the deadline; an insert cut off there is repeated and counted once.
 */
export interface RecordStage {
  /** @throws Error when called twice, or the log is unavailable. */
  start(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

export interface RecordOptions {
  /** Messages in memory: 4 of outcomes hold about 1.2 MB packed, 4 of events at most 2 MB. */
  readonly maxRecords: number;
  /** Inserts at the same time. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  /** Longer than an insert may take, or its message is given to another consumer meanwhile. */
  readonly stallAfterMs: number;
  /** How long intake pauses when a store is unavailable for the first time; twice as long each time after. */
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

export interface ConsumeBatchesDeps<T extends BatchTopic> {
  readonly log: Log;
  /** Also names the content of a batch in logs. */
  readonly topic: T;
  /** @throws Error where the batch can never be recorded. */
  readonly recordBatch: (record: LogRecord<T>) => Promise<InsertEnding>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: {
    /** @param durationMs from taking it from the log until it is recorded. */
    recordBatch(rows: number, durationMs: number): void;
  } & Pick<Metrics, 'backPressurePause'>;
  readonly options?: Partial<RecordOptions>;
}

/** The topics whose messages are batches with an id. */
export type BatchTopic = 'outcomes' | 'events' | 'ad-stats' | 'fx-rates';

export function createConsumeBatches<T extends BatchTopic>(deps: ConsumeBatchesDeps<T>): RecordStage {
  const { log, topic, logger, metrics } = deps;
  const options = { ...defaults, ...deps.options };
  const pauses = createBackOff(options.firstPauseMs, options.maxPauseMs);
  let consumer: Promise<Consumer> | null = null;
  let awayStore: StoreAway['store'] | null = null;

  const handle: BatchHandler<T> = async (records, claim) => {
    for (const record of records) {
      if (!claim.holds() || claim.signal.aborted) break;
      const startedAt = performance.now();
      const ending = await insert(record);
      if (ending.kind === 'away') return backOff(ending);
      noteRecorded(ending.rows, performance.now() - startedAt);
      await claim.done(record);
    }
    return { kind: 'handled' };
  };

  async function insert(record: LogRecord<T>): Promise<InsertEnding> {
    try {
      return await deps.recordBatch(record);
    } catch (error) {
      const { batch_id } = record.value;
      logger.error(
        { err: error, batch_id, attempt: record.attempt },
        `a batch of ${topic} cannot be recorded`,
      );
      throw error;
    }
  }

  function backOff({ store, reason }: StoreAway) {
    awayStore = store;
    const resumeAfterMs = pauses.next();
    metrics.backPressurePause('record');
    logger.warn({ store, reason, resumeAfterMs }, `${topic} wait on the log: ${store} does not take them`);
    return { kind: 'full', resumeAfterMs } as const;
  }

  function noteRecorded(rows: number, durationMs: number): void {
    pauses.reset();
    if (awayStore !== null) logger.info({}, `${awayStore} takes ${topic} again`);
    awayStore = null;
    metrics.recordBatch(rows, durationMs);
  }

  return {
    start: async () => {
      if (consumer !== null) throw new Error('record was started before');
      const { maxRecords, concurrency, maxAttempts, stallAfterMs } = options;
      consumer = log.consume(topic, { maxRecords, concurrency, maxAttempts, stallAfterMs }, handle);
      await consumer;
    },
    close: async (deadlineMs) => {
      await (await consumer)?.close(deadlineMs);
    },
  };
}
