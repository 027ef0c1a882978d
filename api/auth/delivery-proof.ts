import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * Proves that a beacon's sender has received the delivery it names: an HMAC over app and delivery that
 * travels inside the encrypted notification and nowhere else.
 */
export interface DeliveryProofs {
  prove(app: string, delivery: string): string;
  isProof(proof: string, app: string, delivery: string): boolean;
}

/** 128 bits: not to be guessed, and short in a payload of 3,993 bytes. */
const PROOF_BYTES = 16;

export function createDeliveryProofs(masterKey: Uint8Array): DeliveryProofs {
  // A key of its own: the master key itself seals secrets.
  const key = Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), 'broadside delivery proof', 32));
  const digest = (app: string, delivery: string): Buffer =>
    createHmac('sha256', key).update(`${app}\n${delivery}`).digest().subarray(0, PROOF_BYTES);
  return {
    prove: (app, delivery) => digest(app, delivery).toString('base64url'),
    isProof: (proof, app, delivery) => {
      const given = Buffer.from(proof, 'base64url');
      return given.length === PROOF_BYTES && timingSafeEqual(given, digest(app, delivery));
    },
  };
}
