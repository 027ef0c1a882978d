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

/** @param oldKeys keys before a rotation: beacons of messages sent under them still count. */
export function createDeliveryProofs(
  masterKey: Uint8Array,
  oldKeys: readonly Uint8Array[] = [],
): DeliveryProofs {
  const current = createDigest(masterKey);
  const digests = [current, ...oldKeys.map(createDigest)];
  return {
    prove: (app, delivery) => current(app, delivery).toString('base64url'),
    isProof: (proof, app, delivery) => {
      const given = Buffer.from(proof, 'base64url');
      if (given.length !== PROOF_BYTES) return false;
      return digests.some((digest) => timingSafeEqual(given, digest(app, delivery)));
    },
  };
}

function createDigest(masterKey: Uint8Array): (app: string, delivery: string) => Buffer {
  // A derived key: the master key itself seals secrets.
  const key = Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(), 'broadside delivery proof', 32));
  return (app, delivery) =>
    createHmac('sha256', key).update(`${app}\n${delivery}`).digest().subarray(0, PROOF_BYTES);
}
