// tier: core, clickhouse
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { createReportToken, everything } from '../support.ts';
import { openWireWorld } from './support.ts';

const run = promisify(execFile);
const psql = await run('psql', ['--version']).then(
  () => true,
  () => false,
);
if (!psql && process.env.REQUIRE_PSQL === '1') throw new Error('psql is missing here');

const test = await openWireWorld();
const token = await createReportToken(test.world.database, everything);
await test.world.addRates([{ day: '2026-01-01', currency: 'USD', per_eur: '2' }]);
await test.world.addRows([
  {
    at: '2026-01-30 10:00:00',
    domain: 'a.example',
    country: 'DE',
    currency: 'EUR',
    impressions: 1_000,
    earnings: '1.5',
  },
  {
    at: '2026-02-01 10:00:00',
    domain: 'a.example',
    country: 'AT',
    currency: 'EUR',
    impressions: 3_000,
    earnings: '2.5',
  },
  {
    at: '2026-02-02 10:00:00',
    domain: 'b.example',
    country: 'DE',
    currency: 'USD',
    impressions: 500,
    earnings: '8',
  },
]);
const client = await test.connect(token);
afterAll(async () => {
  await client.end();
  await test.close();
});

const rows = async (sql: string, values?: unknown[]): Promise<unknown[][]> =>
  (
    await client.query<unknown[]>({
      text: sql,
      rowMode: 'array',
      ...(values === undefined ? {} : { values }),
    })
  ).rows;

const stateOf = (sql: string): Promise<string> =>
  client.query(sql).then(
    () => 'no error',
    (error: { code: string }) => error.code,
  );

describe('answers a SELECT of the table', () => {
  it('grouped, with sums, an order and a limit', async () => {
    expect(
      await rows(
        'SELECT domain, sum(impressions) AS i, sum(earnings), ecpm FROM ad_statistics GROUP BY domain ORDER BY i DESC',
      ),
    ).toEqual([
      ['a.example', '4000', '4', '1'],
      ['b.example', '500', '4', '8'],
    ]);
    expect(
      await rows('SELECT domain FROM ad_statistics GROUP BY 1 ORDER BY sum(impressions) LIMIT 1'),
    ).toEqual([['b.example']]);
  });

  it('sorted by the year of its days, and then as an API’s report is', async () => {
    expect(
      await rows(
        'SELECT day::text, year, sum(impressions) FROM ad_statistics GROUP BY 1, year ORDER BY year DESC LIMIT 2',
      ),
    ).toEqual([
      ['2026-01-30', '2026', '1000'],
      ['2026-02-01', '2026', '3000'],
    ]);
  });

  it('by months, as tools write them', async () => {
    expect(
      await rows(
        `SELECT CAST(DATE_TRUNC('month', "public"."ad_statistics"."day") AS date)::text AS "day", SUM("public"."ad_statistics"."impressions") AS "sum" FROM "public"."ad_statistics" WHERE "public"."ad_statistics"."day" >= CAST((NOW() + INTERVAL '-60 day') AS date) GROUP BY CAST(DATE_TRUNC('month', "public"."ad_statistics"."day") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."ad_statistics"."day") AS date) ASC`,
      ),
    ).toEqual([
      ['2026-01-01', '1000'],
      ['2026-02-01', '3500'],
    ]);
  });

  it('with parameters, conditions and totals', async () => {
    expect(
      await rows(
        'SELECT sum(impressions), count(*) FROM ad_statistics WHERE country = $1 AND day BETWEEN $2 AND $3',
        ['DE', '2026-01-01', '2026-03-01'],
      ),
    ).toEqual([['1500', '2']]);
    expect(
      await rows("SELECT sum(impressions) FROM ad_statistics WHERE domain LIKE 'b%' OR country IN ('AT')"),
    ).toEqual([['3500']]);
    expect(
      await rows('SELECT count(*) FROM (SELECT domain, sum(impressions) FROM ad_statistics GROUP BY 1) AS t'),
    ).toEqual([['2']]);
    expect(
      await rows('SELECT domain FROM ad_statistics GROUP BY domain HAVING sum(impressions) > 600'),
    ).toEqual([['a.example']]);
    expect(await rows("SELECT sum(impressions) FROM ad_statistics WHERE day = '2020-01-01'")).toEqual([
      [null],
    ]);
  });

  it('row by row, and its distinct values', async () => {
    expect(
      await rows('SELECT day::text, domain, impressions FROM ad_statistics ORDER BY day LIMIT 2'),
    ).toEqual([
      ['2026-01-30', 'a.example', '1000'],
      ['2026-02-01', 'a.example', '3000'],
    ]);
    expect(await rows('SELECT DISTINCT country FROM ad_statistics ORDER BY 1')).toEqual([['AT'], ['DE']]);
    expect((await client.query('SELECT * FROM ad_statistics LIMIT 1')).fields).toHaveLength(22);
  });

  it('whose alternatives are conditions on days, and texts in any case', async () => {
    expect(
      await rows(
        "SELECT domain, sum(impressions) FROM ad_statistics WHERE day >= '2026-01-01' AND (year LIKE '20%' OR domain LIKE 'x%') GROUP BY 1 ORDER BY 1",
      ),
    ).toEqual([
      ['a.example', '4000'],
      ['b.example', '500'],
    ]);
    const of = (condition: string): Promise<unknown[][]> =>
      rows(`SELECT sum(impressions) FROM ad_statistics WHERE day >= '2026-01-01' AND ${condition}`);
    expect(await of("(day = '2026-02-02' OR country = 'XX')")).toEqual([['500']]);
    expect(await of("lower(domain) LIKE '%a.ex%'")).toEqual([['4000']]);
    expect(await of("domain ILIKE 'A.EX%' AND lower(country) IN ('de', 'AT')")).toEqual([['1000']]);
    expect(await of("(lower(domain) NOT LIKE '%A.ex%' AND upper(domain) <> 'a.example')")).toEqual([
      ['4500'],
    ]);
    expect(await stateOf("SELECT sum(impressions) FROM ad_statistics WHERE ad_unit ILIKE 'x%'")).toBe(
      '0A000',
    );
  });

  it('in another currency, by a setting', async () => {
    await client.query("SET report.currency = 'USD'");
    expect(await rows("SELECT sum(earnings) FROM ad_statistics WHERE domain = 'b.example'")).toEqual([['8']]);
    await client.query('RESET report.currency');
  });
});

