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
  return async function scheduleTick() {
    const deliveries = await deps.store.startDueDeliveries(DUE_PER_TICK);
    const queued = await deps.store.publishQueuedAgain(DUE_PER_TICK);
    const shards = await deps.release.releaseDue(DUE_PER_TICK);
    const moved = deliveries + queued + shards;
    if (moved > 0) deps.wakeRelay();
    return moved;
  };
}
