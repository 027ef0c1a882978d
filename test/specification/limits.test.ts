// tier: postgres
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  appBody,
  callAs,
  createMember,
  createTestApi,
  deliveryBody,
  newEndpoint,
  newKeys,
  type TestApi,
} from '../api/support.ts';

let api: TestApi;
let call: ReturnType<typeof callAs>;
let path: string;
let subscription: number;
beforeAll(async () => {
  api = await createTestApi();
  call = callAs(api.app, await createMember(api.database));
  const { identifier, site_domain } = (await call('POST', '/apps', appBody())).json().data;
  path = `/apps/${identifier}`;
  await api.app.inject({
    method: 'POST',
    url: '/api/v1/public/subscribe',
    headers: { origin: site_domain, 'x-app-id': identifier },
    payload: { appId: identifier, userId: 'u', subscription: { endpoint: newEndpoint(), keys: newKeys() } },
  });
  subscription = (await call('GET', `${path}/subscriptions`)).json().data[0].id;
});
afterAll(() => api.close());

type Send = (value: unknown) => ReturnType<typeof call>;
const query =
  (name: string): Send =>
  (value) =>
    call('GET', `/apps?${name}=${value}`);
const app =
  (field: string): Send =>
  (value) =>
    call('PUT', path, appBody({ [field]: value }));
const delivery =
  (field: string): Send =>
  (value) =>
    call('POST', `${path}/deliveries`, deliveryBody({ [field]: value }));
const tags: Send = (value) => call('POST', `${path}/subscriptions/${subscription}/tags`, { tags: value });

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, 'value']));
const params = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `key-${n}`, value: 'v' }));
const buttons = (count: number, title = 'Read') =>
  Array(count).fill({ title, url: 'https://news.example.com/' });
const text = (length: number) => 'x'.repeat(length);

// The other rows of the table: the rate in limits-rate.test.ts, days and cache in analytics.test.ts, images in
// deliveries.test.ts.
describe('Limits', () => {
  it.each<[row: string, send: Send, taken: readonly unknown[], refused: readonly unknown[]]>([
    ['per_page | default 25, 1-100', query('per_page'), [1, 25, 100], [0, 101]],
    ['Tags per write | <= 50 keys', tags, [keys(50)], [keys(51)]],
    ['Tags per write | values <= 255 chars', tags, [{ key: text(255) }], [{ key: text(256) }]],
    ['Delivery name | <= 255 chars', delivery('name'), [text(255)], [text(256)]],
    ['Delivery title | <= 255 chars', delivery('title'), [text(255)], [text(256)]],
    ['Delivery body | <= 255 chars', delivery('body'), [text(255)], [text(256)]],
    ['Delivery action_buttons | <= 2', delivery('action_buttons'), [buttons(2)], [buttons(3)]],
    [
      'Delivery action_buttons | title <= 48 chars',
      delivery('action_buttons'),
      [buttons(1, text(48))],
      [buttons(1, text(49))],
    ],
    ['Delivery topic | <= 32 chars', delivery('topic'), [text(32)], [text(33)]],
    ['ttl_seconds | 0-2419200', delivery('ttl_seconds'), [0, 2_419_200], [-1, 2_419_201]],
    ['App default_query_params | <= 20', app('default_query_params'), [params(20)], [params(21)]],
    [
      'App vibrate pattern | <= 10 values, 0-10000 each',
      app('default_vibrate_pattern'),
      [Array(10).fill(10_000), [0]],
      [Array(11).fill(1), [10_001], [-1]],
    ],
  ])('%s', async (_row, send, taken, refused) => {
    for (const value of taken)
      expect([value, Math.floor((await send(value)).statusCode / 100)]).toEqual([value, 2]);
    for (const value of refused) expect([value, (await send(value)).statusCode]).toEqual([value, 422]);
  });

  it('a text is counted in characters, not in bytes', async () => {
    expect((await delivery('name')('ż'.repeat(255))).statusCode).toBe(201);
  });
});

describe('keys of tags', () => {
  it.each<[what: string, key: string, status: number]>([
    ['of 255 characters are taken', 'é'.repeat(255), 200],
    ['of 256 are refused', 'k'.repeat(256), 422],
    ['of 2,700 random ones are refused', randomBytes(1_350).toString('hex'), 422],
    ['that are empty are refused', '', 422],
  ])('%s', async (_what, key, status) => {
    const answer = await call('POST', `${path}/subscriptions/${subscription}/tags`, { tags: { [key]: 'v' } });
    expect(answer.statusCode, answer.body).toBe(status);
    if (status === 422) expect(answer.json().errors).toHaveProperty('tags');
  });

  it('of several lines have values that are checked, too', async () => {
    const tags = { 'a\nb': 'v'.repeat(256) };
    expect((await call('POST', `${path}/subscriptions/${subscription}/tags`, { tags })).statusCode).toBe(422);
  });

  it('fifty of 255 emoji with such values are taken', async () => {
    const tags = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${n + 10}${'😀'.repeat(253)}`, '😀'.repeat(255)]),
    );
    const answer = await call('POST', `${path}/subscriptions/${subscription}/tags`, { tags });
    expect(answer.statusCode, answer.body).toBe(200);
  });

  it('are bounded in filters', async () => {
    const { statusCode } = await call('GET', `${path}/subscriptions?tag[${'k'.repeat(256)}]=v`);
    expect(statusCode).toBe(422);
  });
});

it('no schema of the tree bounds keys in a way that is lost', async () => {
  const files: string[] = [];
  for await (const file of glob('{api,engine,reporting}/**/*.ts')) files.push(file);
  expect(files.length).toBeGreaterThan(300);
  const lost = files.filter((file) =>
    /Type\.Record\(\s*Type\.String\(\{\s*m/.test(readFileSync(file, 'utf8')),
  );
  expect(lost).toEqual([]);
});