describe('answers what tools ask before somebody chooses', () => {
  const path = `SELECT CASE WHEN trim(p[i]) = '"$user"' THEN user ELSE trim(p[i]) END
    FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1),
      array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
    string_to_array(current_setting('search_path'), ',') p`;

  it('the tables and columns by the search path, as Grafana’s editor does', async () => {
    expect(await rows("SELECT current_setting('server_version_num')::int / 100 AS version")).toEqual([
      [1600],
    ]);
    expect(await rows("SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'")).toEqual([]);
    const tables = `SELECT CASE WHEN quote_ident(table_schema) IN (${path}) THEN quote_ident(table_name)
      ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table" FROM information_schema.tables
      WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog')
      ORDER BY CASE WHEN quote_ident(table_schema) IN (${path}) THEN 0 ELSE 1 END, 1`;
    expect(await rows(tables)).toEqual([['ad_statistics']]);
    const columns = `SELECT quote_ident(column_name) AS "column", data_type AS "type" FROM information_schema.columns
      WHERE CASE WHEN array_length(parse_ident('ad_statistics'), 1) = 2
        THEN quote_ident(table_schema) = (parse_ident('ad_statistics'))[1]
        ELSE quote_ident(table_name) = 'ad_statistics' AND quote_ident(table_schema) IN (${path}) END`;
    expect(await rows(columns)).toContainEqual(['earnings', 'numeric']);
  });

  it('tables with rights and columns with comments, as Metabase’s sync does', async () => {
    const tables = `SELECT "n"."nspname" AS "schema", "c"."relname" AS "name", CASE "c"."relkind" WHEN 'r' THEN 'TABLE'
        WHEN 'v' THEN 'VIEW' ELSE NULL END AS "type", "d"."description", "stat"."n_live_tup"
      FROM "pg_catalog"."pg_class" AS "c" INNER JOIN "pg_catalog"."pg_namespace" AS "n" ON "c"."relnamespace" = "n"."oid"
      LEFT JOIN "pg_catalog"."pg_description" AS "d" ON ("c"."oid" = "d"."objoid") AND ("d"."objsubid" = 0)
        AND ("d"."classoid" = 'pg_class'::regclass)
      LEFT JOIN "pg_stat_user_tables" AS "stat" ON "n"."nspname" = "stat"."schemaname"
      WHERE "n"."nspname" !~ '^pg_' AND "n"."nspname" <> 'information_schema' AND c.relkind in ('r', 'v')`;
    expect(await rows(tables)).toEqual([['public', 'ad_statistics', 'TABLE', null, 0]]);
    const columns = `SELECT "c"."column_name" AS "name", CASE WHEN "c"."udt_schema" IN ('public', 'pg_catalog')
        THEN FORMAT('%s', "c"."udt_name") ELSE FORMAT('"%s"."%s"', "c"."udt_schema", "c"."udt_name") END AS "type",
        "c"."ordinal_position" - 1 AS "position", "pk"."column_name" IS NOT NULL AS "pk",
        COL_DESCRIPTION(CAST(CAST(FORMAT('%I.%I', CAST("c"."table_schema" AS TEXT), CAST("c"."table_name" AS TEXT))
          AS REGCLASS) AS OID), "c"."ordinal_position") AS "comment"
      FROM "information_schema"."columns" AS "c" LEFT JOIN (SELECT "tc"."table_schema", "tc"."table_name",
          "kc"."column_name" FROM "information_schema"."table_constraints" AS "tc"
          INNER JOIN "information_schema"."key_column_usage" AS "kc" ON "tc"."constraint_name" = "kc"."constraint_name"
          WHERE "tc"."constraint_type" = 'PRIMARY KEY') AS "pk" ON "c"."column_name" = "pk"."column_name"
      WHERE c.table_schema !~ '^information_schema|catalog_history|pg_' ORDER BY 3 LIMIT 1`;
    expect(await rows(columns)).toEqual([['day', 'date', '0', false, 'group by date (`YYYY-MM-DD`)']]);
    expect(await rows('show timezone;')).toEqual([['UTC']]);
  });

  it('days between two moments, by day and as a number', async () => {
    const between = "day BETWEEN '2026-01-30T00:00:00Z' AND '2026-02-02T23:59:59.999Z'";
    expect(
      await rows(
        `SELECT floor(extract(epoch from day)/86400)*86400 AS "time", sum(impressions) AS "i" FROM ad_statistics WHERE ${between} GROUP BY 1 ORDER BY 1`,
      ),
    ).toEqual([
      [1_769_731_200, '1000'],
      [1_769_904_000, '3000'],
      [1_769_990_400, '500'],
    ]);
    expect(
      await rows(
        `SELECT "domain" AS "metric", "day" AS "time", earnings FROM public.ad_statistics WHERE ${between} LIMIT 50`,
      ),
    ).toHaveLength(3);
  });

  it('numbers that a double cannot hold', async () => {
    expect(
      await rows(
        "SELECT 123456789012345678901234567890.12345 > 123456789012345678901234567890.1234 AS g, '9007199254740993'::int8 = 9007199254740992",
      ),
    ).toEqual([[true, false]]);
    expect(
      await rows(
        'SELECT domain, CASE WHEN sum(impressions) > sum(viewable) THEN 1 ELSE 0 END FROM ad_statistics GROUP BY 1 ORDER BY 1',
      ),
    ).toEqual([
      ['a.example', 1],
      ['b.example', 1],
    ]);
    expect(
      await rows(
        "SELECT domain FROM ad_statistics WHERE domain = 'a.example' OR domain = 'b.example' GROUP BY 1 HAVING sum(impressions) < 600",
      ),
    ).toEqual([['b.example']]);
  });
});

