import { formatUtcTime } from '../format/format.ts';
import { t } from '../texts/t.ts';
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

interface Certainty {
  readonly days?: readonly { readonly state: 'open' | 'complete' | 'final' | null }[];
  readonly complete_until: string | null;
}

/** Whether figures may change, in words: what was said of each day goes before what was said of a time. */
export function certaintyOf({ days = [], complete_until: until }: Certainty): string {
  const words = t.reports;
  const states = new Set(days.map(({ state }) => state));
  const isOpen = days.length === 0 || states.has('open') || states.has(null);
  if (!isOpen) return states.has('complete') ? words.complete : words.final;
  return until === null ? words.incomplete : words.completeUntil(formatUtcTime(until));
}
