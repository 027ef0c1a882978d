import type { DayRange } from '../../engine/adapters/postgres/ad-ledger.ts';
import { addMonths, DAY_MS, daysBetween, dayText, knownDay, todayIn } from '../../engine/contract/days.ts';
import { zoneName } from '../../engine/contract/time-zone.ts';

/** Days on the calendar of `timezone`, as `YYYY-MM-DD`, both ends included. */
export interface ReportPeriod {
  /** Name of the IANA database. */
  readonly timezone: string;
  readonly start: string;
  readonly end: string;
  /** The period of `compare_to`; null: none. */
  readonly compared: ComparedPeriod | null;
}

export interface ComparedPeriod {
  readonly start: string;
  readonly end: string;
  /** How its days are shifted onto those of the period, so that the rows of both meet. */
  readonly shift: { readonly kind: 'days'; readonly days: number } | YearShift;
}

/** To the same date a year later, except for 29 February. */
export interface YearShift {
  readonly kind: 'year';
  /** The 28th, where it is compared with the 29th that the period begins with. */
  readonly ontoLeapDay: string | null;
  /** The 29th, where no day of the period is its date: it does not count. */
  readonly leftOut: string | null;
}

export type CompareTo = 'previous_period' | 'previous_year' | readonly [string, string];

export interface PeriodRequest {
  readonly selectedDate?: readonly [string, string];
  readonly timezone?: string;
  readonly compare_to?: CompareTo;
}

/** "3 months" by calendar: the end is at most the start plus this many. */
export const MAX_MONTHS = 3;
/** Of a job. */
export const MAX_JOB_MONTHS = 24;

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
  if (to === 'previous_year') return yearBefore(start, end);
  const days = end - start + 1;
  const first = to === 'previous_period' ? start - days : knownDay(to[0]);
  return {
    start: dayText(first),
    end: dayText(first + days - 1),
    shift: { kind: 'days', days: start - first },
  };
}

/**
 * From the same date a year earlier to the same date a year earlier, where the 28th replaces 29 February. Each
 * day has one counterpart, and none counts twice: a period that begins with the 29th is compared with the 28th;
 * one that holds both days has the 28th for the 28th and nothing for the 29th; and a 29 February of the year
 * before has no counterpart, and is left out.
 */
function yearBefore(start: number, end: number): ComparedPeriod {
  const [first, last] = [addMonths(start, -12), addMonths(end, -12)];
  const leapDay = daysBetween(first, last).map(dayText).find(isLeapDay) ?? null;
  return {
    start: dayText(first),
    end: dayText(last),
    shift: {
      kind: 'year',
      ontoLeapDay: isLeapDay(dayText(start)) ? dayText(first) : null,
      leftOut: leapDay,
    },
  };
}

const isLeapDay = (day: string): boolean => day.endsWith('-02-29');

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

/** The UTC days that hold any moment of the requested days, and of the compared ones. */
export function askedDays({ start, end, compared, timezone }: ReportPeriod): DayRange[] {
  const spans = [{ start, end }, ...(compared === null ? [] : [compared])];
  return spans.map((span) => ({
    firstDay: dayText(utcDayOf(knownDay(span.start), timezone, 'first')),
    lastDay: dayText(utcDayOf(knownDay(span.end), timezone, 'last')),
  }));
}

/** The first or last UTC day that holds a moment of the zone's day: its neighbour, where one reaches over midnight. */
function utcDayOf(day: number, timezone: string, which: 'first' | 'last'): number {
  if (timezone === 'UTC') return day;
  const [neighbour, moment] = which === 'first' ? [day - 1, day * DAY_MS - 1] : [day + 1, (day + 1) * DAY_MS];
  return todayIn(timezone, moment) === day ? neighbour : day;
}

export const utcDays = (timezone: string): { readonly margin: 0 | 1 } => ({
  margin: timezone === 'UTC' ? 0 : 1,
});
