/** From the URL, so that a view can be kept as a link. Without any of them: the last 30 days. */
export interface PeriodSearch {
  /** The last days; today is the last of them. */
  readonly days?: number;
  /** Parts of the calendar, which move with it. */
  readonly period?: CalendarPart;
  /** Two days of your own. */
  readonly from?: string;
  readonly to?: string;
}

export interface AnalyticsSearch extends PeriodSearch {
  readonly compare?: Comparison;
  readonly currency?: 'USD';
}

export const calendarParts = ['month', 'last-month', 'year'] as const;
export type CalendarPart = (typeof calendarParts)[number];
export const comparisons = ['previous', 'year-before'] as const;
export type Comparison = (typeof comparisons)[number];

export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 90;
/** Of a period with a beginning. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

export const isPeriod = (days: unknown): days is number =>
  Number.isInteger(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS;

/** Days in UTC, both included. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const lengthOf = ({ from, to }: Range): number => (msOf(to) - msOf(from)) / DAY_MS + 1;

export const today = (nowMs: number = Date.now()): string => dayOf(nowMs);

/** Whether the API takes it; a range that ends after today is cut there. */
export function isRange(from: unknown, to: unknown): boolean {
  const days = [from, to].map((day) => (typeof day === 'string' ? day : ''));
  if (!days.every((day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && dayOf(msOf(day) || 0) === day)) return false;
  const length = lengthOf({ from: days[0] ?? '', to: days[1] ?? '' });
  return length >= 1 && length <= MOST_DAYS;
}

/** The days that a search means. */
export function rangeOf({ days, period, from, to }: PeriodSearch, nowMs: number = Date.now()): Range {
  const last = today(nowMs);
  if (from !== undefined && to !== undefined) return { from, to: to > last ? last : to };
  const [year = '', month = ''] = last.split('-');
  if (period === 'month') return { from: `${year}-${month}-01`, to: last };
  if (period === 'year') return { from: `${year}-01-01`, to: last };
  if (period === 'last-month') {
    const end = msOf(`${year}-${month}-01`) - DAY_MS;
    return { from: `${dayOf(end).slice(0, 8)}01`, to: dayOf(end) };
  }
  return { from: dayOf(msOf(last) - ((days ?? DEFAULT_DAYS) - 1) * DAY_MS), to: last };
}

/** What a range is compared with: as many days just before it, or the same days of the year before. */
export function rangeBefore(range: Range, comparison: Comparison): Range {
  if (comparison === 'previous') {
    const end = msOf(range.from) - DAY_MS;
    return { from: dayOf(end - (lengthOf(range) - 1) * DAY_MS), to: dayOf(end) };
  }
  return { from: yearBefore(range.from), to: yearBefore(range.to) };
}

/** 29 February has the 28th. */
function yearBefore(day: string): string {
  const [year, ...rest] = day.split('-');
  const same = `${Number(year) - 1}-${rest.join('-')}`;
  return dayOf(msOf(same)) === same ? same : same.replace('-02-29', '-02-28');
}

/** As the API takes it: a range that ends today by this clock may not have ended by the API's. */
export const queryOf = ({ from, to }: Range): { from: string; to?: string } =>
  to >= today() ? { from } : { from, to };

/** Only what differs from the usual view stands in the URL. */
export function readSearch(given: Record<string, unknown>): AnalyticsSearch {
  const { days, from, to } = given;
  const period = calendarParts.find((each) => each === given.period);
  const compare = comparisons.find((each) => each === given.compare);
  const shown: PeriodSearch = isRange(from, to)
    ? { from: String(from), to: String(to) }
    : period !== undefined
      ? { period }
      : isPeriod(days) && days !== DEFAULT_DAYS
        ? { days }
        : {};
  return {
    ...shown,
    ...(compare === undefined ? {} : { compare }),
    ...(given.currency === 'USD' ? { currency: 'USD' } : {}),
  };
}

/** The last days up to today, in UTC. */
export const lastDays = (days: number, nowMs: number = Date.now()): Range => ({
  from: dayOf(nowMs - (days - 1) * 86_400_000),
  to: dayOf(nowMs),
});
