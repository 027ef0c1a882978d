// tier: system, alone
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../../engine/adapters/clickhouse/migrate.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import { visibleTotals } from '../../support/ad-stats.ts';
import { startClickHouseBridge } from '../../support/clickhouse-bridge/bridge.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { runCliHere } from '../../support/run-cli-here.ts';

const range = { firstDay: '2020-01-01', lastDay: '2026-12-31' };
const files = join(import.meta.dirname, 'files');

describe('broadside ad-stats source', { timeout: 180_000 }, () => {
  let bridge: Awaited<ReturnType<typeof startClickHouseBridge>>;
  let clickhouse: ClickHouse;
  let test: TestDatabase;
  let cwd: string;
  beforeAll(async () => {
    bridge = await startClickHouseBridge();
    test = await createTestDatabase();
    cwd = await mkdtemp(join(tmpdir(), 'broadside-sources-'));
    clickhouse = await openClickHouse({
      kind: 'http',
      ...{ url: bridge.url, username: 'default', password: '', database: 'sources' },
      ...{ requestTimeoutMs: 30_000, maxConnections: 4 },
    });
    await migrateClickHouse(clickhouse);
    for (const file of ['gam-page.csv', 'gam-page-de.xlsx', 'months.zip'])
      await copyFile(join(files, file), join(cwd, file));
  });
  afterAll(async () => {
    await clickhouse.close();
    await test.drop();
    await rm(cwd, { recursive: true, force: true });
    await bridge.stop();
  });

  const env = () => ({
    DATABASE_URL: test.url,
    CLICKHOUSE_URL: bridge.url,
    CLICKHOUSE_DATABASE: clickhouse.database,
  });
  const run = (...args: string[]) => runCliHere(['ad-stats', ...args], { cwd, env: env() });
  const impressions = async () =>
    (await visibleTotals(clickhouse, await readLedger(test.database, range))).impressions;

  it('remembers how files are read, so that an import needs nothing else', async () => {
    expect(await run('source', 'list')).toMatchObject({ out: 'Nothing is remembered of any source.\n' });
    expect(await run('source', 'set', 'gam')).toMatchObject({ code: 1 });
    expect(await run('source', 'set', 'gam', '--map', 'x=y')).toMatchObject({ code: 1 });
    expect(await run('source', 'set', 'gam', '--profile', 'gam', '--currency', 'eur')).toMatchObject({
      code: 0,
      out: 'gam is read with --profile "gam" --currency "EUR".\n',
    });
    expect(await run('source', 'set', 'gam', '--dates', 'mdy', '--zone', 'Europe/Berlin')).toMatchObject({
      out: expect.stringContaining('--profile "gam"'),
    });
    expect(JSON.parse((await run('source', 'show', 'gam', '--json')).out)).toEqual({
      ...{ source: 'gam', profile: 'gam', currency: 'EUR', dates: 'mdy', zone: 'Europe/Berlin' },
    });
    const [zone] = await test.database.query(`SELECT day_zone FROM ad_sources WHERE source = 'gam'`);
    expect(zone).toEqual({ day_zone: 'Europe/Berlin' });
    const first = await run('import', '--source', 'gam', 'gam-page.csv');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toContain(
      '10 lines read: 3 rows in + 0 set aside + 1 row of totals + 6 header and blank lines.',
    );
    expect(first.out).toContain('Columns that no field is for: Total CTR.');
    expect(await impressions()).toBe(1_236_929);
  });

  it('shows all that an import would do, and writes nothing', async () => {
    await writeFile(
      join(cwd, 'more.csv'),
      'Date,Site,Total impressions,Total revenue (€)\n3/15/26,a.example,1,0.5\n3/16/26,b.example,x,1\n3/17/26,c.example,3,1.25\nTotal,,4,2.75\n',
    );
    const shown = await run('import', '--source', 'gam', '--dry-run', 'more.csv');
    expect(shown).toMatchObject({ code: 3, err: expect.stringContaining('more.csv:3: impressions is not') });
    expect(shown.out).toContain(
      'line 2: at=2026-03-15, domain=a.example, impressions=1, earnings=0.5, currency=EUR',
    );
    expect(shown.out).not.toContain('line 3:');
    expect(shown.out).toContain('all in EUR: 2 rows, 4 impressions, 1.75 earnings');
    expect(shown.out).toContain('2026-03-17: 1 row, 3 impressions, 1.25 earnings EUR');
    expect(shown.out).toContain('It adds to rows of gam on 1 of 2 days: 2026-03-15.');
    expect(shown.out).toContain('Left out of more.csv as its totals: Total,,4,2.75');
    const replaced = await run(
      'import',
      '--source',
      'gam',
      '--dry-run',
      '--restate',
      '--max-bad',
      '5',
      'more.csv',
    );
    expect(replaced.out).toContain('It replaces rows of gam on 1 of 2 days: 2026-03-15.');
    expect(await impressions()).toBe(1_236_929);
    const alone = await runCliHere(['ad-stats', 'import', '--dry-run', 'months.zip'], {
      cwd,
      env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    });
    expect(alone).toMatchObject({ code: 0, out: expect.stringContaining('No database answers') });
    expect(alone.out).toContain('1 row of months.zip/april.tsv would be imported');
  });

  it('a header alone is an answer, and empties a day that is named', async () => {
    const header = 'Date,Site,Total impressions,Total revenue (€)\n';
    await writeFile(join(cwd, 'none.csv'), header);
    expect(await run('import', '--source', 'gam', 'none.csv')).toMatchObject({
      code: 0,
      out: 'none.csv has no rows: nothing was added.\n',
    });
    expect(await run('import', '--source', 'gam', '--restate', 'none.csv')).toMatchObject({
      code: 0,
      out: expect.stringContaining('no day was replaced'),
    });
    // Rows are missing where their totals are there.
    await writeFile(join(cwd, 'totals.csv'), `${header}Total,,4,2.75\n`);
    for (const kind of [[], ['--restate', '2026-03-15']])
      expect(await run('import', '--source', 'gam', ...kind, 'totals.csv')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/its totals are not 0 \(Total,,4,2.75\).*export it again with its rows/),
      });
    await writeFile(join(cwd, 'zero.csv'), `${header}Total,,0,€0.00\n`);
    expect(await run('import', '--source', 'gam', 'zero.csv')).toMatchObject({
      code: 0,
      out: 'zero.csv has no rows: nothing was added.\n',
    });
    await writeFile(join(cwd, 'nothing.csv'), '');
    expect(await run('import', '--source', 'gam', 'nothing.csv')).toMatchObject({
      code: 1,
      err: expect.stringContaining('not even a header'),
    });
    await writeFile(join(cwd, 'other.csv'), `${header}3/14/26,a.example,1,1\n`);
    expect(await run('import', '--source', 'gam', '--restate', '2026-03-15', 'other.csv')).toMatchObject({
      code: 1,
      err: expect.stringContaining('rows of 2026-03-14'),
    });
    expect(await impressions()).toBe(1_236_929);
    const empty = ['import', '--source', 'gam', '--restate', '2026-03-15', 'none.csv'];
    const planned = await run(...empty, '--dry-run');
    expect(planned.out).toMatch(/^none\.csv has no rows: gam would have none on 2026-03-15\./);
    expect(planned.out).not.toContain('Sums');
    expect(await run(...empty)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^none\.csv has no rows: gam has none now on 2026-03-15\./),
    });
    expect(await impressions()).toBe(1_234_567);
    // Its bytes are in, and its rows of that day do not count.
    const again = await run('import', '--source', 'gam', 'gam-page.csv');
    expect(again.out).toContain('nothing was done');
    expect(again.err).toContain(
      '1 day of it was replaced since: --restate makes this file count there again.',
    );
    expect(await run('import', '--source', 'gam', '--restate', '2026-03-14', 'none.csv')).toMatchObject({
      code: 0,
    });
    expect(await impressions()).toBe(0);
    expect(await run('import', '--source', 'gam', '--restate', '2026-02-31', 'none.csv')).toMatchObject({
      code: 1,
    });
    const shown = await run('import', '--source', 'gam', '--dry-run', 'gam-page.csv');
    expect(shown.out).toContain('No day of them has rows of gam yet.');
  });

  it('imports the files of an archive as one, and a spreadsheet once', async () => {
    expect(await run('import', '--source', 'zip', 'months.zip')).toMatchObject({ code: 0, err: '' });
    expect(await impressions()).toBe(12);
    expect(await run('import', '--source', 'zip', 'months.zip')).toMatchObject({
      out: expect.stringMatching(/march\.csv is in since .*nothing was done/),
    });
    expect(await run('import', '--source', 'gam-de', '--profile', 'gam', 'gam-page-de.xlsx')).toMatchObject({
      code: 0,
    });
    expect(await run('import', '--source', 'gam-de', '--profile', 'gam', 'gam-page-de.xlsx')).toMatchObject({
      out: expect.stringContaining('nothing was done'),
    });
    expect(await impressions()).toBe(12 + 1_236_912);
  });

  it('forgets it', async () => {
    expect(await run('source', 'remove', 'gam')).toMatchObject({ code: 0 });
    expect(await run('source', 'remove', 'gam')).toMatchObject({ code: 1 });
    expect(await run('source', 'show', 'gam')).toMatchObject({ code: 1 });
  });
});
