import { DAY_MS } from '../../../../engine/contract/time-zone.ts';
import { trimmed } from '../../../../engine/contract/trimmed.ts';

/** In which order a date names day, month and year: `14/03/2026`, `03/14/2026`, `26/03/14`. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A date as it was written, before its order is known. */
export interface WrittenDate {
  /** The day by each order in which it can be read, as `YYYY-MM-DD`. One that is certain has one alone. */
  readonly days: Readonly<Partial<Record<DateOrder | 'certain', string>>>;
  /** `HH:MM:SS`; null: the day has no time. */
  readonly time: string | null;
  /** `Z` or `+01:00`; null: none is written. */
  readonly offset: string | null;
}

const MAX_LENGTH = 64;

/** A day or a time as this service stores it: no other reading is looked for. */
export const STORED_DATE =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)? ?([AaPp]\.?[Mm]\.?)? ?(Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/;
const HOUR_ALONE = /^(\d{1,2}) ?([AaPp]\.?[Mm]\.?)$/;

/** Null: it is not a date in any form. */
export function writtenDate(text: string): WrittenDate | null {
  const whole = trimmed(text);
  if (whole === '' || whole.length > MAX_LENGTH) return null;
  const serial = serialDate(whole) ?? compactDate(whole);
  if (serial !== null) return serial;
  const { day, rest } = dayAndRest(whole);
  const days = daysOf(day);
  if (days === null) return null;
  if (rest === '') return { days, time: null, offset: null };
  const time = timeOf(rest);
  return time === null ? null : { days, ...time };
}

/** The time begins at its first colon's digits, or after a T. */
function dayAndRest(text: string): { readonly day: string; readonly rest: string } {
  const colon = text.indexOf(':');
  if (colon === -1) return { day: text, rest: '' };
  let from = colon;
  while (from > 0 && /\d/.test(text[from - 1] as string)) from--;
  return { day: withoutJoint(trimmed(text.slice(0, from))), rest: text.slice(from) };
}

/** What stands between a day and its time. */
function withoutJoint(day: string): string {
  return /[T,]$/.test(day) ? trimmed(day.slice(0, -1)) : day;
}

function timeOf(text: string): { readonly time: string; readonly offset: string | null } | null {
  const [, hour, minute, second = '00', half, zone] = TIME.exec(text) ?? [];
  const hours = hour === undefined ? null : hourOf(Number(hour), half);
  if (hours === null || Number(minute) > 59 || Number(second) > 59) return null;
  const offset = zone === undefined ? null : /^[ZUG]/.test(zone) ? 'Z' : zone;
  return { time: `${two(hours)}:${minute}:${second}`, offset };
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour < 24 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

/** An hour in a column of its own: `5`, `05:00`, `5 AM`, `05:00 - 06:00`. Null: it is none. */
export function hourOfDay(text: string): number | null {
  const [first = ''] = trimmed(text).split(/ ?[-–] ?(?=\d)/, 1);
  if (/^\d{1,2}$/.test(first)) return Number(first) < 24 ? Number(first) : null;
  const [, hour, half] = HOUR_ALONE.exec(first) ?? [];
  if (hour !== undefined) return hourOf(Number(hour), half);
  const time = timeOf(first);
  return time !== null && time.offset === null && time.time.endsWith(':00:00')
    ? Number(time.time.slice(0, 2))
    : null;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Null: there is no such day. */
function dayOf(year: number, month: number, day: number): string | null {
  const time = new Date(Date.UTC(year, month - 1, day));
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day || year < 2000 || year > 2099)
    return null;
  return time.toISOString().slice(0, 10);
}

/** Statistics begin in 2000: of a year, two digits are enough. */
const yearOf = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));

const DAY_NAMES = /^\p{L}{2,12}\.?,? +/u;

