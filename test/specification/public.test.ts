// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, newKeys, openTestApi } from '../api/support.ts';
import { createSite, type PublicPath, SITE_ORIGIN, type Site } from '../support/site.ts';

let site: Site;
/** Sections "Public endpoints (browser SDK)" and "Authentication, Public API" of the specification. */
const api = await openTestApi();
beforeEach(async () => {
  site = await createSite(api.app, api.database);
});

const done = [200, { success: true }];
const invalid = [422, { success: false, message: 'Invalid request.' }];
const wrongOrigin = [403, { message: 'Invalid origin domain' }];
const paths: readonly PublicPath[] = ['subscribe', 'update_subscription', 'subscription-tags'];

const answerOf = async (path: PublicPath, body: object, headers?: Record<string, string | undefined>) => {
  const answer = await site.post(path, body, headers);
  return [answer.statusCode, answer.json()];
};
/** What each of the three takes. */
const bodyOf = (path: PublicPath): object =>
  path === 'subscription-tags'
    ? { appId: site.identifier, userId: 'reader', tags: [{ key: 'topic', value: 'sports' }] }
    : site.subscribeBody();

describe('Public endpoints: base path and required headers', () => {
  it.each(paths)(
    '{base_url}/api/v1/public/%s: X-App-Id, Origin and Content-Type, no bearer token',
    async (path) => {
      const answer = await api.app.inject({
        method: 'POST',
        url: `/api/v1/public/${path}`,
        headers: { 'x-app-id': site.identifier, origin: SITE_ORIGIN, 'content-type': 'application/json' },
        payload: JSON.stringify(bodyOf(path)),
      });
      expect([answer.statusCode, answer.json()]).toEqual(done);
    },
  );
});

describe('Public endpoints: methods, paths, bodies and responses', () => {
  it('POST | /subscribe | below | 200 { success: true }', async () => {
    expect(await answerOf('subscribe', site.subscribeBody())).toEqual(done);
    expect(await site.rows()).toMatchObject([{ status: 'subscribed' }]);
  });

  it('POST | /update_subscription | same shape as subscribe', async () => {
    const body = site.subscribeBody();
    await site.post('subscribe', body);
    const moved = { ...site.subscribeBody(), userId: body.userId };
    expect(await answerOf('update_subscription', moved)).toEqual(done);
    expect(await site.rows()).toMatchObject([{ endpoint: moved.subscription.endpoint }]);
  });

  it('POST | /update_subscription | but `subscription` is optional', async () => {
    const body = site.subscribeBody();
    await site.post('subscribe', body);
    const { appId, userId } = body;
    const update = { appId, userId, externalIds: { oid_cookie: 'x' } };
    expect(await answerOf('update_subscription', update)).toEqual(done);
    expect(await site.rows()).toMatchObject([
      { endpoint: body.subscription.endpoint, external_ids: { oid_cookie: 'x' } },
    ]);
  });

  it('POST | /update_subscription | and `categoryIds` is not accepted', async () => {
    const body = site.subscribeBody({ categoryIds: [] });
    expect(await answerOf('update_subscription', body)).toEqual(invalid);
    expect(await site.rows()).toEqual([]);
  });

  it('POST | /subscription-tags | upsert per (subscription, tag key)', async () => {
    const { appId, userId, subscription } = site.subscribeBody();
    await site.post('subscribe', { appId, userId, subscription });
    const write = (...tags: [key: string, value: string][]) =>
      answerOf('subscription-tags', { appId, userId, tags: tags.map(([key, value]) => ({ key, value })) });
    expect(await write(['topic', 'sports'], ['city', 'Hamburg'])).toEqual(done);
    expect(await write(['topic', 'politics'])).toEqual(done);
    expect(await site.rows()).toMatchObject([{ tags: { topic: 'politics', city: 'Hamburg' } }]);
  });
});

describe('Public endpoints: subscribe body', () => {
  it('appId | string, app identifier', async () => {
    expect(await answerOf('subscribe', site.subscribeBody({ appId: 'another-app' }))).toEqual(invalid);
    expect(await answerOf('subscribe', site.subscribeBody({ appId: 7 }))).toEqual(invalid);
  });

  it('userId | string, browser-side user id', async () => {
    await site.post('subscribe', site.subscribeBody({ userId: 'reader-1' }));
    expect(await site.rows()).toMatchObject([{ user_identity: 'reader-1' }]);
    for (const userId of ['', 7, 'a\0b', 'x'.repeat(256)])
      expect(await answerOf('subscribe', site.subscribeBody({ userId }))).toEqual(invalid);
  });

  it('subscription | endpoint (URL string), expirationTime (null or time), keys {p256dh, auth: base64 strings}', async () => {
    for (const expirationTime of [null, 1_790_000_000_000, '2026-12-31T00:00:00Z'])
      expect(await answerOf('subscribe', site.subscribeBody({}, { expirationTime }))).toEqual(done);
  });

  it('externalIds | object: string keys to string values (`oid_cookie`, `<partner>_id`)', async () => {
    const externalIds = { oid_cookie: 'a1', acme_id: 'b2' };
    expect(await answerOf('subscribe', site.subscribeBody({ externalIds }))).toEqual(done);
    expect(await site.rows()).toMatchObject([{ external_ids: externalIds }]);
    expect(await answerOf('subscribe', site.subscribeBody({ externalIds: { a: 1 } }))).toEqual(invalid);
  });

  it('categoryIds | integer[]', async () => {
    const [category] = await api.database.query<{ id: number }>(
      `INSERT INTO delivery_categories (app_id, name) VALUES ($1, 'Sports') RETURNING id`,
      [site.appId],
    );
    const categoryIds = [category?.id ?? 0];
    expect(await answerOf('subscribe', site.subscribeBody({ categoryIds }))).toEqual(done);
    expect(await site.rows()).toMatchObject([{ category_ids: categoryIds }]);
    for (const wrong of [['a'], [1.5], 3, [-1]])
      expect(await answerOf('subscribe', site.subscribeBody({ categoryIds: wrong }))).toEqual(invalid);
  });
});

