import { addMonths, dayText, knownDay, todayIn, zoneName } from './days.ts';

/** Days on the calendar of `timezone`, as `YYYY-MM-DD`, both ends included. */
export interface ReportPeriod {
  /** Name of the IANA database. */
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  /** What `compare_to` asks for; null: nothing. */
  readonly compared: ComparedPeriod | null;
}

export interface ComparedPeriod {
  readonly start: string;
  readonly end: string;
  /** How its days are moved onto those of the period, so that the rows of both meet. */
  readonly shift: { readonly kind: 'days'; readonly days: number } | { readonly kind: 'year' };
}

export type CompareTo = 'previous_period' | 'previous_year' | readonly [string, string];

export interface PeriodRequest {
  readonly selectedDate?: readonly [string, string];
  readonly timezone?: string;
  readonly compare_to?: CompareTo;
}

/** "3 months" by calendar: the end is at most the start plus so many. */
export const MAX_MONTHS = 3;
export const latestEnd = (start: number): number => addMonths(start, MAX_MONTHS);

/** Of a request that was checked. Without `selectedDate` it is today, as the request's timezone has it. */
export function periodOf(
  { selectedDate, timezone = 'UTC', compare_to }: PeriodRequest,
  nowMs: number,
): ReportPeriod {
  const zone = zoneName(timezone) ?? 'UTC';
  const today = dayText(todayIn(zone, nowMs));
  const [start, end] = selectedDate ?? [today, today];
  const compared =
    compare_to === undefined ? null : comparedPeriod(knownDay(start), knownDay(end), compare_to);
  return { timezone: zone, start, end, compared };
}

function comparedPeriod(start: number, end: number, to: CompareTo): ComparedPeriod {
  if (to === 'previous_year') {
    return {
      start: dayText(yearBefore(start)),
      end: dayText(yearBefore(end + 1) - 1),
      shift: { kind: 'year' },
    };
  }
  const days = end - start + 1;
  const first = to === 'previous_period' ? start - days : knownDay(to[0]);
  return {
    start: dayText(first),
    end: dayText(first + days - 1),
    shift: { kind: 'days', days: start - first },
  };
}

/**
 * The first day that a year later is this one or comes after it. The 29th of February meets the 28th of the
 * next year, so of 28 February 2025 it is 28 February 2024, and of 29 February 2024 it is 1 March 2023.
 */
function yearBefore(day: number): number {
  const before = addMonths(day, -12);
  return addMonths(before, 12) < day ? before + 1 : before;
}

/** The UTC days that the report touches, its comparison included: any zone's day lies within a UTC day around it. */
export function touchedDays({ start, end, compared, timezone }: ReportPeriod): {
  readonly firstDay: string;
  readonly lastDay: string;
} {
  const first = Math.min(knownDay(start), knownDay(compared?.start ?? start));
  const last = Math.max(knownDay(end), knownDay(compared?.end ?? end));
  const { margin } = utcDays(timezone);
  return { firstDay: dayText(first - margin), lastDay: dayText(last + margin) };
}

export const utcDays = (timezone: string): { readonly margin: 0 | 1 } => ({
  margin: timezone === 'UTC' ? 0 : 1,
});
