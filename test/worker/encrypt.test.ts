import { createECDH, createPrivateKey, createHmac as nodeHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import ece from 'http_ece';
import { describe, expect, it } from 'vitest';
import webpush from 'web-push';
import {
  bodyLength,
  createEncryptBatch,
  createEncryptInto,
  MAX_PLAINTEXT_BYTES,
} from '../../engine/worker/encrypt.ts';
import { createHmac } from '../../engine/worker/hmac.ts';
import { makeSubscriber, type Subscriber } from './support.ts';

const encryptBatch = createEncryptBatch();
const text = Buffer.from('When I grow up, I want to be a watermelon');

const decrypt = (body: Buffer | null | undefined, { ecdh, auth }: Subscriber): Buffer =>
  ece.decrypt(body as Buffer, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth });

describe('encryption', () => {
  it('reproduces the example of RFC 8291, Appendix A, byte for byte', () => {
    const point = Buffer.from(
      'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
      'base64url',
    );
    const d = 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw';
    const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
    const privateKey = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d, x, y }, format: 'jwk' });
    const keys = {
      p256dh: Buffer.from(
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        'base64url',
      ),
      auth: Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url'),
    };
    const salt = Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url');
    const body = Buffer.alloc(bodyLength(text));
    expect(createEncryptInto()(body, text, keys, { publicPoint: point, privateKey }, salt)).toBe(true);
    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w' +
        'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  it('can be read by each subscriber with its own keys only', () => {
    const subscribers = Array.from({ length: 20 }, makeSubscriber);
    const bodies = encryptBatch(text, subscribers);
    subscribers.forEach((subscriber, at) => {
      expect(decrypt(bodies[at], subscriber)).toEqual(text);
    });
    expect(() => decrypt(bodies[0], subscribers[1] as Subscriber)).toThrow();
  });

  it('works for every length up to the limit, and refuses what is longer', () => {
    const subscriber = makeSubscriber();
    for (const length of [0, 1, 255, 3_992, MAX_PLAINTEXT_BYTES]) {
      const plaintext = randomBytes(length);
      expect(decrypt(encryptBatch(plaintext, [subscriber])[0], subscriber)).toEqual(plaintext);
    }
    expect(MAX_PLAINTEXT_BYTES).toBe(3_993);
    expect(encryptBatch(Buffer.alloc(MAX_PLAINTEXT_BYTES), [subscriber])[0]).toHaveLength(4_096);
    expect(() => encryptBatch(Buffer.alloc(MAX_PLAINTEXT_BYTES + 1), [subscriber])).toThrow(RangeError);
  });

  it('uses a fresh key pair and a fresh salt for every message', () => {
    const subscriber = makeSubscriber();
    const messages = 600; // more than one fill of the salt pool
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

  it('answers N for N, in order, with null in the place of keys that are none', () => {
    const good = makeSubscriber();
    const { p256dh, auth } = good;
    const offCurve = Buffer.from(p256dh);
    offCurve[64] = (offCurve[64] as number) ^ 1;
    const hybrid = Buffer.from(p256dh);
    hybrid[0] = 6 + ((p256dh[64] as number) & 1);
    const compressed = createECDH('prime256v1').generateKeys(null, 'compressed');
    const bodies = encryptBatch(text, [
      good,
      { p256dh: offCurve, auth },
      { p256dh: Buffer.alloc(65), auth },
      { p256dh: Buffer.alloc(0), auth },
      { p256dh: p256dh.subarray(0, 64), auth },
      { p256dh: hybrid, auth },
      { p256dh: compressed, auth },
      { p256dh, auth: auth.subarray(1) },
      good,
    ]);
    expect(bodies.map((body) => body !== null)).toEqual([true, ...Array(7).fill(false), true]);
    expect(decrypt(bodies[8], good)).toEqual(text);
  });

  it('has nothing to do for nobody', () => {
    expect(encryptBatch(text, [])).toEqual([]);
  });
});

describe('the one-shot HMAC', () => {
  it('equals that of node:crypto for every key and message', () => {
    const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
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
