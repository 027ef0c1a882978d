import type { Rate } from '../../engine/adapters/clickhouse/earnings.ts';
import type { Clock } from '../../engine/contract/clock.ts';
import { createRecent } from '../../engine/contract/recent.ts';
import type { RatesOfDays } from './rates.ts';

export interface RecentRates {
  readonly ratesOf: RatesOfDays;
  /** Nothing that was read, or is being read, is used for what is asked from now on. */
  forget(): void;
}

/** For so long what another process wrote may be missed: `broadside fx import`, or rates on the log. */
export const RATES_KEPT_SECONDS = 5;
/** A quarter of all currencies has some 17,000 rates, so 16 hold at most some 30 MB; usually one. */
const MAX_RUNS_OF_DAYS = 16;

/**
 * Reading rates takes longer than a light report itself, and a page of reports asks for the same days at once.
 * What a report is converted with and what its meta says of it are one answer, so they never differ.
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
      // From when it was begun: what is written while it is read may be missed too.
      entry.until = now + RATES_KEPT_SECONDS * 1_000;
      entry.rates = read(firstDay, lastDay);
      entry.rates.catch(() => {
        entry.until = Number.NEGATIVE_INFINITY;
      });
      return entry.rates;
    },
  };
}
