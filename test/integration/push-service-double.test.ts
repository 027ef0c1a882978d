// tier: system
import { spawn } from 'node:child_process';
import { sign } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import webpush from 'web-push';
import { type Change, createPlainSender, type PlainSender } from '../support/push-service/plain-sender.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';
import { createSubscriberFactory } from '../support/push-service/subscriber.ts';

/** Origins in their default order: an index's service is its place modulo 4. */
const [FCM, MOZILLA, WNS, APPLE] = [0, 1, 2, 3] as const;

let push: PushServiceDouble;
let sender: PlainSender;
const own = (index: number) => push.subscriber(index, sender.vapidPublicKey);

beforeAll(async () => {
  push = await startPushService({ durable: true });
  sender = createPlainSender(push.ca);
});
beforeEach(async () => {
  await push.clearFaults();
  await push.mark('test');
});
afterAll(async () => {
  sender.close();
  await push.stop();
});

describe('a message that is right', () => {
  it.each([FCM, MOZILLA, WNS, APPLE])('is accepted, decrypted and counted (service %i)', async (index) => {
    const payload = JSON.stringify({ notification: { title: 'Grüße' } });
    expect(await sender.send(own(index), { payload })).toMatchObject({ kind: 'answered', status: 201 });
    expect(await push.message(index)).toMatchObject({ index, plaintext: payload, headers: { ttl: '60' } });
    expect(await push.ledger()).toMatchObject({
      received: 1,
      accepted: 1,
      distinct: 1,
      decrypted: 1,
      rejected: {},
    });
    expect((await push.indexes(0, 4)).accepted).toEqual([0, 1, 2, 3].map((other) => Number(other === index)));
  });

  it('may come from anyone where the subscription is bound to no key', async () => {
    expect(await sender.send(push.subscriber(FCM))).toMatchObject({ status: 201 });
  });

  it('counts as not decryptable where it holds no JSON, and is accepted all the same', async () => {
    expect(await sender.send(own(FCM), { payload: 'no JSON' })).toMatchObject({ status: 201 });
    expect(await push.ledger()).toMatchObject({ accepted: 1, decrypted: 0, decryptFailed: 1 });
  });

  it('counts as not decryptable where it was encrypted for another subscription', async () => {
    const { p256dh, auth } = own(FCM + 4);
    await sender.send({ ...own(FCM), p256dh, auth });
    const ledger = await push.ledger();
    expect(ledger).toMatchObject({ accepted: 1, decryptFailed: 1 });
    expect(ledger.decryptErrors).toHaveLength(1);
  });

  it('is seen to reuse a sender key that came before', async () => {
    const { p256dh, auth, endpoint } = own(FCM);
    const { body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, '{}');
    await sender.send(own(FCM), { body: body as Buffer });
    await sender.send(own(FCM), { body: body as Buffer });
    expect(await push.ledger()).toMatchObject({ decrypted: 2, keysReused: 1 });
  });
});

describe('messages that show nothing', () => {
  const silent = ['no JSON', '{}', JSON.stringify({ notification: { title: '' } })];
  const sendAll = async (index: number, payloads: readonly string[]): Promise<unknown[]> => {
    const statuses = [];
    for (const payload of payloads) {
      const ending = await sender.send(own(index), { payload });
      statuses.push(ending.kind === 'answered' ? ending.status : ending.kind);
    }
    return statuses;
  };
  const shown = JSON.stringify({ notification: { title: 'Hello' } });

  it('end a subscription of Safari at the third, and no other one', async () => {
    expect(await sendAll(APPLE + 40, [...silent, shown])).toEqual([201, 201, 201, 410]);
    expect(await sendAll(APPLE + 44, [silent[0] ?? '', shown, silent[1] ?? '', shown])).toEqual([
      201, 201, 201, 201,
    ]);
    expect((await push.ledger()).rejected).toEqual({ 'silent-pushes': 1 });
  });

  it('are nothing to the other push services', async () => {
    for (const index of [FCM, MOZILLA, WNS])
      expect(await sendAll(index + 40, [...silent, shown])).toEqual([201, 201, 201, 201]);
  });
});

