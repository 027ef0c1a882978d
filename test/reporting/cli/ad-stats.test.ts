// tier: system, alone
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync } from 'node:zlib';
import { Session } from 'chdb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../../engine/adapters/clickhouse/migrate.ts';
import { visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import { visibleTotals } from '../../support/ad-stats.ts';
import { cases } from '../../support/cases.ts';
import { startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { emptyTables, numberLoadsApart } from '../../support/empty-tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { runCli } from '../../support/run-cli.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const bin = fileURLToPath(new URL('../../../api/bin.mjs', import.meta.url));
const range = { firstDay: '2020-01-01', lastDay: '2026-12-31' };

/** A process of the command line loads the embedded engine: seconds each on a machine that is busy. */
const PROCESSES_MS = 180_000;

describe('broadside ad-stats import', { timeout: PROCESSES_MS }, () => {
  let bridge: Awaited<ReturnType<typeof startClickHouseBridge>>;
  let clickhouse: ClickHouse;
  let test: TestDatabase;
  let cwd: string;
  beforeAll(async () => {
    bridge = await startClickHouseBridge();
    clickhouse = await openClickHouse({
      kind: 'http',
      ...{ url: bridge.url, username: 'default', password: '', database: 'imports' },
      requestTimeoutMs: 30_000,
      maxConnections: 4,
    });
    await migrateClickHouse(clickhouse);
  });
  afterAll(async () => {
    await clickhouse.close();
    await bridge.stop();
  });
  beforeEach(async () => {
    test = await createTestDatabase();
    await numberLoadsApart(test.database);
    cwd = await mkdtemp(join(tmpdir(), 'broadside-import-'));
  });
  afterEach(async () => {
    await emptyTables(clickhouse);
    await test.drop();
    await rm(cwd, { recursive: true, force: true });
  });

  const env = () => ({
    DATABASE_URL: test.url,
    CLICKHOUSE_URL: bridge.url,
    CLICKHOUSE_DATABASE: clickhouse.database,
  });
  const run = (...args: string[]) => runCliHere(['ad-stats', 'import', ...args], { cwd, env: env() });
  /** In a process of its own. */
  const runAlone = (...args: string[]) => runCli(['ad-stats', 'import', ...args], { cwd, env: env() });
  const write = (name: string, content: string | Uint8Array) => writeFile(join(cwd, name), content);
  const visible = async () => visibleTotals(clickhouse, await readLedger(test.database, range));
  const amounts = async () => {
    const counted = visibleRows(await readLedger(test.database, range));
    const query = `SELECT toString(toDate(at)) AS day, domain, toString(earnings) AS earnings, currency
      FROM ad_stats WHERE ${counted.text} ORDER BY day, domain, earnings`;
    const { params } = counted;
    return (await clickhouse.client.query({ query, query_params: params, format: 'JSONEachRow' })).json();
  };
  const csvOf = (day: string, rows: number, impressions = 1): string =>
    `day,domain,impressions,earnings\n${Array.from({ length: rows }, (_, n) => `${day},d${n % 500}.example,${impressions},0.5\n`).join('')}`;
  const writeParquet = async (name: string, select: string) => {
    using session = new Session();
    await session.queryAsync(`INSERT INTO FUNCTION file('${join(cwd, name)}', Parquet) ${select}`);
  };
  /** The real process, to be killed. */
  const start = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [bin, 'ad-stats', 'import', ...args], {
      ...{ cwd, stdio: 'ignore' },
      env: { PATH: process.env.PATH ?? '', ...env() },
    });
  const storedRows = async (): Promise<number> => {
    const query = 'SELECT toUInt32(count()) AS rows FROM ad_stats';
    const [row] = await (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<{
      rows: number;
    }>();
    return row?.rows ?? 0;
  };

  it('takes CSV, NDJSON and Parquet, and amounts exactly as they are written', async () => {
    await write('a.csv', 'Date,Site,Revenue,Fill\n2026-03-01,"a, ü.example",1234567890.12345678,9\n');
    await write(
      'b.ndjson',
      '{"day":"2026-03-01","domain":"b.example","earnings":1234567890.12345678,"currency":"USD"}\n' +
        '{"day":"2026-03-01","domain":"c.example","earnings":"0.3"}\n',
    );
    await writeParquet(
      'c.parquet',
      `SELECT toDate('2026-03-02') AS day, 'p.example' AS domain, toDecimal128('1234567890.12345678', 8) AS earnings, 'GBP' AS currency`,
    );
    await writeParquet(
      'd.parquet',
      `SELECT toDateTime64('2026-03-03 05:00:00.000', 3, 'UTC') AS at, toNullable('q.example') AS domain, 0.1 + 0.2 AS earnings, NULL::Nullable(UInt32) AS impressions`,
    );
    const columns = [
      '--map',
      'Site=domain',
      '--map',
      'Revenue=earnings',
      '--ignore',
      'Fill',
      '--currency',
      'SEK',
    ];
    const ended = await run('a.csv', 'b.ndjson', 'c.parquet', 'd.parquet', ...columns);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(await amounts()).toEqual([
      { day: '2026-03-01', domain: 'a, ü.example', earnings: '1234567890.12345678', currency: 'SEK' },
      { day: '2026-03-01', domain: 'b.example', earnings: '1234567890.12345678', currency: 'USD' },
      { day: '2026-03-01', domain: 'c.example', earnings: '0.3', currency: 'SEK' },
      { day: '2026-03-02', domain: 'p.example', earnings: '1234567890.12345678', currency: 'GBP' },
      { day: '2026-03-03', domain: 'q.example', earnings: '0.3', currency: 'SEK' },
    ]);
  });

  it('stores countries and devices as codes, from any file, and names what it does not know', async () => {
    const rows = [
      ['Deutschland', 'Desktop'],
      ['Germany', 'PC'],
      ['DEU', 'desktop'],
      ['NA', 'Tablets'],
      ['Unknown', '(not set)'],
      ['Atlantis', 'Fridge'],
    ];
    const lines = rows.map(([country, device]) => `2026-03-01,${country},${device}\n`).join('');
    await write('a.csv', `day,country,device\n${lines}`);
    const tuples = rows.map(([country, device]) => `('${country}', '${device}')`).join(', ');
    await writeParquet(
      'b.parquet',
      `SELECT '2026-03-01' AS day, toLowCardinality(pair.1) AS country, toNullable(pair.2) AS device FROM (SELECT arrayJoin([${tuples}]) AS pair)`,
    );
    const shown = await run('a.csv', '--dry-run');
    expect(shown.out).toContain('line 2: at=2026-03-01, device=desktop, country=DE, currency=EUR');
    expect(shown.out).toContain('Not known as a country, and kept as written: "Atlantis" (1 row).');
    const ended = await run('a.csv', 'b.parquet', '--json');
    expect(ended).toMatchObject({ code: 0, err: '' });
    const strange = [
      { field: 'country', value: 'Atlantis', rows: 1 },
      { field: 'device', value: 'Fridge', rows: 1 },
    ];
    for (const line of ended.out.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ rows: 6, strange_values: strange });
    const query = `SELECT country, groupUniqArray(device) AS devices, toUInt32(count()) AS rows FROM ad_stats
      GROUP BY country ORDER BY country`;
    expect(await (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json()).toEqual([
      { country: '', devices: [''], rows: 2 },
      { country: 'ATLANTIS', devices: ['Fridge'], rows: 2 },
      { country: 'DE', devices: ['desktop'], rows: 6 },
      { country: 'NA', devices: ['tablet'], rows: 2 },
    ]);
    // The same bytes correct rows of before.
    await clickhouse.client.command({
      query: `ALTER TABLE ad_stats DELETE WHERE 1 SETTINGS mutations_sync = 2`,
    });
    expect(await run('a.csv')).toMatchObject({ out: expect.stringContaining('nothing was done') });
    expect(await run('a.csv', '--restate')).toMatchObject({ code: 0 });
    expect(await storedRows()).toBe(6);
  });

  it('stores a domain in one form, for any file and any spelling', async () => {
    const names = [
      'müller.example',
      ' MÜLLER.example ',
      'xn--mller-kva.example',
      'Große App',
      "it's ü\\n.example",
    ];
    const stored = ['xn--mller-kva.example', 'große app', "it's ü\\n.example"];
    await write('a.csv', `day,domain\n${names.map((name) => `2026-03-01,"${name}"\n`).join('')}`);
    await write(
      'b.ndjson',
      names.map((domain) => `${JSON.stringify({ day: '2026-03-01', domain })}\n`).join(''),
    );
    const texts = names.map((name) => `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(', ');
    await writeParquet(
      'c.parquet',
      `SELECT '2026-03-01' AS day, arrayJoin([${texts}]) AS domain, 'Ünter' AS subdomain`,
    );
    await writeParquet(
      'd.parquet',
      `SELECT '2026-03-01' AS day, concat('ä', toString(number), '.example') AS domain FROM numbers(60000)`,
    );
    expect(await run('a.csv', 'b.ndjson', 'c.parquet', 'd.parquet')).toMatchObject({ code: 0, err: '' });
    const query = `SELECT domain, toUInt32(count()) AS rows, groupUniqArray(subdomain) AS subdomains FROM ad_stats
      WHERE NOT match(domain, '[0-9]') GROUP BY domain ORDER BY rows DESC, domain DESC`;
    expect(await (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json()).toEqual(
      stored
        .map((domain, n) => ({
          domain,
          rows: n === 0 ? 9 : 3,
          subdomains: expect.arrayContaining(['', 'xn--nter-zra']),
        }))
        .toSorted((one, other) => other.rows - one.rows || (one.domain < other.domain ? 1 : -1)),
    );
    const foreign = `SELECT toUInt32(countIf(match(domain, '^xn--[^.]+.example$'))) AS converted FROM ad_stats WHERE match(domain, '[0-9]')`;
    expect(await (await clickhouse.client.query({ query: foreign, format: 'JSONEachRow' })).json()).toEqual([
      { converted: 60_000 },
    ]);
  });

  it('does nothing with an imported file, and reports it; compressed it is another file', async () => {
    await write('a.csv', csvOf('2026-03-01', 10));
    expect(await run('a.csv')).toMatchObject({
      code: 0,
      out: expect.stringContaining('10 rows of a.csv were imported: 2026-03-01'),
    });
    await write('copy.csv', csvOf('2026-03-01', 10));
    const again = await run('copy.csv');
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/is in since .*nothing was done/) });
    expect(await visible()).toEqual({ rows: 10, impressions: 10 });
    await write('a.csv.zst', zstdCompressSync(csvOf('2026-03-02', 5)));
    expect(await run('a.csv.zst')).toMatchObject({ code: 0 });
    expect(await visible()).toMatchObject({ rows: 15 });
  });

  it('takes standard input, the same bytes once', async () => {
    const input = csvOf('2026-03-01', 4).replace(',1,0.5', ',many,0.5');
    const importing = (...args: string[]) =>
      runCliHere(['ad-stats', 'import', ...args], { cwd, env: env(), input });
    // Once through a real pipe.
    const first = await runCli(['ad-stats', 'import', '--format', 'csv', '-'], { cwd, env: env(), input });
    expect(first).toMatchObject({ code: 3, out: expect.stringContaining('standard input') });
    expect(first.err).toContain('standard input:2');
    expect(await visible()).toEqual({ rows: 3, impressions: 3 });
    await write('same.csv', input);
    expect(await run('same.csv')).toMatchObject({ code: 0 });
    expect(await visible()).toEqual({ rows: 3, impressions: 3 });
    expect(await importing('-')).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown format of standard input'),
    });
    expect(await importing('--format', 'csv', '-', '-')).toMatchObject({ code: 1 });
  });

  it('reports bad rows with file and line, sets them aside, and takes the others', async () => {
    await write('a.csv', `${csvOf('2026-03-01', 2)}2026-02-30,x.example,1,1\n"o"pen\n`);
    await writeParquet(
      'b.parquet',
      `SELECT '2026-03-01' AS day, toInt32(number) - 1 AS impressions FROM numbers(3)`,
    );
    await write(
      'c.ndjson',
      '{"day":"2026-03-01"}\nnonsense\n{"day":"2026-03-01","impressions":true}\n{"impresions":1}\n',
    );
    const ended = await run('a.csv', 'b.parquet', 'c.ndjson', '--rejects', 'bad.ndjson');
    expect(ended.code).toBe(3);
    expect(ended.err.split('\n')).toEqual(
      expect.arrayContaining([
        'a.csv:4: at does not exist',
        'a.csv:5: is not valid CSV: a quote in the wrong position',
        'b.parquet:1: impressions is not a whole number of at most 15 digits',
        'c.ndjson:2: is not valid JSON',
        'c.ndjson:3: impressions is neither a text nor a number',
        'c.ndjson:4: holds an unknown field "impresions"',
      ]),
    );
    const rejects = (await readFile(join(cwd, 'bad.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(rejects.map((line) => JSON.parse(line).file)).toContain('b.parquet');
    expect(rejects.map((line) => JSON.parse(line).raw)).toContain('"o"pen');
    expect(ended.out).toContain('5 lines read: 2 rows in + 2 set aside + 1 header or blank line.');
    expect(rejects.length).toBe(ended.err.trimEnd().split('\n').length);
    expect(await visible()).toMatchObject({ rows: 2 + 2 + 1 });
  });

  it('takes nothing of a file with a quote that never closes, and the fixed file afterwards', async () => {
    const text = (given: number) => given.toLocaleString('en-US');
    const count = cases(100_000, 300_000);
    const rows = csvOf('2026-03-01', count).split('\n');
    const good = rows[1_000] ?? '';
    rows[1_000] = good.replace(',d', ',"d');
    await write('a.csv', rows.join('\n'));
    const ended = await run('a.csv');
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain('nothing of a.csv was taken: line 1001: a quote opens there');
    expect(await visible()).toEqual({ rows: 0, impressions: 0 });
    rows[1_000] = good;
    await write('a.csv', rows.join('\n'));
    const mended = await run('a.csv');
    expect(mended.code).toBe(0);
    expect(mended.out).toContain(
      `${text(count + 1)} lines read: ${text(count)} rows in + 0 set aside + 1 header or blank line.`,
    );
    expect(await visible()).toMatchObject({ rows: count });
  });

  it('sets aside invalid UTF-8 with its text, and reads it as Latin-1 on request', async () => {
    const rows = 'day,domain\n2026-03-01,müller.example\n2026-03-01,plain.example\n';
    await write('a.csv', Buffer.from(rows, 'latin1'));
    const ended = await run('a.csv', '--rejects', 'bad.ndjson');
    expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('a.csv:2: is not UTF-8') });
    expect(JSON.parse(await readFile(join(cwd, 'bad.ndjson'), 'utf8')).raw).toBe('2026-03-01,müller.example');
    await write('b.csv', Buffer.from(rows.replace('plain', 'other'), 'latin1'));
    expect(await run('b.csv', '--encoding', 'latin1')).toMatchObject({ code: 0 });
    expect((await amounts()).map((row) => (row as { domain: string }).domain)).toEqual([
      'other.example',
      'plain.example',
      'xn--mller-kva.example',
    ]);
  });

  it('takes nothing of a file with more bad rows than are allowed', async () => {
    await write('a.csv', `${csvOf('2026-03-01', 2)}x,y,1,1\nx,y,1,1\n`);
    expect(await run('a.csv', '--strict')).toMatchObject({
      code: 1,
      err: expect.stringContaining('nothing of a.csv was taken'),
    });
    expect(await run('a.csv', '--max-bad', '1')).toMatchObject({ code: 1 });
    expect(await visible()).toEqual({ rows: 0, impressions: 0 });
    expect(await run('a.csv', '--max-bad', '2')).toMatchObject({ code: 3 });
    expect(await visible()).toEqual({ rows: 2, impressions: 2 });
  });

  it('refuses other files in one line', async () => {
    await write('a.csv', 'domain,impressions\nx,1\n');
    await write('b.csv', 'day,impresions\n2026-03-01,1\n');
    await write('c.parquet', 'no parquet');
    await write('d.csv', '');
    for (const [file, reason] of [
      ['a.csv', 'no column is "at"'],
      ['b.csv', 'unknown column "impresions"'],
      ['c.parquet', 'cannot be read as Parquet'],
      ['d.csv', 'it holds no rows'],
      ['e.csv', 'there is no file e.csv'],
      ['f.txt', 'unknown format'],
    ] as const) {
      const { code, err } = await run(file);
      expect({ code, lines: err.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 });
      expect(err).toContain(reason);
    }
  });

  it('only previews the result in a dry run', async () => {
    await write('a.csv', `${csvOf('2026-03-01', 2)}2026-02-30,x.example,1,1\n`);
    expect(await run('a.csv', '--dry-run')).toMatchObject({
      ...{ code: 3, err: 'a.csv:4: at does not exist\n' },
      out: expect.stringContaining('2 rows of a.csv would be imported'),
    });
    expect(await storedRows()).toBe(0);
    expect(await test.database.query('SELECT 1 FROM ad_loads')).toEqual([]);
  });

  it('stores the timezone of a source’s days, by its name', async () => {
    const zone = (...args: string[]) => runCliHere(['ad-stats', 'day-zone', ...args], { cwd, env: env() });
    expect(await zone('--source', 'gam', 'europe/berlin')).toMatchObject({
      ...{ code: 0, err: expect.stringContaining('Days of gam are days in Europe/Berlin') },
    });
    expect((await readLedger(test.database, range)).dayZones).toEqual({ gam: 'Europe/Berlin' });
    expect(await zone('--source', 'gam', 'Mars/Base')).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('is not a timezone such as Europe/Berlin') },
    });
  });

  it('replaces the days of a file by --restate, and only them and of its source', async () => {
    await write('a.csv', `${csvOf('2026-03-01', 10)}2026-03-02,x.example,100,1\n`);
    await write('b.csv', csvOf('2026-03-01', 7, 3));
    await run('a.csv', '--source', 'gam');
    await run('a.csv', '--source', 'prebid');
    expect(await visible()).toEqual({ rows: 22, impressions: 220 });
    expect(await run('b.csv', '--source', 'gam', '--restate')).toMatchObject({ code: 0 });
    expect(await visible()).toEqual({ rows: 7 + 1 + 11, impressions: 21 + 100 + 110 });
    expect(await run('b.csv', '--source', 'gam', '--restate')).toMatchObject({
      out: expect.stringContaining('nothing was done'),
    });
    await write('c.csv', `${csvOf('2026-03-01', 1)}bad,x,1,1\n`);
    expect(await run('c.csv', '--source', 'gam', '--restate')).toMatchObject({ code: 1 });
    expect(await visible()).toMatchObject({ rows: 19 });
  });

  it('refuses to be complete until a time to come, and lets a later import correct an earlier one downwards', async () => {
    await write('a.csv', csvOf('2026-03-01', 1));
    await write('b.csv', csvOf('2026-03-01', 2));
    const until = async (file: string, time: string) => run(file, '--complete-until', time);
    const refused = await until('a.csv', '2099-01-01T00:00:00Z');
    expect(refused).toMatchObject({
      ...{ code: 2, err: expect.stringMatching(/in the future.*give the end of the files’ data/) },
    });
    expect(await visible()).toEqual({ rows: 0, impressions: 0 });
    await until('a.csv', '2026-03-05');
    await until('b.csv', '2026-03-02');
    expect((await readLedger(test.database, range)).completeUntil).toEqual(new Date('2026-03-02T00:00:00Z'));
  });

  it('imports a file once whose importer was killed in the middle, and shows nothing of it before', async () => {
    const rows = 200_000;
    await write('a.csv', csvOf('2026-03-01', rows));
    const child = start('a.csv');
    const gone = once(child, 'exit');
    await vi.waitFor(async () => expect(await storedRows()).toBeGreaterThan(0), {
      timeout: 120_000,
      interval: 20,
    });
    child.kill('SIGKILL');
    const [, signal] = await gone;
    expect(signal).toBe('SIGKILL');
    expect(await visible()).toEqual({ rows: 0, impressions: 0 });
    // Postgres notices a dead connection; until then its lock holds.
    await vi.waitFor(async () => expect(await run('a.csv')).toMatchObject({ code: 0 }), {
      timeout: 120_000,
      interval: 200,
    });
    expect(await visible()).toEqual({ rows, impressions: rows });
    expect(await storedRows()).toBeGreaterThan(rows);
    const states = await test.database.query('SELECT state FROM ad_loads ORDER BY id');
    expect(states).toEqual([{ state: 'abandoned' }, { state: 'active' }]);
  });

  it('counts a file once that two import at the same moment', async () => {
    await write('a.csv', csvOf('2026-03-01', 20_000));
    const ended = await Promise.all([runAlone('a.csv'), runAlone('a.csv')]);
    expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(1);
    for (const { code, err } of ended.filter(({ code }) => code !== 0)) {
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining('another process is importing the same file'),
      });
    }
    expect(await visible()).toEqual({ rows: 20_000, impressions: 20_000 });
  });

  it('shows a reader either all of a restatement or none of it', async () => {
    await write('a.csv', csvOf('2026-03-01', 3_000));
    await write('b.csv', csvOf('2026-03-01', 3_000, 2));
    await run('a.csv');
    let done = false;
    const seen = new Set<number>();
    const reading = (async () => {
      while (!done) seen.add((await visible()).impressions);
    })();
    await runAlone('b.csv', '--restate');
    done = true;
    await reading;
    expect([...seen].every((impressions) => impressions === 3_000 || impressions === 6_000)).toBe(true);
    expect(await visible()).toEqual({ rows: 3_000, impressions: 6_000 });
  });
});
