import type { Plan } from '../data/campaigns/plan.ts';
import type { GivenPlan, NewCampaign } from '../data/campaigns/resource.ts';
import { cronOf, everyDay, weekdays } from '../data/campaigns/schedule.ts';
import { parseLocal } from '../format/local-time.ts';
import {
  bodyOfContent,
  bodyOfSending,
  type ComposeValues,
  type Mode,
  nameOf,
  type RepeatValues,
} from './values.ts';
import { contentsOf, isTest, pathOf } from './variants.ts';

/** A test, a local time and a repetition are campaigns; all else is one delivery. */
export const isCampaign = (values: ComposeValues): boolean =>
  isTest(values) || values.mode === 'local' || values.mode === 'repeats';

/** Whether the app's quiet hours hold for it: others have chosen their time, and breaking news passes. */
export const keepsQuiet = (values: ComposeValues): boolean => {
  if (!isCampaign(values)) return values.lane === 'bulk';
  return !isTest(values) && values.mode === 'repeats' && values.repeat_zone !== 'reader';
};

/** What sending these values is called. */
export type Act = Mode | 'test';
export const actOf = (values: ComposeValues): Act =>
  isTest(values) && values.mode !== 'rehearsal' ? 'test' : values.mode;

/** The request body of a campaign. @param zone the app's own. @param kept the plan that it changes. */
export const bodyOfCampaign = (
  values: ComposeValues,
  zone: string,
  kept: Plan | null = null,
): NewCampaign => ({
  name: nameOf(values),
  notifications: contentsOf(values).map(bodyOfContent),
  ...bodyOfSending(values),
  plan: keepGrace(planOfValues(values, zone), kept),
});

/** The form does not show it. */
const keepGrace = (plan: GivenPlan, kept: Plan | null): GivenPlan =>
  plan.kind === 'recurring' && kept?.kind === 'recurring'
    ? { ...plan, grace_minutes: kept.grace_minutes }
    : plan;

export function planOfValues(values: ComposeValues, zone: string): GivenPlan {
  if (isTest(values)) return testOf(values);
  if (values.mode === 'local')
    return { kind: 'local_time', at: values.local_at.slice(0, 16), if_passed: values.if_passed };
  const from = dayOf(values.repeat_from, '00:00');
  const until = dayOf(values.repeat_until, '23:59');
  return {
    kind: 'recurring',
    schedule: scheduleOf(values),
    time_zone: values.repeat_zone || zone,
    // A day that has begun begins nothing later.
    ...(from === null || from.getTime() <= Date.now() ? {} : { from: from.toISOString() }),
    ...(until === null ? {} : { until: until.toISOString() }),
  };
}

const testOf = (values: ComposeValues): GivenPlan => ({
  kind: 'ab_test',
  test_percent: Number(values.test_percent),
  decide_by: values.decide_by,
  decide_after_minutes: Number(values.decide_after_minutes),
  fallback: Number(values.fallback),
  ...(values.mode === 'later' ? { starts_at: new Date(values.scheduled_at).toISOString() } : {}),
});

export function scheduleOf({ repeat_cron, repeat_on, repeat_days, repeat_at }: RepeatValues): string {
  if (repeat_cron.trim() !== '') return repeat_cron.trim();
  const chosen = { daily: everyDay, weekdays, days: repeat_days.map(Number).sort() }[repeat_on];
  return cronOf({ time: repeat_at, days: chosen });
}

/** A day in the browser's own zone, at this time. */
export const dayOf = (day: string, time: string): Date | null =>
  parseLocal(day === '' ? '' : `${day}T${time}`);

/** Whether enough is chosen to ask what the campaign would do. */
export function isPlanned(values: ComposeValues): boolean {
  if (isTest(values)) return values.mode !== 'later' || parseLocal(values.scheduled_at) !== null;
  if (values.mode === 'local') return parseLocal(values.local_at) !== null;
  return isScheduled(values);
}

export const isScheduled = (values: RepeatValues): boolean =>
  values.repeat_cron.trim() !== '' || (values.repeat_at !== '' && hasDays(values));

const hasDays = ({ repeat_on, repeat_days }: RepeatValues): boolean =>
  repeat_on !== 'days' || repeat_days.length > 0;

const planFields: Readonly<Record<string, keyof ComposeValues>> = {
  starts_at: 'scheduled_at',
  at: 'local_at',
  time_zone: 'repeat_zone',
  from: 'repeat_from',
  until: 'repeat_until',
};

/** The form's field for one of the API's. */
export function fieldOfCampaign(field: string, { repeat_cron }: ComposeValues): string {
  const content = /^notifications\.(\d+)\.(.+)$/.exec(field);
  if (content !== null) return pathOf(Number(content[1]), content[2] ?? '');
  const ofPlan = /^plan\.(.+)$/.exec(field)?.[1];
  if (ofPlan === undefined) return field;
  if (ofPlan === 'schedule') return repeat_cron.trim() === '' ? 'repeat_at' : 'repeat_cron';
  return planFields[ofPlan] ?? ofPlan;
}
