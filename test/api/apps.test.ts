import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appSchema } from '../../api/client/apps/schema.ts';
import { createSealer } from '../../engine/adapters/postgres/sealed-secret.ts';
import {
  appBody,
  callAs,
  createMember,
  createTestApi,
  MASTER_KEY,
  type Member,
  type TestApi,
} from './support.ts';

describe('apps', () => {
  let api: TestApi;
  let member: Member;
  let call: ReturnType<typeof callAs>;
  beforeAll(async () => {
    api = await createTestApi();
    member = await createMember(api.database);
    call = callAs(api.app, member);
  });
  afterAll(() => api.close());

  it('are created with the defaults of the specification and a key pair whose private half rests sealed', async () => {
    const answer = await call('POST', '/apps', appBody({ name: 'Żółty Kurier!' }));
    expect(answer.statusCode).toBe(201);
    const { data } = answer.json();
    expect(Compile(appSchema).Check(data)).toBe(true);
    expect(data).toMatchObject({
      name: 'Żółty Kurier!',
      identifier: expect.stringMatching(/^zo-ty-kurier-[a-z2-9]{6}$/),
      default_ttl_seconds: 86_400,
      frequency_cap_max_notifications: null,
      default_query_params: [],
      subscriber_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    });
    expect(data).not.toHaveProperty('id');
    const [row] = await api.database.query<{ public: string; sealed: Buffer }>(
      `SELECT vapid_public_key AS public, vapid_private_key_sealed AS sealed FROM apps WHERE identifier = $1`,
      [data.identifier],
    );
    expect(Buffer.from(row?.public ?? '', 'base64url')).toHaveLength(65);
    const opened = createSealer(MASTER_KEY).open(row?.sealed ?? Buffer.alloc(0), data.identifier);
    expect(Buffer.from(opened.toString(), 'base64url')).toHaveLength(32);
  });

  it('keep every field of a full body', async () => {
    const body = appBody({
      frequency_cap_max_notifications: 100,
      frequency_cap_window_minutes: 1440,
      default_ttl_seconds: 0,
      default_require_interaction: true,
      default_silent: true,
      default_vibrate_pattern: [0, 100, 10_000],
      auto_delete_unsubscribed_enabled: true,
      auto_delete_unsubscribed_days: 365,
      default_query_params: [{ key: 'utm_source', value: 'push & more' }],
    });
    const { data } = (await call('POST', '/apps', body)).json();
    expect(data).toMatchObject(body);
    expect((await call('GET', `/apps/${data.identifier}`)).json()).toEqual({ data });
  });

  it.each<[field: string, changes: object, message: RegExp]>([
    ['name', { name: undefined }, /is required/],
    ['name', { name: null }, /is required/],
    ['name', { name: '' }, /must not be empty/],
    ['name', { name: 'x'.repeat(256) }, /longer than 255/],
    ['name', { name: 5 }, /must be a string/],
    ['name', { name: 'a\0b' }, /cannot be stored/],
    ['name', { name: 'a\ud800b' }, /cannot be stored/],
    ['site_domain', { site_domain: undefined }, /is required/],
    ['site_domain', { site_domain: 'https://news.example.com/' }, /must not end with a slash/],
    ['site_domain', { site_domain: 'news.example.com' }, /must be the origin/],
    ['site_domain', { site_domain: 'ftp://news.example.com' }, /must be the origin/],
    ['site_domain', { site_domain: 'https://news.example.com/path' }, /must be the origin/],
    ['site_domain', { site_domain: 'https://News.example.com' }, /must be the origin/],
    ['frequency_cap_max_notifications', { ...cap, frequency_cap_max_notifications: 0 }, /at least 1/],
    ['frequency_cap_max_notifications', { ...cap, frequency_cap_max_notifications: 101 }, /greater than 100/],
    [
      'frequency_cap_max_notifications',
      { ...cap, frequency_cap_max_notifications: 1.5 },
      /must be an integer/,
    ],
    [
      'frequency_cap_max_notifications',
      { ...cap, frequency_cap_max_notifications: '5' },
      /must be an integer/,
    ],
    ['frequency_cap_window_minutes', { frequency_cap_max_notifications: 5 }, /is required when/],
    ['frequency_cap_window_minutes', { frequency_cap_window_minutes: 61 }, /must be one of 60, 360/],
    ['default_ttl_seconds', { default_ttl_seconds: -1 }, /at least 0/],
    ['default_ttl_seconds', { default_ttl_seconds: 2_419_201 }, /greater than 2419200/],
    ['default_require_interaction', { default_require_interaction: 'true' }, /must be true or false/],
    ['default_silent', { default_silent: 1 }, /must be true or false/],
    ['default_vibrate_pattern', { default_vibrate_pattern: Array(11).fill(1) }, /more than 10/],
    ['default_vibrate_pattern.1', { default_vibrate_pattern: [1, 10_001] }, /greater than 10000/],
    ['default_vibrate_pattern.0', { default_vibrate_pattern: [-1] }, /at least 0/],
    ['auto_delete_unsubscribed_days', { auto_delete_unsubscribed_enabled: true }, /is required when/],
    ['auto_delete_unsubscribed_days', { auto_delete_unsubscribed_days: 0 }, /at least 1/],
    ['auto_delete_unsubscribed_days', { auto_delete_unsubscribed_days: 366 }, /greater than 365/],
    [
      'default_query_params',
      { default_query_params: Array.from({ length: 21 }, (_, n) => param(`k${n}`)) },
      /more than 20/,
    ],
    ['default_query_params', { default_query_params: [param('a'), param('a')] }, /name a key twice/],
    ['default_query_params.0.key', { default_query_params: [param('a b')] }, /letters, digits/],
    ['default_query_params.0.key', { default_query_params: [param('')] }, /letters, digits/],
    ['default_query_params.0.key', { default_query_params: [param('a\n')] }, /letters, digits/],
    ['default_query_params.0.value', { default_query_params: [{ key: 'a' }] }, /is required/],
    ['organization_id', { organization_id: 1 }, /super-admins only/],
    ['organization_id', { organization_id: 999_999 }, /super-admins only/],
  ])('answer 422 naming %s for %j', async (field, changes, message) => {
    const answer = await call('POST', '/apps', appBody(changes));
    expect(answer.statusCode).toBe(422);
    const { errors, message: summary } = answer.json();
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]).toEqual([expect.stringMatching(message)]);
    expect(summary).toBe(errors[field][0]);
  });

  it('name everything that is wrong at once', async () => {
    const body = {
      site_domain: 'x',
      default_ttl_seconds: -1,
      default_silent: 3,
      auto_delete_unsubscribed_enabled: true,
    };
    const { errors, message } = (await call('POST', '/apps', body)).json();
    expect(Object.keys(errors).sort()).toEqual([
      'auto_delete_unsubscribed_days',
      'default_silent',
      'default_ttl_seconds',
      'name',
      'site_domain',
    ]);
    expect(message).toMatch(/and 4 more errors/);
  });

  it('take null for a field that may be left out', async () => {
    const answer = await call(
      'POST',
      '/apps',
      appBody({ frequency_cap_max_notifications: null, default_silent: null }),
    );
    expect(answer.statusCode).toBe(201);
  });

  it('may be created for another organization by a super-admin, if it exists', async () => {
    const admin = callAs(api.app, await createMember(api.database, { role: 'super-admin' }));
    const made = await admin('POST', '/apps', appBody({ organization_id: member.organizationId }));
    expect(made.statusCode).toBe(201);
    expect((await call('GET', `/apps/${made.json().data.identifier}`)).statusCode).toBe(200);
    const refused = await admin('POST', '/apps', appBody({ organization_id: 999_999 }));
    expect(refused.json().errors.organization_id[0]).toMatch(/existing organization/);
  });

  it('answer the same 404 where they are missing and where they are another organization’s', async () => {
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const stranger = callAs(api.app, await createMember(api.database));
    const foreign = await stranger('GET', `/apps/${identifier}`);
    const missing = await stranger('GET', '/apps/missing');
    expect([foreign.statusCode, foreign.body]).toEqual([404, missing.body]);
    expect((await stranger('GET', '/apps')).json()).toMatchObject({
      data: [],
      meta: { total: 0, from: null },
    });
  });

  it('with one name get different identifiers, and none tells whether the name was taken', async () => {
    const made = await Promise.all([1, 2, 3].map(() => call('POST', '/apps', appBody({ name: '日本' }))));
    const identifiers = made.map((answer) => answer.json().data.identifier);
    expect(new Set(identifiers).size).toBe(3);
    for (const identifier of identifiers) expect(identifier).toMatch(/^app-[a-z2-9]{6}$/);
  });
});

