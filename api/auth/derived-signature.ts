import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const SIGNATURE_BYTES = 16;

/** Tokens of `length` bytes with a signature behind them, base64url. */
export interface SignedBytes {
  sign(bytes: Uint8Array): string;
  /** Null: it is none of ours. */
  open(token: string): Buffer | null;
}

/**
 * @param purpose tokens for one are none for another: each has a key of its own, for the master key itself seals secrets.
 * @param oldKeys keys before a rotation: what was signed under them still holds.
 */
export function createSignedBytes(
  purpose: string,
  length: number,
  masterKey: Uint8Array,
  oldKeys: readonly Uint8Array[],
): SignedBytes {
  const signWith = (key: Uint8Array) => {
    const derived = Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `broadside ${purpose}`, 32));
    return (bytes: Uint8Array) =>
      createHmac('sha256', derived).update(bytes).digest().subarray(0, SIGNATURE_BYTES);
  };
  const current = signWith(masterKey);
  const all = [current, ...oldKeys.map(signWith)];
  return {
    sign: (bytes) => Buffer.concat([bytes, current(bytes)]).toString('base64url'),
    open: (token) => {
      const given = Buffer.from(token, 'base64url');
      if (given.length !== length + SIGNATURE_BYTES) return null;
      const [signed, signature] = [given.subarray(0, length), given.subarray(length)];
      return all.some((sign) => timingSafeEqual(signature, sign(signed))) ? signed : null;
    },
  };
}

const NUMBER_BYTES = 4;

/** Of 32 bits each. */
export function numbersToBytes(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * NUMBER_BYTES);
  for (const [at, value] of numbers.entries()) bytes.writeUInt32BE(value, at * NUMBER_BYTES);
  return bytes;
}

export const numberAt = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at * NUMBER_BYTES);