describe('on validation failure 422 `{ success: false, message: Invalid request. }` with no detail', () => {
  const point = Buffer.from(newKeys().p256dh, 'base64url');
  const offCurve = Buffer.from(point);
  offCurve[64] = (offCurve[64] as number) ^ 1;
  const compressed = Buffer.concat([Buffer.of(2), point.subarray(1, 33)]);
  const pastPrime = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 255)]);
  const p256dh = (bytes: Buffer) => ({ keys: { ...newKeys(), p256dh: bytes.toString('base64url') } });

  it.each<[what: string, changes: object, subscription: object]>([
    ['no subscription', { subscription: undefined }, {}],
    ['a subscription that is null', { subscription: null }, {}],
    ['an http endpoint', {}, { endpoint: 'http://push.example.com/x' }],
    ['an endpoint that is not a URL', {}, { endpoint: 'push' }],
    ['an endpoint on an unknown host', {}, { endpoint: 'https://127.0.0.1/x' }],
    ['an endpoint with credentials', {}, { endpoint: 'https://a:b@push.example.com/x' }],
    ['no keys', {}, { keys: undefined }],
    ['a point off the curve', {}, p256dh(offCurve)],
    ['a compressed point', {}, p256dh(compressed)],
    ['coordinates past the prime', {}, p256dh(pastPrime)],
    ['a point that is not base64', {}, { keys: { ...newKeys(), p256dh: '$'.repeat(87) } }],
    ['an auth of 15 bytes', {}, { keys: { ...newKeys(), auth: randomBytes(15).toString('base64url') } }],
  ])('/subscribe of %s', async (_what, changes, subscription) => {
    const answer = await site.post('subscribe', site.subscribeBody(changes, subscription));
    expect([answer.statusCode, answer.json()]).toEqual(invalid);
    expect(answer.headers['access-control-allow-origin']).toBe(SITE_ORIGIN);
    expect(await site.rows()).toEqual([]);
  });

  it.each<[what: string, body: object]>([
    ['neither a user nor a subscription', {}],
    ['a subscription of null, and no user', { subscription: null }],
    [
      'a subscription that cannot be sent to',
      { userId: 'u', subscription: { endpoint: 'x', keys: newKeys() } },
    ],
    ['another app', { userId: 'u', appId: 'another-app' }],
  ])('/update_subscription of %s', async (_what, body) => {
    expect(await answerOf('update_subscription', body)).toEqual(invalid);
  });

  const tag = { key: 'topic', value: 'sports' };
  it.each<[what: string, changes: object]>([
    ['another app', { appId: 'another-app' }],
    ['no user', { userId: undefined }],
    ['no tags', { tags: undefined }],
    ['tags as an object', { tags: { topic: 'sports' } }],
    ['more than 50 tags', { tags: Array.from({ length: 51 }, (_, n) => ({ ...tag, key: `k${n}` })) }],
    ['a value of more than 255 characters', { tags: [{ ...tag, value: 'x'.repeat(256) }] }],
    ['a value that is not a string', { tags: [{ ...tag, value: 1 }] }],
    ['an empty key', { tags: [{ ...tag, key: '' }] }],
    ['a value with NUL', { tags: [{ ...tag, value: 'a\0' }] }],
  ])('/subscription-tags of %s', async (_what, changes) => {
    expect(await answerOf('subscription-tags', { userId: 'u', tags: [tag], ...changes })).toEqual(invalid);
  });
});

describe('Authentication: Public API', () => {
  const refusals: [what: string, headers: Record<string, string | undefined>][] = [
    ['another origin', { origin: 'https://evil.example.com' }],
    ['the origin with a slash', { origin: `${SITE_ORIGIN}/` }],
    ['the origin over http', { origin: SITE_ORIGIN.replace('https', 'http') }],
    ['the origin at another port', { origin: `${SITE_ORIGIN}:8443` }],
    ['a longer origin', { origin: `${SITE_ORIGIN}.evil.com` }],
    ['a subdomain', { origin: SITE_ORIGIN.replace('//', '//www.') }],
    ['no origin', { origin: undefined }],
    ['an unknown app', { 'x-app-id': 'missing' }],
    ['no app', { 'x-app-id': undefined }],
    ['localhost', { origin: 'http://localhost:3000' }],
  ];
  it.each(refusals)(
    'In production the Origin must equal the app’s site_domain exactly; otherwise 403: %s',
    async (_what, headers) => {
      for (const path of paths)
        for (const body of [bodyOf(path), {}])
          expect(await answerOf(path, body, headers)).toEqual(wrongOrigin);
      expect(await site.rows()).toEqual([]);
    },
  );

  it('Origin check outside production: pages on localhost where the setting says so, but no look-alike', async () => {
    const development = await createTestApi({ config: { allowLocalhostOrigin: true } });
    const local = await createSite(development.app, development.database);
    const statusOf = async (origin: string) =>
      (await local.post('subscribe', local.subscribeBody(), { origin })).statusCode;
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'https://[::1]:8443'])
      expect(await statusOf(origin)).toBe(200);
    for (const origin of ['http://localhost.evil.com', 'http://127.0.0.1.nip.io', 'null'])
      expect(await statusOf(origin)).toBe(403);
    await development.close();
  });
});
