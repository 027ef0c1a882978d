// tier: system
import { createECDH, ECDH, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import ece from 'http_ece';
import { beforeAll, expect, it } from 'vitest';
import webpush from 'web-push';
import { type EncryptBatch, MAX_PLAINTEXT_BYTES } from '../../../engine/worker/encrypt.ts';
import { rfcExample } from '../../../engine/worker/encryption/self-test.ts';
import { describeBackends } from '../../support/crypto-mb/describe-backends.ts';
import { makeSubscriber, type Subscriber } from '../support.ts';

const text = Buffer.from('When I grow up, I want to be a watermelon');

const decrypt = (body: Buffer | null | undefined, { ecdh, auth }: Subscriber): Buffer =>
  ece.decrypt(body as Buffer, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth });

/** A subscriber whose private number is given, so that a failure can be shrunk and played again. */
function subscriberOf(number: Uint8Array, auth: Uint8Array): Subscriber {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(number);
  return { ecdh, p256dh: ecdh.getPublicKey(), auth: Buffer.from(auth) };
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
/** Below the curve's order, and not zero. */
const privateNumbers = bytes(32).map((number) => number.with(0, (number[0] as number) & 0x7f).with(31, 1));
const subscribers = fc.tuple(privateNumbers, bytes(16)).map(([number, auth]) => subscriberOf(number, auth));
const plaintexts = fc.uint8Array({ maxLength: MAX_PLAINTEXT_BYTES, size: 'max' });

describeBackends('encryption', (open) => {
  let encryptBatch: EncryptBatch;
  beforeAll(() => {
    encryptBatch = open().encryptBatch;
  });

  it('reproduces the example of RFC 8291, Appendix A, byte for byte, at every index of a batch', () => {
    const { plaintext, known, keys, body } = rfcExample;
    expect(plaintext).toEqual(text);
    const bodies = open({ known }).encryptBatch(text, Array(19).fill(keys));
    expect(bodies.map((each) => each?.toString('base64url'))).toEqual(
      Array(19).fill(
        'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w' +
          'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
      ),
    );
    expect(bodies[0]).toEqual(body);
  });

  it('can be read by each subscriber with its own keys only, in batches of every size', () => {
    const browsers = Array.from({ length: 140 }, makeSubscriber);
    for (const size of [1, 2, 7, 8, 9, 15, 16, 17, 64, 65, 140]) {
      const bodies = encryptBatch(text, browsers.slice(0, size));
      expect(bodies).toHaveLength(size);
      bodies.forEach((body, at) => {
        expect(decrypt(body, browsers[at] as Subscriber)).toEqual(text);
      });
      expect(() => decrypt(bodies[0], browsers[1] as Subscriber)).toThrow();
    }
  });

  it('is read by another implementation, for any keys, batch and plaintext', () => {
    fc.assert(
      fc.property(fc.array(subscribers, { maxLength: 20 }), plaintexts, (browsers, plaintext) => {
        const bodies = encryptBatch(plaintext, browsers);
        expect(bodies).toHaveLength(browsers.length);
        browsers.forEach((browser, at) => {
          expect(decrypt(bodies[at], browser).equals(plaintext)).toBe(true);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('gives each subscriber a text of its own where texts differ, of any lengths', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(subscribers, fc.nat(3)), { minLength: 1, maxLength: 20 }),
        fc.array(plaintexts, { minLength: 4, maxLength: 4 }),
        (browsers, texts) => {
          const each = browsers.map(([, at]) => texts[at] as Uint8Array);
          const bodies = encryptBatch(
            each,
            browsers.map(([browser]) => browser),
          );
          browsers.forEach(([browser], at) => {
            expect(decrypt(bodies[at], browser).equals(each[at] as Uint8Array)).toBe(true);
          });
        },
      ),
      { numRuns: 60 },
    );
    expect(() =>
      encryptBatch([text, Buffer.alloc(MAX_PLAINTEXT_BYTES + 1)], [makeSubscriber(), makeSubscriber()]),
    ).toThrow(RangeError);
  });

  it('works for every length up to the limit, and refuses longer ones', () => {
    const subscriber = makeSubscriber();
    for (const length of [0, 1, 15, 16, 17, 255, 3_992, MAX_PLAINTEXT_BYTES]) {
      const plaintext = randomBytes(length);
      expect(decrypt(encryptBatch(plaintext, [subscriber])[0], subscriber)).toEqual(plaintext);
    }
    expect(MAX_PLAINTEXT_BYTES).toBe(3_993);
    expect(encryptBatch(Buffer.alloc(MAX_PLAINTEXT_BYTES), [subscriber])[0]).toHaveLength(4_096);
    expect(() => encryptBatch(Buffer.alloc(MAX_PLAINTEXT_BYTES + 1), [subscriber])).toThrow(RangeError);
    expect(decrypt(encryptBatch(text, [subscriber])[0], subscriber)).toEqual(text);
  });

  it('uses a fresh key pair and a fresh salt for every message', () => {
    const subscriber = makeSubscriber();
    const messages = 600; // more than one round
    const bodies = encryptBatch(text, Array(messages).fill(subscriber)) as Buffer[];
    expect(new Set(bodies.map((body) => body.toString('hex', 0, 16))).size).toBe(messages);
    expect(new Set(bodies.map((body) => body.toString('hex', 21, 86))).size).toBe(messages);
  });

  it('lays its header out as web-push does, and both read the same', () => {
    const subscriber = makeSubscriber();
    const theirs = webpush.encrypt(
      subscriber.p256dh.toString('base64url'),
      subscriber.auth.toString('base64url'),
      text.toString(),
      'aes128gcm',
    ).cipherText;
    const ours = encryptBatch(text, [subscriber])[0] as Buffer;
    expect(ours).toHaveLength(theirs.length);
    expect(ours.subarray(16, 21)).toEqual(theirs.subarray(16, 21)); // record size and key id length
    expect(decrypt(theirs, subscriber)).toEqual(decrypt(ours, subscriber));
  });

  it('answers N for N, in order, with null in place of invalid keys', () => {
    const good = makeSubscriber();
    const keys = [good, ...brokenKeys(good), good];
    const bodies = encryptBatch(text, keys);
    expect(bodies.map((body) => body !== null)).toEqual(keys.map((each) => each === good));
    expect(decrypt(bodies.at(-1), good)).toEqual(text);
  });

  it('isolates a broken key, at any index', () => {
    const browsers = Array.from({ length: 17 }, makeSubscriber);
    const broken = brokenKeys(browsers[0] as Subscriber);
    fc.assert(
      fc.property(fc.subarray([...browsers.keys()]), fc.nat(broken.length - 1), (places, kind) => {
        const isBroken = new Set(places);
        const bodies = encryptBatch(
          text,
          browsers.map((browser, at) => (isBroken.has(at) ? (broken[kind] as Subscriber) : browser)),
        );
        for (const [at, browser] of browsers.entries()) {
          if (isBroken.has(at)) expect(bodies[at]).toBeNull();
          else expect(decrypt(bodies[at], browser)).toEqual(text);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('does nothing for an empty batch', () => {
    expect(encryptBatch(text, [])).toEqual([]);
  });

  it('can be closed twice', () => {
    const backend = open();
    backend.close();
    backend.close();
  });
});

const prime = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;

function brokenKeys({ p256dh, auth }: Subscriber) {
  const offCurve = Buffer.from(p256dh);
  offCurve[64] = (offCurve[64] as number) ^ 1;
  const hybrid = Buffer.from(p256dh);
  hybrid[0] = 6 + ((p256dh[64] as number) & 1);
  return [
    { p256dh: offCurve, auth },
    { p256dh: Buffer.alloc(65), auth },
    { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64)]), auth },
    { p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]), auth },
    { p256dh: pointPastThePrime(), auth },
    { p256dh: Buffer.alloc(0), auth },
    { p256dh: p256dh.subarray(0, 64), auth },
    { p256dh: Buffer.concat([p256dh, Buffer.of(0)]), auth },
    { p256dh: hybrid, auth },
    { p256dh: createECDH('prime256v1').generateKeys(null, 'compressed'), auth },
    { p256dh, auth: auth.subarray(1) },
    { p256dh, auth: Buffer.alloc(0) },
  ].map((keys) => ({ ...keys, ecdh: createECDH('prime256v1') }));
}

/**
 * A point whose x is written as x + p: on the curve for a reader that reduces it, and by SEC 1 no point's encoding.
 */
function pointPastThePrime(): Buffer {
  for (let x = 1n; ; x++) {
    const compressed = Buffer.concat([Buffer.of(2), bytesOf(x)]);
    try {
      const point = ECDH.convertKey(compressed, 'prime256v1', undefined, undefined, 'uncompressed') as Buffer;
      return Buffer.concat([Buffer.of(4), bytesOf(x + prime), point.subarray(33)]);
    } catch {
      // No point of the curve has this x; every other one does.
    }
  }
}

const bytesOf = (number: bigint): Buffer => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
