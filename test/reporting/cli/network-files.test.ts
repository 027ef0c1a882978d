// tier: unit
// The files beside were made by other programs: Python's csv and json, openpyxl, XlsxWriter in its mode for large files,
// iconv, and zip.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GivenReading } from '../../../reporting/cli/ad-stats/options.ts';
import { openInputs } from '../../../reporting/cli/ad-stats/spool.ts';
import { readAdStats as read } from './read-ad-stats.ts';

const folder = join(import.meta.dirname, 'files');

const readFixture = (name: string, given?: GivenReading) => read(join(folder, name), given);

describe('files as ad networks send them', () => {
  it('Google Ad Manager: an export of its pages, with lines before the header, and totals', async () => {
    const { rows, totals, lines, leftOut } = await readFixture('gam-page.csv', { profile: 'gam' });
    expect(rows).toEqual([
      {
        ...{ row: '7', at: '2026-03-14', ad_unit: 'Home » Top', domain: 'news.example', country: 'DE' },
        ...{ impressions: '1234567', earnings: '1234.56', currency: 'EUR' },
      },
      {
        ...{ row: '8', at: '2026-03-15', ad_unit: 'Home » Top', domain: 'news.example', country: 'AT' },
        ...{ impressions: '2345', earnings: '12.30', currency: 'EUR' },
      },
      // A site of that name is a row like others.
      { row: '9', at: '2026-03-15', domain: 'total', impressions: '17', earnings: '0.01', currency: 'EUR' },
    ]);
    expect(totals).toHaveLength(1);
    expect(leftOut).toEqual(['Total CTR']);
    expect(lines).toEqual({ lines: 10, passedOver: 6 });
  });

  it('Google Ad Manager: a spreadsheet in German', async () => {
    const { rows, totals, lines } = await readFixture('gam-page-de.xlsx', { profile: 'gam' });
    expect(rows).toMatchObject([
      {
        row: '5',
        at: '2026-03-14',
        country: 'DE',
        impressions: '1234567',
        earnings: '1234.56',
        currency: 'EUR',
      },
      { row: '6', at: '2026-03-15', country: 'AT', impressions: '2345', earnings: '0.3' },
    ]);
    expect(totals).toHaveLength(1);
    expect(lines).toEqual({ lines: 7, passedOver: 4 });
    const second = await readFixture('gam-page-de.xlsx', { sheet: 'Zweites' });
    expect(second.rows).toMatchObject([{ domain: 'second.example', impressions: '5', earnings: '1.5' }]);
    await expect(readFixture('gam-page-de.xlsx', { sheet: 'Third' })).rejects.toThrow(
      /no sheet "Third": it has "Bericht", "Zweites"/,
    );
  });

  it('Google Ad Manager: a dump for programs, in millionths', async () => {
    const { rows } = await readFixture('gam-dump.csv.gz', { profile: 'gam', currency: 'EUR' });
    expect(rows).toMatchObject([
      { at: '2026-03-14', ad_unit: 'Home', country: 'DE', impressions: '1234567', earnings: '1234.56' },
      { at: '2026-03-15', impressions: '2345', earnings: '12.300001' },
    ]);
  });

  it('AdSense: tab-separated UTF-16, in German, with totals and averages', async () => {
    const { rows, totals } = await readFixture('adsense-de.tsv', { profile: 'adsense' });
    expect(rows).toMatchObject([
      { at: '2026-03-14', domain: 'news.example', impressions: '1234', earnings: '12.30', currency: 'EUR' },
      { at: '2026-03-15', domain: 'xn--mller-kva.example', impressions: '2345678', earnings: '1234.56' },
    ]);
    expect(totals).toHaveLength(2);
  });

  it('Criteo: JSON with its rows beside their total, and CSV with semicolons', async () => {
    for (const name of ['criteo.json', 'criteo.csv']) {
      const { rows } = await readFixture(name, { profile: 'criteo' });
      expect(rows, name).toMatchObject([
        { at: '2026-03-14', domain: 'news.example', impressions: '123', earnings: '0.25', currency: 'EUR' },
        { at: name.endsWith('csv') ? '2026-03-04' : '2026-03-15', impressions: '234', earnings: '1.25' },
      ]);
      expect(rows).toHaveLength(2);
    }
  });

  it('Xandr, Magnite, Taboola and Amazon', async () => {
    expect((await readFixture('xandr.csv', { profile: 'xandr' })).rows).toMatchObject([
      { at: '2026-03-14T05:00:00', viewable: '60', earnings: '0.123456', currency: 'USD' },
      { at: '2026-03-14T06:00:00' },
    ]);
    expect((await readFixture('magnite.csv', { profile: 'magnite', currency: 'USD' })).rows).toMatchObject([
      { at: '2026-03-14', impressions: '100', earnings: '1.25', currency: 'USD' },
      { at: '2026-03-04', impressions: '50', earnings: '0.50' },
    ]);
    await expect(readFixture('magnite.csv', { profile: 'magnite' })).rejects.toThrow(/add --currency USD/);
    expect((await readFixture('taboola.json', { profile: 'taboola' })).rows).toMatchObject([
      { at: '2026-03-14', domain: 'news-example', earnings: '12.3450', currency: 'USD' },
      { at: '2026-03-15', earnings: '2.5' },
    ]);
    expect((await readFixture('amazon.csv', { profile: 'amazon' })).rows).toMatchObject([
      { at: '2026-03-14', domain: 'news.example', ad_unit: 'top', impressions: '100', currency: 'USD' },
      { at: '2026-03-15', earnings: '0.5' },
    ]);
  });

  it('spreadsheet programs: a line that names the separator, hours apart, empty columns, old line ends', async () => {
    const map = ['Datum=day', 'Stunde=hour', 'Seite=domain', 'Impressionen=impressions', 'Umsatz=earnings'];
    expect((await readFixture('excel-de.csv', { map, encoding: 'latin1' })).rows).toMatchObject([
      { row: '3', at: '2026-03-14T00:00:00', impressions: '1234', earnings: '1234.50' },
      { row: '4', at: '2026-03-14T23:00:00', earnings: '0.5' },
    ]);
    expect((await readFixture('old-mac.csv')).rows).toMatchObject([
      { row: '2', at: '2026-03-14', impressions: '5' },
      { row: '3', at: '2026-03-15', impressions: '6' },
    ]);
    expect((await readFixture('hours.xlsx')).rows).toMatchObject([
      { at: '2026-03-14T05:00:00', domain: 'a & b.example', impressions: '1', earnings: '1.2340' },
      { at: '2026-03-14T06:00:00', earnings: '0.3333333333333333' },
      { at: '2026-03-14T07:00:00', impressions: '21' },
    ]);
  });

  it('rows of totals: of the forms that networks have, at the end or between parts, and never a row of a day', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'broadside-totals-'));
    const header = 'day,domain,deal_name,impressions,earnings\n';
    const rows = '2026-03-14,a.example,,1000,1.5\n2026-03-15,total,Total,234,0.5\n';
    for (const [end, count] of [
      ['Total,,,1234,2\n', 1],
      ['Totals,,,"1,234",$2.00\nAverages,,,617,1\n', 2],
      [',Gesamt,,1234,2\n', 1],
      ['Total,-,-,1234,\n\n', 1],
      [',,,1234,2\n', 1],
      ['–,,,"1,234",2\n', 1],
      [',,,1235,2\n', 0],
      [',b.example,,1234,2\n', 0],
      ['2026-03-16,Total,,1234,2\n', 0],
      ['Total,,,1234,2\n2026-03-16,c.example,,1,1\n'.repeat(3), 3],
      ['Total,b.example,,1234,2\n', 0],
      ['Total,,,,\n', 0],
    ] as const) {
      const path = join(cwd, 'a.csv');
      await writeFile(path, header + rows + end);
      const found = await read(path, { currency: 'USD' });
      expect([end, found.totals.length]).toEqual([end, count]);
      expect(found.rows.slice(0, 2)).toMatchObject([
        { domain: 'a.example' },
        { domain: 'total', impressions: '234' },
      ]);
      const lines = found.lines ?? { lines: 0, passedOver: 0 };
      expect(found.rows.length + found.totals.length + lines.passedOver).toBe(lines.lines);
    }
    await rm(cwd, { recursive: true, force: true });
  });

  it('a column that may say the currency is not left out in silence: dollars would count as euros', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'broadside-currency-'));
    const path = join(cwd, 'a.csv');
    const rows = 'day,site_domain,imps,publisher_revenue,seller_currency\n2026-03-14,a.example,10,1.5,USD\n';
    await writeFile(path, rows);
    const xandr = { profile: 'xandr' };
    await expect(read(path, xandr)).rejects.toThrow(
      /"seller_currency" may be the currency of the amounts: --map/,
    );
    for (const said of [{ map: ['seller_currency=currency'] }, { currency: 'USD' }])
      expect((await read(path, { ...xandr, ...said })).rows).toMatchObject([{ currency: 'USD' }]);
    const skipped = await read(path, { ...xandr, ignore: ['seller_currency'] });
    expect(skipped.rows).toMatchObject([{ currency: 'EUR' }]);
    await rm(cwd, { recursive: true, force: true });
  });

  it('an archive: each of its files, and nothing that a system puts beside', async () => {
    const inputs = await openInputs(join(folder, 'months.zip'));
    try {
      expect(inputs.map(({ name }) => name.slice(folder.length + 1))).toEqual([
        'months.zip/march.csv',
        'months.zip/april.tsv',
      ]);
      const [march, april] = inputs;
      expect((await read(march?.path ?? '', {}, march?.name)).rows).toMatchObject([{ domain: 'a.example' }]);
      expect((await read(april?.path ?? '', {}, april?.name)).rows).toMatchObject([{ impressions: '7' }]);
    } finally {
      for (const input of inputs) await input[Symbol.asyncDispose]();
    }
  });
});
