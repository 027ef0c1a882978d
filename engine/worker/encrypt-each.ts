import type { EncryptBatch } from './encrypt.ts';
import type { Outgoing } from './message.ts';
import type { SendBlock } from './protocol.ts';

/** Null: the subscription's keys are not keys. 'failed': it cannot be encrypted, and others can. */
export type Body = Buffer | null | 'failed';

/**
 * One body for each message, in order. Where a batch throws, each of its messages is tried by itself, so that one
 * reader's data ends one reader's message.
 * @throws Error where none of them can be encrypted: then no reader is at fault.
 */
export function encryptEach(
  encryptBatch: EncryptBatch,
  { wording, notification }: SendBlock,
  batch: readonly Outgoing[],
): readonly Body[] {
  const keys = batch.map(({ envelope }) => envelope);
  try {
    return encryptBatch(
      wording === undefined ? notification.plaintext : batch.map(({ plaintext }) => plaintext),
      keys,
    );
  } catch (error) {
    const bodies = batch.map((outgoing) => encryptAlone(encryptBatch, outgoing));
    if (bodies.every((body) => body === 'failed')) throw error;
    return bodies;
  }
}

function encryptAlone(encryptBatch: EncryptBatch, { plaintext, envelope }: Outgoing): Body {
  try {
    return encryptBatch(plaintext, [envelope])[0] ?? null;
  } catch {
    return 'failed';
  }
}
