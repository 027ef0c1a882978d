import { createECDH } from 'node:crypto';

export interface VapidPair {
  /** 65 bytes, an uncompressed point on P-256, as base64url. */
  readonly publicKey: string;
  /** 32 bytes as base64url. */
  readonly privateKey: string;
}

/** @returns the pair in its usual form (base64url without padding); null where the two are no pair. */
export function parseVapidPair(publicText: string, privateText: string): VapidPair | null {
  const [publicKey, privateKey] = [publicText, privateText].map((text) => Buffer.from(text.trim(), 'base64'));
  if (privateKey?.length !== 32 || publicKey?.length !== 65) return null;
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(privateKey);
    if (!pair.getPublicKey().equals(publicKey)) return null;
  } catch {
    return null;
  }
  return { publicKey: publicKey.toString('base64url'), privateKey: privateKey.toString('base64url') };
}
