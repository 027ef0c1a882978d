// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRemovalStore } from '../../engine/adapters/postgres/removal/removal-store.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { buildApp } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

describe('the automatic deletion of the unsubscribed', () => {
  const deleteExpired = (limit: number) => createRemovalStore(test.database).deleteExpired(limit);

  async function unsubscribe(appId: AppId, seqs: readonly number[], days: number): Promise<void> {
    await test.database.query(
      `WITH left_behind AS (
         UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() - make_interval(days => $3)
         WHERE app_id = $1 AND seq = ANY($2) RETURNING 1
       )
       UPDATE apps SET active_subscriber_count = active_subscriber_count - (SELECT count(*) FROM left_behind) WHERE id = $1`,
      [appId, seqs, days],
    );
  }
  const keep = (appId: AppId, days: number, enabled = true) =>
    test.database.query(
      `UPDATE apps SET auto_delete_unsubscribed_enabled = $3, auto_delete_unsubscribed_days = $2 WHERE id = $1`,
      [appId, days, enabled],
    );
  const counts = async (appId: AppId) =>
    (
      await test.database.query(
        `SELECT subscriber_count AS total, active_subscriber_count AS active FROM apps WHERE id = $1`,
        [appId],
      )
    )[0];
  const seqs = async (table: string, appId: AppId) =>
    (
      await test.database.query<{ seq: number }>(`SELECT seq FROM ${table} WHERE app_id = $1 ORDER BY seq`, [
        appId,
      ])
    ).map(({ seq }) => seq);

  it('deletes subscriptions that left more days ago than the app keeps them, counts them out, and notes them', async () => {
    const { id } = await buildApp(test.database, { subscribers: 6 });
    await unsubscribe(id, [1, 3], 31);
    await unsubscribe(id, [4], 29);
    await keep(id, 30);
    expect(await deleteExpired(100)).toBe(2);
    expect(await deleteExpired(100)).toBe(0);
    expect(await seqs('subscriptions', id)).toEqual([0, 2, 4, 5]);
    expect(await seqs('forgotten_subscriptions', id)).toEqual([1, 3]);
    expect(await counts(id)).toEqual({ total: 4, active: 3 });
  });

  it('takes some of each app in turn, so that a large one holds up no other', async () => {
    const apps: AppId[] = [];
    for (let n = 0; n < 3; n++) {
      const { id } = await buildApp(test.database, { subscribers: 9 });
      await unsubscribe(id, [0, 1, 2, 3, 4, 5], 31);
      await keep(id, 30);
      apps.push(id);
    }
    const store = createRemovalStore(test.database);
    for (let time = 0; time < 4; time++) expect(await store.deleteExpired(2)).toBe(2);
    const left = await Promise.all(apps.map(async (id) => (await seqs('subscriptions', id)).length));
    expect(left.toSorted()).toEqual([5, 7, 7]);
  });

  it('keeps to apps that ask for it and exist', async () => {
    const off = await buildApp(test.database, { subscribers: 2 });
    const gone = await buildApp(test.database, { subscribers: 2 });
    for (const { id } of [off, gone]) await unsubscribe(id, [0], 400);
    await keep(off.id, 1, false);
    await keep(gone.id, 1);
    await test.database.query('UPDATE apps SET deleted_at = now() WHERE id = $1', [gone.id]);
    expect(await deleteExpired(100)).toBe(0);
  });

  it('goes on in bounded steps, by several engines at once, and keeps the counts exact', async () => {
    const { id } = await buildApp(test.database, { subscribers: 200 });
    await unsubscribe(
      id,
      Array.from({ length: 150 }, (_, n) => n),
      10,
    );
    await keep(id, 9);
    const engine = async (): Promise<number> => {
      let total = 0;
      for (let idle = 0; idle < 10; ) {
        const deleted = await deleteExpired(7);
        expect(deleted).toBeLessThanOrEqual(7);
        total += deleted;
        idle = deleted === 0 ? idle + 1 : 0;
      }
      return total;
    };
    const totals = await Promise.all([engine(), engine(), engine()]);
    expect(totals.reduce((sum, each) => sum + each)).toBe(150);
    expect(await counts(id)).toEqual({ total: 50, active: 50 });
    expect(await seqs('forgotten_subscriptions', id)).toHaveLength(150);
  });

  it('gives no seq a second time', async () => {
    const { id } = await buildApp(test.database, { subscribers: 3 });
    await unsubscribe(id, [2], 10);
    await keep(id, 1);
    await deleteExpired(100);
    const [app] = await test.database.query(`SELECT next_seq FROM apps WHERE id = $1`, [id]);
    expect(app).toEqual({ next_seq: 3 });
  });
});
