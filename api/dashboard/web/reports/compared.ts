import { type Days, moved } from './periods.ts';

export const comparedWith = ['previous_period', 'same_weekdays', 'previous_year'] as const;
export type ComparedWith = (typeof comparedWith)[number];

const WEEK_DAYS = 7;

const daysOf = ({ from, to }: Days): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1;

/** The earlier days: as many, where no 29 February of a year before is left over. */
export function comparedDays({ from, to }: Days, kind: ComparedWith): Days {
  if (kind === 'previous_year') return { from: yearsOn(from, -1), to: yearsOn(to, -1) };
  const shift = -shiftOf({ from, to }, kind);
  return { from: moved(from, shift), to: moved(to, shift) };
}

/** Right before, or as few whole weeks before as have the same weekdays and no day of the period. */
function shiftOf(days: Days, kind: Exclude<ComparedWith, 'previous_year'>): number {
  const count = daysOf(days);
  return kind === 'previous_period' ? count : Math.ceil(count / WEEK_DAYS) * WEEK_DAYS;
}

/** The day of the period that an earlier day is set against; null: none is, as with 29 February. */
export function laterDay(day: string, days: Days, kind: ComparedWith): string | null {
  if (kind !== 'previous_year') return moved(day, shiftOf(days, kind));
  if (isLeapDay(day)) return null;
  // A period that begins with the 29th has the 28th set against it, as the API does.
  return isLeapDay(days.from) && day === comparedDays(days, kind).from ? days.from : yearsOn(day, 1);
}

const isLeapDay = (day: string): boolean => day.endsWith('-02-29');

/** Whether a day of these is 29 February. */
export function holdsLeapDay({ from, to }: Days): boolean {
  for (let day = from; day <= to; day = moved(day, 1)) if (isLeapDay(day)) return true;
  return false;
}

/** The same date, years later; the 28th where that year has no 29 February. */
function yearsOn(day: string, years: number): string {
  const year = String(Number(day.slice(0, 4)) + years).padStart(4, '0');
  const text = `${year}${day.slice(4)}`;
  return isLeapDay(day) && new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text
    ? `${year}-02-28`
    : text;
}

/** Days of a period of which nothing is among these. */
export function daysWithout({ from, to }: Days, known: ReadonlySet<string>): string[] {
  const lacking: string[] = [];
  for (let day = from; day <= to; day = moved(day, 1)) if (!known.has(day)) lacking.push(day);
  return lacking;
}
