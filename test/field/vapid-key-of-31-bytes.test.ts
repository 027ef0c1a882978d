// tier: unit
// People report private keys that are refused where a library left out their leading zeros:
// https://github.com/web-push-libs/web-push/issues/295
import { createECDH } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseVapidPair } from '../../api/cli/app-transfer/vapid-pair.ts';

/** Of a pair whose private number has this number of bytes. */
function pairOf(bytes: number) {
  const number = Buffer.concat([Buffer.alloc(32 - bytes), Buffer.alloc(bytes, 0x91)]);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(number);
  return { number, publicKey: pair.getPublicKey('base64url') };
}

describe('a private key as older libraries write numbers', () => {
  it.each([32, 31, 30, 16, 1])('is taken without its leading zeros, of %i bytes', (bytes) => {
    const { number, publicKey } = pairOf(bytes);
    const usual = { publicKey, privateKey: number.toString('base64url') };
    for (const written of [number.subarray(32 - bytes), number, Buffer.concat([Buffer.alloc(1), number])])
      for (const text of [written.toString('base64url'), written.toString('base64')])
        expect(parseVapidPair(publicKey, text)).toEqual(usual);
  });

  it('is refused with another byte in front, with more of them, and of none', () => {
    const { number, publicKey } = pairOf(32);
    for (const wrong of [
      Buffer.concat([Buffer.alloc(1, 1), number]),
      Buffer.concat([Buffer.alloc(2), number]),
    ])
      expect(parseVapidPair(publicKey, wrong.toString('base64url'))).toBeNull();
    expect(parseVapidPair(publicKey, '')).toBeNull();
    expect(parseVapidPair(publicKey, Buffer.alloc(31).toString('base64url'))).toBeNull();
  });
});
