import { addMonths, dayText } from './days.ts';

type Span = (today: number) => readonly [first: number, last: number];

/** Both ends included; `to_date` goes up to today, every other one but `today` ends before it. Weeks begin on Monday. */
const spans = {
  today: (today) => [today, today],
  yesterday: (today) => [today - 1, today - 1],
  last_7_days: (today) => [today - 7, today - 1],
  last_14_days: (today) => [today - 14, today - 1],
  last_28_days: (today) => [today - 28, today - 1],
  last_30_days: (today) => [today - 30, today - 1],
  last_90_days: (today) => [today - 90, today - 1],
  week_to_date: (today) => [weekOf(today), today],
  last_week: (today) => [weekOf(today) - 7, weekOf(today) - 1],
  month_to_date: (today) => [monthOf(today, 1), today],
  last_month: (today) => wholeMonths(today, 1),
  quarter_to_date: (today) => [monthOf(today, 3), today],
  previous_quarter: (today) => wholeMonths(today, 3),
  year_to_date: (today) => [monthOf(today, 12), today],
  last_year: (today) => wholeMonths(today, 12),
} as const satisfies Readonly<Record<string, Span>>;

/** Days that move with the calendar. */
export type RelativePeriod = keyof typeof spans;
export const relativePeriods = Object.keys(spans) as readonly RelativePeriod[];

/** Monday of 1970-01-05 is day 4. */
const weekOf = (day: number): number => day - ((((day - 4) % 7) + 7) % 7);

/** The first day of the month, quarter or year that holds the day. */
function monthOf(day: number, months: 1 | 3 | 12): number {
  const [year = 0, month = 1] = dayText(day).split('-').map(Number);
  return Date.UTC(year, Math.floor((month - 1) / months) * months, 1) / 86_400_000;
}

function wholeMonths(today: number, months: 1 | 3 | 12): readonly [number, number] {
  const next = monthOf(today, months);
  return [addMonths(next, -months), next - 1];
}

/** @param today as the calendar of the report's time zone shows it. @returns days as `YYYY-MM-DD`. */
export function relativeDays(period: RelativePeriod, today: number): readonly [first: string, last: string] {
  const [first, last] = spans[period](today);
  return [dayText(first), dayText(last)];
}

/** Whether all its days are over, so that they can be final. */
export const isOverBefore = (period: RelativePeriod, today: number): boolean =>
  spans[period](today)[1] < today;
