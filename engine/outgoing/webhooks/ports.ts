import type { ClaimedMessage, InFlight, MessageEnd, WebhookAnswer } from '../../contract/webhooks.ts';

/**
 * Sending webhooks, and nothing of how they are stored. Invariants of this folder:
 *
 * - Messages are written in the transaction that made them true, by triggers: this folder only sends.
 * - A message is not sent before the earlier ones of its subject were taken or given up, by whichever engine.
 * - A message is sent until its end is noted, under the same id and as the same bytes: at least once.
 * - A receiver that hangs holds its endpoint's few permits until the deadline, and nothing else.
 * - URLs come from strangers: every connection goes through the guard, and no redirect is followed.
 */
export interface MessageStore {
  /** Leases due messages, at most one of each organization. */
  claim(limit: number, inFlight: InFlight): Promise<ClaimedMessage[]>;
  note(message: ClaimedMessage, end: MessageEnd, answer: WebhookAnswer): Promise<void>;
}
