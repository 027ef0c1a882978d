import { createECDH } from 'node:crypto';
import { type VapidPair, wholeScalar } from '../../client/vapid-keys/new-pair.ts';

/** @returns the pair in its usual form (base64url without padding); null where the two are not a pair. */
export function parseVapidPair(publicText: string, privateText: string): VapidPair | null {
  const read = readVapidPair(publicText, privateText);
  return typeof read === 'string' ? null : read;
}

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const POINT_BYTES = 65;
const SCALAR_BYTES = 32;

/** As `parseVapidPair`; or why the two are not a pair, without the keys in it. */
export function readVapidPair(publicText: string, privateText: string): VapidPair | string {
  const [publicKey, privateKey] = [publicText, privateText].map((text) =>
    base64.test(text.trim()) ? Buffer.from(text.trim(), 'base64') : Buffer.alloc(0),
  );
  if (publicKey?.length !== POINT_BYTES || publicKey[0] !== 4)
    return 'the public key is not base64url of the 65 bytes of a point on P-256 (it begins with B and has 87 characters)';
  const scalar = scalarOf(privateKey ?? Buffer.alloc(0));
  if (scalar === null)
    return 'the private key is not base64url of 32 bytes (it has 43 characters); a PEM file has to be converted';
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(scalar);
    if (!pair.getPublicKey().equals(publicKey)) return 'the private key belongs to another public key';
  } catch {
    return 'the private key is none of P-256';
  }
  return { publicKey: publicKey.toString('base64url'), privateKey: scalar.toString('base64url') };
}

/**
 * A number of 32 bytes. Older libraries wrote it as they write any number: without zeros in front, or with one that says
 * that it is not negative.
 */
function scalarOf(bytes: Buffer): Buffer | null {
  const number = bytes.length === SCALAR_BYTES + 1 && bytes[0] === 0 ? bytes.subarray(1) : bytes;
  if (number.length === 0 || number.length > SCALAR_BYTES) return null;
  return wholeScalar(number);
}
