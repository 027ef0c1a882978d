import { t } from '../texts/t.ts';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** In words: the longer, the rounder. */
export function formatDuration(seconds: number): string {
  if (seconds < 1) return t.duration.moment;
  if (seconds < 2 * MINUTE) return t.duration.seconds(Math.round(seconds));
  if (seconds < 2 * HOUR) return t.duration.minutes(Math.round(seconds / MINUTE));
  return seconds < 2 * DAY
    ? t.duration.hours(Math.round(seconds / HOUR))
    : t.duration.days(Math.round(seconds / DAY));
}
