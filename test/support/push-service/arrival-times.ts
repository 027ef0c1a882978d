/** When messages were accepted, counted in steps of 10 ms: what a bench makes percentiles of. */
export interface ArrivalTimes {
  note(): void;
  read(): Arrivals;
}

export interface Arrivals {
  /** When counting began, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly stepMs: number;
  /** Messages accepted in each step; the last one possible holds whatever came later. */
  readonly counts: readonly number[];
}

/** Of a run of the ledger. */
export interface RunArrivals extends Arrivals {
  /** Of the indexes below the one that the run was marked with, in the same steps. */
  readonly others: readonly number[];
}

const STEP_MS = 10;
/** An hour. */
const MAX_STEPS = 360_000;

export function createArrivalTimes(now: () => number): ArrivalTimes {
  const startedAtMs = now();
  const counts: number[] = [];
  return {
    note() {
      const step = Math.min(MAX_STEPS - 1, Math.max(0, Math.floor((now() - startedAtMs) / STEP_MS)));
      while (counts.length <= step) counts.push(0);
      counts[step] = (counts[step] as number) + 1;
    },
    read: () => ({ startedAtMs, stepMs: STEP_MS, counts: [...counts] }),
  };
}
