import { exactDuration } from '../../format/exact-duration.ts';
import { formatTime } from '../../format/format.ts';
import { once } from '../../format/once.ts';
import { locale } from '../../texts/language.ts';
import { t } from '../../texts/t.ts';
import { type Plan, planOf, type TestPlan } from './plan.ts';
import type { CampaignDetail } from './queries.ts';
import { clockTime, scheduleInWords, zoneInWords } from './schedule.ts';
import { byZones, isHeld } from './status.ts';
import { timesInWords } from './times-in-words.ts';

const words = t.campaign;
const wallClocks = once(
  () => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' }),
);

/** `2026-11-24T08:00` as clocks show it, wherever the reader is. */
export const wallClock = (at: string): string => wallClocks().format(new Date(`${at}Z`));

/** What the campaign is: one sentence that stays true from its beginning to its end. */
export function planInWords(plan: Plan): string {
  switch (plan.kind) {
    case 'ab_test':
      return testInWords(plan);
    case 'local_time':
      return words.planLocal(wallClock(plan.at));
    case 'recurring':
      return words.planRecurring(scheduleInWords(plan.schedule), zoneInWords(plan.time_zone));
    case 'feed':
      return words.planFeed(new URL(plan.url).host);
    case 'quiet_hours':
      return words.planQuiet(clockTime(plan.from), clockTime(plan.to));
  }
}

function testInWords({ test_percent, decide_by, decide_after_minutes, fallback }: TestPlan): string {
  const share = String(test_percent);
  if (decide_by === 'never') return words.planTestNever(share);
  return decide_by === 'hand'
    ? words.planTestHand(share)
    : words.planTestClicks(share, exactDuration(decide_after_minutes), String(fallback));
}

/** What it does next, and when. */
export function nextInWords(campaign: CampaignDetail): string {
  const { status, next_step_at, reader_times, error_message } = campaign;
  if (status === 'completed') return words.nextCompleted;
  if (status === 'cancelled') return words.nextCancelled;
  if (status === 'failed') return error_message ?? words.nextFailed;
  if (status === 'deciding') return words.nextDeciding;
  if (isHeld(campaign)) return t.approvals.asked;
  if (byZones(campaign) && reader_times === null) return words.nextZonesUnknown;
  if (next_step_at === null) return words.nextSoon;
  if (reader_times !== null) return words.nextZones(timesInWords(campaign, next_step_at));
  if (Date.parse(next_step_at) <= Date.now()) return words.nextSoon;
  return nextStep(campaign, formatTime(next_step_at));
}

function nextStep(campaign: CampaignDetail, at: string): string {
  const plan = planOf(campaign);
  switch (plan.kind) {
    case 'ab_test':
      return campaign.status === 'scheduled' ? words.nextTest(at) : words.nextDecision(at);
    case 'local_time':
    case 'quiet_hours':
    case 'recurring':
      return words.nextFiring(at);
    case 'feed':
      return words.nextLook(at);
  }
}

/** A delivery's part in its campaign: `Variant 2`, `Winner`, or its instant. */
export function roleInWords(role: string): string {
  if (role === 'winner') return words.roleWinner;
  if (role.startsWith('item ')) return words.roleItem;
  if (role.startsWith('summary ')) return words.roleSummary;
  const number = /^variant-(\d+)$/.exec(role)?.[1];
  if (number !== undefined) return words.variant(number);
  const instant = /^(run|zones) (\S+Z)$/.exec(role)?.[2];
  return instant === undefined ? role : formatTime(instant);
}
