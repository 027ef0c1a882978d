import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appBody,
  callAs,
  createMember,
  createTestApi,
  newEndpoint,
  newKeys,
  type TestApi,
} from './support.ts';

const ORIGIN = 'https://news.example.com';

describe('subscribe', () => {
  let api: TestApi;
  let identifier: string;
  let call: ReturnType<typeof callAs>;
  beforeAll(async () => {
    api = await createTestApi();
    call = callAs(api.app, await createMember(api.database));
  });
  afterAll(() => api.close());

  const newApp = async () => {
    identifier = (await call('POST', '/apps', appBody({ site_domain: ORIGIN }))).json().data.identifier;
  };
  const bodyOf = (changes: object = {}, subscription: object = {}) => ({
    appId: identifier,
    userId: randomBytes(8).toString('hex'),
    subscription: { endpoint: newEndpoint(), expirationTime: null, keys: newKeys(), ...subscription },
    ...changes,
  });
  const post = (payload: object, headers: Record<string, string | undefined> = {}) => {
    const all = { 'x-app-id': identifier, origin: ORIGIN, ...headers };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return api.app.inject({
      method: 'POST',
      url: '/api/v1/public/subscribe',
      headers: given as Record<string, string>,
      payload,
    });
  };
  const rows = () =>
    api.database.query<{ seq: number; endpoint: string; status: string; user_identity: string | null }>(
      `SELECT seq, endpoint, status, user_identity FROM subscriptions
       JOIN apps ON apps.id = app_id WHERE identifier = $1 ORDER BY seq`,
      [identifier],
    );
  const counts = async () => {
    const { data } = (await call('GET', `/apps/${identifier}`)).json();
    return [data.subscriber_count, data.active_subscriber_count];
  };
  /** The counts are right when they are what counting the rows gives. */
  const expectCountsToAddUp = async () => {
    const all = await rows();
    expect(await counts()).toEqual([all.length, all.filter(({ status }) => status === 'subscribed').length]);
  };

  it('stores a browser with the next seq, and counts it', async () => {
    await newApp();
    for (let n = 0; n < 3; n++) {
      const answer = await post(bodyOf({ externalIds: { oid_cookie: 'a' }, categoryIds: [1] }));
      expect([answer.statusCode, answer.json()]).toEqual([200, { success: true }]);
    }
    expect((await rows()).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(await counts()).toEqual([3, 3]);
  });

  it('again from the same endpoint updates its row', async () => {
    await newApp();
    const first = bodyOf();
    await post(first);
    const keys = newKeys();
    await post({ ...first, subscription: { ...first.subscription, keys } });
    expect(await counts()).toEqual([1, 1]);
    const [row] = await api.database.query<{ p256dh: Buffer; auth: Buffer }>(
      `SELECT p256dh, auth FROM subscriptions WHERE endpoint = $1`,
      [first.subscription.endpoint],
    );
    expect(row?.p256dh.toString('base64url')).toBe(keys.p256dh);
    expect(row?.auth.toString('base64url')).toBe(keys.auth);
  });

  it('from the same user with a new endpoint moves the row', async () => {
    await newApp();
    const first = bodyOf();
    await post(first);
    const second = bodyOf({ userId: first.userId });
    await post(second);
    expect(await rows()).toEqual([
      { seq: 0, endpoint: second.subscription.endpoint, status: 'subscribed', user_identity: first.userId },
    ]);
    expect(await counts()).toEqual([1, 1]);
  });

  it('without a user keeps who the endpoint belongs to', async () => {
    await newApp();
    const first = bodyOf();
    await post(first);
    await post({ ...first, userId: undefined });
    await post({ ...first, userId: null });
    expect(await rows()).toMatchObject([{ user_identity: first.userId }]);
  });

  it('of a known endpoint by another known user leaves one active row', async () => {
    await newApp();
    const [one, two] = [bodyOf(), bodyOf()];
    await post(one);
    await post(two);
    await post({ ...two, userId: one.userId });
    expect((await rows()).map(({ seq, status, user_identity }) => [seq, status, user_identity])).toEqual([
      [0, 'unsubscribed', one.userId],
      [1, 'subscribed', one.userId],
    ]);
    await expectCountsToAddUp();
  });

  it('brings an unsubscribed browser back under its old seq', async () => {
    await newApp();
    const body = bodyOf();
    await post(body);
    await api.database.query(
      `WITH gone AS (UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() WHERE endpoint = $1 RETURNING app_id)
       UPDATE apps SET active_subscriber_count = active_subscriber_count - 1 WHERE id = (SELECT app_id FROM gone)`,
      [body.subscription.endpoint],
    );
    await post(body);
    expect(await rows()).toMatchObject([{ seq: 0, status: 'subscribed' }]);
    await expectCountsToAddUp();
  });

  it('at once from one new endpoint makes one row, gapless', async () => {
    await newApp();
    const body = bodyOf({ userId: undefined });
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(body)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200));
    await post(bodyOf());
    expect((await rows()).map(({ seq }) => seq)).toEqual([0, 1]);
    await expectCountsToAddUp();
  });

  it('at once from one user with many endpoints makes one row', async () => {
    await newApp();
    const userId = 'user-1';
    await Promise.all(Array.from({ length: 12 }, () => post(bodyOf({ userId }))));
    expect(await rows()).toHaveLength(1);
    await expectCountsToAddUp();
  });

  it('at once from many browsers gives each its own seq', async () => {
    await newApp();
    await Promise.all(Array.from({ length: 40 }, () => post(bodyOf())));
    expect((await rows()).map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(await counts()).toEqual([40, 40]);
  });

  it('survives a mix of the same users and endpoints at once, and the counts add up', async () => {
    await newApp();
    const browsers = Array.from({ length: 4 }, () => bodyOf());
    const mixed = Array.from({ length: 60 }, (_, n) => ({
      ...(browsers[n % 4] as ReturnType<typeof bodyOf>),
      userId: `user-${n % 3}`,
    }));
    const answers = await Promise.all(mixed.map((body) => post(body)));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    await expectCountsToAddUp();
    const active = (await rows()).filter(({ status }) => status === 'subscribed');
    expect(new Set(active.map(({ user_identity }) => user_identity)).size).toBe(active.length);
  });

  it.each<[what: string, headers: Record<string, string | undefined>]>([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['the origin with a slash', { origin: `${ORIGIN}/` }],
    ['the origin over http', { origin: 'http://news.example.com' }],
    ['a longer origin', { origin: `${ORIGIN}.evil.com` }],
    ['no origin', { origin: undefined }],
    ['an unknown app', { 'x-app-id': 'missing' }],
    ['no app', { 'x-app-id': undefined }],
    ['localhost', { origin: 'http://localhost:3000' }],
  ])('refuses %s with 403, whatever the body', async (_what, headers) => {
    await newApp();
    for (const body of [bodyOf(), {}]) {
      const answer = await post(body, headers);
      expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'Invalid origin domain' }]);
    }
    expect(await rows()).toEqual([]);
  });

  const point = Buffer.from(newKeys().p256dh, 'base64url');
  const offCurve = Buffer.from(point);
  offCurve[64] = (offCurve[64] as number) ^ 1;
  it.each<[what: string, changes: object, subscription: object]>([
    ['no subscription', { subscription: undefined }, {}],
    ['another app', { appId: 'other-app' }, {}],
    ['an empty user', { userId: '' }, {}],
    ['an http endpoint', {}, { endpoint: 'http://push.example.com/x' }],
    ['an endpoint that is no URL', {}, { endpoint: 'push' }],
    ['an endpoint on an unknown host', {}, { endpoint: 'https://127.0.0.1/x' }],
    ['an endpoint with credentials', {}, { endpoint: 'https://a:b@push.example.com/x' }],
    ['no keys', {}, { keys: undefined }],
    ['a point off the curve', {}, { keys: { ...newKeys(), p256dh: offCurve.toString('base64url') } }],
    [
      'a compressed point',
      {},
      {
        keys: {
          ...newKeys(),
          p256dh: Buffer.concat([Buffer.of(2), point.subarray(1, 33)]).toString('base64url'),
        },
      },
    ],
    [
      'coordinates past the prime',
      {},
      {
        keys: {
          ...newKeys(),
          p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 255)]).toString('base64url'),
        },
      },
    ],
    ['a point that is no base64', {}, { keys: { ...newKeys(), p256dh: '$'.repeat(87) } }],
    ['an auth of 15 bytes', {}, { keys: { ...newKeys(), auth: randomBytes(15).toString('base64url') } }],
    ['external ids that are no strings', { externalIds: { a: 1 } }, {}],
    ['categories that are no integers', { categoryIds: ['a'] }, {}],
    ['a user with NUL', { userId: 'a\0b' }, {}],
  ])('answers 422 without detail for %s', async (_what, changes, subscription) => {
    await newApp();
    const answer = await post(bodyOf(changes, subscription));
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { success: false, message: 'Invalid request.' },
    ]);
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(await rows()).toEqual([]);
  });

  it('takes keys in base64 with padding, too', async () => {
    await newApp();
    const { p256dh, auth } = newKeys();
    const padded = (key: string) => Buffer.from(key, 'base64url').toString('base64');
    const answer = await post(bodyOf({}, { keys: { p256dh: padded(p256dh), auth: padded(auth) } }));
    expect(answer.statusCode).toBe(200);
  });

  it('answers a preflight of a known origin, and of no other', async () => {
    await newApp();
    const preflight = (origin: string) =>
      api.app.inject({
        method: 'OPTIONS',
        url: '/api/v1/public/subscribe',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,x-app-id',
        },
      });
    const known = await preflight(ORIGIN);
    expect(known.statusCode).toBe(204);
    expect(known.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining('X-App-Id'),
      vary: expect.stringContaining('Origin'),
    });
    expect((await preflight('https://evil.example.com')).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});

describe('subscribe in development', () => {
  it('takes pages on localhost where the setting says so, but no look-alike', async () => {
    const api = await createTestApi({ config: { publicBaseUrl: null, allowLocalhostOrigin: true } });
    const call = callAs(api.app, await createMember(api.database));
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const post = (origin: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/v1/public/subscribe',
        headers: { 'x-app-id': identifier, origin },
        payload: { subscription: { endpoint: newEndpoint(), keys: newKeys() } },
      });
    const answer = await post('http://localhost:5173');
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([
      200,
      'http://localhost:5173',
    ]);
    for (const origin of ['http://localhost.evil.com', 'http://127.0.0.1.nip.io', 'null']) {
      expect((await post(origin)).statusCode).toBe(403);
    }
    await api.close();
  });
});
