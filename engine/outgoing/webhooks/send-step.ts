import { busy, type ClaimStep, createClaimStep } from '../../contract/in-flight.ts';
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

/** An endpoint has few permits: one that hangs delays its own messages, and its organization's at most. */
export function createMessageStep({ store, sendMessage, onError, onEnded }: MessageStepDeps): ClaimStep {
  return createClaimStep<ClaimedMessage>({
    atOnce: AT_ONCE,
    claim: (limit, messages) => store.claim(limit, inFlightOf(messages)),
    attempt: async (message) => {
      const { answer, kept } = await sendMessage(message).catch((error: unknown) => notSent(message, error));
      await store.note(message, endOf(message, answer), kept);
    },
    onError,
    ...(onEnded === undefined ? {} : { onEnded }),
  });

  function notSent({ claimedAt }: ClaimedMessage, error: unknown): Attempted {
    const answer = notMade(error, onError);
    const at = claimedAt.toISOString();
    return { answer, kept: { at, status: null, words: answer.answer, body: '', took_ms: 0 } };
  }
}

const endpointOf = ({ endpointId }: ClaimedMessage): number => endpointId;

const inFlightOf = (messages: readonly ClaimedMessage[]): InFlight => ({
  busyOrganizations: busy(messages, ({ organizationId }) => organizationId, PER_ORGANIZATION),
  busyEndpoints: busy(messages, endpointOf, PER_ENDPOINT),
  usedEndpoints: busy(messages, endpointOf, 1),
});
