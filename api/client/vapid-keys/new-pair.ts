import { createECDH } from 'node:crypto';

/** A key pair of an app as VAPID names it (RFC 8292, section 3.2): points and numbers of P-256 in base64url. */
export interface VapidPair {
  /** Uncompressed, 65 bytes. */
  readonly publicKey: string;
  /** 32 bytes. */
  readonly privateKey: string;
}

const SCALAR_BYTES = 32;

/** The bytes of a number at their full length: libraries leave out zeros in front. */
export const wholeScalar = (number: Buffer): Buffer =>
  Buffer.concat([Buffer.alloc(SCALAR_BYTES - number.length), number]);

export function newVapidPair(): VapidPair {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  return { publicKey, privateKey: wholeScalar(pair.getPrivateKey()).toString('base64url') };
}
