import { campaignStatuses } from './campaign.ts';
import { deliveryStatuses } from './delivery.ts';

/** What an endpoint can ask for. The first four groups are written by triggers: migrations 0052 and 0066 have them. */
export const webhookTypes = [
  ...deliveryStatuses.map((status) => `delivery.${status}` as const),
  ...campaignStatuses.map((status) => `campaign.${status}` as const),
  'feed.broken',
  'feed.working',
  'app.standing.changed',
  'subscriptions.changed',
  'reports.complete',
  'reports.final',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Of a message that a person asked for, to try an endpoint. */
export const PING = 'ping';
export type SentType = WebhookType | typeof PING;

export const webhookStates = ['waiting', 'sent', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** What the sealed secrets of an endpoint are bound to. */
export const endpointContext = (endpointId: number): string => `webhook-endpoint ${endpointId}`;

/** One attempt, as it is kept with its message. */
export interface WebhookAnswer {
  /** ISO 8601. */
  readonly at: string;
  /** Null: nothing answered. */
  readonly status: number | null;
  readonly words: string;
  /** The beginning of what the receiver answered. */
  readonly body: string;
  readonly took_ms: number;
}
/** Of one message, the newest. */
export const MAX_ANSWERS = 20;

/** Of an endpoint. Older ones beyond that are given up. */
export const MAX_WAITING = 10_000;

/** Pauses after the first, second, … failure in a row, in seconds; the last one goes on. */
export const pausesS = [5, 30, 120, 600, 1_800, 3_600] as const;
/** The time for which a message is tried, and after which an endpoint that took nothing is disabled. */
export const GIVE_UP_DAYS = 3;

export interface WebhookContent {
  readonly type: SentType;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The payload of Standard Webhooks. Nothing in it depends on the attempt: a repeat is the same bytes. */
export const webhookPayload = ({ type, occurredAt, data }: WebhookContent) => ({
  type,
  timestamp: occurredAt.toISOString(),
  data,
});

/** What receivers know a repeat by. */
export const headerIdOf = (uuid: string): string => `msg_${uuid.replaceAll('-', '')}`;

/** A message that an engine leased, and where it goes. */
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
