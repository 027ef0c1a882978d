import { locale } from '../texts/language.ts';

const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
const shortDays = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `12K`: an axis has little room. */
export const compactNumber = (value: number): string => compact.format(value);

/** `2026-01-31` → `31 Jan`; the days of the API are days in UTC. */
export const shortDay = (day: string): string => shortDays.format(new Date(`${day}T00:00:00Z`));

/** Of an axis with numbers. */
export const numberAxis = { tickFormatter: compactNumber, width: 48, allowDecimals: false } as const;

const MOST_LETTERS = 22;
/** A bar's label. */
export const shortName = (name: string): string =>
  name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;

/** Of an axis with days: even steps, whatever has room. */
export const dayAxis = { interval: 'equidistantPreserveStart' } as const;
