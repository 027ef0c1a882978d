// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import {
  listMigrationNames,
  migrateDatabase,
  runMigrations,
} from '../../engine/adapters/postgres/migrate.ts';
import { until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

describe('migrations that meet a table in use', () => {
  let test: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    test = await createTestDatabase();
    database = test.database;
    await database.query('DROP SCHEMA public CASCADE');
    await database.query('CREATE SCHEMA public');
    const names = await listMigrationNames();
    // 0087 alters `organizations`.
    await runMigrations(
      test.url,
      names.filter((name) => name < '0087'),
    );
  });
  afterEach(() => test.drop());

  it('let reads through while they wait, and end once it is free', async () => {
    const free = Promise.withResolvers<void>();
    const held = database.transaction(async (sql) => {
      await sql.query('LOCK TABLE organizations IN ACCESS SHARE MODE');
      await free.promise;
    });
    let isDone = false;
    const migrating = migrateDatabase(test.url, database).then(() => {
      isDone = true;
    });
    const waiting = `SELECT FROM pg_locks WHERE relation = 'organizations'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted`;
    await until('a migration to wait', async () => (await database.query(waiting)).length > 0);
    // Behind a lock that waits, this would wait as well: for as long as the table is held.
    await database.query('SELECT FROM organizations');
    expect(isDone).toBe(false);
    free.resolve();
    await held;
    await migrating;
    expect(await database.query('SELECT FROM schema_migrations')).toHaveLength(
      (await listMigrationNames()).length,
    );
  });

  it('begin again where a deadlock ended them: what runs beside them holds locks in another order', async () => {
    await database.query('CREATE SEQUENCE attempts');
    await database.query(`CREATE FUNCTION meet_deadlock() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('attempts') = 1 THEN
          RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected';
        END IF;
      END $$`);
    await database.query('CREATE EVENT TRIGGER once ON ddl_command_start EXECUTE FUNCTION meet_deadlock()');
    await migrateDatabase(test.url, database);
    expect(await database.query('SELECT FROM schema_migrations')).toHaveLength(
      (await listMigrationNames()).length,
    );
    const [{ tries = 0 } = {}] = await database.query<{ tries: number }>(
      'SELECT last_value::int AS tries FROM attempts',
    );
    expect(tries).toBeGreaterThan(1);
  });
});
