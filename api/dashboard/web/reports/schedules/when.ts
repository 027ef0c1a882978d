import { locale } from '../../texts/language.ts';
import { t } from '../../texts/t.ts';

/** What the form offers; the command line takes any line of cron. */
export const rhythms = ['final', 'daily', 'weekly', 'monthly'] as const;
export type Rhythm = (typeof rhythms)[number];

export interface When {
  readonly rhythm: Rhythm;
  /** `07:00`, in the schedule's timezone. */
  readonly time: string;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: string;
}

/** The line of cron; null: when the days are final. */
export function cronOf({ rhythm, time, weekday }: When): string | null {
  if (rhythm === 'final') return null;
  const [hour = '0', minute = '0'] = time.split(':');
  const days = { daily: '* * *', weekly: `* * ${Number(weekday) % 7}`, monthly: '1 * *' };
  return `${Number(minute)} ${Number(hour)} ${days[rhythm]}`;
}

const names: readonly string[] = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** In words where the form could have made it; otherwise the line itself. */
export function whenText(cron: string | null, timezone: string): string {
  const words = t.reportSchedules.when;
  if (cron === null) return words.final;
  const [, minute, hour, date, weekday = ''] =
    /^(\d{1,2}) (\d{1,2}) (\*|1) \* (\*|[0-7]|[A-Z]{3})$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined || (date === '1' && weekday !== '*'))
    return `${cron} (${timezone})`;
  const time = `${timeText(Number(hour), Number(minute))} (${timezone})`;
  if (date === '1') return words.monthlyAt(time);
  const day = names.includes(weekday) ? names.indexOf(weekday) : Number(weekday);
  return weekday === '*' ? words.dailyAt(time) : words.weeklyAt(weekdayName(day), time);
}

/** Any week will do. */
const SUNDAY = Date.UTC(2023, 0, 1);
const DAY_MS = 86_400_000;

/** @param day 1 is Monday; 0 and 7 are Sunday. */
export const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(SUNDAY + (day % 7) * DAY_MS),
  );

const timeText = (hour: number, minute: number): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }).format(
    new Date(SUNDAY + (hour * 60 + minute) * 60_000),
  );
