import type { Clock } from '../../engine/contract/concurrency/clock.ts';
import { createRecent } from '../../engine/contract/concurrency/recent.ts';
import type { Rate } from '../../engine/contract/rate-table.ts';
import type { RatesOfDays } from './rates.ts';

export interface RecentRates {
  readonly ratesOf: RatesOfDays;
  /** Later calls use no earlier read, not even a running one. */
  forget(): void;
}

/** How long another process's write may be missed: `broadside fx import`, or rates on the log. */
export const RATES_KEPT_SECONDS = 5;
/** A quarter of all currencies has some 17,000 rates, so 16 hold at most some 30 MB; usually one. */
const MAX_RUNS_OF_DAYS = 16;

/**
 * Reading rates takes longer than a light report itself, and a page of reports needs the same days at once. A
 * report's conversion and its meta use one result, so they never differ.
 */
export function createRecentRates(read: RatesOfDays, clock: Pick<Clock, 'now'>): RecentRates {
  const create = () =>
    createRecent(MAX_RUNS_OF_DAYS, (): { rates: Promise<readonly Rate[]>; until: number } => ({
      rates: Promise.resolve([]),
      until: Number.NEGATIVE_INFINITY,
    }));
  let recent = create();

  return {
    forget: () => {
      recent = create();
    },
    ratesOf: (firstDay, lastDay) => {
      const entry = recent.use(`${firstDay} ${lastDay}`);
      const now = clock.now();
      if (now < entry.until) return entry.rates;
      // From its start: a write during the read may be missed too.
      entry.until = now + RATES_KEPT_SECONDS * 1_000;
      entry.rates = read(firstDay, lastDay);
      entry.rates.catch(() => {
        entry.until = Number.NEGATIVE_INFINITY;
      });
      return entry.rates;
    },
  };
}
