// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { ReadEnded } from '../../engine/adapters/postgres/limited-read.ts';
import { createTestDatabase, openDatabase } from '../support/postgres.ts';

const test = await createTestDatabase();
const single = openDatabase(test.url, 1);
afterAll(async () => {
  await single.close();
  await test.drop();
});

const sleeping = async (): Promise<number> => {
  const [row] = await test.database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%' AND datname = current_database()`,
  );
  return row?.count ?? 0;
};
const never = new AbortController().signal;

describe('a read', () => {
  it('is ended at the server when its time is over, and its connection serves the next one', async () => {
    const ending = await single
      .read({ deadlineMs: 300, signal: never }, (sql) => sql.query('SELECT pg_sleep(60)'))
      .catch((error: unknown) => error);
    expect(ending).toBeInstanceOf(ReadEnded);
    expect(ending).toMatchObject({ by: 'deadline' });
    await expect.poll(sleeping).toBe(0);
    expect(
      await single.read({ deadlineMs: 5_000, signal: never }, (sql) => sql.query('SELECT 1 AS one')),
    ).toEqual([{ one: 1 }]);
  });

  it('is ended at the server when its signal aborts, and begins no further statement', async () => {
    const leaving = new AbortController();
    const ending = single
      .read({ deadlineMs: 60_000, signal: leaving.signal }, async (sql) => {
        await sql.query('SELECT pg_sleep(60)').catch(() => {});
        return sql.query('SELECT 1');
      })
      .catch((error: unknown) => error);
    await expect.poll(sleeping).toBe(1);
    leaving.abort();
    expect(await ending).toMatchObject({ name: 'ReadEnded', by: 'signal' });
    await expect.poll(sleeping).toBe(0);
    const none = single.read({ deadlineMs: 1_000, signal: leaving.signal }, (sql) => sql.query('SELECT 1'));
    await expect(none).rejects.toMatchObject({ by: 'signal' });
  });

  it('has its time for all its statements together', async () => {
    const ending = single.read({ deadlineMs: 500, signal: never }, async (sql) => {
      for (;;) await sql.query('SELECT pg_sleep(0.05)');
    });
    await expect(ending).rejects.toMatchObject({ by: 'deadline' });
  });

  it('runs statements that are asked at once one after the other, and changes nothing', async () => {
    const rows = await single.read({ deadlineMs: 10_000, signal: never }, (sql) =>
      Promise.all([1, 2, 3].map((n) => sql.query<{ n: number }>('SELECT $1::integer AS n', [n]))),
    );
    expect(rows.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    const change = single.read({ deadlineMs: 10_000, signal: never }, (sql) =>
      sql.query(`INSERT INTO organizations (name) VALUES ('none')`),
    );
    await expect(change).rejects.toMatchObject({ code: '25006' });
  });

  it('keeps its time limit to itself', async () => {
    await single.read({ deadlineMs: 5_000, signal: never }, (sql) => sql.query('SELECT 1'));
    expect(await single.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '30s' }]);
  });
});
