import type { RunningClaim } from '../../contract/concurrency/claim.ts';
import type { LogRecord } from '../../contract/log.ts';
import { parseTopicValue, type Topic } from '../../contract/topics.ts';
import { recordId } from './names.ts';
import { createOffsetTracker, type OffsetTracker } from './offset-tracker.ts';

/** One fetched message. `text` is null for a message without a value. */
export interface FetchedMessage {
  readonly offset: number;
  readonly key: string;
  readonly text: string | null;
}

export interface FetchedBatch {
  readonly partition: number;
  readonly messages: readonly FetchedMessage[];
  /** Where the next fetch goes on. */
  readonly end: number;
}

/**
 * One fetched batch of one partition, until all of it is done. At most one claim at a time works on it, so
 * records of one key keep their order; the partition is not fetched meanwhile.
 */
export interface PartitionQueue<T extends Topic> {
  readonly partition: number;
  readonly tracker: OffsetTracker;
  /** Records neither done nor in a claim, in order. */
  pending: LogRecord<T>[];
  claim: RunningClaim<T> | null;
  /** False once the partition was revoked: late results have no effect. */
  live: boolean;
}

export interface Unreadable {
  readonly offset: number;
  readonly key: string;
  readonly text: string;
}

/** Records that this process knows to be done though the broker may not: they are not handled again. */
export interface Remembered {
  readonly below: number;
  readonly offsets: ReadonlySet<number>;
}

export interface OpenedPartitionQueue<T extends Topic> {
  readonly queue: PartitionQueue<T>;
  readonly unreadable: readonly Unreadable[];
}

export function openPartitionQueue<T extends Topic>(
  topic: T,
  batch: FetchedBatch,
  remembered?: Remembered,
): OpenedPartitionQueue<T> {
  const offsets = batch.messages.map(({ offset }) => offset);
  const tracker = createOffsetTracker(offsets, batch.end);
  const queue: PartitionQueue<T> = {
    partition: batch.partition,
    tracker,
    pending: [],
    claim: null,
    live: true,
  };
  const unreadable: Unreadable[] = [];
  for (const { offset, key, text } of batch.messages) {
    const value = text === null ? null : parseTopicValue(topic, parseText(text));
    if (isRemembered(remembered, offset)) tracker.markDone(offset);
    else if (value === null) unreadable.push({ offset, key, text: text ?? '' });
    else queue.pending.push({ id: recordId(batch.partition, offset), key, value, attempt: 1 });
  }
  return { queue, unreadable };
}

function isRemembered(remembered: Remembered | undefined, offset: number): boolean {
  return remembered !== undefined && (offset < remembered.below || remembered.offsets.has(offset));
}

export function offsetOf(id: string): number {
  return Number(id.slice(id.indexOf('-') + 1));
}

export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
