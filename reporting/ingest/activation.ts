import type { DayState } from '../../engine/contract/day-states.ts';
import type { DayTimes } from './ad-stats-store.ts';

interface LoadTotals {
  readonly rows: number;
  readonly refused: number;
  /** UTC days `YYYY-MM-DD` that have rows. */
  readonly days: readonly string[];
  readonly times?: readonly DayTimes[];
}

export interface Activation extends LoadTotals {
  readonly load: number;
  readonly completeUntil: Date | null;
  /** Of a restatement: the days of the source that it replaces, also those without a row; otherwise those of its rows. */
  readonly onlyDays?: readonly string[] | null;
  /** What the import says of its days. */
  readonly says?: Exclude<DayState, 'open'> | null;
  /** An import may change final days only where it says so; batches of the log always do. */
  readonly mayChangeFinal?: boolean;
}

/** Days that a load has rows of, or replaces. */
export const daysOf = ({ days, onlyDays }: Pick<Activation, 'days' | 'onlyDays'>): readonly string[] => [
  ...new Set([...days, ...(onlyDays ?? [])]),
];
