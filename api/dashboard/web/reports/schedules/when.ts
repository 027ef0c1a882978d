import {
  clockTime,
  cronOf as dailyCron,
  dayName,
  everyDay,
  parseCron,
} from '../../data/campaigns/schedule.ts';
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
  if (rhythm === 'weekly') return dailyCron({ time, days: [Number(weekday)] });
  const daily = dailyCron({ time, days: everyDay });
  return rhythm === 'daily' ? daily : daily.replace(/\* \* \*$/, '1 * *');
}

/** In words where the form could have made it; otherwise the line itself. */
export function whenText(cron: string | null, timezone: string): string {
  const words = t.reportSchedules.when;
  if (cron === null) return words.final;
  const monthly = parseCron(cron.replace(/ 1 \* \*$/, ' * * *'));
  const each = parseCron(cron);
  const time = `${clockTime((each ?? monthly)?.time ?? '00:00')} (${timezone})`;
  if (each !== null)
    return each.days.length === everyDay.length
      ? words.dailyAt(time)
      : words.weeklyAt(each.days.map(dayName).join(', '), time);
  return monthly === null ? `${cron} (${timezone})` : words.monthlyAt(time);
}
