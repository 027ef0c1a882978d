import { type ChannelState, readWord, word } from '../contract/channel-state.ts';
import { failureCode, type Outcome, outcomeCode, settles } from '../contract/outcome.ts';
import { classifyStatus, parseRetryAfter } from './classify.ts';
import type { Body } from './encrypt-each.ts';
import type { Governor } from './governor.ts';
import type { Outgoing } from './message.ts';
import type { Origins, RequestEnding } from './origin-health.ts';
import type { Permits } from './permits.ts';
import type { Probation } from './probation.ts';
import type { SendBlock } from './protocol.ts';
import type { PushAnswer } from './push-answer.ts';
import type { PushClient } from './push-client.ts';
import { tidy } from './reasons.ts';
import { type Rejections, rejectsSender } from './rejections.ts';
import type { ResultSheet } from './result-sheet.ts';
import type { SharedHeaders } from './shared-headers.ts';

interface PostDeps {
  readonly client: Pick<PushClient, 'post'>;
  readonly sink: Pick<PushClient, 'post'>;
  readonly governor: Governor;
  readonly probation: Probation;
  readonly origins: Origins;
  readonly rejections: Rejections;
  readonly permits: Permits;
  readonly now: () => number;
  readonly onAnswered?: () => void;
  /** No further message goes out. */
  readonly stopped: () => boolean;
  /** Settles a target that is not sent to. */
  readonly refuseTarget: (index: number, sharedHeaders: SharedHeaders, why: string) => void;
}

interface Judged {
  readonly outcome: Outcome;
  readonly retryAfterMs: number | null;
}

const requestEndingOf = ({ status, connected }: PushAnswer): RequestEnding =>
  status !== 0 ? 'answered' : connected ? 'silent' : 'not-connected';

/** As if a request had left, and nothing came back: the client threw with the message in its hands. */
const lost: PushAnswer = {
  ...{ status: 0, latencyMs: 0, retryAfter: null, connected: true },
  ...{ failure: failureCode.unknown, text: 'the request could not be made' },
};

/**
 * Sends the messages of one block and knows when the last answer is in.
 */
