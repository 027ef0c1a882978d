import type { SentType, WebhookAnswer } from '../../contract/webhooks.ts';

/**
 * Sending webhooks, and nothing of how they are stored. Invariants of this folder:
 *
 * - Messages are written in the transaction that made them true, by triggers: this folder only sends.
 * - A message is not sent before the earlier ones of its subject were taken or given up, by whichever engine.
 * - A message is sent until its end is noted, under the same id and as the same bytes: at least once.
 * - A receiver that hangs holds its endpoint's few permits until the deadline, and nothing else.
 * - URLs come from strangers: every connection goes through the guard, and no redirect is followed.
 */
export interface ClaimedMessage {
  readonly id: number;
  /** Fences the note of its end: a later claim has another number. */
  readonly attempt: number;
  readonly organizationId: number;
  readonly endpointId: number;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  /** The secret before the last rotation, while it is to sign as well. */
  readonly oldSecretSealed: Uint8Array | null;
  readonly headerId: string;
  readonly type: SentType;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly firstAttemptAt: Date;
  /** Of this attempt, by the clock of the store. */
  readonly claimedAt: Date;
}

export type MessageEnd =
  | { readonly kind: 'sent' }
  /** Another attempt after the pause. */
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'failed' }
  /** The receiver wants nothing any more: the endpoint is disabled. */
  | { readonly kind: 'unwanted' };

/** Of an organization or an endpoint that may have no more in flight, or of one that has something. */
export interface InFlight {
  readonly busyOrganizations: readonly number[];
  readonly busyEndpoints: readonly number[];
  /** One that fails gets a second message only when the first has ended. */
  readonly usedEndpoints: readonly number[];
}

export interface MessageStore {
  /** Leases due messages, at most one of each organization. */
  claim(limit: number, inFlight: InFlight): Promise<ClaimedMessage[]>;
  note(message: ClaimedMessage, end: MessageEnd, answer: WebhookAnswer): Promise<void>;
}
