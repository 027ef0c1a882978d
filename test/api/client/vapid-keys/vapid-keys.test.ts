// tier: postgres
import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { keyNumbersOf } from '../../../../api/cli/app-transfer/import-store.ts';
import { parseRow } from '../../../../api/cli/import/row.ts';
import { subscriptionRules } from '../../../../api/cli/import/rules.ts';
import { runImport } from '../../../../api/cli/import/run-import.ts';
import { storeBatch } from '../../../../api/cli/import/store.ts';
import { vapidKeyId } from '../../../../api/client/vapid-keys/store.ts';
import { createVapidReaper } from '../../../../engine/adapters/postgres/vapid-store.ts';
import { readRecords } from '../../../../engine/kit/command-line/file/records.ts';
import { createSite, type Site } from '../../../support/site.ts';
import { callAs, createMember, newEndpoint, newKeys, openTestApi } from '../../support.ts';

const api = await openTestApi();

interface Key {
  readonly id: string;
  readonly public_key: string;
  readonly state: string;
  readonly subscriptions: number;
}

/** A site with its owner. */
async function createOwnedSite() {
  const site = await createSite(api.app, api.database);
  const [app] = await api.database.query<{ organization_id: number }>(
    `SELECT organization_id FROM apps WHERE id = $1`,
    [site.appId],
  );
  const member = await createMember(api.database, { organizationId: app?.organization_id ?? 0 });
  const call = callAs(api.app, member);
  const path = `/apps/${site.identifier}/vapid-keys`;
  const keys = async () => (await call('GET', path)).json<{ data: Key[] }>().data;
  return {
    site,
    call,
    path,
    keys,
    rotate: () => call('POST', path),
    end: (id: string) => call('DELETE', `${path}/${id}`),
  };
}

const numbersOf = async (site: Site) =>
  (
    await api.database.query<{ vapid_key_number: number; status: string }>(
      `SELECT vapid_key_number, status FROM subscriptions WHERE app_id = $1 ORDER BY seq`,
      [site.appId],
    )
  ).map(({ vapid_key_number: number, status }) => [number, status]);

const subscribe = async (site: Site, changes: object = {}, subscription: object = {}) =>
  (await site.post('subscribe', site.subscribeBody(changes, subscription))).statusCode;

const publicKey = async (site: Site): Promise<string> => {
  const answer = await api.app.inject({
    method: 'GET',
    url: '/api/v1/public/app',
    headers: { origin: 'https://news.example', 'x-app-id': site.identifier },
  });
  expect(answer.headers['cache-control']).toMatch(/^private, max-age=\d{1,2}$/);
  expect(answer.headers['access-control-allow-origin']).toBe('https://news.example');
  return answer.json<{ vapidPublicKey: string }>().vapidPublicKey;
};

