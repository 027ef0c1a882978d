import type { FieldErrors } from '../../../engine/kit/http/problem.ts';

/** Whole days in UTC. */
export interface Period {
  /** `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  readonly firstDay: string;
  /** The moments it lies between; `until` excluded. */
  readonly from: Date;
  readonly until: Date;
}

const DAY_MS = 86_400_000;

export const DEFAULT_DAYS = 30;
/** Of a period with a beginning: a year, one with 29 February too. */
export const MOST_DAYS = 366;

export interface PeriodQuery {
  readonly days?: number;
  readonly from?: string;
  readonly to?: string;
}

/** The period that a request names, by its length or by its ends. */
export function askedPeriod(query: PeriodQuery, nowMs: number): Period | { readonly errors: FieldErrors } {
  const { days, from, to } = query;
  const todayMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  if (from === undefined && to === undefined) return periodOf(days ?? DEFAULT_DAYS, todayMs);
  if (days !== undefined) return wrong('days', 'Give either days, or from and to.');
  if (from === undefined) return wrong('from', 'Give the first day of the period, too.');
  const [fromMs, toMs] = [Date.parse(from), to === undefined ? todayMs : Date.parse(to)];
  if (toMs > todayMs)
    return wrong('to', `The period may end today (${dayOf(todayMs)} in UTC) at the latest.`);
  const length = (toMs - fromMs) / DAY_MS + 1;
  if (length < 1) return wrong(to === undefined ? 'from' : 'to', 'The period ends before it begins.');
  if (length > MOST_DAYS)
    return wrong('from', `A period has ${MOST_DAYS} days at most; this one has ${length}.`);
  return periodOf(length, toMs);
}

const wrong = (field: string, message: string) => ({ errors: { [field]: [message] } });

/** @param lastMs any moment of the last day. */
export function periodOf(length: number, lastMs: number): Period {
  const untilMs = (Math.floor(lastMs / DAY_MS) + 1) * DAY_MS;
  const fromMs = untilMs - length * DAY_MS;
  const days = Array.from({ length }, (_, day) => dayOf(fromMs + day * DAY_MS));
  return { days, firstDay: dayOf(fromMs), from: new Date(fromMs), until: new Date(untilMs) };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** One entry a day: the found one, otherwise `empty`. */
export function fillDays<Found extends { readonly date: string }>(
  period: Period,
  found: readonly Found[],
  empty: Omit<Found, 'date'>,
): (Omit<Found, 'date'> & { readonly date: string })[] {
  const byDay = new Map(found.map((row) => [row.date, row]));
  return period.days.map((date) => byDay.get(date) ?? { date, ...empty });
}
