import type { LetterKind } from '../../contract/letters.ts';
import type { SendEnd } from '../ports.ts';

/**
 * Letters to people about their accounts. They are written in the transaction of what they are about, and sent until
 * the mail server takes them or they are over: at least once, under one id. No letter is kept afterwards.
 */
export interface ClaimedLetter {
  readonly id: number;
  /** Fences the note of its end: a later claim has another number. */
  readonly attempt: number;
  readonly kind: LetterKind;
  readonly address: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly linkSealed: Uint8Array | null;
  readonly at: Date;
}

export interface LetterStore {
  /** Leases due letters. */
  claim(limit: number): Promise<ClaimedLetter[]>;
  note(letter: Pick<ClaimedLetter, 'id' | 'attempt'>, end: SendEnd): Promise<void>;
  /** Deletes letters that are over, sent or not. */
  tidy(): Promise<void>;
}
