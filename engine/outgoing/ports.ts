import type { AlertChannelKind, SentKind } from '../contract/alerts.ts';

/**
 * Sending alerts, and nothing of how they are stored. Invariants of this folder:
 *
 * - A condition becomes an alert once: its key is unique, so any number of engines may look as often as they like.
 * - An alert and its sends are one transaction: what was noted is sent.
 * - A send is repeated until its end is noted, under the same id: at least once, and receivers can drop repeats.
 * - A receiver that hangs holds one of its organization's few permits until the deadline, and nothing else.
 * - URLs come from strangers: every connection goes through the guard, and no redirect is followed.
 */
export interface ClaimedSend {
  readonly id: number;
  /** Fences the note of its end: a later claim has another number. */
  readonly attempt: number;
  readonly organizationId: number;
  readonly channelId: number;
  readonly channelKind: AlertChannelKind;
  readonly address: string;
  readonly secretSealed: Uint8Array | null;
  readonly kind: SentKind;
  readonly organization: string;
  /** Identifier and name; null where the alert is of the whole organization. */
  readonly app: { readonly identifier: string; readonly name: string } | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: Date;
  /** Further alerts of the kind that this one stands for. */
  readonly more: number;
}

export type SendEnd =
  | { readonly kind: 'sent'; readonly answer: string }
  /** Another attempt after the pause. */
  | { readonly kind: 'again'; readonly answer: string; readonly afterMs: number }
  | { readonly kind: 'failed'; readonly answer: string }
  /** The receiver wants nothing any more: the channel is disabled. */
  | { readonly kind: 'unwanted'; readonly answer: string };

export interface AlertStore {
  /** Notes new alerts with their sends, and lets held ones through. @returns how many it noted. */
  find(): Promise<number>;
  /** Leases due sends, at most one of each organization, none of those that are busy. */
  claim(limit: number, busy: readonly number[]): Promise<ClaimedSend[]>;
  note(send: Pick<ClaimedSend, 'id' | 'attempt' | 'channelId'>, end: SendEnd): Promise<void>;
}

/** The receiver's answer to one attempt. */
export type Answer =
  | { readonly kind: 'taken'; readonly answer: string }
  | { readonly kind: 'refused'; readonly answer: string; readonly forGood: boolean };

export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Rejects where the server is unavailable or refuses. */
export type SendMail = (mail: Mail, deadlineMs: number) => Promise<string>;
