import { DAY_MS, wallDayAt, type ZoneOffset, zoneOffsets } from '../../engine/contract/time-zone.ts';
import type { DayTimes } from './ad-stats-store.ts';

/** A day on the calendar of a source, and the moments between which its hours are. */
export interface OwnDay {
  readonly day: string;
  readonly from: Date;
  readonly until: Date;
}

/** The days of a source that a load has rows of. Null: of a source whose days are those of UTC. */
export function ownDaysOf(zone: string, times: readonly DayTimes[]): OwnDay[] | null {
  if (zone === 'UTC') return null;
  const days = times.flatMap(({ day, wholeDays, hours }) => [
    ...(wholeDays ? [day] : []),
    ...(hours ?? []).map((ms) => wallDayAt(zone, ms)),
  ]);
  return [...new Set(days)].toSorted().map((day) => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    return { day, from: startOf(zone, midnight), until: startOf(zone, midnight + DAY_MS) };
  });
}

const startOf = (zone: string, midnight: number): Date =>
  new Date(firstMoment(zoneOffsets(zone, midnight - 2 * DAY_MS, midnight + 2 * DAY_MS), midnight));

/** The first moment at which the zone's clocks show that midnight, or have passed over it. */
export function firstMoment(offsets: readonly ZoneOffset[], midnight: number): number {
  for (const [index, { fromMs, seconds }] of offsets.entries()) {
    const at = Math.max(fromMs, midnight - seconds * 1_000);
    if (at < (offsets[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY)) return at;
  }
  throw new RangeError('no such midnight');
}