describe('an app’s VAPID keys', () => {
  it('are one from the start, and never reveal the private half', async () => {
    const { site, call, path } = await createOwnedSite();
    await subscribe(site);
    const answer = await call('GET', path);
    expect(answer.json()).toEqual({
      data: [
        {
          id: vapidKeyId(await publicKey(site)),
          public_key: await publicKey(site),
          state: 'active',
          subscriptions: 1,
          created_at: expect.any(String),
          ended_at: null,
        },
      ],
    });
  });

  it('are two during a rotation, with how many subscriptions each has; one rotation at a time', async () => {
    const { site, keys, rotate } = await createOwnedSite();
    for (let n = 0; n < 3; n++) await subscribe(site);
    const [first] = await keys();
    const answer = await rotate();
    expect([answer.statusCode, answer.json().data.state]).toEqual([201, 'active']);
    await subscribe(site);
    const [active, retiring] = await keys();
    expect(active).toMatchObject({ state: 'active', subscriptions: 1, id: answer.json().data.id });
    expect(retiring).toMatchObject({ ...first, state: 'retiring', subscriptions: 3 });
    expect((await rotate()).statusCode).toBe(422);
    expect(await keys()).toHaveLength(2);
  });

  it('started twice at once rotate once', async () => {
    const { rotate, keys } = await createOwnedSite();
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422, 422]);
    expect((await keys()).map(({ state }) => state)).toEqual(['active', 'retiring']);
  });

  it('are ended by their id: the retiring one once and again, the active one and a foreign one never', async () => {
    const { rotate, keys, end } = await createOwnedSite();
    const [only] = await keys();
    expect((await end(only?.id ?? '')).statusCode).toBe(422);
    await rotate();
    const [active, retiring] = await keys();
    expect((await end(active?.id ?? '')).statusCode).toBe(422);
    expect((await end('0123456789abcdef')).statusCode).toBe(404);
    for (let n = 0; n < 2; n++) expect((await end(retiring?.id ?? '')).statusCode).toBe(204);
    expect((await keys())[1]).toMatchObject({ state: 'ended' });
    expect((await rotate()).statusCode).toBe(422);
    const noted = await api.database.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE detail->>'key' = ANY($1) ORDER BY id`,
      [[active?.id, retiring?.id]],
    );
    expect(noted.map(({ action }) => action)).toEqual(['vapid-key.rotated', 'vapid-key.ended']);
  });
});

describe('a browser', () => {
  it('is stored with the key that its page states, otherwise with the active one', async () => {
    const { site, keys, rotate } = await createOwnedSite();
    const [first] = await keys();
    await rotate();
    const [second] = await keys();
    expect(await subscribe(site, { vapidKey: first?.public_key })).toBe(200);
    expect(await subscribe(site, { vapidKey: `${second?.public_key}=` })).toBe(200);
    expect(await subscribe(site)).toBe(200);
    expect(await numbersOf(site)).toEqual([
      [1, 'subscribed'],
      [2, 'subscribed'],
      [2, 'subscribed'],
    ]);
  });

  it('keeps its key as long as it keeps its endpoint, and moves with a new one', async () => {
    const { site, rotate } = await createOwnedSite();
    const [endpoint, keys] = [newEndpoint(), newKeys()];
    await subscribe(site, { userId: 'ann' }, { endpoint, keys });
    await rotate();
    await subscribe(site, { userId: 'ann' }, { endpoint, keys });
    await subscribe(site, { userId: 'ann' }, { endpoint, keys: newKeys() });
    await site.post('update_subscription', { userId: 'ann', subscription: null });
    await subscribe(site, { userId: 'ann' }, { endpoint, keys });
    expect(await numbersOf(site)).toEqual([[1, 'subscribed']]);
    await subscribe(site, { userId: 'ann' }, { endpoint: newEndpoint(), keys: newKeys() });
    expect(await numbersOf(site)).toEqual([[2, 'subscribed']]);
  });

  it('is put right where it states another key for the endpoint that it was stored with', async () => {
    const { site, keys, rotate } = await createOwnedSite();
    const [first] = await keys();
    await rotate();
    const [endpoint, own] = [newEndpoint(), newKeys()];
    await subscribe(site, { userId: 'bo' }, { endpoint, keys: own });
    await subscribe(site, { userId: 'bo', vapidKey: first?.public_key }, { endpoint, keys: own });
    expect(await numbersOf(site)).toEqual([[1, 'subscribed']]);
  });

  it('is refused with a key that the app never had, or has ended', async () => {
    const { site, keys, rotate, end } = await createOwnedSite();
    const other = await createOwnedSite();
    const [foreign] = await other.keys();
    expect(await subscribe(site, { vapidKey: foreign?.public_key })).toBe(422);
    expect(await subscribe(site, { vapidKey: '__proto__' })).toBe(422);
    await rotate();
    const [, retiring] = await keys();
    await end(retiring?.id ?? '');
    // The lookup of an app is remembered for some seconds: another page of it has not been asked for.
    await api.database.query(`UPDATE apps SET site_domain = 'http://localhost' WHERE id = $1`, [site.appId]);
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/public/subscribe',
      headers: { origin: 'http://localhost', 'x-app-id': site.identifier },
      payload: { ...site.subscribeBody(), vapidKey: retiring?.public_key },
    });
    expect(answer.statusCode).toBe(422);
    expect(await numbersOf(site)).toEqual([]);
  });
});

describe('an import of subscriptions', () => {
  it('takes a line’s key, otherwise the active one, and refuses a key that the app does not have', async () => {
    const { site, keys, rotate } = await createOwnedSite();
    const [first] = await keys();
    await rotate();
    const endpoint = newEndpoint();
    const lines = [
      { endpoint, ...newKeys(), vapid_key: first?.public_key },
      { endpoint: newEndpoint(), ...newKeys() },
      { endpoint: newEndpoint(), ...newKeys(), vapid_key: 'BAAA' },
    ];
    const reasons: string[] = [];
    const run = async (given: readonly object[]) => {
      const keyNumbers = await keyNumbersOf(api.database, site.appId);
      return runImport(
        readRecords(
          Readable.from([Buffer.from(given.map((line) => JSON.stringify(line)).join('\n'))]),
          'ndjson',
          subscriptionRules,
        ),
        {
          storeBatch: (rows) => storeBatch(api.database, site.appId, rows),
          parse: (value) => parseRow(value, { hosts: ['push.example.com'], allowAnyHost: false }, keyNumbers),
          onRefusal: ({ reason }) => void reasons.push(reason),
          onProgress: () => {},
        },
      );
    };
    await run(lines);
    expect(reasons).toEqual(['vapid_key is not a key of the app that can still be sent with']);
    const stored = [
      [1, 'subscribed'],
      [2, 'subscribed'],
    ];
    expect(await numbersOf(site)).toEqual(stored);
    await run([{ endpoint, ...newKeys() }]);
    expect(await numbersOf(site)).toEqual(stored);
  });
});

describe('a key that was ended', () => {
  it('has its subscriptions unsubscribed in the background, and is retired when none is left', async () => {
    const { site, keys, rotate, end } = await createOwnedSite();
    const [endpoint, own] = [newEndpoint(), newKeys()];
    await subscribe(site, { userId: 'old' }, { endpoint, keys: own });
    await subscribe(site);
    await rotate();
    await subscribe(site);
    const [, retiring] = await keys();
    await end(retiring?.id ?? '');

    expect(await createVapidReaper(api.database)()).toBe(2);
    // Requests under way at its end may still write: it is retired only after a while.
    expect(await createVapidReaper(api.database)()).toBe(0);
    expect((await keys())[1]).toMatchObject({ state: 'ended', subscriptions: 0 });
    const reap = createVapidReaper(api.database, { graceSeconds: 0 });
    while ((await reap()) > 0);
    expect((await keys())[1]).toMatchObject({ state: 'retired', subscriptions: 0 });
    expect(await numbersOf(site)).toEqual([
      [1, 'unsubscribed'],
      [1, 'unsubscribed'],
      [2, 'subscribed'],
    ]);
    const { counted, real } = await site.books();
    expect(counted).toEqual(real);
    const [row] = await api.database.query(
      `SELECT private_key_sealed AS sealed FROM vapid_keys WHERE app_id = $1`,
      [site.appId],
    );
    expect(row).toEqual({ sealed: null });

    // Its endpoint cannot be sent to: the page hears nothing else, and nothing comes back to life.
    expect(await subscribe(site, { userId: 'old' }, { endpoint, keys: own })).toBe(200);
    expect((await numbersOf(site))[0]).toEqual([1, 'unsubscribed']);
    expect(await subscribe(site, { userId: 'old' }, { endpoint: newEndpoint(), keys: newKeys() })).toBe(200);
    expect((await numbersOf(site))[0]).toEqual([2, 'subscribed']);
    expect((await rotate()).statusCode).toBe(201);
  });
});
