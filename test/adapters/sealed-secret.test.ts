// tier: unit
import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createSealer,
  parseMasterKey,
  readMasterKeys,
} from '../../engine/adapters/postgres/sealed-secret.ts';

function sealWithoutId(key: Uint8Array, plain: string, context: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

describe('a sealed secret', () => {
  const sealer = createSealer(randomBytes(32));

  it('opens to the sealed value, bytes and texts alike', () => {
    for (const plain of ['', 'key', 'ąę😀', randomBytes(1_000)]) {
      expect(sealer.open(sealer.seal(plain, 'app-1'), 'app-1')).toEqual(Buffer.from(plain as string));
    }
  });

  it('is mark, key id, nonce, tag and ciphertext, and never twice the same', () => {
    const seals = Array.from({ length: 50 }, () => sealer.seal('key', 'app-1').toString('hex'));
    expect(new Set(seals).size).toBe(50);
    for (const seal of seals) expect(seal).toHaveLength(2 * (4 + 4 + 12 + 16 + 3));
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
    for (const length of [0, 8, 12, 27, 35, sealed.length - 1]) {
      expect(() => sealer.open(sealed.subarray(0, length), 'app-1')).toThrow();
    }
  });

  it('opens under the key that it names, among old ones, and no longer when that is gone', () => {
    const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)];
    const sealed = createSealer(first).seal('key', 'app-1');
    expect(createSealer(third, [second, first]).open(sealed, 'app-1').toString()).toBe('key');
    expect(() => createSealer(third, [second]).open(sealed, 'app-1')).toThrow('master key is not known');
    const current = createSealer(second, [first]);
    expect(current.seal('key', 'app-1').subarray(0, 8)).toEqual(current.currentHeader);
    expect(sealed.subarray(0, 8)).toEqual(createSealer(first).currentHeader);
  });

  it('from before keys had ids opens under any known key', () => {
    const [key, other] = [randomBytes(32), randomBytes(32)];
    const unnamed = sealWithoutId(key, 'key', 'app-1');
    expect(createSealer(key).open(unnamed, 'app-1').toString()).toBe('key');
    expect(createSealer(other, [key]).open(unnamed, 'app-1').toString()).toBe('key');
    expect(() => createSealer(other).open(unnamed, 'app-1')).toThrow();
    expect(() => createSealer(key).open(unnamed, 'app-2')).toThrow();
  });

  it('with its key id removed or exchanged does not open', () => {
    const [key, other] = [randomBytes(32), randomBytes(32)];
    const both = createSealer(key, [other]);
    const sealed = both.seal('key', 'app-1');
    expect(() => both.open(sealed.subarray(8), 'app-1')).toThrow();
    const renamed = Buffer.concat([createSealer(other).currentHeader, sealed.subarray(8)]);
    expect(() => both.open(renamed, 'app-1')).toThrow();
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

  it('may have old ones beside it, each a key, and none of them itself', () => {
    const [current, old] = [randomBytes(32), randomBytes(32)];
    const text = (key: Buffer) => key.toString('base64');
    const masterKeysOld = [text(old), text(current)];
    expect(readMasterKeys({ masterKey: text(current), masterKeysOld })).toEqual({ current, old: [old] });
    expect(() => readMasterKeys({ masterKey: text(current), masterKeysOld: ['x'] })).toThrow(
      'MASTER_KEYS_OLD',
    );
    expect(() => readMasterKeys({ masterKey: 'x', masterKeysOld })).toThrow('MASTER_KEY must be');
  });

  it('of another length seals nothing', () => {
    expect(() => createSealer(randomBytes(16))).toThrow('16 bytes, not 32');
  });
});
