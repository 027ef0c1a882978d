// tier: unit
import { createHmac as nodeHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createArena } from '../../../engine/worker/encryption/ffi.ts';
import { createHmac } from '../../../engine/worker/encryption/hmac.ts';
import { openLibcrypto } from '../../../engine/worker/encryption/libcrypto.ts';
import {
  createKeyedHmac,
  createKeyPads,
  createPaddedMessage,
} from '../../../engine/worker/encryption/sha256-hmac.ts';

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });

describe('the one-shot HMAC', () => {
  it('equals that of node:crypto for every key and message', () => {
    fc.assert(
      fc.property(bytes(64), bytes(200), bytes(64), (key, message, earlierKey) => {
        const hmac = createHmac(message.length);
        const digest = Buffer.alloc(32);
        hmac.setKey(earlierKey); // nothing of it may stay behind
        hmac.setKey(key);
        hmac.message.set(message);
        hmac.digestInto(digest);
        expect(digest).toEqual(nodeHmac('sha256', key).update(message).digest());
      }),
    );
  });

  it('refuses keys that would have to be hashed first', () => {
    expect(() => createHmac(1).setKey(new Uint8Array(65))).toThrow(RangeError);
  });
});

describe('the HMAC by compression function', () => {
  const libcrypto = openLibcrypto();

  it('equals that of node:crypto for every key and message, and can be computed again under one key', () => {
    fc.assert(
      fc.property(bytes(64), bytes(200), bytes(200), (key, first, second) => {
        const arena = createArena(libcrypto.ffi, 4_096);
        const hmac = createKeyedHmac(libcrypto, arena);
        const pads = createKeyPads(arena, key.length);
        hmac.setKey(pads, new Uint8Array(key.length).fill(0xaa)); // nothing of it may stay behind
        hmac.setKey(pads, key);
        const digest = Buffer.alloc(32);
        for (const message of [first, second, first]) {
          const padded = createPaddedMessage(arena, message.length);
          padded.bytes.set(message);
          hmac.digest(padded, digest);
          expect(digest).toEqual(nodeHmac('sha256', key).update(message).digest());
        }
      }),
    );
  });

  it('refuses a key of another length than its pads were made for', () => {
    const arena = createArena(libcrypto.ffi, 1_024);
    const pads = createKeyPads(arena, 16);
    expect(() => createKeyedHmac(libcrypto, arena).setKey(pads, new Uint8Array(32))).toThrow(RangeError);
  });
});
