import { createECDH } from 'node:crypto';

/** A key pair of an app as VAPID names it (RFC 8292, section 3.2): points and numbers of P-256 in base64url. */
export interface VapidPair {
  /** Uncompressed, 65 bytes. */
  readonly publicKey: string;
  /** 32 bytes. */
  readonly privateKey: string;
}

const PRIVATE_BYTES = 32;

export function newVapidPair(): VapidPair {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys('base64url');
  // A number that begins with zeros comes without them.
  const number = pair.getPrivateKey();
  const zeros = Buffer.alloc(PRIVATE_BYTES - number.length);
  return { publicKey, privateKey: Buffer.concat([zeros, number]).toString('base64url') };
}
