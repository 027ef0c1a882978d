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

/** The same date a year later; 29 February becomes the 28th. */
export function yearLater(day: string): string {
  const next = `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`;
  return utcDay(Date.parse(`${next}T00:00:00Z`)) === next ? next : `${next.slice(0, 8)}28`;
}
