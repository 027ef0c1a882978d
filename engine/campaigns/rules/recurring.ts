import type {
  CampaignMove,
  CampaignSettings,
  DueCampaign,
  RecurringPlan,
  WallClock,
} from '../../contract/campaign.ts';
import { timeZones } from '../../contract/time-zone.ts';
import { nextFiring } from './firings.ts';
import { instantsOf, wallClockIn } from './local-time.ts';

/** A firing and when its step is due: by local time that is when the first zone's clocks show it. */
export interface Firing {
  readonly firing: Date;
  readonly stepAt: Date;
}

const DAY_MS = 86_400_000;

/**
 * The first firing after another one that can still be sent: what an outage made late beyond the grace is left out, and
 * nothing is made up for. Null: none comes.
 */
export function firingAfter(plan: RecurringPlan, after: Date, now: Date): Firing | null {
  const isByReader = plan.zone === 'reader';
  const schedule = {
    cron: plan.cron,
    zone: isByReader ? 'UTC' : plan.zone,
    from: dateOf(plan.from),
    until: dateOf(plan.until),
  };
  const graceMs = plan.graceMinutes * 60_000;
  // No zone is further than a day from UTC.
  const oldest = now.getTime() - graceMs - (isByReader ? 2 * DAY_MS : 0);
  let firing = nextFiring(schedule, new Date(Math.max(after.getTime(), oldest)));
  while (firing !== null) {
    const instants = isByReader ? instantsOf(timeZones, wallOf(firing)) : [{ at: firing }];
    const [first, last] = [instants[0], instants.at(-1)];
    if (first !== undefined && last !== undefined && last.at.getTime() >= now.getTime() - graceMs)
      return { firing, stepAt: first.at };
    firing = nextFiring(schedule, firing);
  }
  return null;
}

/** Sends the last firing that is due, if it is inside its grace, and looks for the next one: of a backlog the rest is left out. */
export function stepOfFiring(
  { now, dueAt, progress, settings }: DueCampaign,
  plan: RecurringPlan,
): CampaignMove {
  let due: Firing = { firing: new Date(progress.firing ?? dueAt), stepAt: dueAt };
  let next = firingAfter(plan, due.firing, now);
  while (next !== null && next.stepAt <= now) {
    due = next;
    next = firingAfter(plan, due.firing, now);
  }
  const { firing, stepAt } = due;
  const isLate = now.getTime() - stepAt.getTime() > plan.graceMinutes * 60_000;
  const isByReader = plan.zone === 'reader';
  const key = firing.toISOString();
  return {
    deliveries: isByReader || isLate ? [] : [{ role: `run ${key}`, content: 0, part: null }],
    runs: isByReader ? [{ run: key, settings: runOf(settings, plan, { firing, now, isLate }) }] : [],
    progress: next === null ? {} : { firing: next.firing.toISOString() },
    status: next === null ? 'completed' : 'running',
    nextAt: next?.stepAt ?? null,
  };
}

/** A late step still serves the zones whose time is to come. */
function runOf(
  settings: CampaignSettings,
  { appZone }: RecurringPlan,
  { firing, now, isLate }: { readonly firing: Date; readonly now: Date; readonly isLate: boolean },
): CampaignSettings {
  return {
    ...settings,
    plan: {
      kind: 'local_time',
      at: wallOf(firing),
      zone: appZone,
      ifPassed: isLate ? 'skip' : 'send',
      createdAt: now.toISOString(),
    },
  };
}

/** What clocks show at a firing by local time, which is written as if in UTC. */
const wallOf = (firing: Date): WallClock => wallClockIn('UTC', firing);
const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