describe('subscriptions', () => {
  it('are the same for the same index, and differ in everything between indexes', () => {
    const again = createSubscriberFactory({ seed: 'broadside', origins: push.origins });
    expect(again.subscriber(9)).toEqual(push.subscriber(9));
    const many = Array.from({ length: 50 }, (_, index) => push.subscriber(index));
    for (const field of ['endpoint', 'p256dh', 'auth', 'privateKey'] as const) {
      expect(new Set(many.map((subscriber) => subscriber[field])).size).toBe(50);
    }
  });

  it('share the requested number of real key pairs, and nothing else', () => {
    const pooled = createSubscriberFactory({ seed: 's', origins: push.origins, keyPairs: 3 });
    const many = Array.from({ length: 9 }, (_, index) => pooled.subscriber(index));
    expect(new Set(many.map(({ p256dh }) => p256dh)).size).toBe(3);
    expect(new Set(many.map(({ auth }) => auth)).size).toBe(9);
    expect(pooled.agreement(4).getPublicKey('base64url')).toBe(many[4]?.p256dh);
  });

  it('spread over the origins by their shares', () => {
    const origins = [
      { kind: 'fcm', url: 'https://a', share: 3 },
      { kind: 'wns', url: 'https://b', share: 1 },
    ] as const;
    const { originOf } = createSubscriberFactory({ seed: 's', origins });
    expect([0, 1, 2, 3, 4, 7].map(originOf)).toEqual([0, 0, 0, 1, 0, 1]);
  });

  it.each<[string, (path: string) => string]>([
    ['another index', (path) => path.replace('/0.', '/4.')],
    ['another sender key', (path) => path.replace(/\.[\w-]{8}\./, '.AAAAAAAA.')],
    ['no sender key', (path) => path.replace(/\.[\w-]{8}\./, '..')],
    ['another tag', (path) => path.replace(/.{4}$/, 'AAAA')],
    ['an index written otherwise', (path) => path.replace('/0.', '/00.')],
    ['something after it', (path) => `${path}a`],
    ['nothing of it', () => '/'],
  ])('answer 404 under an endpoint never issued: %s', async (_, forge) => {
    const path = forge(new URL(own(FCM).endpoint).pathname);
    expect(await sender.send(own(FCM), { path })).toMatchObject({ status: 404 });
    expect(await push.ledger()).toMatchObject({ accepted: 0, rejected: { 'unknown-endpoint': 1 } });
  });
});

/** A header of RFC 8188 that names records of 20 bytes: web push allows a single one. */
function bodyOfSmallRecords(): Buffer {
  const body = Buffer.alloc(300);
  body.writeUInt32BE(20, 16);
  body[20] = 65;
  body[21] = 4;
  return body;
}

describe('a message that is wrong', () => {
  const wrongs: [reason: string, status: number, index: number, change: Change][] = [
    ['method-not-allowed', 405, FCM, { method: 'PUT' }],
    ['ttl-missing', 400, FCM, { headers: { TTL: null } }],
    ['ttl-invalid', 400, FCM, { headers: { TTL: '-1' } }],
    ['ttl-invalid', 400, FCM, { headers: { TTL: '2419201' } }],
    ['cache-policy-conflict', 400, WNS, { ttlSeconds: 0 }],
    ['cache-policy-conflict', 400, WNS, { headers: { 'x-wns-cache-policy': 'no-cache' } }],
    ['encoding-invalid', 400, FCM, { headers: { 'Content-Encoding': 'aesgcm' } }],
    ['urgency-invalid', 400, FCM, { headers: { Urgency: 'urgent' } }],
    ['topic-invalid', 400, FCM, { headers: { topic: 'a'.repeat(33) } }],
    ['topic-invalid', 400, FCM, { headers: { topic: 'no/slash' } }],
    ['topic-invalid', 400, APPLE, { headers: { topic: 'fives' } }],
    ['body-malformed', 400, FCM, { body: Buffer.alloc(0) }],
    ['body-malformed', 400, FCM, { body: Buffer.alloc(300) }],
    ['body-malformed', 400, FCM, { body: bodyOfSmallRecords() }],
    ['body-too-large', 413, FCM, { body: Buffer.alloc(4_097) }],
    ['vapid-missing', 401, FCM, { headers: { Authorization: null } }],
    ['vapid-malformed', 401, FCM, { headers: { Authorization: 'vapid t=a.b.c, k=d' } }],
    ['vapid-malformed', 401, FCM, { headers: { Authorization: 'Bearer secret' } }],
  ];

  it.each(wrongs)('is refused: %s with %i (service %i, %o)', async (reason, status, index, change) => {
    expect(await sender.send(own(index), change)).toMatchObject({ kind: 'answered', status });
    expect(await push.ledger()).toMatchObject({ received: 1, accepted: 0, rejected: { [reason]: 1 } });
  });

  it.each<[string, number, Change]>([
    [
      'a TTL of 0 with its cache policy',
      WNS,
      { ttlSeconds: 0, headers: { 'x-wns-cache-policy': 'no-cache' } },
    ],
    ['a TTL of 0', APPLE, { ttlSeconds: 0 }],
    ['a topic of 32 characters', APPLE, { headers: { topic: 'a'.repeat(32) } }],
    ['a topic of 5 characters', MOZILLA, { headers: { topic: 'fives' } }],
    ['4,096 bytes', FCM, { payload: JSON.stringify('a'.repeat(3_991)) }],
  ])('is not: %s (service %i)', async (_, index, change) => {
    expect(await sender.send(own(index), change)).toMatchObject({ status: 201 });
  });

  it('gets the reason in the service’s own form', async () => {
    const change = { headers: { TTL: null } };
    const answers = await Promise.all(
      [FCM, MOZILLA, WNS, APPLE].map((index) => sender.send(own(index), change)),
    );
    expect(answers).toMatchObject([
      { body: 'ttl-missing' },
      { body: '{"message":"ttl-missing"}' },
      { body: '', headers: { 'x-wns-error-description': 'ttl-missing' } },
      { body: '{"reason":"ttl-missing"}' },
    ]);
  });
});

