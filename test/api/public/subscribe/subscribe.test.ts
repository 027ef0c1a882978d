// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import { createSite, type Site } from '../../../support/site.ts';
import { newKeys, openTestApi } from '../../support.ts';

let site: Site;
const api = await openTestApi();
beforeEach(async () => {
  site = await createSite(api.app, api.database);
});

const subscribe = async (body: object) => (await site.post('subscribe', body)).statusCode;
const expectBooksToAddUp = async () => {
  const { counted, real } = await site.books();
  expect(counted).toEqual(real);
};

describe('subscribe', () => {
  it('stores a browser with the next seq, and counts it', async () => {
    for (let n = 0; n < 3; n++) expect(await subscribe(site.subscribeBody())).toBe(200);
    expect((await site.rows()).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect((await site.books()).counted).toEqual([3, 3]);
  });

  it('again from the same endpoint updates its row', async () => {
    const first = site.subscribeBody();
    await subscribe(first);
    const keys = newKeys();
    await subscribe({ ...first, subscription: { ...first.subscription, keys } });
    expect((await site.books()).counted).toEqual([1, 1]);
    const [row] = await api.database.query<{ p256dh: Buffer; auth: Buffer }>(
      `SELECT p256dh, auth FROM subscriptions WHERE endpoint = $1`,
      [first.subscription.endpoint],
    );
    expect(row?.p256dh.toString('base64url')).toBe(keys.p256dh);
    expect(row?.auth.toString('base64url')).toBe(keys.auth);
  });

  it('from the same user with a new endpoint moves the row', async () => {
    const first = site.subscribeBody();
    await subscribe(first);
    const second = site.subscribeBody({ userId: first.userId });
    await subscribe(second);
    expect(await site.rows()).toMatchObject([
      { seq: 0, endpoint: second.subscription.endpoint, status: 'subscribed', user_identity: first.userId },
    ]);
    await expectBooksToAddUp();
  });

  it('without a user keeps the endpoint’s user', async () => {
    const first = site.subscribeBody();
    await subscribe(first);
    await subscribe({ ...first, userId: undefined });
    await subscribe({ ...first, userId: null });
    expect(await site.rows()).toMatchObject([{ user_identity: first.userId }]);
  });

  it('gives a user to an endpoint without one, as imported ones have none', async () => {
    const body = site.subscribeBody();
    await subscribe({ ...body, userId: undefined });
    await subscribe(body);
    expect(await site.rows()).toMatchObject([{ seq: 0, user_identity: body.userId }]);
    await expectBooksToAddUp();
  });

  it('of a known endpoint by another known user leaves one active row', async () => {
    const [one, two] = [site.subscribeBody(), site.subscribeBody()];
    await subscribe(one);
    await subscribe(two);
    await subscribe({ ...two, userId: one.userId });
    expect((await site.rows()).map(({ seq, status, user_identity }) => [seq, status, user_identity])).toEqual(
      [
        [0, 'unsubscribed', one.userId],
        [1, 'subscribed', one.userId],
      ],
    );
    await expectBooksToAddUp();
  });

  it('brings an unsubscribed browser back under its old seq', async () => {
    const body = site.subscribeBody();
    await subscribe(body);
    await site.post('update_subscription', { userId: body.userId, subscription: null });
    expect((await site.books()).counted).toEqual([1, 0]);
    await subscribe(body);
    expect(await site.rows()).toMatchObject([{ seq: 0, status: 'subscribed', unsubscribed_at: null }]);
    expect((await site.books()).counted).toEqual([1, 1]);
  });

  it('stores nothing for an app that was deleted a moment ago', async () => {
    await subscribe(site.subscribeBody());
    await api.database.query(`UPDATE apps SET deleted_at = now() WHERE id = $1`, [site.appId]);
    const answer = await site.post('subscribe', site.subscribeBody());
    expect([answer.statusCode, answer.json()]).toEqual([403, { message: 'Invalid origin domain' }]);
    expect(await site.rows()).toHaveLength(1);
  });

  it('takes keys in base64 with padding, too', async () => {
    const { p256dh, auth } = newKeys();
    const padded = (key: string) => Buffer.from(key, 'base64url').toString('base64');
    const keys = { p256dh: padded(p256dh), auth: padded(auth) };
    expect(await subscribe(site.subscribeBody({}, { keys }))).toBe(200);
  });
});

describe('at once', () => {
  it('from one new endpoint makes one row, gapless', async () => {
    const body = site.subscribeBody({ userId: undefined });
    const codes = await Promise.all(Array.from({ length: 12 }, () => subscribe(body)));
    expect(codes).toEqual(Array(12).fill(200));
    await subscribe(site.subscribeBody());
    expect((await site.rows()).map(({ seq }) => seq)).toEqual([0, 1]);
    await expectBooksToAddUp();
  });

  it('from one user with many endpoints makes one row', async () => {
    const userId = 'user-1';
    await Promise.all(Array.from({ length: 12 }, () => subscribe(site.subscribeBody({ userId }))));
    expect(await site.rows()).toHaveLength(1);
    await expectBooksToAddUp();
  });

  it('from many browsers gives each its own seq', async () => {
    await Promise.all(Array.from({ length: 200 }, () => subscribe(site.subscribeBody())));
    expect((await site.rows()).map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect((await site.books()).counted).toEqual([200, 200]);
  });

  it('from a mix of the same users and endpoints makes counts that add up', async () => {
    const browsers = Array.from({ length: 4 }, () => site.subscribeBody());
    const mixed = Array.from({ length: 60 }, (_, n) => ({ ...browsers[n % 4], userId: `user-${n % 3}` }));
    const codes = await Promise.all(mixed.map(subscribe));
    expect(new Set(codes)).toEqual(new Set([200]));
    await expectBooksToAddUp();
    const active = (await site.rows()).filter(({ status }) => status === 'subscribed');
    expect(new Set(active.map(({ user_identity }) => user_identity)).size).toBe(active.length);
  });

  it('of several apps stores each at its own', async () => {
    const sites = await Promise.all(Array.from({ length: 6 }, () => createSite(api.app, api.database)));
    const all = sites.flatMap((each) => Array.from({ length: 5 }, () => each));
    const answers = await Promise.all(all.map((each) => each.post('subscribe', each.subscribeBody())));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    for (const each of sites) expect((await each.books()).counted).toEqual([5, 5]);
  });
});
