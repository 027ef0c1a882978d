import { busy, type ClaimStep, createClaimStep } from '../../contract/in-flight.ts';
import type { AlertStore, Answer, ClaimedSend, SendEnd } from '../ports.ts';
import type { SendAlert } from './send-alert.ts';

/** Sends in flight of one engine, and of one organization in it. */
const AT_ONCE = 16;
const PER_ORGANIZATION = 2;
/** Pauses after the first, second, … failed attempt; then it is given up. Some 28 hours in all. */
const PAUSES_S = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

/** The end of an attempt: what a stored send needs to go on. */
export function endOf(attempt: number, answer: Answer): SendEnd {
  if (answer.kind === 'taken') return { kind: 'sent', answer: answer.answer };
  if (answer.forGood) return { kind: 'unwanted', answer: answer.answer };
  const pauseS = PAUSES_S[attempt - 1];
  return pauseS === undefined
    ? { kind: 'failed', answer: answer.answer }
    : { kind: 'again', answer: answer.answer, afterMs: pauseS * 1_000 };
}

/** A message that cannot be made is an attempt like any other: it is given up in the end, and not claimed for ever. */
export function notMade(error: unknown, onError: (error: unknown) => void): Answer {
  onError(error);
  return { kind: 'refused', answer: 'the message could not be made', forGood: false };
}

export interface SendStepDeps {
  readonly store: Pick<AlertStore, 'claim' | 'note'>;
  readonly sendAlert: SendAlert;
  readonly onError: (error: unknown) => void;
}

/** An organization has few permits: a receiver that hangs delays its own organization at most. */
export const createSendStep = ({ store, sendAlert, onError }: SendStepDeps): ClaimStep =>
  createClaimStep<ClaimedSend>({
    atOnce: AT_ONCE,
    claim: (limit, inFlight) =>
      store.claim(
        limit,
        busy(inFlight, ({ organizationId }) => organizationId, PER_ORGANIZATION),
      ),
    attempt: async (send) => {
      const answer = await sendAlert(send).catch((error: unknown) => notMade(error, onError));
      await store.note(send, endOf(send.attempt, answer));
    },
    onError,
  });
