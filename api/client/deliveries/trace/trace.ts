import type { RecordedAttempt } from '../../../../engine/adapters/clickhouse/analytics.ts';
import { counted } from '../../../../engine/contract/counted.ts';
import { STRIKES_TO_RETIRE } from '../../../../engine/contract/shard.ts';
import { timestamp } from '../../../http/fields.ts';
import type { Decision } from './trace-schema.ts';
import type { TraceFacts } from './trace-store.ts';

/** Facts from elsewhere than Postgres. */
export interface TraceHints {
  /** Whether the subscription matches the delivery's audience now. */
  readonly matchesNow: boolean;
  /** Null: ClickHouse does not answer. */
  readonly attempts: readonly RecordedAttempt[] | null;
  /** Retention of attempts in days, where this delivery's are past it; otherwise null. */
  readonly keptDays: number | null;
}

export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
}

/**
 * What happened to a subscription, and why. The maps of its block are the truth once there are any; attempts
 * only explain it. Pure, so that each line of it can be tested.
 */
export function decideTrace(facts: TraceFacts, hints: TraceHints): Verdict {
  if (facts.in_audience === null) return beforeItsBlock(facts, hints);
  if (!facts.in_audience) return { decision: 'not_in_audience', reason: whyNotInAudience(facts, hints) };
  if (facts.accepted) return { decision: 'accepted', reason: acceptedReason(facts, hints) };
  if (facts.guarded) return { decision: 'guarded', reason: guardedReason };
  if (facts.wished) return { decision: 'wished', reason: wishedReason(facts) };
  if (facts.capped) return { decision: 'capped', reason: cappedReason };
  if (facts.settled)
    return { decision: 'failed', reason: `${failedReason(facts, hints)}${retiredReason(facts)}` };
  return unsettled(facts, hints);
}

/** It may still be sent: nothing is decided permanently. */
export const isOpen = (decision: Decision): boolean =>
  decision === 'not_reached' || decision === 'in_progress' || decision === 'waiting_for_retry';

/** A sentence more, or none. */
const retiredReason = ({ retired_reason: why }: TraceFacts): string =>
  why === null
    ? ''
    : ` Its endpoint failed ${STRIKES_TO_RETIRE} deliveries in a row (${why}), so it was unsubscribed; a browser that subscribes again comes back.`;

const cappedReason =
  'The app’s frequency cap held it back: it had got as many notifications as the cap allows in its window.';

const guardedReason =
  'The guard held it back: one notification more could make Chrome end the permission of this reader, who has not visited or clicked lately.';

/** By the wishes as they are now: what held it back may be over. */
function wishedReason(facts: TraceFacts): string {
  const { started_at: started, paused_until: until, own_max: most, own_window_minutes: window } = facts;
  const { quiet_from: from, quiet_to: to } = facts;
  const kinds = [
    ...(until !== null && started !== null && until > started ? [`paused until ${timestamp(until)}`] : []),
    ...(most === null || window === null ? [] : [`asked for at most ${most} in ${hoursOf(window)}`]),
    ...(from === null ? [] : [`has quiet hours from ${from} to ${to}`]),
  ];
  return kinds.length === 0
    ? 'The reader had asked for fewer notifications, and has taken that back since.'
    : `Held back as the reader asked: this reader ${kinds.join(', and ')}.`;
}

const hoursOf = (minutes: number): string =>
  minutes === 1_440 ? 'a day' : `${Math.round(minutes / 1_440)} days`;

/** Its block has not run, or never will. */
function beforeItsBlock(facts: TraceFacts, hints: TraceHints): Verdict {
  const { delivery_status: status, shard_state: shard, error_message: error } = facts;
  if (status === 'cancelled')
    return notSent('The delivery was cancelled before it came to this subscription.');
  if (facts.started_at === null) {
    if (status === 'failed') return notSent(error ?? 'The delivery failed before any message was sent.');
    const reason = 'The delivery has not started: its audience is fixed when it starts.';
    return { decision: 'not_started', reason };
  }
  if (shard === null) return { decision: 'not_in_audience', reason: whyNotInAudience(facts, hints) };
  if (shard === 'stopped') return notSent('The delivery was stopped before it came to this subscription.');
  return { decision: 'not_reached', reason: 'The delivery runs and has not come to this subscription yet.' };
}

const notSent = (reason: string): Verdict => ({ decision: 'not_sent', reason });

