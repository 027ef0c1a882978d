// tier: system, clickhouse
import fc from 'fast-check';
import type { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import type { Access } from '../../../reporting/report/access.ts';
import { dimensionKeys, metricKeys } from '../../../reporting/report/keys.ts';
import { prove } from '../../support/report-oracle/prove.ts';
import { anyAccess, requestAround, restricted } from '../../support/report-oracle/requests.ts';
import { loadWorld } from '../../support/report-oracle/run-report.ts';
import type { OracleRow, World } from '../../support/report-oracle/world.ts';
import { words, worldAround } from '../../support/report-oracle/worlds.ts';
import { createReportToken } from '../support.ts';
import { createReportWorld } from '../world.ts';
import { asSql, hasForm, literal } from './as-sql.ts';
import { asTexts, openWireOver } from './support.ts';

/**
 * Whatever a token asks, it learns the same where the rows of others are and where they are not: rows, counts, errors,
 * notices and the catalogue. ACCESS_RUNS: how many tokens.
 */
const RUNS = Number(process.env.ACCESS_RUNS ?? 6);
const SEED = Number(process.env.ACCESS_SEED ?? 20_261_129);
const STATEMENTS = 18;
const DAY = '2026-03-10';

const reports = await createReportWorld('embedded');
afterAll(() => reports.close());

const catalogue = [
  ...['pg_class', 'pg_attribute', 'pg_roles', 'pg_user', 'pg_database', 'pg_stat_activity', 'pg_settings'],
  ...['pg_tables', 'pg_authid', 'pg_statistic', 'pg_stats', 'pg_prepared_statements', 'pg_description'],
  ...['information_schema.tables', 'information_schema.columns', 'information_schema.role_table_grants'],
  ...['users', 'report_tokens', 'organizations', 'public.users', 'broadside.ad_stats', 'system.tables'],
];
const columns = [
  ...dimensionKeys,
  ...metricKeys,
  'wholesaler',
  'source',
  'load',
  'token',
  'user_id',
  'ctid',
  '*',
];
const column = fc.constantFrom(...columns);
const text = fc.constantFrom(
  ...words.domain,
  ...words.wholesaler,
  ...words.ad_unit,
  ...words.country,
  '%',
  'x',
);

const condition = fc.oneof(
  fc
    .tuple(column, fc.constantFrom('=', '<>', '<', 'LIKE', 'NOT LIKE', '~', 'IN'), text)
    .map(
      ([name, operator, value]) =>
        `${name} ${operator} ${operator === 'IN' ? `(${literal(value)})` : literal(value)}`,
    ),
  fc.tuple(column, column).map(([one, other]) => `${one} = ${other}`),
  fc
    .tuple(column, fc.constantFrom(...catalogue))
    .map(([name, relation]) => `${name} IN (SELECT 1 FROM ${relation})`),
  fc.constantFrom('true', '1 = 1', 'NOT false', 'domain IS NOT NULL', '1/(impressions - impressions) > 0'),
);

const odd = fc.oneof(
  fc
    .tuple(column, column, condition)
    .map(
      ([one, other, where]) =>
        `SELECT ${one}, sum(${other}) FROM ad_statistics WHERE day > '2026-01-01' AND ${where} GROUP BY 1`,
    ),
  fc
    .tuple(column, condition, condition)
    .map(
      ([one, a, b]) =>
        `SELECT DISTINCT ${one} FROM ad_statistics WHERE day > '2026-01-01' AND (${a} OR ${b})`,
    ),
  fc
    .tuple(condition, condition)
    .map(
      ([where, having]) =>
        `SELECT count(*), sum(impressions) FROM ad_statistics WHERE ${where} HAVING ${having}`,
    ),
  fc.tuple(fc.constantFrom(...catalogue), column).map(([from, name]) => `SELECT ${name} FROM ${from}`),
  fc.constantFrom(...catalogue).map((from) => `SELECT count(*), max(oid) FROM ${from}`),
  condition.map((where) => `SELECT *, ctid FROM ad_statistics WHERE ${where} LIMIT 3`),
  fc
    .tuple(text, condition)
    .map(([value, where]) => `SELECT CAST(${literal(value)} AS int) FROM ad_statistics WHERE ${where}`),
  // Of many days, and so made in parts.
  fc
    .tuple(fc.constantFrom('domain', 'subdomain', 'ad_unit', 'deal_id'), fc.constantFrom('', ' DESC'))
    .map(
      ([one, down]) =>
        `SELECT day, ${one}, sum(impressions), avg(ecpm) FROM ad_statistics WHERE day > '2026-01-01' GROUP BY 1, 2 ORDER BY 1${down}`,
    ),
  fc.tuple(fc.constantFrom('domain', 'subdomain', 'country', 'ad_unit'), text).map(
    ([one, value]) =>
      `SELECT /* ${value} */ ${one} FROM ad_statistics -- ${value}
         WHERE day > '2026-01-01' AND (lower(${one}) LIKE ${literal(`%${value.toLowerCase()}%`)} OR ${one} ILIKE ${literal(value)}) GROUP BY 1`,
  ),
  fc
    .tuple(fc.constantFrom(...catalogue, 'ad_statistics'), column)
    .map(
      ([name, one]) =>
        `WITH "${name}" AS (SELECT ${one}, impressions FROM ad_statistics WHERE day > '2026-01-01') SELECT count(*) FROM "${name}"`,
    ),
  fc
    .tuple(column, fc.constantFrom('int', 'date', 'text', 'regclass', 'oid', 'text[]'))
    .map(
      ([one, type]) =>
        `SELECT ${one}::${type} FROM public.ad_statistics WHERE day > '2026-01-01' ORDER BY 1 LIMIT 2 OFFSET 1`,
    ),
  fc
    .tuple(fc.constantFrom(...catalogue), condition)
    .map(
      ([from, where]) =>
        `SELECT (SELECT count(*) FROM ${from}), EXISTS (SELECT 1 FROM ad_statistics WHERE ${where}) FROM ${from}`,
    ),
  fc.constantFrom(
    'SELECT current_user, session_user, version(), current_database(), pg_backend_pid()',
    "SELECT current_setting('report.token')",
    'SHOW ALL',
    'EXPLAIN SELECT * FROM ad_statistics',
    'TABLE ad_statistics',
    'COPY ad_statistics TO STDOUT',
    'SELECT * FROM ad_statistics UNION SELECT * FROM ad_statistics',
    'SELECT a.domain FROM ad_statistics a, ad_statistics b',
    'WITH x AS (SELECT * FROM ad_statistics) SELECT domain, count(*) FROM x GROUP BY 1',
    'SET ROLE postgres',
    "SET report.currency = 'USD'",
    "SELECT pg_read_file('/etc/passwd')",
    'PREPARE x AS SELECT * FROM ad_statistics; EXECUTE x',
    "DO $$ BEGIN PERFORM 1; END $$; SELECT current_setting('is_superuser')",
    'CREATE TABLE x AS SELECT * FROM ad_statistics',
    "COPY (SELECT * FROM ad_statistics) TO PROGRAM 'id'",
    'SELECT * FROM ad_statistics, LATERAL (SELECT 1) AS t',
    'BEGIN; SELECT count(*) FROM ad_statistics; ROLLBACK; SELECT 1',
    "SET SESSION AUTHORIZATION 'postgres'; SELECT domain FROM ad_statistics",
    "SELECT domain FROM ad_statistics WHERE domain = ANY ('{a.example,b.example}') GROUP BY 1",
    'SELECT wholesaler FROM ad_statistics',
    "SELECT (SELECT count(*) FROM ad_statistics WHERE domain = 'b.example')",
  ),
);
const asked = requestAround(DAY)
  .filter(hasForm)
  .map((request) => asSql(request).page);
/** A character less or another one: half of these cannot be read any more. */
const broken = fc
  .tuple(fc.oneof(odd, asked), fc.nat(), fc.constantFrom('', "'", '(', '*', ' OR 1=1 '))
  .map(([statement, at, other]) => {
    const place = at % statement.length;
    return statement.slice(0, place) + other + statement.slice(place + 1);
  });
const statement = fc.oneof({ weight: 3, arbitrary: odd }, asked, broken);

const isVisible = ({ texts }: OracleRow, access: Access): boolean =>
  access === 'unrestricted' ||
  ((access.domains.length > 0 || access.wholesalers.length > 0) &&
    (access.domains.length === 0 || access.domains.includes(texts.domain)) &&
    (access.wholesalers.length === 0 || access.wholesalers.includes(texts.wholesaler)));

/** All that a client can read of the answers. */
async function transcript(client: Client, statements: readonly string[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  const onNotice = (notice: object): void => void seen.push({ notice: { ...notice } });
  client.on('notice', onNotice);
  for (const text of statements) {
    const answer = await client
      .query({ text, rowMode: 'array', types: asTexts })
      .then(({ rows, fields, command, rowCount }) => ({ rows, fields, command, rowCount }))
      .catch((error: Error) => ({ error: { ...error, message: error.message } }));
    seen.push(answer);
  }
  client.off('notice', onNotice);
  return seen;
}

async function learned(world: World, token: string, statements: readonly string[]): Promise<unknown[]> {
  await loadWorld(reports.clickhouse, world);
  const wire = await openWireOver(reports);
  const client = await wire.connect(token);
  const seen = await transcript(client, statements);
  await client.end();
  await wire.close();
  expect(await wire.exposition()).not.toMatch(/wire_statements_total\{ending="failed"\} [1-9]/);
  return seen;
}

it(`shows a token nothing of others, over ${RUNS} tokens with ${STATEMENTS} statements each (seed ${SEED})`, {
  timeout: 1_800_000,
}, async () => {
  let [rows, errors] = [0, 0];
  const property = fc.asyncProperty(
    worldAround(DAY),
    fc.oneof({ weight: 6, arbitrary: restricted }, anyAccess),
    fc.array(statement, { minLength: STATEMENTS, maxLength: STATEMENTS }),
    async (given, access, statements) => {
      const world = {
        ...given,
        rows: given.rows.map((row) => ({ ...row, load: 0 })),
        ledger: { maxLoad: 6, hidden: [], superseded: [] },
      };
      const scope = access === 'unrestricted' ? { domains: [], wholesalers: [] } : access;
      const token = await createReportToken(reports.database, {
        domains: [...scope.domains],
        wholesalers: [...scope.wholesalers],
        unrestricted: access === 'unrestricted',
      });
      const [id = '', secret = ''] = token.split('|');
      const all = await learned(world, token, statements);
      const own = { ...world, rows: world.rows.filter((row) => isVisible(row, access)) };
      expect(all).toEqual(await learned(own, token, statements));
      expect(JSON.stringify(all)).not.toContain(secret);
      expect(Number(id)).toBeGreaterThan(0);
      rows += all.filter((answer) => JSON.stringify(answer).includes('"rows":[[')).length;
      errors += all.filter((answer) => JSON.stringify(answer).includes('"error":')).length;
    },
  );
  await prove(property, { worlds: RUNS, seed: SEED });
  // A fuzz whose statements are all refused, or none, says little.
  expect(rows).toBeGreaterThan(RUNS * 2);
  expect(errors).toBeGreaterThan(RUNS * 2);
});
