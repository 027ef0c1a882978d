import { once } from '../../format/once.ts';
import { locale } from '../../texts/language.ts';
import { t } from '../../texts/t.ts';

const words = t.campaigns;

/** A schedule as people think of it: at one time of the day, on some days of the week. */
export interface Schedule {
  /** `07:30`. */
  readonly time: string;
  /** Days of the week, 1 (Monday) to 7, in their order; all seven: every day. */
  readonly days: readonly number[];
}

export const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
export const weekdays: readonly number[] = [1, 2, 3, 4, 5];

/** `30 7 * * 1-5` and the like. */
export function cronOf({ time, days }: Schedule): string {
  const [hour, minute] = time.split(':').map(Number);
  const week = days.length === everyDay.length ? '*' : isWeekdays(days) ? '1-5' : days.join();
  return `${minute} ${hour} * * ${week}`;
}

const isWeekdays = (days: readonly number[]): boolean => days.join() === weekdays.join();
const two = (text: string | undefined): string => String(text).padStart(2, '0');

/** Null: a line of cron that says more than a time on days of the week. */
export function parseCron(line: string): Schedule | null {
  const [, minute, hour, week = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/.exec(line.trim()) ?? [];
  const days = week === '*' ? everyDay : daysIn(week);
  return minute === undefined || days === null ? null : { time: `${two(hour)}:${two(minute)}`, days };
}

const names: readonly string[] = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

function daysIn(given: string): readonly number[] | null {
  const week = given.replaceAll(/[A-Z]{3}/g, (name) =>
    names.includes(name) ? String(names.indexOf(name)) : name,
  );
  if (week === '1-5') return weekdays;
  if (!/^[0-7](,[0-7])*$/.test(week)) return null;
  // Cron calls Sunday 0 or 7.
  const days = week.split(',').map((day) => Number(day) || 7);
  return [...new Set(days)].sort((one, other) => one - other);
}

/** 1970-01-05 was a Monday. */
const dayOf = (day: number): Date => new Date(Date.UTC(1970, 0, 4 + day, 12));
const named = (weekday: 'long' | 'short') =>
  once(() => new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' }));
const [long, short] = [named('long'), named('short')];
export const dayName = (day: number): string => long().format(dayOf(day));
export const shortDayName = (day: number): string => short().format(dayOf(day));

const clock = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }));
/** `07:30` as the reader's language writes it. */
export const clockTime = (time: string): string => clock().format(new Date(`1970-01-05T${time}Z`));

/** `Monday to Friday at 07:30`; a line that says more is shown as it is. */
export function scheduleInWords(line: string): string {
  const schedule = parseCron(line);
  if (schedule === null) return words.byCron(line);
  const time = clockTime(schedule.time);
  if (schedule.days.length === everyDay.length) return words.everyDayAt(time);
  if (isWeekdays(schedule.days)) return words.weekdaysAt(time);
  return words.daysAt(new Intl.ListFormat(locale).format(schedule.days.map(dayName)), time);
}

export const zoneInWords = (zone: string): string =>
  zone === 'reader' ? words.whereTheyAre : zone.replaceAll('_', ' ');
