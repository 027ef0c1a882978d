import { randomBytes } from 'node:crypto';
import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import type { ConsumeOptions, Log, NewRecord } from '../../engine/contract/log.ts';
import type { Topic } from '../../engine/contract/topics.ts';

/** What an adapter's test file brings, so that the same sentences can be asked of every log. */
export interface LogHarness {
  /** The time the adapter lives in: the machine's, or a manual clock that the harness keeps moving. */
  readonly clock: Clock;
  /** An empty log of its own for one test. */
  open(): Promise<LogWorld>;
}

export interface LogWorld {
  readonly sessionTimeoutMs: number;
  /** Whether records of one key come in the order they were published. */
  readonly keepsKeyOrder: boolean;
  /** A record that this log never holds. */
  readonly neverHeld: NewRecord<'deliveries'>;
  /** A log as one more engine would open it. Closed with the world, where the test did not. */
  connect(): Promise<Log>;
  /** Puts a message on the topic that Broadside would never write. */
  putText(topic: Topic, key: string, text: string): Promise<void>;
  /**
   * Lets a consumer in another process take a batch of `deliveries`, mark the first `done` records and the last
   * one, keep the rest, and die of SIGKILL. Resolves when it is dead.
   */
  crashConsumer(done: number): Promise<CrashReport>;
  /** Kills the log's server. Resolves when it is gone; call the result to bring it back. */
  cut(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface CrashReport {
  readonly done: readonly number[];
  /** Marked out of order: may come again where an adapter can only remember what is done in order. */
  readonly last: number;
  readonly inHand: readonly number[];
}

export const defaultOptions: ConsumeOptions = {
  maxRecords: 20,
  concurrency: 2,
  maxAttempts: 3,
  stallAfterMs: 30_000,
};

/** Of two megabytes, also where it is compressed. */
export const tooLarge = {
  key: 'large',
  value: { delivery_id: 999, text: randomBytes(1_500_000).toString('base64') },
};

/** Runs one test in a log of its own, which is gone afterwards however the test ended. */
export async function inWorld(harness: LogHarness, test: (world: LogWorld) => Promise<void>): Promise<void> {
  const world = await harness.open();
  try {
    await test(world);
  } finally {
    await world.close();
  }
}
