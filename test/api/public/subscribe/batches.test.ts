// tier: postgres
import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createSubscribe } from '../../../../api/public/subscribe/batches.ts';
import type { ParsedSubscription } from '../../../../api/public/subscribe/parse-subscription.ts';
import { createStoreBatch, type Ending } from '../../../../api/public/subscribe/store-batch.ts';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { type AppId, toId } from '../../../../engine/contract/ids.ts';
import { buildApp } from '../../../support/builders.ts';
import { createTestDatabase } from '../../../support/postgres.ts';

const app = toId<AppId>(1);
const unknownVisitor = {
  deviceType: null,
  browserName: null,
  browserVersion: null,
  osName: null,
  osVersion: null,
  country: null,
};
const browser = (name: string, user: string | null = name): ParsedSubscription => ({
  endpoint: `https://push.example.com/${name}`,
  p256dh: Buffer.alloc(65, 4),
  auth: Buffer.alloc(16),
  userIdentity: user,
  secretHash: null,
  externalIds: {},
  categoryIds: null,
  vapidKeyNumber: null,
  visitor: unknownVisitor,
  timeZone: null,
  language: null,
});
const nameOf = ({ endpoint }: ParsedSubscription) => endpoint.split('/').at(-1);

/** Batches as they were asked for, each ended by the test. */
function createFakeStore() {
  const batches: {
    appId: AppId;
    names: unknown[];
    end(endings: Ending[]): void;
    fail(error: Error): void;
  }[] = [];
  const storeBatch = (appId: AppId, items: readonly ParsedSubscription[]): Promise<Ending[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<Ending[]>();
    batches.push({ appId, names: items.map(nameOf), end: resolve, fail: reject });
    return promise;
  };
  const endNext = (kind: 'stored' | 'app-gone' = 'stored') => {
    const batch = batches.shift();
    batch?.end(batch.names.map(() => ({ kind })));
  };
  const names = () => batches.map((batch) => batch.names);
  return { storeBatch, batches, names, endNext };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));
const limits = { maxBatch: 3, maxWaiting: 6, maxInFlight: 2 };

describe('subscribes that come together', () => {
  it('the first goes at once, those that come meanwhile go together', async () => {
    const store = createFakeStore();
    const subscribe = createSubscribe(store.storeBatch, limits);
    const answers = ['a', 'b', 'c', 'd', 'e'].map((name) => subscribe(app, browser(name)));
    expect(store.names()).toEqual([['a']]);
    store.endNext();
    expect(await answers[0]).toBe('stored');
    expect(store.names()).toEqual([['b', 'c', 'd']]);
    store.endNext('app-gone');
    expect(await Promise.all(answers.slice(1, 4))).toEqual(['app-gone', 'app-gone', 'app-gone']);
    store.endNext();
    expect(await answers[4]).toBe('stored');
  });

  it('of the same browser go one after another, in their order', async () => {
    const store = createFakeStore();
    const subscribe = createSubscribe(store.storeBatch, limits);
    void subscribe(app, browser('first'));
    // Here b and c share a user, c and d an endpoint: d waits for c although it has nothing to do with b.
    for (const each of [browser('b', 'u'), browser('c', 'u'), browser('c', null), browser('e')])
      void subscribe(app, each);
    store.endNext();
    await soon();
    expect(store.names()).toEqual([['b', 'e']]);
    store.endNext();
    await soon();
    expect(store.names()).toEqual([['c']]);
    store.endNext();
    await soon();
    expect(store.names()).toEqual([['c']]);
    store.endNext();
  });

  it('a postponed item comes before later ones', async () => {
    const store = createFakeStore();
    const subscribe = createSubscribe(store.storeBatch, { ...limits, maxBatch: 2 });
    const answers = ['x', 'a', 'b', 'c'].map((name) => subscribe(app, browser(name)));
    store.endNext();
    await soon();
    store.batches.shift()?.end([{ kind: 'stored' }, { kind: 'left' }]);
    await soon();
    expect(store.names()).toEqual([['b', 'c']]);
    store.endNext();
    expect(await Promise.all(answers)).toEqual(Array(4).fill('stored'));
  });

  it('more than may wait are refused, and room is made again', async () => {
    const store = createFakeStore();
    const subscribe = createSubscribe(store.storeBatch, limits);
    const answers = Array.from({ length: 8 }, (_, n) => subscribe(app, browser(`b${n}`)));
    expect(await answers[7]).toBe('full');
    store.endNext();
    await soon();
    void subscribe(app, browser('later'));
    expect(await Promise.race([subscribe(app, browser('latest')), soon()])).not.toBe('full');
    while (store.batches.length > 0) {
      store.endNext();
      await soon();
    }
    expect(await Promise.all(answers.slice(0, 7))).toEqual(Array(7).fill('stored'));
  });

  it('apps take turns, and a bounded number of batches run at once', async () => {
    const store = createFakeStore();
    const subscribe = createSubscribe(store.storeBatch, limits);
    const [one, two, three] = [1, 2, 3].map((id) => toId<AppId>(id)) as [AppId, AppId, AppId];
    for (const name of ['a', 'b', 'c', 'd']) void subscribe(one, browser(name));
    void subscribe(two, browser('e'));
    void subscribe(three, browser('f'));
    expect(store.batches.map(({ appId }) => appId)).toEqual([one, two]);
    store.endNext();
    await soon();
    // One's others came before three's, and each app has one batch at a time.
    expect(store.batches.map(({ appId }) => appId)).toEqual([two, one]);
    store.endNext();
    await soon();
    expect(store.batches.map(({ appId }) => appId)).toEqual([one, three]);
    store.endNext();
    store.endNext();
  });

  it('a store that throws rejects its own batch and no other', async () => {
    const store = createFakeStore();
    const subscribe = createSubscribe(store.storeBatch, limits);
    const [first, second] = [subscribe(app, browser('a')), subscribe(app, browser('b'))];
    store.batches.shift()?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    store.endNext();
    expect(await second).toBe('stored');
  });
});

