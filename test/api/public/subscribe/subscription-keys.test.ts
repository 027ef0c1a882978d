// tier: unit
import { createECDH, ECDH, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isP256Point, parseSubscriptionKeys } from '../../../../api/public/subscribe/subscription-keys.ts';

const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n;
  let square = base % p;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
};

/** The first points of the curve by their x: p is 3 modulo 4, so a square root is one power. */
function smallPoint(): { x: bigint; y: bigint } {
  for (let x = 0n; ; x++) {
    const square = (((x * x * x - 3n * x + b) % p) + p) % p;
    const y = power(square, (p + 1n) / 4n);
    if ((y * y) % p === square) return { x, y };
  }
}

const encode = (x: bigint, y: bigint): Buffer =>
  Buffer.from(`04${x.toString(16).padStart(64, '0')}${y.toString(16).padStart(64, '0')}`, 'hex');

const nodeTakes = (bytes: Buffer): boolean => {
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
};

describe('a point on P-256', () => {
  it('accepts what OpenSSL accepts', () => {
    for (let n = 0; n < 200; n++) {
      const point = createECDH('prime256v1').generateKeys();
      expect(isP256Point(point)).toBe(true);
      const bent = Buffer.from(point);
      const at = 1 + (n % 64);
      bent[at] = (bent[at] as number) ^ (1 << (n % 8));
      expect(isP256Point(bent)).toBe(nodeTakes(bent));
      expect(isP256Point(Buffer.concat([Buffer.of(4), randomBytes(64)]))).toBe(false);
    }
  });

  it('has coordinates below the prime, though greater ones solve the equation', () => {
    const { x, y } = smallPoint();
    expect([isP256Point(encode(x, y)), nodeTakes(encode(x, y))]).toEqual([true, true]);
    expect([isP256Point(encode(x + p, y)), nodeTakes(encode(x + p, y))]).toEqual([false, false]);
  });

  it('is uncompressed and has 65 bytes', () => {
    const pair = createECDH('prime256v1');
    const point = pair.generateKeys();
    expect(isP256Point(pair.getPublicKey(null, 'compressed'))).toBe(false);
    expect(isP256Point(pair.getPublicKey(null, 'hybrid'))).toBe(false);
    expect(isP256Point(point.subarray(0, 64))).toBe(false);
    expect(isP256Point(Buffer.concat([point, Buffer.of(0)]))).toBe(false);
    expect(isP256Point(Buffer.alloc(65, 0).fill(4, 0, 1))).toBe(false);
  });
});

describe('the keys of a subscription', () => {
  const point = createECDH('prime256v1').generateKeys();
  it('have an error of their own for each fault', () => {
    const auth = randomBytes(16).toString('base64url');
    const p256dh = point.toString('base64url');
    expect(parseSubscriptionKeys(p256dh, auth)).toMatchObject({ p256dh: point });
    expect(parseSubscriptionKeys('a b', auth)).toBe('p256dh-not-base64');
    expect(parseSubscriptionKeys('AAAA', auth)).toBe('p256dh-not-a-p256-point');
    expect(parseSubscriptionKeys(p256dh, 'a b')).toBe('auth-not-base64');
    expect(parseSubscriptionKeys(p256dh, 'AAAA')).toBe('auth-not-16-bytes');
  });
});