describe('a sender', () => {
  const keys = webpush.generateVAPIDKeys();
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  const right = () => ({
    aud: new URL(own(FCM).endpoint).origin,
    exp: inSeconds(3_600),
    sub: 'mailto:push@example.org',
  });

  /** Signs what `web-push` would refuse to. */
  function vapid(claims: object, alg = 'ES256'): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const text = `${encode({ typ: 'JWT', alg })}.${encode(claims)}`;
    const point = Buffer.from(keys.publicKey, 'base64url');
    const key = {
      kty: 'EC',
      crv: 'P-256',
      d: keys.privateKey,
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const signature = sign('sha256', Buffer.from(text), { key, format: 'jwk', dsaEncoding: 'ieee-p1363' });
    return `vapid t=${text}.${signature.toString('base64url')}, k=${keys.publicKey}`;
  }
  const sendAs = (authorization: string) =>
    sender.send(push.subscriber(FCM, keys.publicKey), { headers: { Authorization: authorization } });

  it('is let through with a token of its own signing', async () => {
    expect(await sendAs(vapid(right()))).toMatchObject({ status: 201 });
    const [token, key] = vapid(right()).replace('vapid ', '').split(', ');
    expect(await sendAs(`vapid ${key},${token}`)).toMatchObject({ status: 201 });
  });

  it.each<[reason: string, status: number, authorization: () => string]>([
    ['vapid-malformed', 401, () => vapid(right(), 'none')],
    ['vapid-malformed', 401, () => vapid({ ...right(), exp: 'soon' })],
    ['vapid-signature-invalid', 403, () => vapid(right()).replace(/.{8}, k=/, 'AAAAAAAA, k=')],
    ['vapid-signature-invalid', 403, () => vapid(right()).replace(/k=.*/, `k=${sender.vapidPublicKey}`)],
    ['vapid-audience-invalid', 403, () => vapid({ ...right(), aud: new URL(own(APPLE).endpoint).origin })],
    ['vapid-expired', 403, () => vapid({ ...right(), exp: inSeconds(-1) })],
    ['vapid-expiry-too-far', 403, () => vapid({ ...right(), exp: inSeconds(86_500) })],
    ['vapid-subject-invalid', 403, () => vapid({ ...right(), sub: 'https://localhost/contact' })],
    ['vapid-subject-invalid', 403, () => vapid({ ...right(), sub: 'mailto:push@localhost' })],
    ['vapid-subject-invalid', 403, () => vapid({ ...right(), sub: 'mailto:push@example.invalid' })],
    ['vapid-subject-invalid', 403, () => vapid({ ...right(), sub: 'push@example.org' })],
  ])('is refused: %s with %i (%#)', async (reason, status, authorization) => {
    expect(await sendAs(authorization())).toMatchObject({ status });
    expect((await push.ledger()).rejected).toEqual({ [reason]: 1 });
  });

  it('is refused where the subscription is bound to another key', async () => {
    const bound = push.subscriber(FCM, keys.publicKey);
    expect(await sender.send(bound)).toMatchObject({ status: 403 });
    expect((await push.ledger()).rejected).toEqual({ 'vapid-key-mismatch': 1 });
  });
});

describe('the process', () => {
  it('ends with the one that started it, however that died', async () => {
    const start = new URL('../support/push-service/start.ts', import.meta.url).href;
    const script = `const push = await (await import('${start}')).startPushService(); console.log(push.pid, push.caFile);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const [pid, caFile] = String(line).split(' ');
    expect(() => process.kill(Number(pid), 0)).not.toThrow();
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'), 120_000);
    expect(existsSync(String(caFile))).toBe(false);
  });

  it('reports its use of the machine', async () => {
    const before = await push.cpuUs();
    await sender.send(own(FCM));
    expect(await push.cpuUs()).toBeGreaterThan(before);
    expect(await push.rssBytes()).toBeGreaterThan(1_000_000);
  });

  it('refuses options it does not know, by name', async () => {
    await expect(startPushService({ origins: [] })).rejects.toThrow('options/origins');
  });
});
