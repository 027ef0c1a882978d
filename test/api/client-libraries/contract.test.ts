// tier: system
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../api/auth/password-hash.ts';
import { freePort } from '../../../engine/adapters/postgres/free-port.ts';
import { makePng } from '../../support/images.ts';
import {
  appBody,
  callAs,
  createMember,
  createTestApi,
  deliveryBody,
  type Member,
  type TestApi,
} from '../support.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { type Driver, type Installed, installClients, languagesHere, type Played } from './installed.ts';

let api: TestApi;
let proxy: FaultProxy;
let installed: Installed;
let member: Member;
let app: string;

beforeAll(async () => {
  installed = await installClients();
  api = await createTestApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  proxy = await startFaultProxy(`http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`);
  member = await createMember(api.database);
});
afterAll(async () => {
  await proxy?.close();
  await api?.close();
  await installed?.remove();
});

const busy = { kind: 'answer', status: 503, headers: { 'retry-after': '1' }, body: '' } as const;
const rules = { match: 'all', conditions: [{ field: 'tag', key: 'plan', operator: 'exists' }] };
const countDeliveries = async (): Promise<number> => {
  const text = `SELECT 1 FROM deliveries JOIN apps ON apps.id = app_id WHERE apps.identifier = $1`;
  return (await api.database.query(text, [app])).length;
};

