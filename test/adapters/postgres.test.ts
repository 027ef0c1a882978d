// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../engine/adapters/postgres/database.ts';
import { isDatabaseAway } from '../../engine/adapters/postgres/database-away.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { proxyTo } from '../support/tcp-proxy.ts';

describe('the Postgres adapter', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());

  it('gives int8 as a number', async () => {
    expect(await test.database.query('SELECT 5000000000::int8 AS n')).toEqual([{ n: 5_000_000_000 }]);
  });

  it('rolls a transaction back when its work throws', async () => {
    const failed = test.database.transaction(async (sql) => {
      await sql.query(`INSERT INTO organizations (name) VALUES ('gone')`);
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await test.database.query(`SELECT 1 FROM organizations WHERE name = 'gone'`)).toEqual([]);
  });

  it('copies rows out as binary, and refuses more bytes than the bound', async () => {
    const copy = 'COPY (SELECT generate_series(1, 1000)) TO STDOUT (FORMAT binary)';
    expect((await test.database.copyOut(copy, 1e6)).length).toBe(19 + 1_000 * 10 + 2);
    await expect(test.database.copyOut(copy, 1_000)).rejects.toThrow('more than 1000 bytes');
    expect(await test.database.ping()).toBe(true);
  });

  it('drops a silently dead Postgres connection, and still closes', async () => {
    const { way, url } = await proxyTo(test.url);
    const database = createDatabase({
      url,
      applicationName: 'broadside-test',
      maxConnections: 4,
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 100,
    });
    await Promise.all([1, 2, 3].map(() => database.query('SELECT pg_sleep(0.05)')));
    way.blackhole();
    const endings = await Promise.allSettled([
      database.query('SELECT 1'),
      database.transaction((sql) => sql.query('SELECT 1')),
      database.copyOut('COPY (SELECT 1) TO STDOUT (FORMAT binary)', 1_000),
    ]);
    const reasons = endings.map((ending) => (ending.status === 'rejected' ? ending.reason : null));
    expect(reasons.map(isDatabaseAway)).toEqual([true, true, true]);
    await database.close();
    await way.close();
  });

  it('has let go of a transaction’s locks by the time that its failure is known', async () => {
    for (let round = 0; round < 30; round++) {
      // What asks for the lock next has a connection already.
      await Promise.all(Array.from({ length: 10 }, () => test.database.query('SELECT pg_sleep(0.02)')));
      const failing = test.database.transaction(async (sql) => {
        await sql.query('SELECT pg_advisory_xact_lock(7)');
        throw new Error('of its own');
      });
      await expect(failing).rejects.toThrow('of its own');
      const asked = await test.database.query('SELECT pg_try_advisory_xact_lock(7) AS held');
      expect(asked).toEqual([{ held: true }]);
    }
  });

  it('runs nothing of a transaction outside of it, once a part of it has failed', async () => {
    await test.database.query('CREATE TABLE kept (n integer)');
    let straggling: Promise<unknown> = Promise.resolve();
    const failing = test.database.transaction(async (sql) => {
      const insert = (n: number) => sql.query('INSERT INTO kept VALUES ($1)', [n]);
      straggling = insert(1).then(() => insert(2));
      straggling.catch(() => {});
      throw new Error('of its own');
    });
    await expect(failing).rejects.toThrow('of its own');
    await expect(straggling).rejects.toThrow();
    expect(await test.database.query('SELECT n FROM kept')).toEqual([]);
  });

  it('migrates a migrated database without a change, from several processes at once', async () => {
    await Promise.all([1, 2, 3].map(() => migrateDatabase(test.url, test.database)));
  });

  it('refuses a database that a newer version has migrated, in one line that says how to resolve it', async () => {
    await test.database.query(
      `INSERT INTO schema_migrations (name, run_on) VALUES ('9999_from-the-future', now())`,
    );
    await expect(migrateDatabase(test.url, test.database)).rejects.toThrow(
      /newer Broadside.*9999_from-the-future/,
    );
  });
});
