import { locale } from '../texts/language.ts';
import { once } from './once.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** As an input of the type `datetime-local` writes a time: in the browser's own zone, to the minute. */
export const localOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

/** Null where it is none. */
export function parseLocal(text: string): Date | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : date;
}

/** `Europe/Berlin, GMT+2`: its name, and its offset at that time. */
export function zoneAt(date: Date): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: 'shortOffset' }).formatToParts(date);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset === '' || timeZone === 'UTC' ? timeZone : `${timeZone}, ${offset}`;
}

const local = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short' }));
const utc = once(
  () => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
);

export const formatLocal = (date: Date): string => local().format(date);
export const formatUtc = (date: Date): string => utc().format(date);
