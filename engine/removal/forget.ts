import { type Clock, pause } from '../contract/concurrency/clock.ts';
import type { RemovalStore, StatisticsChanges } from './ports.ts';

/** The bound of one change: the keys are part of its text, and ClickHouse takes 256 KB. */
const APPS_PER_CHANGE = 100;
const SUBSCRIPTIONS_PER_CHANGE = 5_000;
const LOOK_AGAIN_MS = 1_000;

export interface ForgetDeps {
  readonly store: RemovalStore;
  readonly statistics: StatisticsChanges;
  readonly clock: Clock;
  /** A change rewrites a column of every part that names one of its subscriptions: few large ones cost least. */
  readonly everyMs: number;
  /** How long one step waits for its change; a later step finds a slower one done. */
  readonly waitAtMostMs: number;
  readonly signal: AbortSignal;
}

/**
 * Deletes in ClickHouse what was deleted in Postgres. Postgres remembers pending rows until ClickHouse is done,
 * so a crash anywhere repeats a change, which changes nothing. One change at a time: otherwise every step would
 * add one to a slow one. The texts of ended changes are deleted at the end of every step, also of one that
 * finds nothing due: the process that made them may have died meanwhile.
 * @returns a step that resolves to how much it forgot.
 */
export function createForgetStep(deps: ForgetDeps): () => Promise<number> {
  const { store, statistics, clock } = deps;

  return async function forgetStep() {
    if (!(await store.takeTurn('forget', deps.everyMs))) return 0;
    if (await statistics.changing()) return 0;
    const forgotten = await forgetDue();
    await statistics.dropTexts();
    return forgotten;
  };

  async function forgetDue(): Promise<number> {
    const apps = await store.dueApps(APPS_PER_CHANGE);
    const due = await store.dueSubscriptions(SUBSCRIPTIONS_PER_CHANGE);
    if (apps.length > 0) await statistics.deleteApps(apps.map(({ appId }) => appId));
    if (due !== null) await statistics.makeAnonymous(due.subscriptions, due.key);
    if (!(await ended())) return 0;
    if (apps.length > 0) await store.noteAppsForgotten(apps);
    if (due !== null) await store.noteSubscriptionsForgotten(due);
    return apps.length + (due?.subscriptions.length ?? 0);
  }

  async function ended(): Promise<boolean> {
    const until = clock.now() + deps.waitAtMostMs;
    while (await statistics.changing()) {
      if (deps.signal.aborted || clock.now() >= until) return false;
      await pause(clock, LOOK_AGAIN_MS, deps.signal);
    }
    return true;
  }
}
