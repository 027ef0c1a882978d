import { hash } from 'node:crypto';

/**
 * HMAC-SHA-256 (RFC 2104) over buffers that are laid out once. `createHmac` builds a native object for
 * every call (2.9 µs); two one-shot hashes over prepared memory cost 1.4 µs, and each message needs five.
 */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

export interface Hmac {
  /** The message, of the fixed length given at the start: write here before `digestInto`. */
  readonly message: Buffer;
  /** @param key at most 64 bytes: RFC 8291 has none longer, so the hashing of long keys is left out. */
  setKey(key: Uint8Array): void;
  /** Writes the 32 bytes to the start of `target`. */
  digestInto(target: Buffer): void;
}

export function createHmac(messageBytes: number): Hmac {
  const inner = Buffer.alloc(BLOCK_BYTES + messageBytes);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
  return {
    message: inner.subarray(BLOCK_BYTES),
    setKey(key) {
      if (key.length > BLOCK_BYTES) throw new RangeError(`an HMAC key of ${key.length} bytes`);
      for (let i = 0; i < key.length; i++) {
        inner[i] = (key[i] as number) ^ 0x36;
        outer[i] = (key[i] as number) ^ 0x5c;
      }
      inner.fill(0x36, key.length, BLOCK_BYTES);
      outer.fill(0x5c, key.length, BLOCK_BYTES);
    },
    digestInto(target) {
      // A 'latin1' string of 32 characters comes back in half the time of a Buffer.
      outer.write(hash('sha256', inner, 'latin1'), BLOCK_BYTES, DIGEST_BYTES, 'latin1');
      target.write(hash('sha256', outer, 'latin1'), 0, DIGEST_BYTES, 'latin1');
    },
  };
}
