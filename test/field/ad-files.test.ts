// tier: system, alone
// People report that rows of a compressed file are dropped in silence, and more, as each test below says:
// https://github.com/nodejs/node/issues/64592, https://github.com/nodejs/node/issues/64741
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { Session } from 'chdb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import { readLedger } from '../../engine/adapters/postgres/ad-ledger.ts';
import { noteDayZone } from '../../reporting/ingest/ad-loads.ts';
import { createAdStatsRemoval } from '../../reporting/ingest/ad-stats-removal.ts';
import { createKeepDays } from '../../reporting/ingest/days/keep-days.ts';
import { createSweep } from '../../reporting/ingest/sweep.ts';
import { visibleTotals } from '../support/ad-stats.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { emptyTables, numberLoadsApart } from '../support/empty-tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { runCliHere } from '../support/run-cli-here.ts';

const range = { firstDay: '2020-01-01', lastDay: '2026-12-31' };

describe('files of ad statistics, as people report them', { timeout: 180_000 }, () => {
  let bridge: Awaited<ReturnType<typeof startClickHouseBridge>>;
  let clickhouse: ClickHouse;
  let test: TestDatabase;
  let cwd: string;
  beforeAll(async () => {
    bridge = await startClickHouseBridge();
    clickhouse = await openClickHouse({
      kind: 'http',
      ...{ url: bridge.url, username: 'default', password: '', database: 'files' },
      ...{ requestTimeoutMs: 30_000, maxConnections: 4 },
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
    cwd = await mkdtemp(join(tmpdir(), 'broadside-field-'));
  });
  afterEach(async () => {
    await emptyTables(clickhouse);
    await test.drop();
    await rm(cwd, { recursive: true, force: true });
  });

  const run = (...args: string[]) =>
    runCliHere(['ad-stats', 'import', ...args], {
      cwd,
      env: {
        DATABASE_URL: test.url,
        CLICKHOUSE_URL: bridge.url,
        CLICKHOUSE_DATABASE: clickhouse.database,
      },
    });
  const write = (name: string, content: string | Uint8Array) => writeFile(join(cwd, name), content);
  const writeParquet = async (name: string, select: string) => {
    using session = new Session();
    await session.queryAsync(`INSERT INTO FUNCTION file('${join(cwd, name)}', Parquet) ${select}`);
  };
  const impressions = async () =>
    (await visibleTotals(clickhouse, await readLedger(test.database, range))).impressions;
  const rows = async (columns: string): Promise<unknown[]> => {
    const query = `SELECT DISTINCT ${columns} FROM ad_stats
      WHERE load = (SELECT max(load) FROM ad_stats) ORDER BY ALL`;
    return (await clickhouse.client.query({ query, format: 'JSONCompactEachRow' })).json();
  };
  const csv = (...lines: string[]) => `day,domain,impressions\n${lines.join('\n')}\n`;

  it('part files of one day do not restate each other', async () => {
    await write('part0.csv', csv('2026-03-10,a.example,600'));
    await write('part1.csv', csv('2026-03-10,b.example,500'));
    expect(await run('--restate', 'part0.csv', 'part1.csv')).toMatchObject({ code: 0 });
    expect(await impressions()).toBe(1_100);
    expect((await run('--restate', 'part1.csv', 'part0.csv')).out).toContain('nothing was done');
    await write('part2.csv', csv('2026-03-10,c.example,7', 'bad,c.example,7'));
    expect(await run('--restate', 'part0.csv', 'part2.csv')).toMatchObject({
      code: 1,
      err: expect.stringContaining('part2.csv:3: at is neither'),
    });
    expect(await impressions()).toBe(1_100);
  });

  it('files of which one is in already bring only the others', async () => {
    await write('a.csv', csv('2026-03-10,a.example,1'));
    await write('b.csv', csv('2026-03-10,b.example,20'));
    await run('a.csv');
    expect(await run('a.csv', 'b.csv')).toMatchObject({ code: 0 });
    expect(await run('b.csv')).toMatchObject({ code: 0, out: expect.stringContaining('nothing was done') });
    expect(await impressions()).toBe(21);
  });

  // As reported at https://github.com/duckdb/duckdb/issues/15192, midnight is read as the evening before.
  it('days written as midnight are days, and hours are hours', async () => {
    await write('a.csv', csv('2026-03-10 00:00:00,a.example,1', '2026-03-11T00:00:00Z,a.example,1'));
    expect(await run('a.csv')).toMatchObject({ code: 0 });
    expect(await rows('toString(toDate(at)), grain')).toEqual([
      ['2026-03-10', 'day'],
      ['2026-03-11', 'day'],
    ]);
    await writeParquet(
      'b.parquet',
      `SELECT toDateTime64('2026-03-12 00:00:00', 3, 'UTC') AS at, 1 AS impressions`,
    );
    expect(await run('b.parquet')).toMatchObject({ code: 0 });
    expect(await rows('toString(at), grain')).toEqual([['2026-03-12 00:00:00', 'day']]);
    await write('c.csv', csv('2026-03-10 00:00:00,a.example,1', '2026-03-10 01:00:00,a.example,1'));
    expect(await run('c.csv')).toMatchObject({ code: 0 });
    expect(await rows('toString(at), grain')).toEqual([
      ['2026-03-10 00:00:00', 'hour'],
      ['2026-03-10 01:00:00', 'hour'],
    ]);
    await write('d.csv', csv('2026-03-10 00:00:00,d.example,1'));
    expect(await run('d.csv', '--grain', 'hour')).toMatchObject({ code: 0 });
    expect(await rows('grain')).toEqual([['hour']]);
    expect(await run('c.csv', '--source', 'days', '--grain', 'day')).toMatchObject({
      code: 3,
      err: expect.stringContaining('c.csv:3: at has an hour'),
    });
  });

  // As reported at https://github.com/ClickHouse/ClickHouse/issues/4110, an alias is read in place of its column.
  it('a column of a Parquet file may have any name that the statement uses', async () => {
    const names = [
      'number',
      'name',
      '_row_number',
      'own_number',
      'own_f_at',
      'f_at',
      'load',
      'source',
      'row',
      'raw',
    ];
    for (const name of [...names, 'Own_number', '_path', "it's `q`"]) {
      await rm(join(cwd, 'a.parquet'), { force: true });
      const column = `\`${name.replaceAll('`', '\\`')}\``;
      await writeParquet(
        'a.parquet',
        `SELECT '2026-03-10' AS day, 'ü.example' AS domain, toUInt32(7 + ${names.indexOf(name) + 2}) AS ${column}`,
      );
      expect(await run('a.parquet', '--map', `${name}=impressions`), name).toMatchObject({ code: 0 });
      expect(await rows('toUInt32(impressions)'), name).toEqual([[9 + names.indexOf(name)]]);
    }
  });

  it('no part of an archive is dropped in silence', async () => {
    const first = csv('2026-03-10,a.example,1');
    const damaged: [string, Buffer][] = [];
    for (const [extension, pack] of [
      ['zst', zstdCompressSync],
      ['gz', gzipSync],
    ] as const) {
      const [one, two] = [pack(first), pack('2026-03-10,b.example,2\n')];
      await write(`whole.csv.${extension}`, Buffer.concat([one, two]));
      expect(await run(`whole.csv.${extension}`)).toMatchObject({ code: 0 });
      const flipped = Buffer.from(two);
      flipped[0] = (flipped[0] ?? 0) ^ 1;
      const zeros = Buffer.alloc(3);
      for (const rest of [flipped, two.subarray(0, 3), two.subarray(0, 1), two.subarray(0, -2), zeros])
        damaged.push([extension, Buffer.concat([one, rest])]);
    }
    expect(await impressions()).toBe(6);
    for (const [extension, bytes] of damaged) {
      await write(`a.csv.${extension}`, bytes);
      expect(await run(`a.csv.${extension}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining('cannot be unpacked'),
      });
    }
    expect(await impressions()).toBe(6);
  });

  it('a file that grows while it is read is not taken', async () => {
    const line = '2026-03-10,a.example,1\n';
    await write('a.csv', `day,domain,impressions\n${line.repeat(120_000)}`);
    let done = false;
    const growing = (async () => {
      while (!done) {
        await appendFile(join(cwd, 'a.csv'), line);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
    const ended = await run('a.csv');
    done = true;
    await growing;
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('changed while it was read') });
    expect(await impressions()).toBe(0);
  });

  it('the same bytes with other options do what these say, or are refused', async () => {
    await write('a.csv', 'day,Site,Views,Clicks\n2026-03-10,a.example,5,70\n');
    const first = ['--map', 'Site=domain', '--map', 'Clicks=impressions', '--ignore', 'Views'];
    const second = ['--map', 'Site=domain', '--map', 'Views=impressions', '--ignore', 'Clicks'];
    expect(await run('a.csv', ...first)).toMatchObject({ code: 0 });
    expect(await run('a.csv', ...second)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/read with another --map, --ignore .*add --restate/),
    });
    expect(await run('a.csv', ...first, '--currency', 'USD')).toMatchObject({ code: 1 });
    expect(await run('a.csv', ...second, '--restate')).toMatchObject({ code: 0 });
    expect(await impressions()).toBe(5);
    expect(await run('a.csv', ...first, '--restate')).toMatchObject({ code: 0 });
    expect(await impressions()).toBe(70);
    expect(await run('a.csv', ...first, '--complete-until', '2026-03-11T00:00:00Z')).toMatchObject({
      code: 0,
    });
    const { completeUntil } = await readLedger(test.database, range);
    expect(completeUntil).toEqual(new Date('2026-03-11T00:00:00Z'));
  });

  // As reported at https://github.com/PlotJuggler/PlotJuggler/issues/378 and https://github.com/mldbai/mldb/pull/365,
  // a comma in a header or behind the last one ends an import.
  it('headers with commas, trailing commas and odd spaces are what they look like', async () => {
    const total = 'Total CPM, CPC, CPD, and vCPM revenue ($)';
    await write('a.csv', `day,domain,"${total}",CPC,Fill,\n2026-03-10,a.example,1.5,2,3,\n`);
    const mapped = ['--map', `${total}=earnings`, '--ignore', 'CPC,Fill'];
    expect(await run('a.csv', ...mapped, '--currency', 'USD')).toMatchObject({ code: 0 });
    // A dollar may be several.
    expect(await run('a.csv', '--source', 'd', ...mapped)).toMatchObject({
      code: 1,
      err: expect.stringContaining('add --currency USD'),
    });
    expect(await rows('toString(earnings)')).toEqual([['1.5']]);
    expect(await run('a.csv', '--source', 'b', '--ignore', `Fill,${total},CPC`)).toMatchObject({ code: 0 });
    expect(await run('a.csv', '--source', 'c', '--ignore', `Fill,${total}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown column "CPC"'),
    });
    await write('b.csv', 'day,domain\n2026-03-10,a.example,\n');
    expect(await run('b.csv')).toMatchObject({ code: 0 });
    const names = [
      'a.example\u00a0',
      '\u200ea.example',
      'A.Example.',
      '\u3000a.example\ufeff',
      '\u2067a.example\u2069',
    ];
    const ideographic = 'm\u00fcller.example\u3002';
    await write(
      'c.csv',
      `day,\u00a0domain\u200f\n${[...names, ideographic].map((name) => `2026-03-10,${name}\n`).join('')}`,
    );
    expect(await run('c.csv')).toMatchObject({ code: 0 });
    expect(await rows('domain')).toEqual([['a.example'], ['xn--mller-kva.example']]);
    await writeParquet(
      'd.parquet',
      `SELECT '2026-03-10' AS day, arrayJoin([${[...names, ideographic].map((name) => `'${name}'`).join(', ')}]) AS domain`,
    );
    expect(await run('d.parquet')).toMatchObject({ code: 0 });
    expect(await rows('domain')).toEqual([['a.example'], ['xn--mller-kva.example']]);
  });

  it('hours of one local day, restated, leave the day before alone, east and west of UTC', async () => {
    const hours = (first: string, count: number, each: number) =>
      csv(
        ...Array.from({ length: count }, (_, hour) => {
          const at = new Date(Date.parse(first) + hour * 3_600_000).toISOString();
          return `${at},a.example,${each}`;
        }),
      );
    for (const [zone, start, before] of [
      ['Europe/Berlin', '2026-03-09T23:00:00Z', '2026-03-08T23:00:00Z'],
      ['Asia/Kathmandu', '2026-03-09T18:15:00Z', '2026-03-08T18:15:00Z'],
      ['America/New_York', '2026-03-10T04:00:00Z', '2026-03-09T04:00:00Z'],
    ] as const) {
      const source = zone.replace('/', '-');
      await noteDayZone(test.database, source, zone);
      const had = await impressions();
      await write('two.csv', hours(before, 48, 10));
      await write('day.csv', hours(start, 24, 20));
      expect(await run('two.csv', '--source', source)).toMatchObject({ code: 0 });
      expect(await run('day.csv', '--source', source, '--restate')).toMatchObject({ code: 0 });
      const all = visibleRows(await readLedger(test.database, range));
      const query = `SELECT toUInt32(sum(impressions)) AS sum FROM ad_stats WHERE ${all.text}`;
      const answer = await clickhouse.client.query({
        query,
        query_params: all.params,
        format: 'JSONEachRow',
      });
      expect((await answer.json<{ sum: number }>())[0]?.sum, zone).toBe(had + 240 + 480);
      const keepDays = createKeepDays({ database: test.database, clickhouse });
      while ((await keepDays()) > 0);
      // What the sweep deletes is what no report counted.
      const sweep = createSweep({
        sql: test.database,
        removal: createAdStatsRemoval(clickhouse),
        graceMs: -1_000,
      });
      for (let n = 0; n < 100 && (await sweep()) > 0; n++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      for (let n = 0; n < 100; n++) {
        await sweep();
        if ((await readLedger(test.database, range)).superseded.length === 0) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect((await readLedger(test.database, range)).superseded).toEqual([]);
      expect(await impressions()).toBe(had + 240 + 480);
    }
  });
});
