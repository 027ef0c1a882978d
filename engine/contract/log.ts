import type { Topic, TopicValue } from './topics.ts';

/**
 * The log: at-least-once messages between the stages. Three adapters (Kafka, Postgres through pg-boss,
 * memory) pass one conformance suite, `test/conformance/log.ts`.
 *
 * A topic has one reader group: every message is handled by one consumer of the topic, and handled again
 * when that consumer dies, lets go of its claim, or ends a batch without marking the message done.
 * A handler must therefore be safe to run twice for one message.
 */
export interface Log {
  /**
   * Resolves once every record is durable. Rejects when the log is unavailable: some may be durable then and some not.
   * Published again, a record is another message.
   * @throws RecordsRefused where it refuses some of them for what they are: the others are durable then, except those that
   * it names as untried.
   */
  publish<T extends Topic>(topic: T, records: readonly NewRecord<T>[]): Promise<void>;
  /** Starts a consumer; resolves once it takes part in the reader group. Rejects when the log is unavailable. */
  consume<T extends Topic>(topic: T, options: ConsumeOptions, handle: BatchHandler<T>): Promise<Consumer>;
  /** Messages not yet done, including those being handled. Rejects when the log is unavailable. */
  lag(topic: Topic): Promise<number>;
  /** The newest dead letters of a topic, for people and tests. Rejects when the log is unavailable. */
  deadLetters<T extends Topic>(topic: T, limit: number): Promise<DeadLetter[]>;
  /** Whether the log answers now; false instead of an exception. */
  ping(): Promise<boolean>;
  /** Closes consumers first (each within the deadline, in ms), then connections. Safe to call twice. */
  close(deadlineMs: number): Promise<void>;
}

export interface NewRecord<T extends Topic> {
  /** Records of one key keep their order where the adapter has partitions. */
  readonly key: string;
  readonly value: TopicValue<T>;
}

export interface LogRecord<T extends Topic> extends NewRecord<T> {
  /** Unique within the topic, for logs and tests. */
  readonly id: string;
  /** 1 the first time. */
  readonly attempt: number;
}

export interface DeadLetter {
  readonly id: string;
  readonly key: string;
  /** The message as parsed JSON, or its raw text where it is not JSON. */
  readonly value: unknown;
  readonly reason: string;
}

export interface ConsumeOptions {
  /** Most records given to one call of the handler. */
  readonly maxRecords: number;
  /** Most calls of the handler at the same time. */
  readonly concurrency: number;
  /** A record whose handler threw this many times becomes a dead letter. */
  readonly maxAttempts: number;
  /** In ms: a handler that marks nothing done and calls no `alive` for this long loses its claim. */
  readonly stallAfterMs: number;
}

/** What a handler may do with its batch. The adapter keeps the claim alive meanwhile. */
export interface Claim<T extends Topic> {
  /** The record needs not come again. In any order, safe to repeat, and ignored once the claim is lost. */
  done(record: LogRecord<T>): Promise<void>;
  /** Reports progress, where a single record takes longer than `stallAfterMs`. */
  alive(): void;
  /** False once the batch was taken away: stop, another consumer gets the records that are not done. */
  holds(): boolean;
  /** Aborted when the claim is taken away or the consumer closes: take no more, finish to a budget. */
  readonly signal: AbortSignal;
}

/**
 * How a batch ended. `handled`: records not marked done are given again at once, as another attempt.
 * `full`: the same, but after `resumeAfterMs` and without counting an attempt; intake pauses until then.
 * An exception counts an attempt against the first record not marked done; the others come again uncharged.
 */
export type BatchEnding =
  | { readonly kind: 'handled' }
  | { readonly kind: 'full'; readonly resumeAfterMs: number };

export type BatchHandler<T extends Topic> = (
  records: readonly LogRecord<T>[],
  claim: Claim<T>,
) => Promise<BatchEnding>;

export interface Consumer {
  /** Takes no new batch until `resume`. Batches in flight continue. Safe to call twice, as is `resume`. */
  pause(): void;
  resume(): void;
  /** Takes no more batches, waits for those in flight up to the deadline in ms, then abandons the rest. */
  close(deadlineMs: number): Promise<void>;
}
