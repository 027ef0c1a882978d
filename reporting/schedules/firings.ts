import {
  type DueSchedule,
  type Fired,
  type Firing,
  runKeys,
} from '../../engine/adapters/postgres/report-schedules/fire.ts';
import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import { nextFiring } from '../../engine/campaigns/rules/firings.ts';
import { daysBetween, dayText, knownDay, todayIn } from '../../engine/contract/days.ts';
import { requestOn, zoneOf } from '../saved/days.ts';

/** Whether no figure of these days of the calendar of `zone` changes any more. */
export type DaysAreFinal = (
  sql: Sql,
  days: { readonly first: string; readonly last: string; readonly zone: string },
) => Promise<boolean>;

/** Between two looks at days that are not final. */
const LOOK_MS = 60_000;
/** A period that becomes final later than this does not start its schedule. */
const LATEST_DAYS = 35;
/** After a long outage, of the firings that were missed. */
const MOST_MISSED = 2_000;

export const cronOf = (cron: string, zone: string) => ({ cron, zone, from: null, until: null });

/** Of cron lines, the latest firing that is due: of those that were missed, one run is enough. */
export function createFired(nowMs: () => number, areFinal: DaysAreFinal): Fired {
  return async function fired(schedule, sql) {
    const { cron, zone, nextAt, request } = schedule;
    if (cron === null)
      return { firings: await finalOnes(schedule, sql), nextAt: new Date(nowMs() + LOOK_MS) };
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

  async function finalOnes(schedule: DueSchedule, sql: Sql): Promise<Firing[]> {
    const zone = zoneOf(schedule.request);
    const today = todayIn(zone, nowMs());
    const since = Math.max(today - LATEST_DAYS, todayIn(zone, schedule.createdAt.getTime()));
    const done = new Set(await runKeys(sql, schedule.id));
    const firings: Firing[] = [];
    for (const day of daysBetween(since, today)) {
      const [first, last] = requestOn(schedule, day, schedule.createdAt.getTime()).selectedDate;
      const key = `${first}/${last}`;
      if (done.has(key) || knownDay(last) >= today) continue;
      done.add(key);
      if (await areFinal(sql, { first, last, zone })) firings.push({ key, today: dayText(day) });
    }
    return firings;
  }
}
