import { Cron } from 'croner';
import { instantIn, wallClockIn } from './local-time.ts';

/**
 * Firings of cron lines. Croner finds the local times, on a calendar without changes of clocks (UTC); `instantIn` turns
 * each into its instant. So a firing at a skipped time comes behind the gap, and one at a repeated time comes once, for
 * all lines alike: Croner's own rule repeats lists, ranges and steps.
 */
export interface Schedule {
  /** Five fields. With a day of the month and a day of the week, it fires on either. */
  readonly cron: string;
  readonly zone: string;
  /** The first instant at which it may fire. */
  readonly from: Date | null;
  /** The last. */
  readonly until: Date | null;
}

const MAX_LENGTH = 100;
const MIN_GAP_MINUTES = 15;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A number or name, a range, or `*`; the latter two with a step. No `L`, `W`, `#`, `?`, `+` or `@daily`. */
const item = /^(\*(\/\d{1,2})?|(\d{1,2}|[a-z]{3})(-(\d{1,2}|[a-z]{3})(\/\d{1,2})?)?)$/i;
const fields = [
  { name: 'minute', values: '0 to 59' },
  { name: 'hour', values: '0 to 23' },
  { name: 'day of the month', values: '1 to 31' },
  { name: 'month', values: '1 to 12 or JAN to DEC' },
  { name: 'day of the week', values: '0 to 7 or SUN to SAT' },
] as const;

/** Any midnight: the calendar repeats. */
const SOME_MIDNIGHT = Date.UTC(2026, 0, 1);

/**
 * What is wrong with a schedule.
 *
 * The 15 minutes hold on clocks: where clocks are put forward, two firings may come closer.
 * @returns words that fit behind "The schedule field …"; null: nothing.
 */
export function findScheduleFault(cron: string, zone: string): string | null {
  if (cron.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const parts = cron.trim().split(/[ \t]+/);
  if (parts.length !== fields.length)
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  for (const [place, { name, values }] of fields.entries())
    if (!isReadable(parts, place))
      return `must have for the ${name} a number (${values}), a range, a step such as */2, a list of these, or *`;
  if (isTooFrequent(cron))
    return `must leave ${MIN_GAP_MINUTES} minutes between two times of a day, and between the last and the first of the next day`;
  return nextFiring({ cron, zone, from: null, until: null }, new Date(SOME_MIDNIGHT)) === null
    ? 'must name a day that one of its months has'
    : null;
}

/** The first firing after this instant, within from–until. Null: none comes. */
export function nextFiring({ cron, zone, from, until }: Schedule, after: Date): Date | null {
  const times = calendarOf(cron);
  const start = from !== null && from > after ? new Date(from.getTime() - 1) : after;
  const shown = wallClockIn(zone, start);
  let time = times.nextRun(new Date(`${shown.date}T${shown.time}Z`));
  // Where clocks were put back, they show earlier times that have fired already.
  while (time !== null && firingAt(zone, time) <= start) time = times.nextRun(time);
  if (time === null) return null;
  const firing = firingAt(zone, time);
  return until === null || firing <= until ? firing : null;
}

/** The next few, for previews. */
export function nextFirings(schedule: Schedule, after: Date, count: number): Date[] {
  const firings: Date[] = [];
  let last: Date | null = after;
  while (firings.length < count) {
    last = nextFiring(schedule, last);
    if (last === null) break;
    firings.push(last);
  }
  return firings;
}

/** Local times are written as if they were in UTC. */
const calendarOf = (cron: string): Cron => new Cron(cron, { mode: '5-part', timezone: 'UTC' });

const firingAt = (zone: string, time: Date): Date =>
  instantIn(zone, { date: time.toISOString().slice(0, 10), time: time.toISOString().slice(11, 16) });

/** Croner knows the numbers, names and order of each field: it is asked for one at a time. */
function isReadable(parts: readonly string[], place: number): boolean {
  const part = parts[place] ?? '';
  if (!part.split(',').every((each) => item.test(each))) return false;
  try {
    calendarOf(fields.map((_, other) => (other === place ? part : '*')).join(' '));
    return true;
  } catch {
    return false;
  }
}

/** Checks one day of firings, which are at the same times every day. */
function isTooFrequent(cron: string): boolean {
  const times = calendarOf(cron);
  const first = times.nextRun(new Date(SOME_MIDNIGHT - 1));
  if (first === null) return false;
  const firstOfNextDay = first.getTime() + DAY_MS;
  let last = first.getTime();
  for (let next = times.nextRun(first); next !== null; next = times.nextRun(next)) {
    const isNextDay = next.getTime() >= firstOfNextDay;
    const gap = (isNextDay ? firstOfNextDay : next.getTime()) - last;
    if (gap < MIN_GAP_MINUTES * MINUTE_MS) return true;
    if (isNextDay) break;
    last = next.getTime();
  }
  return false;
}
