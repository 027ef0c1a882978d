import type { Clock } from '../contract/concurrency/clock.ts';
import { pause } from '../contract/concurrency/clock.ts';
import { eachStep } from '../contract/concurrency/each-step.ts';
import { createForgetStep } from './forget.ts';
import type { RemovalStore, StatisticsChanges } from './ports.ts';

export interface RemovalPace {
  /** Rows of one statement. Small: sending must not slow down. */
  readonly rowsPerStep: number;
  /** Between two such steps. */
  readonly restMs: number;
  readonly forgetEveryMs: number;
  readonly forgetWaitMs: number;
  readonly sweepEveryMs: number;
  /** Of one kind of rows in one turn: the rest waits for the next, so that the other kinds come. */
  readonly sweepForMs: number;
}

export const gentlePace: RemovalPace = Object.freeze({
  rowsPerStep: 500,
  restMs: 100,
  forgetEveryMs: 600_000,
  forgetWaitMs: 300_000,
  sweepEveryMs: 600_000,
  sweepForMs: 60_000,
});

export interface RemovalDeps {
  readonly store: RemovalStore;
  readonly statistics: StatisticsChanges;
  /** Each removes some expired rows, and returns the number; bounded. */
  readonly sweeps: readonly (() => Promise<number>)[];
  readonly clock: Clock;
  readonly pace: RemovalPace;
  readonly signal: AbortSignal;
}

/** The step of each loop. Any of them may stop anywhere, and any engine continues where it stopped. */
export interface RemovalSteps {
  /** People who are being erased, deleted apps, and subscriptions that were unsubscribed long ago. */
  readonly remove: () => Promise<number>;
  /** Their rows in ClickHouse. */
  readonly forget: () => Promise<number>;
  /** Expired rows. */
  readonly sweep: () => Promise<number>;
}

/** Removes deleted rows in the background: paced, in bounded steps, beside other engines. */
export function createRemovalSteps(deps: RemovalDeps): RemovalSteps {
  const { store, pace, clock, signal } = deps;
  return {
    remove: async () => {
      const removed = await eachStep([
        () => store.eraseNextPart(),
        () => store.removeOfDeletedApp(pace.rowsPerStep),
        () => store.deleteExpired(pace.rowsPerStep),
      ]);
      if (removed > 0) await pause(clock, pace.restMs, signal);
      return removed;
    },
    forget: createForgetStep({
      ...deps,
      everyMs: pace.forgetEveryMs,
      waitAtMostMs: pace.forgetWaitMs,
    }),
    sweep: async () => {
      if (!(await store.takeTurn('sweep', pace.sweepEveryMs))) return 0;
      return eachStep(deps.sweeps.map((sweep) => () => sweepOut(sweep)));
    },
  };

  async function sweepOut(sweep: () => Promise<number>): Promise<number> {
    let total = 0;
    const until = clock.now() + pace.sweepForMs;
    while (clock.now() < until && !signal.aborted) {
      const swept = await sweep();
      if (swept === 0) break;
      total += swept;
      await pause(clock, pace.restMs, signal);
    }
    return total;
  }
}