describe.each(languagesHere)('the %s client', (language) => {
  let driver: Driver;

  beforeAll(async () => {
    driver = installed.driver(language);
    app = (await callAs(api.app, member)('POST', '/apps', appBody())).json().data.identifier;
  });
  afterAll(() => driver?.close());
  beforeEach(() => proxy.plan());

  const play = (call: Omit<Played, 'settings' | 'path'> & { path?: Played['path']; settings?: object }) =>
    driver.play({
      path: [app],
      ...call,
      settings: { baseUrl: proxy.url, token: member.token, ...call.settings },
    });
  const create = { operation: 'createDelivery', body: deliveryBody() };

  it('is authenticated by its token, and says when it is not', async () => {
    expect(await play({ operation: 'getApp' })).toMatchObject({ value: { identifier: app } });
    const { error } = await play({ operation: 'getApp', settings: { token: '7|wrong-secret' } });
    expect(error).toMatchObject({ name: 'AuthenticationError', status: 401, errors: {} });
    expect(error?.requestId).toMatch(/^[\w-]{8,}$/);
    expect(error?.whole).not.toContain('wrong-secret');
  });

  it('lacks what its token may not do', async () => {
    const { organizationId } = member;
    const reader = await createMember(api.database, { organizationId, abilities: ['apps:read'] });
    const { error } = await play({ ...create, settings: { token: reader.token } });
    expect(error).toMatchObject({ name: 'ForbiddenError', status: 403 });
    expect(error?.message).toContain('deliveries:write');
  });

  it('refuses credentials that cannot be sent, without showing them', async () => {
    for (const settings of [
      { token: '7|secret\nvalue' },
      { token: '' },
      { baseUrl: 'https://ada:secret@push.example.com' },
      { baseUrl: 'push.example.com/secret' },
    ]) {
      const { error } = await play({ operation: 'listApps', path: [], query: {}, settings, read: 'page' });
      expect(error?.name).toMatch(/^BroadsideError$/);
      expect(error?.whole.replaceAll(/^.*(secret@|driver).*$/gm, '')).not.toContain('secret');
    }
    expect(proxy.seen).toEqual([]);
  });

  it('creates one delivery although the answer is lost', async () => {
    const before = await countDeliveries();
    proxy.plan({ kind: 'lose-answer' }, { kind: 'lose-answer' });
    const { value, retries } = await play(create);
    expect(value).toMatchObject({ title: 'Good morning', status: 'pending' });
    expect(retries.map(({ reason }) => reason)).toEqual(['connection', 'connection']);
    expect(await countDeliveries()).toBe(before + 1);
    const keys = new Set(proxy.seen.map(({ headers }) => headers['idempotency-key']));
    expect([proxy.seen.length, keys.size]).toEqual([3, 1]);
    // Another call is another delivery.
    await play(create);
    expect(await countDeliveries()).toBe(before + 2);
  });

  it('uploads an image, once although the answer is lost', async () => {
    const before = await countDeliveries();
    proxy.plan({ kind: 'lose-answer' });
    const file = { field: 'image_url', base64: makePng().toString('base64') };
    const form = { fields: deliveryBody({ title: 'Mit „Bild“' }) as Record<string, string>, file };
    const { value, error } = await play({ operation: 'createDelivery', form });
    expect(error).toBeUndefined();
    expect(value).toMatchObject({
      title: 'Mit „Bild“',
      image_url: expect.stringMatching(/\/images\/.+\.png$/),
    });
    expect(await countDeliveries()).toBe(before + 1);
    const icon = { field: 'icon_url', base64: makePng().toString('base64') };
    const marked = await play({ operation: 'createDelivery', form: { ...form, file: icon } });
    expect(marked.value).toMatchObject({
      image_url: null,
      icon_url: expect.stringMatching(/\/images\/.+\.png$/),
    });
  });

  it('sends the caller’s own key', async () => {
    const options = { idempotencyKey: `morning-${language}` };
    const first = await play({ ...create, options });
    const again = await play({ ...create, options });
    expect(again.value).toEqual(first.value);
    const { error } = await play({ ...create, body: deliveryBody({ title: 'Other' }), options });
    expect(error).toMatchObject({
      name: 'ValidationError',
      errors: { 'idempotency-key': [expect.any(String)] },
    });
  });

  it('does not repeat what might be done twice', async () => {
    proxy.plan({ kind: 'lose-answer' });
    const segment = { name: 'Once', rules };
    const lost = await play({ operation: 'createApp', path: [], body: appBody() });
    expect(lost).toMatchObject({ error: { name: 'ConnectionLostError' }, retries: [] });
    proxy.plan(busy);
    const refused = await play({ operation: 'createSegment', body: segment });
    expect(refused).toMatchObject({ error: { name: 'UnavailableError', status: 503 }, retries: [] });
    expect(proxy.seen.length).toBe(1);
  });

  it('takes a deletion as done whose first answer was lost', async () => {
    const { value } = await play({
      operation: 'createDeliveryCategory',
      body: { name: `Sport ${language}` },
    });
    const { id } = value as { id: number };
    proxy.plan({ kind: 'lose-answer' });
    const ending = await play({ operation: 'deleteDeliveryCategory', path: [app, id] });
    expect(ending).toMatchObject({ value: null, retries: [{ reason: 'connection' }] });
    const again = await play({ operation: 'deleteDeliveryCategory', path: [app, id] });
    expect(again.error).toMatchObject({ name: 'NotFoundError', status: 404 });
  });

  it('reads lists page by page, each item once', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `Segment ${index}`);
    const call = callAs(api.app, member);
    for (const name of names) {
      const answer = await call('POST', `/apps/${app}/segments`, { name, rules });
      expect(answer.statusCode, answer.body).toBe(201);
    }
    const list = { operation: 'listSegments', query: { per_page: 2 } };
    const { value } = await play({ ...list, read: 'items' });
    expect((value as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(names);
    expect(proxy.seen.map(({ path }) => new URL(path, 'http://x').searchParams.get('page'))).toEqual([
      '1',
      '2',
      '3',
    ]);
    const second = await play({ ...list, query: { per_page: 2, page: 2 }, read: 'page' });
    expect(second.value).toMatchObject({ data: [{}, {}], meta: { current_page: 2, last_page: 3, total: 5 } });
    // Without a size, in as few requests as the API allows.
    proxy.plan();
    await play({ ...list, query: {}, read: 'items' });
    expect(proxy.seen.map(({ path }) => path)).toEqual([expect.stringMatching(/\bper_page=100\b/)]);
  });

  it('filters lists', async () => {
    const query = { status: 'subscribed', tag: { 'a b': ['ü', 'x&y'] }, search: 'a/b' };
    expect(await play({ operation: 'listSubscriptions', query, read: 'items' })).toMatchObject({ value: [] });
    const { searchParams } = new URL(proxy.seen[0]?.path ?? '', 'http://x');
    expect(searchParams.getAll('tag[a b]')).toEqual(['ü', 'x&y']);
    expect([searchParams.get('status'), searchParams.get('search')]).toEqual(['subscribed', 'a/b']);
  });

  it('names the wrong fields of a request', async () => {
    const { error, retries } = await play({ ...create, body: deliveryBody({ title: '', ttl_seconds: -1 }) });
    expect(error).toMatchObject({
      name: 'ValidationError',
      status: 422,
      errors: { title: [expect.any(String)] },
    });
    expect(error?.message).toMatch(/^createDelivery: 422 The title /);
    expect(retries).toEqual([]);
  });

  it('does not find another organization’s resource, or one that does not exist', async () => {
    const other = await createMember(api.database);
    for (const token of [member.token, other.token]) {
      const path = token === member.token ? ['nobody-x'] : [app];
      const { error } = await play({ operation: 'getApp', path, settings: { token } });
      expect(error).toMatchObject({ name: 'NotFoundError', status: 404 });
    }
  });

  it('refuses an id that would lead to another address', async () => {
    for (const id of ['', '.', '..']) {
      const { error } = await play({ operation: 'deleteSegment', path: [app, id] });
      expect(error).toMatchObject({ name: 'BroadsideError', message: 'segment_id must be an id' });
    }
    expect(proxy.seen).toEqual([]);
    await play({ operation: 'getDelivery', path: [app, '../../x?y#z'] });
    expect(proxy.seen[0]?.path).toBe(`/api/v1/client/apps/${app}/deliveries/..%2F..%2Fx%3Fy%23z`);
  });

  it('waits as 429 and 503 ask, then goes on', async () => {
    proxy.plan({ ...busy, status: 429 }, busy);
    const { value, retries } = await play(create);
    expect(value).toMatchObject({ status: 'pending' });
    expect(retries.map(({ reason }) => reason)).toEqual(['rate limit', 'unavailable']);
    for (const { waitMs } of retries) {
      expect(waitMs).toBeGreaterThanOrEqual(1_000);
      expect(waitMs).toBeLessThanOrEqual(1_500);
    }
  });

  it('waits longer each time where nothing is asked', async () => {
    const { headers: _, ...plain } = busy;
    proxy.plan(plain, plain, plain);
    const { retries } = await play({ operation: 'getApp', options: { maxRetries: 2 } });
    const [first, second] = retries.map(({ waitMs }) => waitMs);
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1_000);
    expect(proxy.seen.length).toBe(3);
  });

  it('leaves a long wait to its caller', async () => {
    proxy.plan({ ...busy, status: 429, headers: { 'retry-after': '900' } });
    const { error, retries } = await play({ operation: 'getApp' });
    expect(error).toMatchObject({ name: 'RateLimitError', status: 429, retryAfterSeconds: 900 });
    expect(retries).toEqual([]);
  });

  it('passes the API’s own 503 on, with its wait', async () => {
    api.analytics.away = true;
    const { error } = await play({ operation: 'getFunnelStatistics', query: {}, options: { maxRetries: 0 } });
    api.analytics.away = false;
    expect(error).toMatchObject({ name: 'UnavailableError', status: 503 });
    expect(error?.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('does not believe a page that a proxy shows', async () => {
    const page = { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' } } as const;
    proxy.plan({ ...page, body: '<html>Log in to the hotel' });
    const { error } = await play({ operation: 'getApp' });
    expect(error).toMatchObject({ name: 'ApiError', status: 200 });
    proxy.plan({
      ...page,
      status: 302,
      headers: { 'content-type': 'x/y', location: `${proxy.url}/elsewhere` },
    });
    expect((await play({ operation: 'getApp' })).error).toMatchObject({ name: 'ApiError', status: 302 });
    expect(proxy.seen.length).toBe(1);
  });

  it('ends a request without an answer, and tries again where that is safe', async () => {
    proxy.plan({ kind: 'hang' }, { kind: 'hang-in-body' });
    const options = { timeoutMs: 300 };
    const { value, retries } = await play({ operation: 'getApp', options: { ...options, timeoutMs: 2_000 } });
    expect(value).toMatchObject({ identifier: app });
    expect(retries.map(({ reason }) => reason)).toEqual(['timeout', 'timeout']);
    proxy.plan({ kind: 'hang' });
    const { error } = await play({ operation: 'createApp', path: [], body: appBody(), options });
    expect(error).toMatchObject({
      name: 'RequestTimeoutError',
      message: expect.stringContaining('createApp'),
    });
    expect(proxy.seen.length).toBe(1);
  });

  it.each(['hang', 'hang-in-body'] as const)('is aborted during a request: %s', async (kind) => {
    proxy.plan({ kind });
    const playing = play({ operation: 'getApp' });
    await proxy.hanging();
    driver.abort();
    expect(await playing).toMatchObject({ error: { name: 'cancelled' }, retries: [] });
    expect(proxy.seen.length).toBe(1);
  });

  it('is aborted during a wait', async () => {
    proxy.plan({ ...busy, headers: { 'retry-after': '100' } });
    const ending = await play({ operation: 'getApp', options: { abortOnRetry: true } });
    expect(ending).toMatchObject({ error: { name: 'cancelled' }, retries: [{ reason: 'unavailable' }] });
    expect(proxy.seen.length).toBe(1);
  });

  it('says that nothing listens, after it tried again', async () => {
    const settings = { baseUrl: `http://127.0.0.1:${await freePort()}` };
    const call = { operation: 'createApp', path: [], body: appBody(), settings };
    const { error, retries } = await play({ ...call, options: { maxRetries: 1 } });
    expect(error).toMatchObject({ name: 'ConnectionLostError' });
    // Nothing can have arrived: this is safe without a key.
    expect(retries.map(({ reason }) => reason)).toEqual(['connection']);
    expect(error?.whole).not.toContain(member.token);
  });

  it('makes a token in the session of a person', async () => {
    const password = 'a long line that only Ada knows';
    const hash = await hashPassword(password);
    const [user] = await api.database.query<{ email: string }>(
      'UPDATE users SET password_hash = $2 WHERE id = $1 RETURNING email',
      [member.userId, hash],
    );
    const person = { email: user?.email ?? '', password };
    const body = { name: 'Editorial system', abilities: ['apps:read'] };
    const settings = { token: undefined };
    const { value, error } = await play({ operation: 'createToken', path: [], body, person, settings });
    expect(error).toBeUndefined();
    const { token } = value as { token: string };
    expect(await play({ operation: 'getApp', settings: { token } })).toMatchObject({
      value: { identifier: app },
    });
    const wrong = await play({
      ...{ operation: 'getMe', path: [], settings },
      person: { ...person, password: 'not this one' },
    });
    expect(wrong.error).toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect(wrong.error?.whole).not.toContain('not this one');
  });
});