describe('a batch in Postgres', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());
  const countOf = async (database: Database, appId: AppId) =>
    (await database.query(`SELECT 1 FROM subscriptions WHERE app_id = $1`, [appId])).length;

  it('ends each of its items, in their order: N in, N out', async () => {
    const { id } = await buildApp(test.database);
    const storeBatch = createStoreBatch(test.database);
    await storeBatch(id, [browser('known'), browser('moved', 'mover')]);
    const endings = await storeBatch(id, [
      browser('new-1'),
      browser('known'),
      browser('elsewhere', 'mover'),
      // Its endpoint is the row that the item before moves.
      browser('moved', 'other'),
      browser('new-2'),
    ]);
    expect(endings.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'stored', 'left', 'stored']);
    expect(await countOf(test.database, id)).toBe(4);
  });

  it('notes the first browser of an app, also one that was imported before it came, and no later one', async () => {
    const { id } = await buildApp(test.database);
    const firstAt = async () =>
      (
        await test.database.query<{ at: Date | null }>(
          'SELECT first_browser_at AS at FROM apps WHERE id = $1',
          [id],
        )
      )[0]?.at ?? null;
    await test.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth)
       VALUES ($1, 0, 'https://push.example.com/listed', $2, $3)`,
      [id, Buffer.alloc(65, 4), Buffer.alloc(16)],
    );
    await test.database.query('UPDATE apps SET next_seq = 1 WHERE id = $1', [id]);
    expect(await firstAt(), 'an import is not a browser').toBeNull();
    const storeBatch = createStoreBatch(test.database);
    await storeBatch(id, [{ ...browser('listed'), secretHash: randomBytes(32) }]);
    const noted = await firstAt();
    expect(noted).toBeInstanceOf(Date);
    await storeBatch(id, [browser('another')]);
    expect(await firstAt()).toEqual(noted);
  });

  it('does not fail for one of its items', async () => {
    const { id } = await buildApp(test.database);
    const endings = await createStoreBatch(test.database)(id, [
      browser('fine-1'),
      // What no request can bring here: Postgres refuses the whole statement for it.
      browser('poison', 'NUL\0'),
      browser('fine-2'),
    ]);
    expect(endings.map(({ kind }) => kind)).toEqual(['stored', 'failed', 'stored']);
    expect(await countOf(test.database, id)).toBe(2);
  });

  it('is not tried item by item where Postgres is unavailable', async () => {
    let asked = 0;
    const away = {
      ...test.database,
      query: () => {
        asked++;
        return Promise.reject(new Error('Connection terminated unexpectedly'));
      },
    };
    const items = Array.from({ length: 8 }, () => browser(randomBytes(4).toString('hex')));
    const endings = await createStoreBatch(away)(app, items);
    expect(endings.map(({ kind }) => kind)).toEqual(Array(8).fill('failed'));
    expect(asked).toBe(1);
  });
});