function daysOf(text: string): WrittenDate['days'] | null {
  const certain =
    yearFirst(text) ?? compactDay(text) ?? dotted(text) ?? named(text) ?? named(text.replace(DAY_NAMES, ''));
  if (certain !== null) return { certain };
  const [, one, mark, two, three] = /^(\d{1,2})([/-])(\d{1,2})[/-](\d{2}|\d{4})$/.exec(text) ?? [];
  if (one === undefined || two === undefined || three === undefined || text.split(mark ?? '').length !== 3)
    return null;
  const read: Readonly<Record<DateOrder, string | null>> = {
    dmy: dayOf(yearOf(three), Number(two), Number(one)),
    mdy: dayOf(yearOf(three), Number(one), Number(two)),
    ymd: three.length === 2 && one.length === 2 ? dayOf(yearOf(one), Number(two), Number(three)) : null,
  };
  const days = Object.fromEntries(Object.entries(read).filter(([, day]) => day !== null));
  return Object.keys(days).length === 0 ? null : days;
}

function yearFirst(text: string): string | null {
  const [, year, mark, month, day] = /^(\d{4})([-/.])(\d{1,2})[-/.](\d{1,2})$/.exec(text) ?? [];
  if (year === undefined || text.split(mark ?? '').length !== 3) return null;
  return dayOf(Number(year), Number(month), Number(day));
}

/** With dots, all languages that write them put the day first. */
function dotted(text: string): string | null {
  const [, day, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{2}|\d{4})$/.exec(text) ?? [];
  return year === undefined ? null : dayOf(yearOf(year), Number(month), Number(day));
}

/** By the first letters, in English, German, French and Spanish; each of these means one month in all of them. */
const monthNames: readonly (readonly string[])[] = [
  ['jan', 'ene'],
  ['feb', 'fév', 'fev'],
  ['mar', 'mär', 'mrz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aoû', 'aou', 'ago'],
  ['sep', 'sept'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dez', 'déc', 'dic'],
];

function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return monthNames.findIndex((starts) => starts.some((start) => lower.startsWith(start))) + 1;
}

/** `14 Mar 2026`, `14-Mar-26`, `14. März 2026`, `Mar 14, 2026`. */
function named(text: string): string | null {
  const first = /^(\d{1,2})\.?[ -]?(\p{L}{3,12})\.?[ ,-] ?(\d{4}|\d{2})$/u.exec(text);
  const second = /^(\p{L}{3,12})\.? (\d{1,2}),? (\d{4})$/u.exec(text);
  const [day, name, year] = first?.slice(1) ?? [second?.[2], second?.[1], second?.[3]];
  if (day === undefined || name === undefined || year === undefined) return null;
  return monthOf(name) === 0 ? null : dayOf(yearOf(year), monthOf(name), Number(day));
}

/** `20260314`. */
function compactDay(text: string): string | null {
  const [, year, month, day] = /^(20\d{2})(\d{2})(\d{2})$/.exec(text) ?? [];
  return year === undefined ? null : dayOf(Number(year), Number(month), Number(day));
}

/** A day and an hour: `2026031405`. */
function compactDate(text: string): WrittenDate | null {
  const [, day = '', hour] = /^(20\d{6})([01]\d|2[0-3])$/.exec(text) ?? [];
  const certain = compactDay(day);
  return certain === null ? null : { days: { certain }, time: `${hour}:00:00`, offset: null };
}

/** Day 0 of spreadsheets, counted with their 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
/** 1 January 2000 to 31 December 2099. */
const [FIRST_SERIAL, LAST_SERIAL] = [36_526, 73_050];

/** Days since 1900, as a spreadsheet keeps them: `46095`, `46095.25`. */
export function serialDate(text: string): WrittenDate | null {
  if (!/^\d{5}(?:\.\d{1,15})?$/.test(text)) return null;
  const serial = Number(text);
  if (serial < FIRST_SERIAL || serial >= LAST_SERIAL + 1) return null;
  // Parts of a day are doubles: the nearest second is meant.
  const at = new Date(Math.round((EPOCH_MS + serial * DAY_MS) / 1_000) * 1_000).toISOString();
  const time = at.slice(11, 19);
  return {
    days: { certain: at.slice(0, 10) },
    time: text.includes('.') && time !== '00:00:00' ? time : null,
    offset: null,
  };
}
