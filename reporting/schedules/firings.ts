import type { DueSchedule, Fired, Firing } from '../../engine/adapters/postgres/report-schedules/fire.ts';
import type { ReportScope } from '../../engine/adapters/postgres/report-tokens.ts';
import { nextFiring } from '../../engine/campaigns/rules/firings.ts';
import { daysBetween, dayText, knownDay, todayIn } from '../../engine/contract/days.ts';
import { isNeverOver, requestOn, zoneOf } from '../saved/days.ts';

/** @returns those days of the calendar of `zone` whose figures change no more, of what a token sees. */
export type FinalDaysOf = (
  scope: ReportScope,
  days: { readonly first: string; readonly last: string; readonly zone: string },
) => Promise<ReadonlySet<number>>;

/** A schedule checks its days as often as this, and at once where days become final. */
const LOOK_MS = 3_600_000;
/** A period that becomes final later than this does not start its schedule. */
export const LATEST_DAYS = 35;
/** After a long outage, of the firings that were missed. */
const MOST_MISSED = 2_000;

export const cronOf = (cron: string, zone: string) => ({ cron, zone, from: null, until: null });

/** Of cron lines, the latest firing that is due: of those that were missed, one run is enough. */
export function createFired(nowMs: () => number, finalDaysOf: FinalDaysOf): Fired {
  return async function fired(schedule, keys) {
    const { cron, zone, nextAt, request } = schedule;
    if (cron === null)
      return { firings: await finalOnes(schedule, keys), nextAt: new Date(nowMs() + LOOK_MS) };
    const now = new Date(nowMs());
    let firing = nextAt;
    let next = nextFiring(cronOf(cron, zone), firing);
    for (let missed = 0; next !== null && next <= now; missed++) {
      firing = next;
      next = nextFiring(cronOf(cron, zone), missed < MOST_MISSED ? firing : now);
    }
    const today = dayText(todayIn(zoneOf(request), firing.getTime()));
    return { firings: [{ key: firing.toISOString(), today }], nextAt: next };
  };

  /** Once for the days of each period that is over: `keys` have those that were. */
  async function finalOnes(
    schedule: DueSchedule,
    keys: () => Promise<ReadonlySet<string>>,
  ): Promise<Firing[]> {
    const open = openPeriods(schedule, nowMs(), await keys());
    const first = open.map((each) => each.first).toSorted()[0];
    const last = open
      .map((each) => each.last)
      .toSorted()
      .at(-1);
    if (first === undefined || last === undefined) return [];
    const final = await finalDaysOf(schedule.scope, { first, last, zone: zoneOf(schedule.request) });
    return open
      .filter((each) => daysBetween(knownDay(each.first), knownDay(each.last)).every((day) => final.has(day)))
      .map(({ key, today }) => ({ key, today }));
  }
}

interface OpenPeriod extends Firing {
  readonly first: string;
  readonly last: string;
}

function openPeriods(schedule: DueSchedule, nowMs: number, keys: ReadonlySet<string>): readonly OpenPeriod[] {
  const zone = zoneOf(schedule.request);
  const today = todayIn(zone, nowMs);
  // The saved report was replaced in the same moment as the schedule was made.
  if (isNeverOver(schedule, nowMs)) return [];
  const since = Math.max(today - LATEST_DAYS, todayIn(zone, schedule.createdAt.getTime()));
  const open = new Map<string, OpenPeriod>();
  for (const day of daysBetween(since, today)) {
    const [first, last] = requestOn(schedule, day, schedule.createdAt.getTime()).selectedDate;
    const key = `${first}/${last}`;
    if (keys.has(key) || open.has(key) || knownDay(last) >= today) continue;
    open.set(key, { key, today: dayText(day), first, last });
  }
  return [...open.values()];
}
