import type { Clock } from '../contract/concurrency/clock.ts';
import type { BlockEnding, BlockFailure } from './run-block.ts';
import type { RunShard } from './run-shard.ts';

/**
 * Whether this engine's sending moves, by what comes out of it: an event loop that turns says nothing of a block that
 * waits for a permit that nobody gives back.
 *
 * - **Stalled**: shards run, and for `STALLED_AFTER_MS` no request ended and no block did. A request without an answer
 *   ends by its timeout, so silent push services are no stall. Paced and budgeted shards wait for their time, and count
 *   only by what they send.
 * - **Failing**: `FAILED_IN_A_ROW` blocks threw, none ended well in between, and the last one within a minute.
 */
export interface SendingWatch {
  watch(runShard: RunShard): RunShard;
  /** The observer, of whose reports the watch hears first. */
  over<Observer extends SendingObserver>(observer: Observer): Observer;
  /** Milliseconds since something moved, while shards run; else 0. */
  stillForMs(): number;
  isWell(): boolean;
}

export interface SendingObserver {
  blockEnded(ending: BlockEnding, durationMs: number): void;
  blockFailed(failure: BlockFailure): void;
  shardFailed(error: unknown): void;
}

export const STALLED_AFTER_MS = 60_000;
export const FAILED_IN_A_ROW = 3;
const FAILURES_MATTER_FOR_MS = 60_000;

/** @param answers grows, and may wrap around, with each request that ended on any thread. */
export function createSendingWatch(clock: Clock, answers: () => number): SendingWatch {
  let running = 0;
  let movedAt = clock.now();
  let seen = answers();
  let failedInARow = 0;
  let failedAt = Number.NEGATIVE_INFINITY;

  const moved = (): void => {
    movedAt = clock.now();
  };

  function stillForMs(): number {
    const now = answers();
    if (now !== seen) moved();
    seen = now;
    return running === 0 ? 0 : clock.now() - movedAt;
  }

  function failed(): void {
    failedInARow++;
    failedAt = clock.now();
  }

  const isFailing = (): boolean =>
    failedInARow >= FAILED_IN_A_ROW && clock.now() - failedAt < FAILURES_MATTER_FOR_MS;

  return {
    watch: (runShard) => async (shardId, run) => {
      let isRunning = true;
      running++;
      // Whoever waits for nothing has not moved either: the time counts from here.
      if (running === 1) moved();
      const leave = (): void => {
        if (isRunning) running--;
        isRunning = false;
      };
      const onPaced = (): void => {
        leave();
        run.onPaced();
      };
      const onProgress = (): void => {
        moved();
        run.onProgress();
      };
      try {
        return await runShard(shardId, { ...run, onPaced, onProgress });
      } finally {
        leave();
        moved();
      }
    },
    over: (observer) => ({
      ...observer,
      blockEnded(ending, durationMs) {
        if (ending.kind === 'ended' && !ending.left.failed && ending.sent !== null) failedInARow = 0;
        observer.blockEnded(ending, durationMs);
      },
      blockFailed(failure) {
        failed();
        observer.blockFailed(failure);
      },
      shardFailed(error) {
        failed();
        observer.shardFailed(error);
      },
    }),
    stillForMs,
    isWell: () => stillForMs() <= STALLED_AFTER_MS && !isFailing(),
  };
}
