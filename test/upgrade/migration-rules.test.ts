// tier: postgres
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { migrationsFolder } from '../../engine/adapters/postgres/migrate.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { brokenRules, largeTables } from './migration-rules.ts';

/** Migrations up to this one were written before the rules, and are never changed. */
const BASELINE = '0087';

const readAll = async (): Promise<{ name: string; sql: string }[]> =>
  Promise.all(
    (await readdir(migrationsFolder))
      .toSorted()
      .map(async (name) => ({ name, sql: await readFile(join(migrationsFolder, name), 'utf8') })),
  );

describe('migrations', () => {
  it('hold no large table up, and take nothing away from the release before', async () => {
    const since = (await readAll()).filter(({ name }) => name.slice(0, 4) > BASELINE);
    expect(since.flatMap(({ name, sql }) => brokenRules(sql).map((broken) => ({ name, ...broken })))).toEqual(
      [],
    );
  });

  it('are read as they are written: older ones break these rules', async () => {
    const before = (await readAll()).filter(({ name }) => name.slice(0, 4) <= BASELINE);
    expect(
      new Set(before.flatMap(({ sql }) => brokenRules(sql).map(({ rule }) => rule))).size,
    ).toBeGreaterThan(2);
  });
});

describe('each rule', () => {
  it.each([
    ['ALTER TABLE subscriptions ALTER COLUMN country SET NOT NULL;', /SET NOT NULL/],
    ['ALTER TABLE subscriptions ADD COLUMN secret uuid DEFAULT gen_random_uuid();', /computed/],
    ['ALTER TABLE blocks ADD COLUMN half integer GENERATED ALWAYS AS (block / 2) STORED;', /computed/],
    ['ALTER TABLE shards\n  ADD COLUMN a text,\n  ALTER COLUMN number TYPE bigint;', /new type/],
    ['ALTER TABLE deliveries ADD CONSTRAINT short CHECK (length(name) < 9);', /checked at once/],
    ['ALTER TABLE deliveries ADD COLUMN app integer REFERENCES apps;', /checked at once/],
    ['ALTER TABLE subscriptions ADD UNIQUE (endpoint);', /unique constraint/],
    ['CREATE INDEX country ON subscriptions (country);', /index/],
    ['CREATE UNIQUE INDEX ON deliveries (name) WHERE lane = 1;', /index/],
    ["UPDATE subscriptions SET country = 'DE';", /rows of a large table/],
    ['WITH old AS (SELECT 1) DELETE FROM outbox;', /rows of a large table/],
    ['LOCK TABLE shards;', /rows of a large table/],
    ['ALTER TABLE apps ADD COLUMN must text NOT NULL;', /inserts without/],
    ['ALTER TABLE apps DROP COLUMN name;', /still reads/],
    ['ALTER TABLE apps RENAME COLUMN name TO title;', /still reads/],
    ['DROP TABLE segments;', /still reads/],
  ])('refuses %s', (sql, rule) => {
    expect(brokenRules(sql)).toMatchObject([{ rule: expect.stringMatching(rule) }]);
  });

  it.each([
    "ALTER TABLE subscriptions ADD COLUMN wish text NOT NULL DEFAULT '';",
    'ALTER TABLE deliveries ADD COLUMN at timestamptz NOT NULL DEFAULT now();',
    'ALTER TABLE deliveries ADD CONSTRAINT short CHECK (length(name) < 9) NOT VALID;',
    'ALTER TABLE deliveries VALIDATE CONSTRAINT short;',
    'CREATE TABLE new_ones (id integer); CREATE INDEX ON new_ones (id); UPDATE new_ones SET id = 1;',
    'CREATE INDEX ON apps (name);',
    '-- contracts: nothing since 0.2.0 reads it.\nALTER TABLE apps DROP COLUMN name;',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE subscriptions SET seq = 1; END $$;',
    'CREATE TRIGGER t AFTER UPDATE ON deliveries FOR EACH ROW EXECUTE FUNCTION f();',
    '-- Down Migration\nDROP TABLE apps;',
  ])('lets %s through', (sql) => {
    expect(brokenRules(sql)).toEqual([]);
  });
});

describe('the large tables', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());

  it('are there, and among them is every table with a row for each reader or block', async () => {
    const rows = await test.database.query<{ name: string; perReader: boolean }>(
      `SELECT relname AS name, EXISTS (
         SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND NOT attisdropped
           AND attname IN ('seq', 'block', 'endpoint')) AS "perReader"
       FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const names = rows.map(({ name }) => name);
    expect([...largeTables].filter((name) => !names.includes(name))).toEqual([]);
    const perReader = rows.filter((row) => row.perReader).map(({ name }) => name);
    expect(perReader.filter((name) => !largeTables.has(name))).toEqual([]);
  });
});