export function createPost(task: SendBlock, state: ChannelState, sheet: ResultSheet, deps: PostDeps) {
  const { governor, probation, rejections, origins, permits, now } = deps;
  const client = task.rehearsal ? deps.sink : deps.client;
  /** By index: the messages whose answers are awaited. Undefined: not sent, or answered. */
  const sent: (Outgoing | undefined)[] = [];
  /** Endpoints that rejected their sender: the fault is decided when all answers are in. */
  const rejecting: Outgoing[] = [];
  let unanswered = 0;
  let onAllAnswered: (() => void) | null = null;

  /** Whether its answer counts for itself alone. An origin that answers at last is treated like the others. */
  const isStranger = ({ envelope, probationKey }: Outgoing, { status }: PushAnswer): boolean =>
    probationKey !== null &&
    (status === 0 || readWord(state, envelope.sharedHeaders.channel(), word.hasKnown) !== 0);

  /** What the answer says about the origin, the sender and the push service. */
  function learn(outgoing: Outgoing, answer: PushAnswer, judged: Judged, stranger: boolean): void {
    const { envelope, channel, probationKey } = outgoing;
    const { sharedHeaders, isKnown } = envelope;
    const { latencyMs, status, text, connected } = answer;
    if (probationKey !== null) probation.answered(state, channel, judged.outcome);
    if (stranger && !settles[judged.outcome]) sheet.addOnProbation(1);
    // A name that does not resolve says nothing about others, and neither does an endpoint that never accepted.
    const says = connected && (!stranger || judged.outcome === 'accepted');
    if (says) governor.answered(state, sharedHeaders.channel(), { ...judged, latencyMs });
    const sender = { channel, key: sharedHeaders.key };
    const paused = rejections.answered(sender, isKnown, { outcome: judged.outcome, status });
    if (paused !== null)
      sheet.addPause({ channel, service: sharedHeaders.service, status: paused, text: tidy(text) });
    if (judged.outcome === 'rejected' && rejectsSender(status)) rejecting.push(outgoing);
    if (!connected && !isKnown && origins.isMadeUp(sharedHeaders.health)) sheet.addInvalid(envelope.index);
  }

  function note(outgoing: Outgoing, answer: PushAnswer): void {
    const { index, sharedHeaders } = outgoing.envelope;
    // First of all: whatever throws below, this reader is not sent to again.
    const outcome = writeOutcome(sheet, index, sharedHeaders, answer);
    if (!task.rehearsal) origins.ended(sharedHeaders.health, requestEndingOf(answer), answer.text);
    const stranger = isStranger(outgoing, answer);
    const judged = judge(sheet, sharedHeaders, answer, outcome, now, stranger);
    // Its state is that of rehearsals: they go as fast as push services take it that never throttle.
    if (task.rehearsal)
      governor.answered(state, sharedHeaders.channel(), { ...judged, latencyMs: answer.latencyMs });
    else learn(outgoing, answer, judged, stranger);
  }

  const listener = {
    answered(index: number, answer: PushAnswer) {
      const outgoing = sent[index];
      if (outgoing === undefined) return;
      sent[index] = undefined;
      try {
        note(outgoing, answer);
      } catch (error) {
        sheet.fail(error);
      } finally {
        permits.give(outgoing);
        deps.onAnswered?.();
        unanswered--;
        if (unanswered === 0) onAllAnswered?.();
      }
    },
  };

  /** Sends it, or gives its permits back. */
  function one(outgoing: Outgoing, body: Body): void {
    const { index, sharedHeaders, path } = outgoing.envelope;
    if (body === null) deps.refuseTarget(index, sharedHeaders, 'bad-key');
    if (body === 'failed') deps.refuseTarget(index, sharedHeaders, 'not sent: it cannot be encrypted');
    if (body === null || body === 'failed' || deps.stopped()) {
      permits.takeBack(outgoing);
      return;
    }
    sent[index] = outgoing;
    unanswered++;
    try {
      client.post({ origin: sharedHeaders.origin, path, headers: outgoing.headers, body, index }, listener);
    } catch (error) {
      sheet.fail(error);
      listener.answered(index, lost);
    }
  }

  return {
    all(batch: readonly Outgoing[], bodies: readonly Body[]): void {
      for (const [at, outgoing] of batch.entries()) one(outgoing, bodies[at] ?? null);
    },
    isSent: (outgoing: Outgoing): boolean => sent[outgoing.envelope.index] === outgoing,
    async allAnswered(): Promise<void> {
      if (unanswered === 0) return;
      await new Promise<void>((resolve) => {
        onAllAnswered = resolve;
      });
    },
    /** Whose fault the rejections were: known when all answers are in. */
    blame(): void {
      for (const { envelope, channel } of rejecting) {
        const { index, sharedHeaders, isKnown } = envelope;
        if (rejections.isOwnFault({ channel, key: sharedHeaders.key }, isKnown)) sheet.addInvalid(index);
      }
    },
  };
}

function writeOutcome(
  sheet: ResultSheet,
  index: number,
  { service, serviceIndex }: SharedHeaders,
  answer: PushAnswer,
): Outcome {
  const { status, latencyMs } = answer;
  const outcome = status === 0 ? 'unreachable' : classifyStatus(status, service);
  const failure = outcome === 'accepted' ? failureCode.none : answer.failure;
  sheet.write(index, { outcome: outcomeCode[outcome], failure, status, serviceIndex, latencyMs });
  return outcome;
}

function judge(
  sheet: ResultSheet,
  { service }: SharedHeaders,
  answer: PushAnswer,
  outcome: Outcome,
  now: () => number,
  stranger: boolean,
): Judged {
  if (outcome === 'accepted') return { outcome, retryAfterMs: null };
  const retryAfterMs = answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, now());
  // Readers of the same shard must not wait for as long as a stranger's endpoint likes.
  if (retryAfterMs !== null && !stranger) sheet.addRetryAfter(service, retryAfterMs);
  // Every unsubscribed browser has an answer body of its own: those would crowd the others out.
  if (outcome !== 'gone') sheet.addReason(service, answer.status, answer.text);
  return { outcome, retryAfterMs };
}
