import { type ClaimEnding, runClaim } from '../../contract/concurrency/claim.ts';
import { type Clock, pause, type Timer } from '../../contract/concurrency/clock.ts';
import type { BatchHandler, ConsumeOptions, LogRecord } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import type { DeadRecord } from './dead-letters.ts';
import {
  type FetchedBatch,
  offsetOf,
  openPartitionQueue,
  type PartitionQueue,
  type Remembered,
} from './partition-queue.ts';

/**
 * A consumer's fetched records: a queue per partition, and the handler calls that work on them. It knows
 * nothing of Kafka: batches come in, offsets to commit go out, and everything can be abandoned at any time.
 */
export interface PartitionQueues {
  /** The partition must not be fetched again until `onDrained`. */
  accept(batch: FetchedBatch): void;
  /** Lets waiting queues go on: after a pause, and when queues may start again. */
  schedule(): void;
  /** No new handler call from now on; running ones are asked to finish. */
  release(): void;
  /** When no claim is left. */
  ended(): Promise<void>;
  /**
   * Ends every claim and drops the queues, but remembers done records. New queues may come afterwards.
   * @param uncommitted offsets of drained partitions that the broker does not know.
   */
  drop(uncommitted: ReadonlyMap<number, number>): void;
  isIdle(): boolean;
  isFull(): boolean;
  /** So many calls never came back that no other may start. */
  isStuck(): boolean;
}

export interface PartitionQueuesDeps<T extends Topic> {
  readonly topic: T;
  readonly options: ConsumeOptions;
  readonly handle: BatchHandler<T>;
  readonly clock: Clock;
  readonly mayStart: () => boolean;
  /** Resolves once the dead letter is durable. */
  readonly bury: (record: DeadRecord) => Promise<void>;
  /** The offset of a partition that may be committed. */
  readonly onProgress: (partition: number, offset: number) => void;
  readonly onDrained: (partition: number) => void;
}

const BURY_AGAIN_AFTER_MS = 1_000;

/** A queue is ready, held or gone, and each function moves it from one to another. */
export function createPartitionQueues<T extends Topic>(deps: PartitionQueuesDeps<T>): PartitionQueues {
  const { clock, options, topic } = deps;
  const queues = new Map<number, PartitionQueue<T>>();
  /** Queues with something to do, first come first served. */
  const ready = new Set<PartitionQueue<T>>();
  const held = new Set<PartitionQueue<T>>();
  const remembered = new Map<number, Remembered>();
  /** Calls that have not returned, including those whose claim ended. */
  let calls = 0;
  let fullUntil = 0;
  let fullTimer: Timer | null = null;

  const isStuck = () => calls - held.size >= options.concurrency;

  function schedule(): void {
    for (const queue of ready) {
      if (held.size >= options.concurrency || isStuck() || !deps.mayStart() || clock.now() < fullUntil)
        return;
      ready.delete(queue);
      start(queue);
    }
  }

  function start(queue: PartitionQueue<T>): void {
    const records = queue.pending.splice(0, options.maxRecords);
    const { handle } = deps;
    const onDone = (record: LogRecord<T>) => settle(queue, offsetOf(record.id));
    const claim = runClaim<T>({ clock, handle, records, stallAfterMs: options.stallAfterMs, onDone });
    queue.claim = claim;
    held.add(queue);
    void claim.ended.then((ending) => onEnded(queue, ending));
    calls++;
    void claim.returned.then(() => {
      calls--;
      schedule();
    });
  }

  function onEnded(queue: PartitionQueue<T>, ending: ClaimEnding<T>): void {
    queue.claim = null;
    held.delete(queue);
    if (queue.live) takeBack(queue, ending);
    schedule();
  }

  /** Unfinished records return to the front of their queue, or go to the dead letters after the last attempt. */
  function takeBack(queue: PartitionQueue<T>, ending: ClaimEnding<T>): void {
    if (ending.resumeAfterMs > 0) pauseIntake(ending.resumeAfterMs);
    const again: LogRecord<T>[] = [];
    for (const [index, record] of ending.undone.entries()) {
      const attempt = record.attempt + (index < ending.charged ? 1 : 0);
      if (attempt <= options.maxAttempts) again.push({ ...record, attempt });
      else void buryIn(queue, { ...deadRecord(record), reason: ending.reason });
    }
    queue.pending.unshift(...again);
    if (queue.pending.length > 0) ready.add(queue);
  }

  /**
   * The timer itself ends the pause: a timer that fired a moment early by the clock must not leave it paused
   * forever.
   */
  function pauseIntake(forMs: number): void {
    const until = clock.now() + forMs;
    if (until <= fullUntil) return;
    fullUntil = until;
    fullTimer?.clear();
    fullTimer = clock.setTimer(forMs, () => {
      fullUntil = 0;
      schedule();
    });
  }

  /** Tries until the letter is durable or the queue is gone: only then is the record done. */
  async function buryIn(queue: PartitionQueue<T>, record: DeadRecord): Promise<void> {
    while (queue.live) {
      const buried = await deps.bury(record).then(
        () => true,
        () => false,
      );
      if (buried) return settle(queue, offsetOf(record.id));
      await pause(clock, BURY_AGAIN_AFTER_MS);
    }
  }

  function settle(queue: PartitionQueue<T>, offset: number): void {
    if (!queue.live) return;
    queue.tracker.markDone(offset);
    deps.onProgress(queue.partition, queue.tracker.committable());
    if (!queue.tracker.isEmpty()) return;
    queue.live = false;
    queues.delete(queue.partition);
    deps.onDrained(queue.partition);
  }

  function forget(queue: PartitionQueue<T>): void {
    const { tracker, partition } = queue;
    queue.live = false;
    queue.claim?.lose();
    remembered.set(partition, { below: tracker.committable(), offsets: new Set(tracker.doneBehindGap()) });
  }

  return {
    accept: (batch) => {
      const { queue, unreadable } = openPartitionQueue(topic, batch, remembered.get(batch.partition));
      remembered.delete(batch.partition);
      queues.set(batch.partition, queue);
      if (queue.pending.length > 0) ready.add(queue);
      for (const { offset, key, text } of unreadable) {
        const id = `${batch.partition}-${offset}`;
        void buryIn(queue, { id, key, text, reason: 'does not fit the schema of its topic' });
      }
      if (queue.tracker.isEmpty()) finishEmpty(queue, batch.end);
      schedule();
    },
    schedule,
    release: () => {
      for (const { claim } of held) claim?.release();
    },
    ended: async () => {
      await Promise.all([...held].map((queue) => queue.claim?.ended));
    },
    drop: (uncommitted) => {
      for (const [partition, below] of uncommitted) remembered.set(partition, { below, offsets: new Set() });
      for (const queue of queues.values()) forget(queue);
      queues.clear();
      ready.clear();
      held.clear();
      fullTimer?.clear();
      fullUntil = 0;
    },
    isIdle: () => queues.size === 0,
    isFull: () => fullUntil > 0,
    isStuck,
  };

  /** All of the batch was remembered as done, or filtered out. */
  function finishEmpty(queue: PartitionQueue<T>, end: number): void {
    queue.live = false;
    queues.delete(queue.partition);
    deps.onProgress(queue.partition, end);
    deps.onDrained(queue.partition);
  }
}

function deadRecord<T extends Topic>(record: LogRecord<T>): Omit<DeadRecord, 'reason'> {
  return { id: record.id, key: record.key, text: JSON.stringify(record.value) };
}