function unsettled(facts: TraceFacts, hints: TraceHints): Verdict {
  if (facts.delivery_status === 'cancelled' || facts.shard_state === 'stopped')
    return notSent('The delivery was cancelled before a push service took it.');
  if (facts.shard_state === 'waiting') {
    const last = lastOf(hints);
    const tried = last === null ? 'It was tried without success' : answerOf(last);
    return { decision: 'waiting_for_retry', reason: `${tried}; it will be tried again.` };
  }
  return { decision: 'in_progress', reason: 'It is in the audience and is being sent.' };
}

/** Whether the attempts are past ClickHouse's retention. Those of a rehearsal or a test are never recorded. */
export function isPastKeeping(
  facts: Pick<TraceFacts, 'accepted' | 'settled' | 'capped' | 'rehearsal' | 'test' | 'started_at'>,
  keptDays: number | null,
  nowMs: number,
): boolean {
  const { accepted, settled, capped, rehearsal, test, started_at: startedAt } = facts;
  const wasTried = (accepted === true || settled === true) && !capped && !rehearsal && !test;
  if (!wasTried || keptDays === null || startedAt === null) return false;
  return nowMs - startedAt.getTime() > keptDays * DAY_MS;
}

const DAY_MS = 86_400_000;

/** By the current state: subscribers come back, and their tags change. */
function whyNotInAudience(facts: TraceFacts, { matchesNow }: TraceHints): string {
  const { started_at: startedAt, unsubscribed_at: leftAt } = facts;
  if (startedAt !== null && facts.subscribed_at > startedAt)
    return 'It subscribed after the delivery had started.';
  if (
    facts.subscription_status !== 'subscribed' &&
    (startedAt === null || leftAt === null || leftAt <= startedAt)
  )
    return facts.retired_reason === null
      ? 'It had unsubscribed before the delivery started.'
      : `It had been unsubscribed before the delivery started.${retiredReason(facts)}`;
  if (facts.subscription_status !== 'subscribed') return 'It unsubscribed before the delivery came to it.';
  if (facts.test) return 'It was not among the test browsers that were chosen.';
  if (facts.audience !== null)
    return matchesNow
      ? 'It did not match the delivery’s segment or category when the audience was fixed; it does now.'
      : 'It does not match the delivery’s segment or category.';
  return 'It was not subscribed when the audience was fixed, or its endpoint changed hands at that moment.';
}

function acceptedReason(facts: TraceFacts, hints: TraceHints): string {
  if (facts.rehearsal) return 'It would have been sent: this was a rehearsal, and no one received it.';
  const last = hints.attempts?.findLast(({ outcome }) => outcome === 'accepted');
  if (last !== undefined) return `The push service (${last.pushService}) accepted it.`;
  return hints.keptDays === null
    ? 'A push service accepted it.'
    : `A push service accepted it. ${noLongerKept(hints.keptDays)}`;
}

function failedReason(facts: TraceFacts, hints: TraceHints): string {
  if (facts.test) return 'It failed permanently; the attempts of a test are not recorded.';
  if (hints.attempts === null) return 'It failed permanently. The record of its attempts cannot be read now.';
  const last = lastOf(hints);
  if (last !== null) return `${answerOf(last)}.`;
  if (hints.keptDays !== null) return `It failed permanently. ${noLongerKept(hints.keptDays)}`;
  return facts.rehearsal
    ? 'It could not have been sent: its keys or endpoint are not usable, or it left meanwhile.'
    : 'It failed permanently; its attempts are not recorded yet.';
}

const noLongerKept = (days: number): string =>
  `Its attempts are not kept any more, after ${counted(days, 'day')}.`;

const lastOf = ({ attempts }: TraceHints): RecordedAttempt | null => attempts?.at(-1) ?? null;

function answerOf({ outcome, status, pushService }: RecordedAttempt): string {
  const answered = status === 0 ? null : `The push service (${pushService}) answered ${status}`;
  switch (outcome) {
    case 'gone':
      return answered === null
        ? 'It unsubscribed before it was sent to'
        : `${answered}: the subscription is gone`;
    case 'rejected':
      return answered === null ? 'Its endpoint or keys cannot be used' : `${answered} and will not take it`;
    case 'throttled':
      return `${answered ?? 'The push service'}: it wants fewer messages for now`;
    case 'expired':
      return 'Its time or its attempts ran out before a push service took it';
    case 'unreachable':
      return answered ?? `The push service (${pushService}) did not answer`;
    case 'accepted':
    case 'unsent':
      return answered ?? 'It was not sent';
  }
}
