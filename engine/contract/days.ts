/** Days of the calendar as numbers since 1970-01-01, so that they can be counted. Pure; no timezone here. */

export const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** `YYYY-MM-DD` → its number; null where it is not such a text, or a day that does not exist (2026-02-30). */
export function dayNumber(text: string): number | null {
  if (!DAY.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // Some engines roll the 30th of February over into March instead of refusing it.
  return Number.isNaN(ms) || dayText(ms / DAY_MS) !== text ? null : ms / DAY_MS;
}

export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The number of a day that was checked before. @throws RangeError where it was not. */
export function knownDay(text: string): number {
  const day = dayNumber(text);
  if (day === null) throw new RangeError(`not a day: ${text}`);
  return day;
}

/** The same day of a later or earlier month, or that month's last one: 31 January + 3 → 30 April. */
export function addMonths(day: number, months: number): number {
  const from = new Date(day * DAY_MS);
  const first = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1);
  const length = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first / DAY_MS + Math.min(from.getUTCDate(), length) - 1;
}

/** Ascending, both ends included. */
export const daysBetween = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Today as a calendar on the wall there shows it. */
export function todayIn(timezone: string, nowMs: number): number {
  // Nearly every report is in UTC, and a formatter takes a quarter of a millisecond to make.
  if (timezone === 'UTC') return Math.floor(nowMs / DAY_MS);
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(nowMs);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return knownDay(`${part('year')}-${part('month')}-${part('day')}`);
}

/** The latest day that is today somewhere: calendars on Kiritimati are 14 hours ahead of UTC. */
export const todayAhead = (nowMs: number): number => Math.floor((nowMs + MOST_AHEAD_MS) / DAY_MS);
const MOST_AHEAD_MS = 14 * 3_600_000;
