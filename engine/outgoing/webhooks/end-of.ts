import { type ClaimedMessage, GIVE_UP_DAYS, type MessageEnd, pausesS } from '../../contract/webhooks.ts';
import type { Answer } from '../ports.ts';

const GIVE_UP_MS = GIVE_UP_DAYS * 86_400_000;

/** How an attempt ends: what a stored message needs to go on. */
export function endOf(
  message: Pick<ClaimedMessage, 'attempt' | 'firstAttemptAt' | 'claimedAt'>,
  answer: Answer,
): MessageEnd {
  if (answer.kind === 'taken') return { kind: 'sent' };
  if (answer.forGood) return { kind: 'unwanted' };
  if (message.claimedAt.getTime() - message.firstAttemptAt.getTime() >= GIVE_UP_MS) return { kind: 'failed' };
  return {
    kind: 'again',
    afterMs: (pausesS[message.attempt - 1] ?? pausesS[pausesS.length - 1] ?? 0) * 1_000,
  };
}
