import { todayIn } from '../../../engine/contract/days.ts';
import { zoneName } from '../../../engine/contract/time-zone.ts';

/**
 * The days of sources by this runtime's zones: a Postgres server knows others, where its machine has a shorter list or an
 * older one, and refuses a whole statement for one name in it. A name that is not known here either is UTC.
 * @returns the number of the day that a calendar of the zone shows.
 */
export function createTodayOf(): (zone: string, ms: number) => number {
  const known = new Map<string, string>();
  return (zone, ms) => {
    const name = known.get(zone) ?? zoneName(zone) ?? 'UTC';
    known.set(zone, name);
    return todayIn(name, ms);
  };
}
