import { locale } from '../texts/language.ts';
import { t } from '../texts/t.ts';
import { once } from './once.ts';

const numbers = once(() => new Intl.NumberFormat(locale));
const percents = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const finePercents = once(
  () => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
);
const smallShares = once(
  () => new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 }),
);
const times = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const days = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const clocks = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
const utcDays = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }));
const utcTimes = once(
  () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
);
const ago = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

export const formatNumber = (value: number): string => numbers().format(value);
const milliseconds = once(
  () => new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', unitDisplay: 'short' }),
);
/** `48 ms`. */
export const formatMilliseconds = (value: number): string => milliseconds().format(value);
const kilobytes = once(
  () =>
    new Intl.NumberFormat(locale, {
      ...{ style: 'unit', unit: 'kilobyte', unitDisplay: 'short' },
      maximumFractionDigits: 0,
    }),
);
/** `4 kB`, in French `4 ko`; at least one of what is not empty. */
export const formatKilobytes = (bytes: number): string => kilobytes().format(Math.ceil(bytes / 1_000));
/** `€86.51`. @param currency `EUR` and the like. */
export const formatMoney = (value: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);
/** `39.9%`, in German `39,9 %`; below one percent with two decimals. @param value percent, 0–100. */
export const formatPercent = (value: number): string =>
  (Math.abs(value) < 1 ? finePercents() : percents()).format(value / 100);
/**
 * A part of a whole, everywhere by one rule: rounded, but only the whole is 100 %, and only nothing is 0 %.
 */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (100 * part) / whole;
  if (part < whole && percent > MOST_OF_A_PART) return formatPercent(MOST_OF_A_PART);
  return part > 0 && percent < LEAST ? `<\u00a0${formatPercent(LEAST)}` : formatPercent(percent);
}
/** `+12.5%`, `−3%`, `0%`. @param value percent. */
export const formatChange = (value: number): string => formatSigned(value, formatPercent);
/** `+€3.20`, `−12`. A line may end between two signs: a word joiner keeps that of a currency beside its own. */
export function formatSigned(value: number, format: (value: number) => string): string {
  const text = format(Math.abs(value));
  if (value === 0) return text;
  return `${value > 0 ? '+' : '−'}${/^\d/.test(text) ? '' : '\u2060'}${text}`;
}
/** `5–10%`. @param from percent, as its end. */
export const formatPercents = (from: number, to: number): string =>
  finePercents().formatRange(from / 100, to / 100);
/** `0.012%`: of shares far below one percent. */
export const formatSmallShare = (value: number): string => smallShares().format(value / 100);
/** What stands after a number to make it percent; in some languages a space comes first. */
export const percentSign = (): string =>
  percents()
    .formatToParts(0)
    .flatMap(({ type, value }) => (type === 'integer' ? [] : [value]))
    .join('');

const MOST_LIKELY = 99.9;
const LEAST_LIKELY = 0.1;
/** A probability is never certain: neither 0 nor 100 %. @param value percent, 0–100. */
export function formatChance(value: number): string {
  if (value > MOST_LIKELY) return `>\u00a0${formatPercent(MOST_LIKELY)}`;
  return value < LEAST_LIKELY ? `<\u00a0${formatPercent(LEAST_LIKELY)}` : formatPercent(value);
}
const MOST_OF_A_PART = 99.9;
const LEAST = 0.01;

export const formatTime = (iso: string | null): string =>
  iso === null ? t.never : times().format(new Date(iso));
/** `Nov 27, 2026, 7:30 – 9:30 AM`; a time alone where both are the same minute. */
export const formatTimes = (first: string, last: string): string =>
  times().formatRange(new Date(first), new Date(last));
/** `Nov 26, 2026, 12:00 AM UTC`: of data whose days are those of UTC, whoever reads it. */
export const formatUtcTime = (iso: string): string => `${utcTimes().format(new Date(iso))} UTC`;
/** On the clocks of a place: `Nov 26, 2026, 7:00 AM (Asia/Tokyo)`; its name only where the reader's are others. */
export const formatTimeIn = (iso: string, timeZone: string): string => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (timeZone === own) return formatTime(iso);
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone } as const;
  return `${new Intl.DateTimeFormat(locale, options).format(new Date(iso))} (${timeZone})`;
};
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
