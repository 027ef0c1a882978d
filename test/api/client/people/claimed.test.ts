// tier: postgres
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { createRemovalStore } from '../../../../engine/adapters/postgres/removal/removal-store.ts';
import { completeErasures } from '../../../../engine/adapters/postgres/removal/sweeps.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { cases } from '../../../support/cases.ts';
import { appIdOf, insertSubscriptions } from '../../../support/subscriptions.ts';
import { appBody, callAs, createMember, createTestApi } from '../../support.ts';

describe('a person under whose id others subscribed', async () => {
  let identifier: string;
  let appId: AppId;
  const gone = { userId: 'user-of-ada', account: 'account-of-ada' };

  const api = await createTestApi();
  const database = api.database;
  const call = callAs(api.app, await createMember(database, { role: 'admin' }));
  afterAll(() => api?.close());
  beforeEach(async () => {
    identifier = (await call('POST', '/apps', appBody())).json().data.identifier;
    appId = await appIdOf(database, identifier);
    await insertSubscriptions(database, appId, [
      { user_identity: gone.userId, external_ids: { account: gone.account } },
      { user_identity: 'bob' },
    ]);
  });

  const path = (rest: string): string => `/apps/${identifier}/people/${rest}`;
  const has = async (seq: number): Promise<boolean> =>
    (await database.query('SELECT FROM subscriptions WHERE app_id = $1 AND seq = $2', [appId, seq]))
      .length === 1;

  /** Subscriptions that somebody else made under the reader's id. */
  const claim = async (count: number): Promise<void> => {
    await database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, user_identity, external_ids)
       SELECT app_id, number, 'https://push.example.com/of-' || app_id || '-' || number, p256dh, auth, $2,
         jsonb_build_object('account', $3::text)
       FROM subscriptions, generate_series(10, 9 + $4::integer) AS number WHERE app_id = $1 AND seq = 0`,
      [appId, gone.userId, gone.account, count],
    );
    await database.query(
      'UPDATE apps SET subscriber_count = subscriber_count + $2, active_subscriber_count = active_subscriber_count + $2 WHERE id = $1',
      [appId, count],
    );
  };
  const left = async (): Promise<number> => {
    const [row] = await database.query<{ left: number }>(
      'SELECT count(*)::integer AS left FROM subscriptions WHERE app_id = $1',
      [appId],
    );
    return row?.left ?? -1;
  };
  const receiptOf = async (id: number) => (await call('GET', path(`erasures/${id}`))).json().data;
  /** Strangers' subscriptions: more than a statement has parameters. */
  const CLAIMED = cases(4_000, 70_000);

  it('is exported whole, however many subscriptions others made under the id', async () => {
    await claim(CLAIMED);
    const answer = await call('POST', path('export'), { user_identity: gone.userId });
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const { data } = answer.json();
    expect(data.subscriptions).toHaveLength(CLAIMED + 1);
    expect(data.subscriptions[0]).toMatchObject({ user_identity: gone.userId });
    expect(new Set(data.subscriptions.map(({ id }: { id: number }) => id)).size).toBe(CLAIMED + 1);
  }, 300_000);

  it.each([
    ['user identity', () => ({ user_identity: gone.userId })],
    ['external id', () => ({ external_id: { name: 'account', value: gone.account } })],
  ])(
    'is erased by %s with every subscription under the id, part by part, whatever dies on the way',
    async (_, named) => {
      await claim(CLAIMED);
      const answer = await call('POST', path('erase'), named());
      expect(answer.statusCode, answer.body).toBe(202);
      const { id, ...receipt } = answer.json().data;
      expect(receipt).toMatchObject({ state: 'running', subscriptions: 1_000, waiting: CLAIMED - 999 });
      expect(receipt.stores[0]).toMatchObject({ store: 'postgres', state: 'erasing' });
      expect(await left()).toBe(CLAIMED + 2 - 1_000);
      // Who subscribes under the id from now on was not named.
      await database.query(
        `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, user_identity)
       SELECT app_id, 1000000, 'https://push.example.com/later-' || app_id, p256dh, auth, $2
       FROM subscriptions WHERE app_id = $1 AND seq = 1`,
        [appId, gone.userId],
      );

      const dying = {
        ...database,
        transaction: <Result>(work: (sql: Sql) => Promise<Result>) =>
          database.transaction(async (sql) => {
            let statements = 0;
            const fails: Sql = {
              query: (text, values) =>
                statements++ === deaths ? Promise.reject(new Error('killed')) : sql.query(text, values),
            };
            return work(fails);
          }),
      } as Database;
      let deaths = 0;
      for (; deaths < 3; deaths++) {
        const rows = await left();
        await expect(createRemovalStore(dying).eraseNextPart(), String(deaths)).rejects.toThrow('killed');
        expect(await left()).toBe(rows);
      }
      const store = createRemovalStore(database);
      // Two engines at once.
      let parts = 0;
      for (;;) {
        const done = await Promise.all([store.eraseNextPart(), store.eraseNextPart()]);
        for (const each of done) expect(each).toBeLessThanOrEqual(501);
        parts += done.filter((each) => each > 0).length;
        if (done.every((each) => each === 0)) break;
      }
      expect(parts).toBe(Math.ceil((CLAIMED - 999) / 500));
      expect(await left()).toBe(2);
      expect(await has(1)).toBe(true);
      expect(await receiptOf(id)).toMatchObject({ state: 'running', subscriptions: CLAIMED + 1, waiting: 0 });
      const [counts] = await database.query('SELECT subscriber_count FROM apps WHERE id = $1', [appId]);
      expect(counts).toEqual({ subscriber_count: 1 });

      // ClickHouse is told of each, and the receipt is complete when it names none of them.
      await completeErasures(database, 1_000);
      expect(await receiptOf(id)).toMatchObject({ completed_at: null });
      const [forgotten] = await database.query<{ rows: number }>(
        'SELECT count(*)::integer AS rows FROM forgotten_subscriptions WHERE app_id = $1',
        [appId],
      );
      expect(forgotten?.rows).toBe(CLAIMED + 1);
      await database.query('DELETE FROM forgotten_subscriptions WHERE app_id = $1', [appId]);
      await completeErasures(database, 1_000);
      expect(await receiptOf(id)).toMatchObject({ state: 'complete', completed_at: expect.any(String) });
      const kept = await database.query(
        'SELECT FROM erasure_parts WHERE app_id = $1 AND cardinality(seqs) > 0',
        [appId],
      );
      expect(kept).toEqual([]);
    },
    600_000,
  );

  it('is erased before the second part of somebody else’s large erasure', async () => {
    await claim(3_000);
    const large = (await call('POST', path('erase'), { user_identity: gone.userId })).json().data.id;
    await database.query(
      `INSERT INTO erasures (app_id, named_by, subscriptions, seqs) VALUES ($1, 'endpoint', 0, '{}')`,
      [appId],
    );
    await database.query(
      `INSERT INTO erasure_parts (erasure_id, part, app_id, seqs)
       SELECT max(id), 0, $1, ARRAY[1] FROM erasures WHERE app_id = $1`,
      [appId],
    );
    const store = createRemovalStore(database);
    await store.eraseNextPart();
    await store.eraseNextPart();
    expect(await has(1)).toBe(false);
    expect((await receiptOf(large)).waiting).toBeGreaterThan(1_000);
    while ((await store.eraseNextPart()) > 0);
  });
});
