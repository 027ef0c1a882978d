import type { Lane } from '../contract/topics.ts';

/**
 * Releasing puts planned shards onto the log, through the outbox. The log hands out shards in the order they
 * came, so few of them may wait on it: the next ones are chosen again each time there is room, over all
 * organizations. The one with the fewest targets in flight goes first, then of its apps the one with the
 * fewest; a small delivery does not wait for a large one, and fifty apps of one publisher get no more of the
 * engines than another's single app.
 *
 * There is room after a plan, after a shard that settled (`ShardStore.settle` releases in its own transaction),
 * and after an engine that died, which the schedule's tick notices. See
 * `engine/adapters/postgres/plan/release-store.ts`.
 */
export interface ReleaseStore {
  /**
   * Right after a plan: fills the lane's window, or releases the paced shards that are due. Waits for its turn, a few
   * milliseconds.
   * @returns how many were released.
   */
  releaseFirst(lane: Lane, isPaced: boolean): Promise<number>;
  /**
   * All that is due: at most `limit` shards whose lease ended or whose message may be lost, then as many of each lane
   * as its window has room for, then paced ones, then those that wait for the budget of a push service. One engine at a time does so; for the others there is nothing to do.
   * @returns how many were released.
   */
  releaseDue(limit: number): Promise<number>;
}
