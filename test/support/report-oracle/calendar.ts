/** Days on a wall calendar, by asking Intl for each moment. Slow and plain on purpose. */

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** `YYYY-MM-DD` there at that moment. */
export function wallDay(ms: number, timezone: string): string {
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: timezone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  formats.set(timezone, format);
  return format.format(ms);
}

export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const plusDays = (day: string, days: number): string =>
  utcDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
export const daysFrom = (first: string, to: string): number => (Date.parse(to) - Date.parse(first)) / DAY_MS;

const isDate = (text: string): boolean => utcDay(Date.parse(`${text}T00:00:00Z`)) === text;
const inYear = (day: string, years: number): string => `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;

/**
 * The day of a period beside which a day of the year before stands: its own date. Where the period begins with a
 * 29 February, the 28th stands beside that. Null: a 29 February of the year before, beside which there is no date.
 */
export function besideAYearLater(day: string, periodStart: string): string | null {
  if (periodStart.endsWith('-02-29') && day === `${inYear(periodStart, -1).slice(0, 8)}28`)
    return periodStart;
  const later = inYear(day, 1);
  return isDate(later) ? later : null;
}
