import { moved } from './periods.ts';

/** Every day, month or year of a period, as rows name it: a chart has a gap where one has no row. */
export function timesBetween(time: 'day' | 'month' | 'year', first: string, last: string): readonly string[] {
  const letters = { day: 10, month: 7, year: 4 }[time];
  const times: string[] = [];
  for (let day = first; day <= last && times.length <= MOST_TIMES; day = moved(day, 1)) {
    const at = day.slice(0, letters);
    if (times.at(-1) !== at) times.push(at);
  }
  return times;
}

/** A report has three months at most. */
const MOST_TIMES = 100;

/**
 * Whether the figures of a day, month or year will grow: it has not ended, or the ad servers have not told all of it.
 * @param today in the report's time zone.
 * @param completeUntil as the report says it; null: not known.
 */
export const isUnfinished = (at: string, today: string, completeUntil: string | null): boolean =>
  [today, ...(completeUntil === null ? [] : [completeUntil])].some(
    (known) => at >= known.slice(0, at.length),
  );
