// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestLinks } from '../../../../api/shared/test-browsers/link.ts';
import type { UserId } from '../../../../engine/contract/ids.ts';
import { buildSubscriptions } from '../../../support/builders.ts';
import { createSite, type Site } from '../../../support/site.ts';
import { callAs, createMember, MASTER_KEY, type Member, openTestApi } from '../../support.ts';

const MINUTE_MS = 60_000;
const newSecret = (): string => randomBytes(32).toString('base64url');
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';

let site: Site;
let member: Member;
let call: ReturnType<typeof callAs>;
let path: string;
const api = await openTestApi();
beforeEach(async () => {
  site = await createSite(api.app, api.database);
  const [owner] = await api.database.query<{ id: number }>(
    'SELECT organization_id AS id FROM apps WHERE id = $1',
    [site.appId],
  );
  member = await createMember(api.database, { organizationId: owner?.id ?? 0 });
  call = callAs(api.app, member);
  path = `/apps/${site.identifier}/test-browsers`;
});

const list = async () => (await call('GET', path)).json().data;
const link = async () => (await call('POST', `${path}/link`)).json().data;
const subscriptionId = async (seq: number): Promise<number> => {
  const [row] = await api.database.query<{ id: number }>(
    'SELECT id FROM subscriptions WHERE app_id = $1 AND seq = $2',
    [site.appId, seq],
  );
  return row?.id ?? 0;
};
/** A browser on the site's page, with a secret of its own. */
async function subscribe(): Promise<{ userId: string; browserSecret: string }> {
  const browserSecret = newSecret();
  const body = site.subscribeBody({ browserSecret });
  expect((await site.post('subscribe', body, { 'user-agent': CHROME })).json()).toEqual({ success: true });
  return { userId: body.userId, browserSecret };
}
const register = async (browser: object, token: string, headers = {}) =>
  (await site.post('test-browser', { ...browser, token }, headers)).statusCode;
const actions = async () =>
  api.database.query<{ action: string; user_id: UserId; via: string }>(
    `SELECT action, user_id, via FROM audit_log WHERE app_id = $1 AND action LIKE 'test-browser.%' ORDER BY id`,
    [site.appId],
  );

