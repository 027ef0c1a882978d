import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer, parseMasterKey } from '../../engine/adapters/postgres/sealed-secret.ts';

describe('a sealed secret', () => {
  const sealer = createSealer(randomBytes(32));

  it('opens to what was sealed, bytes and texts alike', () => {
    for (const plain of ['', 'key', 'ąę😀', randomBytes(1_000)]) {
      expect(sealer.open(sealer.seal(plain, 'app-1'), 'app-1')).toEqual(Buffer.from(plain as string));
    }
  });

  it('is nonce, tag and ciphertext, and never twice the same', () => {
    const seals = Array.from({ length: 50 }, () => sealer.seal('key', 'app-1').toString('hex'));
    expect(new Set(seals).size).toBe(50);
    for (const seal of seals) expect(seal).toHaveLength(2 * (12 + 16 + 3));
  });

  it('does not open under another context or key, nor with any bit changed', () => {
    const sealed = sealer.seal('key', 'app-1');
    expect(() => sealer.open(sealed, 'app-2')).toThrow();
    expect(() => createSealer(randomBytes(32)).open(sealed, 'app-1')).toThrow();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] as number) ^ 1;
      expect(() => sealer.open(changed, 'app-1')).toThrow();
    }
    for (const length of [0, 12, 27, sealed.length - 1]) {
      expect(() => sealer.open(sealed.subarray(0, length), 'app-1')).toThrow();
    }
  });
});

describe('the master key', () => {
  it('is 32 bytes, in either alphabet', () => {
    const key = randomBytes(32);
    expect(parseMasterKey(key.toString('base64'))).toEqual(key);
    expect(parseMasterKey(key.toString('base64url'))).toEqual(key);
  });

  it.each([
    '',
    'short',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    randomBytes(32).toString('hex'),
    `${randomBytes(32).toString('base64')}\n`,
  ])('is nothing else: %j', (text) => {
    expect(parseMasterKey(text)).toBeNull();
  });

  it('of another length seals nothing', () => {
    expect(() => createSealer(randomBytes(16))).toThrow('16 bytes, not 32');
  });
});