it('shows its settings, times in zones, and in notices what it read otherwise', async () => {
  // As psql completes SET.
  expect(
    await rows(
      "SELECT name FROM (SELECT pg_catalog.lower(name) AS name FROM pg_catalog.pg_settings WHERE context IN ('user', 'superuser') UNION ALL SELECT 'constraints') ss WHERE substring(name,1,8) = 'report.t'",
    ),
  ).toEqual([['report.timezone']]);
  expect((await rows('SHOW ALL')).filter(([name]) => /^(report|timezone)/i.test(String(name)))).toEqual([
    ['report.currency', 'EUR', ''],
    ['report.source_days', 'off', ''],
    ['report.timezone', 'UTC', ''],
    ['timezone', 'UTC', ''],
  ]);
  expect(
    await rows(
      "SELECT ('2026-07-01 12:00:00+00'::timestamptz AT TIME ZONE 'Europe/Berlin')::text, ('2026-03-29 03:30:00'::timestamp AT TIME ZONE 'Europe/Berlin')::text",
    ),
  ).toEqual([['2026-07-01 14:00:00', '2026-03-29 01:30:00+00']]);
  const notices: string[] = [];
  const onNotice = ({ message = '' }: { message?: string | undefined }): void => void notices.push(message);
  client.on('notice', onNotice);
  await client.query("SET TIME ZONE 'Europe/Berlin'; SET TIME ZONE 'UTC'; SET datestyle = 'ISO'");
  const days = "day BETWEEN '2026-01-30' AND '2026-02-02'";
  const german = `SELECT sum(impressions) FROM ad_statistics WHERE ${days} AND country = 'Germany'`;
  expect(await rows(german)).toEqual([['1500']]);
  expect(await rows(german.replace('Germany', 'Atlantis'))).toEqual([[null]]);
  client.off('notice', onNotice);
  expect(notices).toEqual([
    expect.stringMatching(/report\.timezone chooses/),
    "country 'Germany' is read as 'DE'",
    "country 'Atlantis' is not a known value: it is compared as it is written",
  ]);
});

