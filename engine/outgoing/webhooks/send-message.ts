import {
  type ClaimedMessage,
  endpointContext,
  headerIdOf,
  type WebhookAnswer,
  webhookPayload,
} from '../../contract/webhooks.ts';
import type { PublicAddresses } from '../../network/public-addresses.ts';
import type { Answer } from '../ports.ts';
import { postAndRead } from '../post.ts';
import { signMessage } from '../sign.ts';

/** Of a receiver's answer, for the people who read the log. */
const KEPT_BYTES = 1_024;

export interface SendMessageDeps {
  readonly addresses: PublicAddresses;
  readonly openSecret: (sealed: Uint8Array, context: string) => Uint8Array;
  readonly nowMs: () => number;
  readonly deadlineMs: number;
}

export interface Attempted {
  readonly answer: Answer;
  /** As it is kept. */
  readonly kept: WebhookAnswer;
}

export type SendMessage = (message: ClaimedMessage) => Promise<Attempted>;

/** One attempt. Rejects only where a secret does not open. */
export function createSendMessage(deps: SendMessageDeps): SendMessage {
  const { addresses, nowMs, deadlineMs } = deps;

  return async function sendMessage(message) {
    const beganMs = nowMs();
    const body = JSON.stringify(webhookPayload(message));
    const post = { url: message.url, headers: headersOf(message, new Date(beganMs), body), body };
    const posted = await postAndRead(addresses, post, deadlineMs, KEPT_BYTES);
    const kept = {
      at: message.claimedAt.toISOString(),
      status: posted.status,
      words: posted.answer.answer,
      body: posted.body,
      took_ms: Math.max(0, Math.round(nowMs() - beganMs)),
    };
    return { answer: posted.answer, kept };
  };

  /** Standard Webhooks: the time is that of the attempt, and after a rotation there are two signatures. */
  function headersOf(message: ClaimedMessage, at: Date, body: string): Record<string, string> {
    const id = headerIdOf(message.headerId);
    const sign = (sealed: Uint8Array): string => {
      const key = deps.openSecret(sealed, endpointContext(message.endpointId));
      return signMessage(key, id, at, body);
    };
    const { secretSealed, oldSecretSealed } = message;
    const signatures = [secretSealed, ...(oldSecretSealed === null ? [] : [oldSecretSealed])].map(sign);
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': signatures.join(' '),
    };
  }
}
