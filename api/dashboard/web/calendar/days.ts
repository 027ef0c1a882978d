import { once } from '../format/once.ts';
import { locale } from '../texts/language.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-23`, in the browser's own zone, as everything here. */
export const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The beginning of a day; today's where the text is none. */
export function startOf(day: string | undefined): Date {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  const start = year === undefined ? new Date() : new Date(Number(year), Number(month) - 1, Number(date));
  start.setHours(0, 0, 0, 0);
  return start;
}

/** Days have 23 to 25 hours. */
export function addDays(date: Date, days: number): Date {
  const moved = new Date(date);
  moved.setDate(moved.getDate() + days);
  return moved;
}

interface WithWeek {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

/** 1 for Monday, 7 for Sunday: as the reader's region has it, where the browser knows. */
function firstDay(): number {
  const known = new Intl.Locale(locale) as WithWeek;
  return (known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1;
}

export function startOfWeek(date: Date): Date {
  const start = startOf(dayOf(date));
  return addDays(start, -((((start.getDay() || 7) - firstDay()) % 7) + 7) % 7);
}

export const startOfMonth = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), 1);

export type View = 'month' | 'week';

/** The days that a view shows: whole weeks. */
export function daysOf(view: View, day: Date): Date[] {
  if (view === 'week') return fill(startOfWeek(day), 7);
  const first = startOfMonth(day);
  const last = new Date(day.getFullYear(), day.getMonth() + 1, 0);
  const start = startOfWeek(first);
  const weeks = Math.ceil((Math.round((last.getTime() - start.getTime()) / DAY_MS) + 1) / 7);
  return fill(start, weeks * 7);
}

/** What is to come first: seven days from today, or the weeks from this one on. */
export const daysToCome = (view: View): Date[] => {
  const today = startOf(undefined);
  return view === 'week' ? fill(today, 7) : fill(startOfWeek(today), WEEKS_TO_COME * 7);
};
/** As many as most months have. */
const WEEKS_TO_COME = 5;
const DAY_MS = 86_400_000;
const fill = (start: Date, days: number): Date[] =>
  Array.from({ length: days }, (_, index) => addDays(start, index));

/** The same day of the next month, or its last. */
export function step(view: View, day: Date, steps: 1 | -1): Date {
  if (view === 'week') return addDays(day, 7 * steps);
  return new Date(day.getFullYear(), day.getMonth() + steps, 1);
}

const months = once(() => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));
const firsts = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }));
const longDays = once(
  () => new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' }),
);
const weekdays = once(() => new Intl.DateTimeFormat(locale, { weekday: 'short' }));
const clocks = once(() => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }));
const hours = once(() => new Intl.DateTimeFormat(locale, { hour: 'numeric' }));
const ranges = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));

export const monthName = (date: Date): string => months().format(date);
/** The first of a month with its name: days of two months stand in one table. */
export const numberOf = (date: Date): string =>
  date.getDate() === 1 ? firsts().format(date) : String(date.getDate());
export const longDay = (date: Date): string => longDays().format(date);
export const weekday = (date: Date): string => weekdays().format(date);
export const clock = (date: Date): string => clocks().format(date);
export const hourName = (hour: number): string => hours().format(new Date(2026, 0, 1, hour));
export const rangeOf = (from: Date, last: Date): string => ranges().formatRange(from, last);
