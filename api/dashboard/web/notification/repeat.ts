import { parseCron, weekdays } from '../data/campaigns/schedule.ts';
import { emptyRepeat, type RepeatValues } from './values.ts';

/** A schedule in the fields for it; a line that says more stays a line of cron. */
export function repeatOf(
  cron: string,
): Pick<RepeatValues, 'repeat_on' | 'repeat_days' | 'repeat_at' | 'repeat_cron'> {
  const { repeat_on, repeat_days, repeat_at } = emptyRepeat;
  const schedule = parseCron(cron);
  if (schedule === null) return { repeat_on, repeat_days, repeat_at, repeat_cron: cron };
  const { days, time } = schedule;
  const at = { repeat_days, repeat_at: time, repeat_cron: '' };
  if (days.length === 7) return { ...at, repeat_on: 'daily' };
  if (days.join() === weekdays.join()) return { ...at, repeat_on: 'weekdays' };
  return { ...at, repeat_on: 'days', repeat_days: days.map(String) };
}