it('refuses what is outside the grammar, with its reason', async () => {
  expect(await stateOf('INSERT INTO ad_statistics (domain) VALUES (1)')).toBe('25006');
  expect(await stateOf('SELEC 1')).toBe('42601');
  expect(await stateOf('DECLARE c CURSOR FOR SELECT 1')).toBe('0A000');
  expect(await stateOf('SELECT domain FROM ad_statistics GROUP BY ROLLUP (1)')).toBe('0A000');
  expect(await stateOf("SELECT now() AT TIME ZONE 'Mars'")).toBe('22023');
  expect(await stateOf('SELECT * FROM users')).toBe('42P01');
  expect(await stateOf('SELECT secret FROM ad_statistics')).toBe('42703');
  expect(await stateOf('SELECT domain, sum(impressions) FROM ad_statistics')).toBe('42803');
  expect(await stateOf('SELECT pg_sleep(10)')).toBe('42883');
  expect(
    await stateOf("SELECT date_trunc('week', day), sum(impressions) FROM ad_statistics GROUP BY 1"),
  ).toBe('0A000');
  expect(await stateOf('SELECT * FROM ad_statistics a JOIN ad_statistics b ON true')).toBe('0A000');
  expect(
    await stateOf(
      "SELECT sum(impressions) FROM ad_statistics WHERE day BETWEEN '2020-01-01' AND '2026-01-01'",
    ),
  ).toBe('22023');
  expect(await rows('SELECT 1')).toEqual([[1]]);
});

it('keeps the state of a transaction', async () => {
  await client.query('BEGIN');
  expect(await stateOf('SELECT nothing')).not.toBe('no error');
  expect(await stateOf('SELECT 1')).toBe('25P02');
  await client.query('ROLLBACK');
  expect(await rows('SELECT 1')).toEqual([[1]]);
});

describe.skipIf(!psql)('psql', () => {
  const ask = async (...commands: string[]): Promise<string> => {
    const args = commands.flatMap((command) => ['-c', command]);
    const address = `host=127.0.0.1 port=${test.wire.port} user=reports dbname=broadside`;
    const { stdout, stderr } = await run('psql', ['-X', address, ...args], {
      env: { ...process.env, PGPASSWORD: token },
      timeout: 20_000,
    });
    return stdout + stderr;
  };

  it('lists the table and describes it', async () => {
    expect(await ask('\\dt')).toMatch(/public \| ad_statistics \| table/);
    const described = await ask('\\d ad_statistics');
    expect(described).toMatch(/day +\| date/);
    expect(described).toMatch(/earnings +\| numeric/);
    expect(await ask('\\l+')).toMatch(/broadside/);
    for (const other of ['\\drds', '\\dl', '\\du', '\\dx', '\\di'])
      expect(await ask(other)).not.toMatch(/ERROR/);
    expect(await ask('\\dn')).toMatch(/public/);
  });

  it('shows a report', async () => {
    expect(await ask('SELECT domain, sum(impressions) FROM ad_statistics GROUP BY 1 ORDER BY 1')).toMatch(
      /a.example \| 4000/,
    );
  });
});
