import { createInFlight } from '../../contract/in-flight.ts';
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

export interface SendStep {
  /** Claims what has a permit, and begins it. @returns how many it began. */
  step(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

/**
 * Sends what is due beside what is in flight. A step waits for no receiver unless every permit is taken, and an
 * organization has few of them: one that hangs delays its own organization at most.
 */
export function createSendStep({ store, sendAlert, onError }: SendStepDeps): SendStep {
  const inFlight = createInFlight<number>(onError);

  return {
    step: async () => {
      if (inFlight.count() >= AT_ONCE) await inFlight.oneEnded();
      const claimed = await store.claim(AT_ONCE - inFlight.count(), busyOrganizations());
      for (const send of claimed) inFlight.begin(send.organizationId, () => attempt(send));
      return claimed.length;
    },
    idle: inFlight.idle,
  };

  function busyOrganizations(): number[] {
    const counts = new Map<number, number>();
    for (const organization of inFlight.owners())
      counts.set(organization, (counts.get(organization) ?? 0) + 1);
    return [...counts].flatMap(([organization, count]) => (count >= PER_ORGANIZATION ? [organization] : []));
  }

  /** If this dies between the two lines, the lease ends and the send is repeated under its id. */
  async function attempt(send: ClaimedSend): Promise<void> {
    const answer = await sendAlert(send).catch((error: unknown) => notMade(error, onError));
    await store.note(send, endOf(send.attempt, answer));
  }
}
