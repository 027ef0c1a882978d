/** Moves what is due; `engine/adapters/postgres/schedule-store.ts` has it. */
export interface ScheduleStore {
  startDueDeliveries(limit: number): Promise<number>;
  /** Those that were put onto the log so long ago that it may have lost them. */
  publishQueuedAgain(limit: number): Promise<number>;
  releaseDueShards(limit: number): Promise<number>;
}

const DUE_PER_TICK = 200;

export type Tick = () => Promise<number>;

/** One look at what is due. Runs in every engine; the database sees that each row is moved once. */
export function createScheduleTick(deps: {
  readonly store: ScheduleStore;
  readonly wakeRelay: () => void;
}): Tick {
  return async function scheduleTick() {
    const deliveries = await deps.store.startDueDeliveries(DUE_PER_TICK);
    const queued = await deps.store.publishQueuedAgain(DUE_PER_TICK);
    const shards = await deps.store.releaseDueShards(DUE_PER_TICK);
    const moved = deliveries + queued + shards;
    if (moved > 0) deps.wakeRelay();
    return moved;
  };
}
