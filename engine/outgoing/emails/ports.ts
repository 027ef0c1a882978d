import type { EmailKind } from '../../contract/emails.ts';
import type { SendEnd } from '../ports.ts';

/**
 * E-mails to people about their accounts. They are written in the transaction of what they are about, and sent until
 * the mail server takes them or they are over: at least once, under one id. No e-mail is kept afterwards.
 */
export interface ClaimedEmail {
  readonly id: number;
  /** Fences the note of its end: a later claim has another number. */
  readonly attempt: number;
  readonly kind: EmailKind;
  readonly address: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly linkSealed: Uint8Array | null;
  readonly at: Date;
}

export interface EmailStore {
  /** Leases due e-mails. */
  claim(limit: number): Promise<ClaimedEmail[]>;
  note(email: Pick<ClaimedEmail, 'id' | 'attempt'>, end: SendEnd): Promise<void>;
  /** Deletes e-mails that are over, sent or not. */
  tidy(): Promise<void>;
}