describe('test browsers', () => {
  it('are picked from the subscribers, renamed and removed, which the audit log says', async () => {
    await buildSubscriptions(api.database, site.appId, 2);
    const given = { subscription_id: await subscriptionId(1), name: 'Anna’s phone' };
    const made = await call('POST', path, given);
    expect(made.statusCode, made.body).toBe(201);
    const { id, registered_by } = made.json().data;
    expect(made.json().data).toMatchObject({ ...given, status: 'subscribed' });
    expect(registered_by).toMatch(/@example\.com$/);
    const again = await call('POST', path, { subscription_id: given.subscription_id });
    expect(again.json().data).toMatchObject({ id, name: 'Anna’s phone' });
    expect(await list()).toHaveLength(1);
    const renamed = await call('PATCH', `${path}/${id}`, { name: 'The desk' });
    expect(renamed.json().data).toMatchObject({ id, name: 'The desk' });
    expect((await call('DELETE', `${path}/${id}`)).statusCode).toBe(204);
    expect((await call('DELETE', `${path}/${id}`)).statusCode).toBe(404);
    expect(await list()).toEqual([]);
    expect((await actions()).map(({ action }) => action)).toEqual([
      ...['test-browser.added', 'test-browser.added', 'test-browser.renamed', 'test-browser.removed'],
    ]);
  });

  it('are fifty at most, and leave with their subscriptions', async () => {
    await buildSubscriptions(api.database, site.appId, 52);
    await api.database.query(
      `INSERT INTO test_browsers (app_id, seq, name, registered_by)
       SELECT app_id, seq, 'b', '' FROM subscriptions WHERE app_id = $1 AND seq < 49`,
      [site.appId],
    );
    const two = [await subscriptionId(50), await subscriptionId(51)];
    const answers = await Promise.all(two.map((id) => call('POST', path, { subscription_id: id })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 422]);
    const gone = await call('DELETE', `/apps/${site.identifier}/subscriptions/${await subscriptionId(3)}`);
    expect(gone.statusCode).toBe(204);
    expect((await call('GET', path)).json().meta.total).toBe(49);
    await api.database.query('DELETE FROM subscriptions WHERE app_id = $1', [site.appId]);
    expect((await call('GET', path)).json().meta.total).toBe(0);
  });

  it('are not for other organizations', async () => {
    await buildSubscriptions(api.database, site.appId, 1);
    const subscription_id = await subscriptionId(0);
    const { id } = (await call('POST', path, { subscription_id })).json().data;
    const stranger = callAs(api.app, await createMember(api.database));
    const answers = await Promise.all([
      stranger('GET', path),
      stranger('POST', path, { subscription_id }),
      stranger('POST', `${path}/link`),
      stranger('PATCH', `${path}/${id}`, { name: 'Mine' }),
      stranger('DELETE', `${path}/${id}`),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    const other = await createSite(api.app, api.database);
    await buildSubscriptions(api.database, other.appId, 1);
    const [theirs] = await api.database.query<{ id: number }>(
      'SELECT id FROM subscriptions WHERE app_id = $1',
      [other.appId],
    );
    expect((await call('POST', path, { subscription_id: theirs?.id })).json().errors).toEqual({
      subscription_id: ['The subscription_id field names no subscription of the app.'],
    });
  });
});

describe('a link', () => {
  it('registers the browser that opens it, in the name of who made it', async () => {
    const { url, token } = await link();
    expect(url).toBe(`https://news.example/#broadside-test=${token}`);
    const browser = await subscribe();
    expect(await register(browser, token)).toBe(200);
    expect(await list()).toMatchObject([{ name: 'Chrome on Android', status: 'subscribed' }]);
    expect(await actions()).toEqual([
      { action: 'test-browser.added', user_id: member.userId, via: 'service' },
    ]);
  });

  it('is good for one browser, which may ask again', async () => {
    const { token } = await link();
    const [first, second] = [await subscribe(), await subscribe()];
    expect([await register(first, token), await register(first, token)]).toEqual([200, 200]);
    expect(await register(second, token)).toBe(422);
    const { token: another } = await link();
    expect([await register(first, another), await register(second, another)]).toEqual([200, 422]);
    expect(await list()).toHaveLength(1);
    expect(await actions()).toHaveLength(1);
  });

  it('of two browsers at once lets one in', async () => {
    const { token } = await link();
    const both = await Promise.all([await subscribe(), await subscribe()]);
    const answers = await Promise.all(both.map((browser) => register(browser, token)));
    expect(answers.toSorted()).toEqual([200, 422]);
    expect(await list()).toHaveLength(1);
  });

  it('is good for fifteen minutes, for its app, and as long as who made it is there', async () => {
    const links = createTestLinks(MASTER_KEY);
    const browser = await subscribe();
    const issue = (agoMs: number) => links.issue(site.appId, member.userId, Date.now() - agoMs).token;
    expect(await register(browser, issue(15 * MINUTE_MS + 1_000))).toBe(422);
    const other = await createSite(api.app, api.database);
    expect(await register(browser, links.issue(other.appId, member.userId, Date.now()).token)).toBe(422);
    const stranger = await createMember(api.database);
    expect(await register(browser, links.issue(site.appId, stranger.userId, Date.now()).token)).toBe(422);
    const forged = createTestLinks(Buffer.alloc(32, 9)).issue(site.appId, member.userId, Date.now());
    expect(await register(browser, forged.token)).toBe(422);
    for (const token of ['', 'AAAA', `${issue(0)}A`, issue(0).replace(/^.{8}/, 'AAAAAQAA')])
      expect([token, await register(browser, token)]).toEqual([token, 422]);
    expect(await list()).toEqual([]);
    expect(await register(browser, issue(14 * MINUTE_MS))).toBe(200);
  });

  it('is of no use from another origin, without a browser, or before it is subscribed', async () => {
    const { token } = await link();
    const browser = await subscribe();
    expect(await register(browser, token, { origin: 'https://elsewhere.example' })).toBe(403);
    expect(await register({}, token)).toBe(422);
    expect(await register({ browserSecret: newSecret() }, token)).toBe(422);
    // Whoever knows the identity alone is not the browser.
    expect(await register({ userId: browser.userId }, token)).toBe(422);
    await site.post('update_subscription', { ...browser, subscription: null });
    expect(await register(browser, token)).toBe(422);
    expect(await list()).toEqual([]);
  });

  it('holds after the master key was rotated', () => {
    const { token } = createTestLinks(MASTER_KEY).issue(site.appId, member.userId, Date.now());
    const rotated = createTestLinks(Buffer.alloc(32, 9), [MASTER_KEY]);
    expect(rotated.read(token, Date.now())).toMatchObject({ appId: site.appId, userId: member.userId });
    expect(createTestLinks(Buffer.alloc(32, 9)).read(token, Date.now())).toBeNull();
  });
});
