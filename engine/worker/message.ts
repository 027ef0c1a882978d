import type { SubscriptionKeys } from './encrypt.ts';
import type { Reader } from './reader-texts.ts';
import type { SharedHeaders } from './shared-headers.ts';

/** A message of the block being sent: its entry in the block, and its destination. */
export interface Envelope extends SubscriptionKeys {
  readonly index: number;
  readonly sharedHeaders: SharedHeaders;
  readonly path: string;
  /** The endpoint accepted a message before. */
  readonly isKnown: boolean;
  /** Absent: everyone gets the same text. */
  readonly reader?: Reader;
}

/** A message in flight, counted in the window. */
export interface Outgoing {
  readonly envelope: Envelope;
  /** UTF-8, before encryption. */
  readonly plaintext: Uint8Array;
  readonly headers: string[];
  readonly channel: number;
  readonly windowKey: string;
  /** Set while its endpoint is on probation: the outcome then says nothing about the push service. Otherwise null. */
  readonly probationKey: string | null;
}
