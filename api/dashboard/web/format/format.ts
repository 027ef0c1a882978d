import { locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { once } from './once.ts';

const numbers = once(() => new Intl.NumberFormat(locale));
const percents = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const times = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const clocks = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
const utcDays = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
const ago = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

export const formatNumber = (value: number): string => numbers().format(value);
const milliseconds = once(
  () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' }),
);
/** `48 ms`. */
export const formatMilliseconds = (value: number): string => milliseconds().format(value);
/** `€86.51`. @param currency `EUR` and the like. */
export const formatMoney = (value: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);
/** @param value percent, 0–100. */
export const formatPercent = (value: number): string => `${percents().format(value)} %`;
/**
 * A part of a whole, everywhere by one rule: rounded, but only the whole is 100 %, and only nothing is 0 %.
 */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part < whole && percent > MOST_OF_A_PART) return formatPercent(MOST_OF_A_PART);
  return part > 0 && percent < LEAST ? `< ${formatPercent(LEAST)}` : formatPercent(percent);
}
const MOST_OF_A_PART = 99.9;
const LEAST = 0.1;

export const formatTime = (iso: string | null): string =>
  iso === null ? t.never : times().format(new Date(iso));
/** `Nov 27, 2026, 7:30 – 9:30 AM`; a time alone where both are the same minute. */
export const formatTimes = (first: string, last: string): string =>
  times().formatRange(new Date(first), new Date(last));
/** With seconds: `12:03:10`. */
export const formatClock = (iso: string): string => clocks().format(new Date(iso));
export const formatDay = (iso: string | null): string =>
  iso === null ? t.never : days().format(new Date(iso));
export const formatUtcDay = (date: Date): string => utcDays().format(date);

const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** `2 hours ago`; after a month the day itself. */
export function formatAgo(iso: string | null, now: number = Date.now()): string {
  if (iso === null) return t.never;
  const seconds = Math.round((new Date(iso).getTime() - now) / 1_000);
  if (Math.abs(seconds) > 30 * 86_400) return formatDay(iso);
  const fitting = units.find((each) => Math.abs(seconds) >= each.seconds);
  return fitting === undefined
    ? ago().format(seconds, 'second')
    : ago().format(Math.round(seconds / fitting.seconds), fitting.unit);
}
