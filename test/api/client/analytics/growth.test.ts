// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRemovalStore } from '../../../../engine/adapters/postgres/removal/removal-store.ts';
import { dayBefore } from '../../../support/analytics-rows.ts';
import { createSite, type Site } from '../../../support/site.ts';
import { callAs, createMember, createTestApi, type TestApi } from '../../support.ts';

describe('growth', () => {
  let api: TestApi;
  let site: Site;
  let call: ReturnType<typeof callAs>;
  let path: string;
  beforeEach(async () => {
    api = await createTestApi();
    site = await createSite(api.app, api.database);
    const [app] = await api.database.query<{ id: number }>(`SELECT organization_id AS id FROM apps`);
    const organizationId = app?.id ?? 0;
    call = callAs(api.app, await createMember(api.database, { organizationId }));
    path = `/apps/${site.identifier}`;
  });
  afterEach(() => api.close());

  /** Of the last three days, oldest first. */
  async function growth(): Promise<number[]> {
    await api.database.query('DELETE FROM analytics_cache');
    const answer = (await call('GET', `${path}/analytics/subscribers?days=3`)).json();
    expect(answer.growth.map(({ date }: { date: string }) => date)).toEqual([2, 1, 0].map(dayBefore));
    return answer.growth.map(({ new_subscribers: count }: { new_subscribers: number }) => count);
  }
  const subscribe = async (body: object) => expect((await site.post('subscribe', body)).statusCode).toBe(200);
  const change = (set: string, seqs: readonly number[]) =>
    api.database.query(`UPDATE subscriptions SET ${set} WHERE app_id = $1 AND seq = ANY($2)`, [
      site.appId,
      seqs,
    ]);
  /** One after another, so that they have their `seq` in this order. */
  async function came(atTimes: readonly string[]): Promise<void> {
    await api.database.query(
      `WITH taken AS (UPDATE apps SET next_seq = next_seq + cardinality($2::text[]) WHERE id = $1 RETURNING next_seq)
       INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, created_at)
       SELECT $1, next_seq - cardinality($2::text[]) + n - 1, 'https://push.example/' || (next_seq + n), '', '', at::timestamptz
       FROM taken, unnest($2::text[]) WITH ORDINALITY AS given (at, n)`,
      [site.appId, atTimes],
    );
  }

  it('counts every subscriber on the day (UTC) they came, by any route', async () => {
    await came([
      `${dayBefore(3)}T23:59:59.999Z`,
      `${dayBefore(2)}T00:00:00Z`,
      `${dayBefore(1)}T01:30:00+02:00`,
    ]);
    await Promise.all(Array.from({ length: 20 }, () => subscribe(site.subscribeBody())));
    expect(await growth()).toEqual([2, 0, 20]);
  });

  it('stays as it was when they unsubscribe, come back, move, or are deleted', async () => {
    await came([`${dayBefore(2)}T12:00:00Z`, `${dayBefore(2)}T12:00:00Z`, `${dayBefore(1)}T12:00:00Z`]);
    const reader = site.subscribeBody();
    await subscribe(reader);
    const days = [2, 1, 1];
    expect(await growth()).toEqual(days);

    await change(`status = 'unsubscribed', unsubscribed_at = now()`, [0, 3]);
    expect(await growth()).toEqual(days);
    await subscribe(reader);
    await subscribe(site.subscribeBody({ userId: reader.userId }));
    expect(await growth()).toEqual(days);

    const [first] = await api.database.query<{ id: number }>(
      `SELECT id FROM subscriptions ORDER BY seq LIMIT 1`,
    );
    expect((await call('DELETE', `${path}/subscriptions/${first?.id}`)).statusCode).toBe(204);
    expect(await growth()).toEqual(days);

    await api.database.query(
      `UPDATE apps SET auto_delete_unsubscribed_enabled = true, auto_delete_unsubscribed_days = 1`,
    );
    await change(`status = 'unsubscribed', unsubscribed_at = now() - interval '2 days'`, [1, 2]);
    expect(await createRemovalStore(api.database).deleteExpired(100)).toBe(2);
    expect(await growth()).toEqual(days);
  });

  it('counts a browser that was deleted and subscribes again as new', async () => {
    const reader = site.subscribeBody();
    await subscribe(reader);
    const [row] = await api.database.query<{ id: number }>(`SELECT id FROM subscriptions`);
    expect((await call('DELETE', `${path}/subscriptions/${row?.id}`)).statusCode).toBe(204);
    await subscribe(reader);
    expect(await growth()).toEqual([0, 0, 2]);
  });

  it('has nothing of a transaction that was rolled back, or of an insert that found its endpoint taken', async () => {
    await came([`${dayBefore(1)}T12:00:00Z`]);
    const refused = api.database.transaction(async (sql) => {
      await sql.query(
        `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth) VALUES ($1, 50, 'x', '', '')`,
        [site.appId],
      );
      throw new Error('no');
    });
    await expect(refused).rejects.toThrow('no');
    await api.database.query(
      `INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth)
       SELECT app_id, 60, endpoint, '', '' FROM subscriptions ON CONFLICT (app_id, decode(md5(endpoint), 'hex')) DO NOTHING`,
    );
    expect(await growth()).toEqual([0, 1, 0]);
  });

  it('has unsubscribed readers on the day they left, for any reason, as long as they stay away', async () => {
    const left = async (): Promise<number[]> => {
      await api.database.query('DELETE FROM analytics_cache');
      const answer = (await call('GET', `${path}/analytics/subscribers?days=3`)).json();
      return answer.growth.map(({ left_subscribers: count }: { left_subscribers: number }) => count);
    };
    await came(Array.from({ length: 6 }, () => `${dayBefore(5)}T12:00:00Z`));
    const reader = site.subscribeBody();
    await subscribe(reader);
    expect(await left()).toEqual([0, 0, 0]);
    const leave = (at: string, seqs: readonly number[]) =>
      change(`status = 'unsubscribed', unsubscribed_at = '${at}'`, seqs);
    await leave(`${dayBefore(3)}T23:59:59.999Z`, [0]);
    await leave(`${dayBefore(2)}T00:00:00Z`, [1]);
    await leave(`${dayBefore(1)}T01:30:00+02:00`, [2, 3]);
    await leave(new Date().toISOString(), [4, 6]);
    expect(await left()).toEqual([3, 0, 2]);
    expect(await growth(), 'a reader who came stays counted as new').toEqual([0, 0, 1]);

    await subscribe(reader);
    expect(await left(), 'one came back').toEqual([3, 0, 1]);
    const [gone] = await api.database.query<{ id: number }>(`SELECT id FROM subscriptions WHERE seq = 4`);
    await call('DELETE', `${path}/subscriptions/${gone?.id}`);
    expect(await left(), 'one was deleted').toEqual([3, 0, 0]);
  });
});
