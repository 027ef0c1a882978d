import { t } from '../texts/t.ts';

/** The browser's own language for numbers and times, whatever language the texts are in. */
const numbers = new Intl.NumberFormat();
const percents = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const utcDays = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

export const formatNumber = (value: number): string => numbers.format(value);
/** `€86.51`. @param currency `EUR` and the like. */
export const formatMoney = (value: number, currency: string): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value);
/** @param value percent, 0–100. */
export const formatPercent = (value: number): string => `${percents.format(value)} %`;
export const formatTime = (iso: string | null): string =>
  iso === null ? t.never : times.format(new Date(iso));
export const formatDay = (iso: string | null): string =>
  iso === null ? t.never : days.format(new Date(iso));
export const formatUtcDay = (date: Date): string => utcDays.format(date);

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
    ? ago.format(seconds, 'second')
    : ago.format(Math.round(seconds / fitting.seconds), fitting.unit);
}
