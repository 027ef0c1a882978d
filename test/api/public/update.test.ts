// tier: postgres
import { beforeEach, describe, expect, it } from 'vitest';
import { createSite, type PublicPath, type Site } from '../../support/site.ts';
import { openTestApi } from '../support.ts';

let site: Site;
const api = await openTestApi();
beforeEach(async () => {
  site = await createSite(api.app, api.database);
});

const subscribe = async (changes: object = {}) => {
  const body = site.subscribeBody(changes);
  await site.post('subscribe', body);
  return body;
};
const update = async (body: object) => (await site.post('update_subscription', body)).statusCode;
const age = (minutes: number) =>
  api.database.query(
    `UPDATE subscriptions SET last_seen_at = now() - make_interval(mins => $2) WHERE app_id = $1`,
    [site.appId, minutes],
  );
const seenAgo = async () => {
  const [row] = await site.rows();
  return Math.round((Date.now() - (row?.last_seen_at.getTime() ?? 0)) / 60_000);
};

describe('update_subscription', () => {
  it('finds the subscription by its endpoint before the user', async () => {
    const [one, two] = [await subscribe(), await subscribe()];
    await update({ userId: one.userId, subscription: two.subscription });
    expect((await site.rows()).map(({ status }) => status)).toEqual(['unsubscribed', 'subscribed']);
  });

  it('stores a browser that is not known: it has the subscription, and would hear nothing otherwise', async () => {
    const { userId, subscription } = site.subscribeBody();
    expect(await update({ userId, subscription })).toBe(200);
    expect(await site.rows()).toMatchObject([{ user_identity: userId, status: 'subscribed' }]);
    expect((await site.books()).counted).toEqual([1, 1]);
  });

  it('answers an unknown user like a known one, and stores nothing', async () => {
    for (const body of [{ userId: 'nobody' }, { userId: 'nobody', subscription: null }])
      expect(await update(body)).toBe(200);
    const tags = [{ key: 'a', value: 'b' }];
    expect((await site.post('subscription-tags', { userId: 'nobody', tags })).statusCode).toBe(200);
    expect(await site.rows()).toEqual([]);
  });

  it('with a subscription of null unsubscribes the user, once', async () => {
    const { userId } = await subscribe();
    await subscribe();
    for (let n = 0; n < 2; n++) expect(await update({ userId, subscription: null })).toBe(200);
    const [left, other] = await site.rows();
    expect([left?.status, left?.unsubscribed_at]).toEqual(['unsubscribed', expect.any(Date)]);
    expect(other?.status).toBe('subscribed');
    expect(await site.books()).toEqual({ counted: [2, 1], real: [2, 1] });
  });

  it('without a subscription leaves an unsubscribed user unsubscribed', async () => {
    const { userId } = await subscribe();
    await update({ userId, subscription: null });
    await update({ userId, externalIds: { acme_id: '1' } });
    expect(await site.rows()).toMatchObject([{ status: 'unsubscribed', external_ids: { acme_id: '1' } }]);
  });

  it('changes no other app’s subscription of the same user', async () => {
    const { userId } = await subscribe();
    const other = await createSite(api.app, api.database);
    await other.post('update_subscription', { userId, subscription: null });
    await other.post('subscription-tags', { userId, tags: [{ key: 'a', value: 'b' }] });
    expect(await site.rows()).toMatchObject([{ status: 'subscribed', tags: {} }]);
  });

  it('adds external ids to those that are kept, and replaces them where that made too many', async () => {
    const { userId } = await subscribe({ externalIds: { oid_cookie: 'a', acme_id: 'b' } });
    await update({ userId, externalIds: { oid_cookie: 'c' } });
    expect(await site.rows()).toMatchObject([{ external_ids: { oid_cookie: 'c', acme_id: 'b' } }]);
    const many = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${prefix}${n}`, 'x']));
    for (const prefix of ['a', 'b', 'c']) await update({ userId, externalIds: many(prefix) });
    const [row] = await site.rows();
    expect(row?.external_ids).toEqual(many('c'));
  });
});

describe('a browser that repeats its subscription', () => {
  const calls: [name: string, call: (body: Awaited<ReturnType<typeof subscribe>>) => Promise<unknown>][] = [
    ['subscribe', (body) => site.post('subscribe', body)],
    ['update_subscription', ({ userId }) => update({ userId })],
    ['subscription-tags', ({ userId }) => site.post('subscription-tags', { userId, tags: [] })],
  ];
  it.each(calls)(
    'by %s is written when it was last seen a while ago, and not before',
    async (_name, call) => {
      const body = await subscribe();
      await age(4);
      await call(body);
      expect(await seenAgo()).toBe(4);
      await age(6);
      await call(body);
      expect(await seenAgo()).toBe(0);
    },
  );

  it.each<[what: string, changes: object, headers: Record<string, string>]>([
    ['other external ids', { externalIds: { acme_id: '2' } }, {}],
    ['a choice of categories', { categoryIds: [] }, {}],
    ['another browser version', {}, { 'sec-ch-ua': '"Google Chrome";v="142"' }],
  ])('with %s is written at once', async (_what, changes, headers) => {
    const body = await subscribe();
    await age(1);
    await site.post('subscribe', { ...body, ...changes }, headers);
    expect(await seenAgo()).toBe(0);
  });
});

describe('categories', () => {
  const category = async (changes: { appId?: number; deleted?: boolean } = {}) => {
    const [row] = await api.database.query<{ id: number }>(
      `INSERT INTO delivery_categories (app_id, name, deleted_at) VALUES ($1, $2, CASE WHEN $3 THEN now() END) RETURNING id`,
      [changes.appId ?? site.appId, Math.random().toString(36), changes.deleted === true],
    );
    return row?.id ?? 0;
  };
  it('are null as long as they were never stated', async () => {
    const body = await subscribe();
    await site.post('subscribe', { ...body, categoryIds: null });
    expect(await site.rows()).toMatchObject([{ category_ids: null }]);
  });

  it('keep those of the app, each once and in order; others, deleted and made up ones are dropped', async () => {
    const [one, two] = [await category(), await category()];
    const other = await createSite(api.app, api.database);
    const wrong = [await category({ deleted: true }), await category({ appId: other.appId }), 2_000_000_000];
    await subscribe({ categoryIds: [two, ...wrong, one, two] });
    expect(await site.rows()).toMatchObject([{ category_ids: [one, two] }]);
  });

  it('as an empty list are a choice, too, and stay until another is stated', async () => {
    const one = await category();
    const body = await subscribe({ categoryIds: [one] });
    await site.post('subscribe', { ...body, categoryIds: [] });
    await site.post('subscribe', body);
    await site.post('subscribe', { ...site.subscribeBody(), userId: body.userId, categoryIds: undefined });
    expect((await site.rows()).map(({ category_ids }) => category_ids)).toEqual([[one]]);
    await site.post('subscribe', { ...site.subscribeBody(), userId: body.userId, categoryIds: [] });
    expect((await site.rows()).map(({ category_ids }) => category_ids)).toEqual([[]]);
  });

  it.each<[who: string, prepare: () => Promise<object>]>([
    ['a new browser', async () => site.subscribeBody()],
    ['a known one', () => subscribe()],
    ['one that moved', async () => ({ ...site.subscribeBody(), userId: (await subscribe()).userId })],
  ])('stated by %s are its own alone: the app keeps nothing of them', async (_who, prepare) => {
    const body = await prepare();
    const app = async () =>
      (
        await api.database.query(`SELECT to_jsonb(apps) - 'next_seq' AS row FROM apps WHERE id = $1`, [
          site.appId,
        ])
      )[0];
    await site.post('subscribe', body);
    const before = await app();
    await site.post('subscribe', { ...body, categoryIds: [] });
    expect(await app()).toEqual(before);
    expect((await site.rows()).at(-1)).toMatchObject({ category_ids: [] });
    expect((await site.books()).counted).toEqual((await site.books()).real);
  });
});

describe('tags', () => {
  const write = async (userId: string, from: number, to: number) => {
    const tags = Array.from({ length: to - from }, (_, n) => ({ key: `k${from + n}`, value: 'x' }));
    return (await site.post('subscription-tags', { userId, tags })).statusCode;
  };

  it('of a subscription are 200 at most: a write that made more is refused as a whole', async () => {
    const { userId } = await subscribe();
    for (const from of [0, 50, 100, 150]) expect(await write(userId, from, from + 50)).toBe(200);
    expect(await write(userId, 199, 201)).toBe(422);
    expect(await write(userId, 150, 200)).toBe(200);
    const [row] = await site.rows();
    expect(Object.keys(row?.tags ?? {})).toHaveLength(200);
  });

  it('at once add up, and of a key that is listed twice the last value holds', async () => {
    const { userId } = await subscribe();
    await Promise.all([0, 10, 20, 30].map((from) => write(userId, from, from + 10)));
    const tags = ['first', 'last'].map((value) => ({ key: '__proto__', value }));
    await site.post('subscription-tags', { userId, tags });
    const [row] = await site.rows();
    expect(Object.keys(row?.tags ?? {})).toHaveLength(41);
    expect(JSON.stringify(row?.tags)).toContain('"__proto__":"last"');
  });
});

describe('a row that becomes another user’s at that moment', () => {
  const tags = [{ key: 'a', value: 'b' }];
  const untilSomebodyWaits = async () => {
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await api.database.query(waiting)).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it.each<[path: PublicPath, body: object]>([
    ['update_subscription', { subscription: null }],
    ['update_subscription', { externalIds: { acme_id: '1' } }],
    ['subscription-tags', { tags }],
  ])('is left alone by %s of %j', async (path, body) => {
    const { userId } = await subscribe();
    const answer = await api.database.transaction(async (sql) => {
      await sql.query(`UPDATE subscriptions SET user_identity = 'another' WHERE app_id = $1`, [site.appId]);
      const posted = site.post(path, { userId, ...body });
      await untilSomebodyWaits();
      return { posted };
    });
    expect((await answer.posted).statusCode).toBe(200);
    expect(await site.rows()).toMatchObject([
      { user_identity: 'another', status: 'subscribed', tags: {}, external_ids: {} },
    ]);
  });
});
