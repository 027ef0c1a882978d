import { eachStep } from '../contract/concurrency/each-step.ts';
import type { ReleaseStore } from './release.ts';

/** Moves due rows, see `engine/adapters/postgres/plan/schedule-store.ts`. */
export interface ScheduleStore {
  startDueDeliveries(limit: number): Promise<number>;
  /** Shards that were put onto the log this long ago, which may have lost them. */
  publishQueuedAgain(limit: number): Promise<number>;
}

const DUE_PER_TICK = 200;

export type Tick = () => Promise<number>;

/** One check for due rows. Runs in every engine; the database ensures that each row is moved once. */
export function createScheduleTick(deps: {
  readonly store: ScheduleStore;
  readonly release: ReleaseStore;
  readonly wakeRelay: () => void;
}): Tick {
  const woken = (step: Promise<number>) =>
    step.then((moved) => {
      if (moved > 0) deps.wakeRelay();
      return moved;
    });
  // What cannot be started keeps no shard from its release.
  return () =>
    eachStep([
      () => woken(deps.store.startDueDeliveries(DUE_PER_TICK)),
      () => woken(deps.store.publishQueuedAgain(DUE_PER_TICK)),
      () => woken(deps.release.releaseDue(DUE_PER_TICK)),
    ]);
}
