import { createInFlight } from '../../contract/in-flight.ts';
import type { ClaimedMessage, InFlight } from '../../contract/webhooks.ts';
import { notMade } from '../alerts/send-step.ts';
import { endOf } from './end-of.ts';
import type { MessageStore } from './ports.ts';
import type { Attempted, SendMessage } from './send-message.ts';

/** Messages in flight of one engine, of one organization in it, and to one endpoint. */
const AT_ONCE = 64;
const PER_ORGANIZATION = 8;
const PER_ENDPOINT = 4;

export interface MessageStepDeps {
  readonly store: MessageStore;
  readonly sendMessage: SendMessage;
  readonly onError: (error: unknown) => void;
  /** A permit is free again: there may be more to send. */
  readonly onEnded?: () => void;
}

export interface MessageStep {
  /** Claims what has a permit, and begins it. @returns how many it began. */
  step(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

/**
 * Sends what is due beside what is in flight. A step waits for no receiver unless every permit is taken, and an endpoint
 * has few of them: one that hangs delays its own messages, and its organization's at most.
 */
export function createMessageStep({ store, sendMessage, onError, onEnded }: MessageStepDeps): MessageStep {
  const running = createInFlight<ClaimedMessage>(onError, onEnded);

  return {
    step: async () => {
      if (running.count() >= AT_ONCE) await running.oneEnded();
      const claimed = await store.claim(AT_ONCE - running.count(), inFlight());
      for (const message of claimed) running.begin(message, () => attempt(message));
      return claimed.length;
    },
    idle: running.idle,
  };

  function inFlight(): InFlight {
    const messages = running.owners();
    const ofEndpoints = countBy(messages, ({ endpointId }) => endpointId);
    return {
      busyOrganizations: atLeast(
        countBy(messages, ({ organizationId }) => organizationId),
        PER_ORGANIZATION,
      ),
      busyEndpoints: atLeast(ofEndpoints, PER_ENDPOINT),
      usedEndpoints: atLeast(ofEndpoints, 1),
    };
  }

  /** If this dies between the two lines, the lease ends and the message is repeated under its id. */
  async function attempt(message: ClaimedMessage): Promise<void> {
    const { answer, kept } = await sendMessage(message).catch((error: unknown) => notSent(message, error));
    await store.note(message, endOf(message, answer), kept);
  }

  function notSent({ claimedAt }: ClaimedMessage, error: unknown): Attempted {
    const answer = notMade(error, onError);
    const at = claimedAt.toISOString();
    return { answer, kept: { at, status: null, words: answer.answer, body: '', took_ms: 0 } };
  }
}

function countBy(
  messages: readonly ClaimedMessage[],
  keyOf: (message: ClaimedMessage) => number,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const message of messages) counts.set(keyOf(message), (counts.get(keyOf(message)) ?? 0) + 1);
  return counts;
}

const atLeast = (counts: ReadonlyMap<number, number>, limit: number): number[] =>
  [...counts].flatMap(([key, count]) => (count >= limit ? [key] : []));
