import { formatTime, formatTimes } from '../../format/format.ts';
import type { Campaign } from './resource.ts';

/** When readers get it, and not when an engine wakes for it: from the first instant to the last. */
export const timesInWords = ({ reader_times: times }: Pick<Campaign, 'reader_times'>, at: string): string =>
  times === null ? formatTime(at) : formatTimes(times.first_at, times.last_at);