const cap = { frequency_cap_window_minutes: 60 };
const param = (key: string) => ({ key, value: 'v' });

describe('pages', () => {
  let api: TestApi;
  let call: ReturnType<typeof callAs>;
  beforeAll(async () => {
    api = await createTestApi({
      config: { publicBaseUrl: 'https://push.example.org/base', allowLocalhostOrigin: false },
    });
    call = callAs(api.app, await createMember(api.database));
    for (let n = 1; n <= 5; n++) await call('POST', '/apps', appBody({ name: `App ${n}` }));
  });
  afterAll(() => api.close());

  const names = (answer: { json(): { data: { name: string }[] } }) =>
    answer.json().data.map(({ name }) => name);

  it('have the envelope of the specification, with links that keep other parameters', async () => {
    const answer = await call('GET', '/apps?per_page=2&page=2&extra=a%20b');
    expect(names(answer)).toEqual(['App 3', 'App 4']);
    const at = (page: number) =>
      `https://push.example.org/base/api/v1/client/apps?per_page=2&extra=a%20b&page=${page}`;
    expect(answer.json()).toMatchObject({
      links: { first: at(1), last: at(3), prev: at(1), next: at(3) },
      meta: {
        current_page: 2,
        from: 3,
        last_page: 3,
        path: 'https://push.example.org/base/api/v1/client/apps',
        per_page: 2,
        to: 4,
        total: 5,
      },
    });
  });

  it('have no way back from the first nor on from the last', async () => {
    expect((await call('GET', '/apps?per_page=2')).json().links.prev).toBeNull();
    expect((await call('GET', '/apps?per_page=2&page=3')).json().links.next).toBeNull();
    expect((await call('GET', '/apps')).json()).toMatchObject({
      links: { prev: null, next: null },
      meta: { per_page: 25, last_page: 1 },
    });
  });

  it('are empty past the end, and lead back', async () => {
    const answer = (await call('GET', '/apps?per_page=2&page=9')).json();
    expect(answer).toMatchObject({ data: [], meta: { from: null, to: null, current_page: 9, total: 5 } });
    expect(answer.links.prev).toContain('page=3');
  });

  it.each([
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['per_page=x', 'per_page'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['page=', 'page'],
    ['page=99999999999999999999', 'page'],
  ])('answer 422 for %s', async (query, field) => {
    const answer = await call('GET', `/apps?${query}`);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]]);
  });
});
