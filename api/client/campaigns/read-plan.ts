import { findScheduleFault } from '../../../engine/campaigns/rules/firings.ts';
import { firingAfter } from '../../../engine/campaigns/rules/recurring.ts';
import { firstStepOfZones } from '../../../engine/campaigns/rules/zoned.ts';
import type { AbTestPlan, LocalTimePlan, RecurringPlan } from '../../../engine/contract/campaign.ts';
import { SHARE_PARTS } from '../../../engine/contract/share.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import { say } from '../../../engine/kit/http/explain-with.ts';
import { parseTime } from '../../http/fields.ts';
import type { GivenPlan, PlanRead } from './plan-schema.ts';
import { readFeedPlan } from './read-feed-plan.ts';

type Given<Kind> = Extract<GivenPlan, { readonly kind: Kind }>;

const DEFAULT_TEST_PERCENT = 20;
const DEFAULT_DECIDE_MINUTES = 60;
const DEFAULT_GRACE_MINUTES = 60;

/**
 * A valid plan of a body → when its first step is, or what is wrong with it now.
 * @param base our own address, as the client knows it.
 */
export function readPlan(
  given: GivenPlan,
  variants: number,
  appZone: string,
  now: Date,
  base: string,
): PlanRead {
  switch (given.kind) {
    case 'ab_test':
      return readTest(given, variants, now);
    case 'local_time':
      return readLocalTime(given, zoneOf(appZone), now);
    case 'recurring':
      return readRecurring(given, zoneOf(appZone), now);
    case 'feed':
      return readFeedPlan(given, zoneOf(appZone), now, base);
  }
}

const refused = (field: string, words: string): PlanRead => ({
  kind: 'refused',
  errors: say(`/plan/${field}`, words),
});
const zoneOf = (name: string): string => timeZoneOf(name) ?? 'UTC';
const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : parseTime(text));
const isoOf = (text: string | undefined): string | null => timeOf(text)?.toISOString() ?? null;

function readTest(given: Given<'ab_test'>, variants: number, now: Date): PlanRead {
  const plan: AbTestPlan = {
    kind: 'ab_test',
    testParts: ((given.test_percent ?? DEFAULT_TEST_PERCENT) * SHARE_PARTS) / 100,
    decideBy: given.decide_by ?? 'clicks',
    decideAfterMinutes: given.decide_after_minutes ?? DEFAULT_DECIDE_MINUTES,
    fallback: (given.fallback ?? 1) - 1,
  };
  if (plan.fallback >= variants)
    return refused('fallback', `must be the number of one of the ${variants} variants`);
  return { kind: 'plan', plan, firstStepAt: timeOf(given.starts_at) ?? now, progress: {} };
}

function readLocalTime(given: Given<'local_time'>, zone: string, now: Date): PlanRead {
  const [date = '', time = ''] = given.at.split('T');
  const plan: LocalTimePlan = {
    kind: 'local_time',
    at: { date, time },
    zone,
    ifPassed: given.if_passed ?? 'send',
    createdAt: now.toISOString(),
  };
  // Otherwise everybody would get it at once, or nobody.
  const isToCome = firstStepOfZones({ ...plan, ifPassed: 'skip' }, now) !== null;
  const firstStepAt = isToCome ? firstStepOfZones(plan, now) : null;
  if (firstStepAt === null) return refused('at', 'must be a time that has not passed everywhere');
  return { kind: 'plan', plan, firstStepAt, progress: {} };
}

function readRecurring(given: Given<'recurring'>, appZone: string, now: Date): PlanRead {
  const zone = given.time_zone === 'reader' ? 'reader' : zoneOf(given.time_zone);
  const fault = findScheduleFault(given.schedule, zone === 'reader' ? 'UTC' : zone);
  if (fault !== null) return refused('schedule', fault);
  const plan: RecurringPlan = {
    kind: 'recurring',
    cron: given.schedule,
    zone,
    appZone,
    from: isoOf(given.from),
    until: isoOf(given.until),
    graceMinutes: given.grace_minutes ?? DEFAULT_GRACE_MINUTES,
  };
  const first = firingAfter({ ...plan, graceMinutes: 0 }, now, now);
  if (first === null) return refused('schedule', 'must have a time between now and `until`');
  const { firing, stepAt } = first;
  return { kind: 'plan', plan, firstStepAt: stepAt, progress: { firing: firing.toISOString() } };
}
