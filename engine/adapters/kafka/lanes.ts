import { type ClaimEnding, runClaim } from '../../contract/claim.ts';
import { type Clock, pause, type Timer } from '../../contract/clock.ts';
import type { BatchHandler, ConsumeOptions, LogRecord } from '../../contract/log.ts';
import type { Topic } from '../../contract/topics.ts';
import type { DeadRecord } from './dead-letters.ts';
import { type FetchedBatch, type Lane, offsetOf, openLane, type Remembered } from './lane.ts';

/**
 * What a consumer has in hand: a lane per partition, and the handler calls that work on them. It knows
 * nothing of Kafka: batches come in, offsets to commit go out, and everything can be let go at any time.
 */
export interface Lanes {
  /** The partition must not be fetched again until `onDrained`. */
  accept(batch: FetchedBatch): void;
  /** Lets waiting lanes go on: after a pause, and when lanes may start again. */
  schedule(): void;
  /** No new handler call from now on; those running are asked to finish. */
  release(): void;
  /** When no claim is held any more. */
  ended(): Promise<void>;
  /**
   * Takes every claim away and forgets the lanes, but not what is done. New lanes may come afterwards.
   * @param uncommitted offsets of drained partitions of which the broker does not know.
   */
  drop(uncommitted: ReadonlyMap<number, number>): void;
  isIdle(): boolean;
  isFull(): boolean;
  /** So many calls never came back that no other may start. */
  isStuck(): boolean;
}

export interface LanesDeps<T extends Topic> {
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

export function createLanes<T extends Topic>(deps: LanesDeps<T>): Lanes {
  const { clock, options, topic } = deps;
  const lanes = new Map<number, Lane<T>>();
  /** Lanes with something to do, first come first served. */
  const ready = new Set<Lane<T>>();
  const held = new Set<Lane<T>>();
  const remembered = new Map<number, Remembered>();
  /** Calls that did not come back, those included whose claim ended. */
  let calls = 0;
  let fullUntil = 0;
  let fullTimer: Timer | null = null;

  const isStuck = () => calls - held.size >= options.concurrency;

  function schedule(): void {
    for (const lane of ready) {
      if (held.size >= options.concurrency || isStuck() || !deps.mayStart() || clock.now() < fullUntil)
        return;
      ready.delete(lane);
      start(lane);
    }
  }

  function start(lane: Lane<T>): void {
    const records = lane.queue.splice(0, options.maxRecords);
    const { handle } = deps;
    const onDone = (record: LogRecord<T>) => settle(lane, offsetOf(record.id));
    const claim = runClaim<T>({ clock, handle, records, stallAfterMs: options.stallAfterMs, onDone });
    lane.claim = claim;
    held.add(lane);
    void claim.ended.then((ending) => onEnded(lane, ending));
    calls++;
    void claim.returned.then(() => {
      calls--;
      schedule();
    });
  }

  function onEnded(lane: Lane<T>, ending: ClaimEnding<T>): void {
    lane.claim = null;
    held.delete(lane);
    if (lane.live) takeBack(lane, ending);
    schedule();
  }

  /** What is not done goes to the front of its lane again, or to the dead letters after its last attempt. */
  function takeBack(lane: Lane<T>, ending: ClaimEnding<T>): void {
    if (ending.resumeAfterMs > 0) pauseIntake(ending.resumeAfterMs);
    const again: LogRecord<T>[] = [];
    for (const [index, record] of ending.undone.entries()) {
      const attempt = record.attempt + (index < ending.charged ? 1 : 0);
      if (attempt <= options.maxAttempts) again.push({ ...record, attempt });
      else void buryIn(lane, { ...deadRecord(record), reason: ending.reason });
    }
    lane.queue.unshift(...again);
    if (lane.queue.length > 0) ready.add(lane);
  }

  /** The timer itself ends the pause: one that fired a moment early by the clock must not leave it for ever. */
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

  /** Tries until the letter is durable or the lane is gone: only then is the record done. */
  async function buryIn(lane: Lane<T>, record: DeadRecord): Promise<void> {
    while (lane.live) {
      const buried = await deps.bury(record).then(
        () => true,
        () => false,
      );
      if (buried) return settle(lane, offsetOf(record.id));
      await pause(clock, BURY_AGAIN_AFTER_MS);
    }
  }

  function settle(lane: Lane<T>, offset: number): void {
    if (!lane.live) return;
    lane.tracker.markDone(offset);
    deps.onProgress(lane.partition, lane.tracker.committable());
    if (!lane.tracker.isEmpty()) return;
    lane.live = false;
    lanes.delete(lane.partition);
    deps.onDrained(lane.partition);
  }

  function forget(lane: Lane<T>): void {
    const { tracker, partition } = lane;
    lane.live = false;
    lane.claim?.lose();
    remembered.set(partition, { below: tracker.committable(), offsets: new Set(tracker.doneBehindGap()) });
  }

  return {
    accept: (batch) => {
      const { lane, unreadable } = openLane(topic, batch, remembered.get(batch.partition));
      remembered.delete(batch.partition);
      lanes.set(batch.partition, lane);
      if (lane.queue.length > 0) ready.add(lane);
      for (const { offset, key, text } of unreadable) {
        const id = `${batch.partition}-${offset}`;
        void buryIn(lane, { id, key, text, reason: 'does not fit the schema of its topic' });
      }
      if (lane.tracker.isEmpty()) finishEmpty(lane, batch.end);
      schedule();
    },
    schedule,
    release: () => {
      for (const { claim } of held) claim?.release();
    },
    ended: async () => {
      await Promise.all([...held].map((lane) => lane.claim?.ended));
    },
    drop: (uncommitted) => {
      for (const [partition, below] of uncommitted) remembered.set(partition, { below, offsets: new Set() });
      for (const lane of lanes.values()) forget(lane);
      lanes.clear();
      ready.clear();
      held.clear();
      fullTimer?.clear();
      fullUntil = 0;
    },
    isIdle: () => lanes.size === 0,
    isFull: () => fullUntil > 0,
    isStuck,
  };

  /** All of the batch was remembered as done, or filtered out. */
  function finishEmpty(lane: Lane<T>, end: number): void {
    lane.live = false;
    lanes.delete(lane.partition);
    deps.onProgress(lane.partition, end);
    deps.onDrained(lane.partition);
  }
}

function deadRecord<T extends Topic>(record: LogRecord<T>): Omit<DeadRecord, 'reason'> {
  return { id: record.id, key: record.key, text: JSON.stringify(record.value) };
}
