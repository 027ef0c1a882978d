// tier: unit
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { GivenReading } from '../../../reporting/cli/ad-stats/options.ts';
import { openInputs } from '../../../reporting/cli/ad-stats/spool.ts';
import { zipOf } from '../../support/zip-of.ts';
import { readAdStats } from './read-ad-stats.ts';

const folder = await mkdtemp(join(tmpdir(), 'broadside-foreign-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** All files of what is given on the command line, one after the other. */
async function read(name: string, content: string | Buffer, given: GivenReading = {}) {
  const path = join(folder, name);
  await writeFile(path, content);
  const inputs = await openInputs(path);
  try {
    const all = [];
    for (const input of inputs) all.push(await readAdStats(input.path, given, input.name));
    return { files: inputs.length, rows: all.flatMap(({ rows }) => rows), first: all[0] };
  } finally {
    for (const input of inputs) await input[Symbol.asyncDispose]();
  }
}
const rowsOf = async (name: string, content: string | Buffer, given: GivenReading = {}) =>
  (await read(name, content, given)).rows;

const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const plain = 'day,domain,impressions,earnings,currency\n2026-03-14,a.example,10,1.5,EUR\n';

describe('texts of networks', () => {
  it('Google Ad Manager: a dump with the ad server’s figures, in millionths', async () => {
    const dump =
      'Dimension.DATE,Dimension.AD_UNIT_ID,Dimension.AD_UNIT_NAME,Dimension.COUNTRY_NAME,Dimension.COUNTRY_CRITERIA_ID,' +
      'Dimension.DEVICE_CATEGORY_NAME,Column.AD_SERVER_IMPRESSIONS,Column.AD_SERVER_CLICKS,Column.AD_SERVER_CPM_AND_CPC_REVENUE\n' +
      '2026-03-14,123,Home,Germany,2276,Desktop,1234567,120,1234560000\n' +
      '2026-03-14,123,Home,N/A,-1,Smartphone,10,0,1500000\n';
    expect(await rowsOf('gam.csv', dump, { profile: 'gam', currency: 'EUR' })).toMatchObject([
      { at: '2026-03-14', country: 'DE', device: 'desktop', impressions: '1234567', earnings: '1234.56' },
      { ad_unit: 'Home', device: 'mobile', impressions: '10', earnings: '1.5' },
    ]);
  });

  it('names the column that is likely the missing one', async () => {
    const other = 'Date,Site,Fancy Id,Total Impressions,Partner Payout\n2026-03-14,a.example,1,10,1.5\n';
    await expect(read('gam-2.csv', other, { profile: 'gam' })).rejects.toThrow(
      /--map "Partner Payout=earnings"/,
    );
  });

  it('AdSense: an export in German, with money as people write it', async () => {
    const file =
      '\ufeffDatum;Website;Land;Plattform;Geschätzte Einnahmen;Impressionen;Klicks\n' +
      '14.03.2026;news.example;Deutschland;Desktop;1.234,56 €;1.234.567;12\n' +
      '15.03.2026;news.example;Vereinigte Staaten;High-End-Mobilgeräte;0,50 €;1.234;1\n' +
      'Gesamt;;;;1.235,06 €;1.235.801;13\nMittelwerte;;;;617,53 €;617.900;6\n';
    const { rows, first } = await read('adsense.csv', file, { profile: 'adsense' });
    expect(rows).toMatchObject([
      { country: 'DE', device: 'desktop', impressions: '1234567', earnings: '1234.56', currency: 'EUR' },
      { country: 'US', device: 'mobile', impressions: '1234', earnings: '0.50' },
    ]);
    expect(first?.totals).toHaveLength(2);
  });

  it('Taboola: thousands in quotes', async () => {
    const file =
      '"Day","Site Name","Country","Platform","Impressions","Visible Impressions","Ad Revenue"\n' +
      '"14/03/2026","news-example","United States","Phone","1,234,567","900,000","$1,234.56"\n' +
      '"Total","","","","1,234,567","900,000","$1,234.56"\n';
    await expect(read('taboola.csv', file, { profile: 'taboola' })).rejects.toThrow(/add --currency USD/);
    const given = { profile: 'taboola', currency: 'USD' };
    expect(await rowsOf('taboola.csv', file, given)).toMatchObject([
      { at: '2026-03-14', country: 'US', device: 'mobile', viewable: '900000', earnings: '1234.56' },
    ]);
  });

  it('Amazon: an amount whose currency is empty is set aside, and says how it counts', async () => {
    const file =
      'Date,Site,Device Type,Currency,Impressions,Earnings\n2026-03-14,a.example,PC,,100,1.5\n2026-03-15,a.example,PC,,0,0\n';
    expect(await rowsOf('amazon.csv', file, { profile: 'amazon' })).toMatchObject([
      { unreadable: expect.stringMatching(/currency is empty beside an amount: --currency/) },
      { earnings: '0' },
    ]);
    expect(await rowsOf('amazon.csv', file, { profile: 'amazon', currency: 'USD' })).toMatchObject([
      { earnings: '1.5', currency: 'USD' },
      { currency: 'USD' },
    ]);
    const json = '[{"day":"2026-03-14","impressions":1,"earnings":2,"currency":null}]';
    expect(await rowsOf('null.json', json)).toMatchObject([
      { unreadable: expect.stringMatching(/currency/) },
    ]);
  });

  it('Criteo: a mark, semicolons, decimal commas, and an environment that is not a device', async () => {
    const file =
      '\ufeffDay;Domain;Zone Name;Country;Environment;Displays;Revenue;Currency\n' +
      '2026-03-14;news.example;Top;FR;web;1234;12,34;EUR\n2026-03-15;news.example;Top;DE;web;34;0,34;EUR\n';
    const { rows, first } = await read('criteo.csv', file, { profile: 'criteo' });
    expect(rows).toMatchObject([{ device: 'web', earnings: '12.34' }, { earnings: '0.34' }]);
    expect(first?.strange).toEqual([{ field: 'device', value: 'web', rows: 2 }]);
  });

  it('line ends within quotes are a space of the name', async () => {
    const file = plain
      .replaceAll('\n', '\r\n')
      .replace('a.example', '"a.example"')
      .replace('day,', 'day,ad_unit,');
    const rows = await rowsOf('crlf.csv', file.replace('14,', '14,"Top\r\n""banner"", left",'));
    expect(rows).toMatchObject([{ ad_unit: 'Top "banner", left', domain: 'a.example' }]);
  });

  it('Namibia is a country where a code stands, and nothing in other columns', async () => {
    const file = 'day,country,os,device,impressions\n2026-03-14,NA,NA,NA,10\n2026-03-14,N/A,iOS,n/a,10\n';
    const rows = await rowsOf('codes.csv', file);
    expect(rows[0]).toEqual({
      row: '2',
      at: '2026-03-14',
      country: 'NA',
      impressions: '10',
      currency: 'EUR',
    });
    expect(rows[1]).toEqual({ row: '3', at: '2026-03-14', os: 'iOS', impressions: '10', currency: 'EUR' });
  });

  it('one bad line at the end of 200,000 is set aside alone', async () => {
    const lines = Array.from({ length: 200_000 }, (_, n) => `2026-03-14,a.example,${n},0.5,EUR\n`);
    const rows = await rowsOf('long.csv', `${plain.split('\n', 1)[0]}\n${lines.join('')}2026-03-14,a.exa`);
    expect(rows).toHaveLength(200_001);
    expect(rows.filter(({ unreadable }) => unreadable !== undefined)).toMatchObject([
      { row: '200002', unreadable: 'does not have as many fields as the header' },
    ]);
  });

  it('JSON with objects inside of rows', async () => {
    const nested = {
      metadata: { currency: 'EUR' },
      results: [
        {
          date: '2026-03-14',
          dimensions: { site: 'a.example', country: 'Germany' },
          metrics: { paid_impressions: 1234, seller_net_revenue: 1.5 },
          before: { paid_impressions: 7 },
        },
      ],
    };
    const given = { profile: 'magnite', currency: 'USD', map: ['metrics.paid_impressions=impressions'] };
    expect(await rowsOf('nested.json', JSON.stringify(nested), given)).toMatchObject([
      { domain: 'a.example', country: 'DE', impressions: '1234', earnings: '1.5', currency: 'USD' },
    ]);
    const cells = { headers: [{ name: 'DATE' }], rows: [{ cells: [{ value: '2026-03-14' }] }] };
    await expect(read('cells.json', JSON.stringify(cells), { profile: 'adsense' })).rejects.toThrow(
      /every row needs its day: --map the one that has it. There are "name"/,
    );
  });
});

it('an apostrophe that keeps a cell a text is not part of its value', async () => {
  const file =
    "day,ad_unit,impressions,earnings,currency\n'2026-03-14,'=top,'1.000,\"'1,50\",EUR\n2026-03-14,'quoted',2,3,EUR\n";
  expect(await rowsOf('guarded.csv', file)).toMatchObject([
    { at: '2026-03-14', ad_unit: '=top', impressions: '1000', earnings: '1.50' },
    { ad_unit: "'quoted'" },
  ]);
});

it('two columns of one name are refused where they would count, since the second would hide the first', async () => {
  const file = 'day,impressions,impressions,note,note\n2026-03-14,10,9,x,y\n';
  await expect(read('twice.csv', file, { ignore: ['note'] })).rejects.toThrow(
    /two columns are named "impressions"/,
  );
  const other = file.replace('impressions,impressions', 'impressions,viewable');
  expect(await rowsOf('once.csv', other, { ignore: ['note'] })).toMatchObject([
    { impressions: '10', viewable: '9' },
  ]);
});

it('pages write spaces where interfaces write _', async () => {
  const file = 'Date,Site,Zone,Paid Impression,Seller Net Revenue\n2026-03-14,a.example,top,10,1.5\n';
  expect(await rowsOf('magnite.csv', file, { profile: 'magnite', currency: 'USD' })).toMatchObject([
    { domain: 'a.example', ad_unit: 'top', impressions: '10', earnings: '1.5' },
  ]);
});

describe('a file that is not what its name says', () => {
  it.each([
    ['gzip.csv', gzipSync(plain), /packed with gzip: add .gz/],
    ['old.csv', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as .xlsx/],
    ['log-in.csv', '<!DOCTYPE html><html><body>Sign in</body></html>', /page of the web/],
    ['big-endian.csv', bigEndian(plain), /UTF-16 without its mark.*--encoding utf-16be/],
    ['old.xls', 'x', /save it as .xlsx, or add --format/],
    ['empty.xlsx', '', /is empty, not whole, or of another kind/],
    ['empty.zip', '', /is empty, not whole, or of another kind/],
  ] as const)('%s is refused, with what to do', async (name, content, message) => {
    await expect(read(name, content)).rejects.toThrow(message);
  });

  it('is not an answer where it has no bytes', async () => {
    for (const name of ['empty.csv', 'empty.csv.gz', 'empty.json'])
      expect((await read(name, '')).first).toMatchObject({ rows: [], isAnswer: false });
  });

  it('an archive has what the Finder puts beside its files', async () => {
    const zip = await zipOf({
      'reports/march.csv': plain,
      '__MACOSX/reports/._march.csv': '\0\u0005\u0016\u0007',
      'reports/.DS_Store': '\0',
    });
    expect(await read('mac.zip', zip)).toMatchObject({ files: 1, rows: [{ domain: 'a.example' }] });
    expect(await read('one.csv.gz', gzipSync(plain))).toMatchObject({ rows: [{ earnings: '1.5' }] });
    expect(await read('be.csv', bigEndian(plain), { encoding: 'utf-16be' })).toMatchObject({
      rows: [{ earnings: '1.5' }],
    });
  });
});

/** A sheet as a program writes it that is none of the known ones. @param about of a sheet before it. */
function workbook(rows: string, { properties = '', about = '' } = {}): Promise<Buffer> {
  const isSecond = about !== '';
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const ofBook = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${relations}/${kind}" Target="${target}"/>`;
  return zipOf({
    'xl/workbook.xml': `<workbook ${main} xmlns:r="${relations}">${properties}<sheets>${isSecond ? '<sheet name="About" sheetId="2" r:id="rId3"/>' : ''}<sheet name="Report data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${ofBook(1, 'worksheet', '/xl/worksheets/sheet1.xml')}${ofBook(2, 'styles', 'styles.xml')}${ofBook(3, 'worksheet', 'worksheets/sheet2.xml')}</Relationships>`,
    'xl/worksheets/sheet2.xml': `<worksheet ${main}><sheetData>${about}</sheetData></worksheet>`,
    'xl/styles.xml': `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="[$-407]d\\.\\ mmmm\\ yyyy;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
  });
}
const rowOf = (n: number, cells: readonly string[]): string =>
  `<row r="${n}">${cells.map((cell, at) => cell.replace('<c', `<c r="${String.fromCharCode(65 + at)}${n}"`)).join('')}</row>`;
const inline = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const value = (text: number, attributes = ''): string => `<c ${attributes}><v>${text}</v></c>`;
const header = rowOf(1, ['day', 'domain', 'impressions', 'earnings', 'currency'].map(inline));

describe('spreadsheets', () => {
  it('have numbers and days as texts', async () => {
    const names = [
      'Date',
      'Ad unit',
      'Country',
      'Device category',
      'Total impressions',
      'Total CPM and CPC revenue (€)',
    ];
    const rows = [
      ['3/14/26', 'Home', 'Germany', 'Tablet', '1,234,567', '€1,234.56'],
      ['3/15/26', 'Home', '(not set)', 'Desktop', '5', '€0.01'],
      ['Total', '-', '-', '-', '1,234,572', '€1,234.57'],
    ];
    const book = await workbook([names, ...rows].map((row, n) => rowOf(n + 1, row.map(inline))).join(''));
    expect(await rowsOf('gam.xlsx', book, { profile: 'gam' })).toEqual([
      {
        ...{ row: '2', at: '2026-03-14', ad_unit: 'Home', country: 'DE', device: 'tablet' },
        ...{ impressions: '1234567', earnings: '1234.56', currency: 'EUR' },
      },
      {
        ...{ row: '3', at: '2026-03-15', ad_unit: 'Home', device: 'desktop' },
        ...{ impressions: '5', earnings: '0.01', currency: 'EUR' },
      },
    ]);
  });

  it('are read where their header is: other sheets say what the report is about', async () => {
    const row = rowOf(2, [value(46_095, 's="1"'), inline('a.example'), value(10), value(1), inline('EUR')]);
    const about =
      rowOf(1, [inline('Date range'), inline('March')]) + rowOf(2, [inline('Currency'), inline('EUR')]);
    expect(await read('two.xlsx', await workbook(header + row, { about }))).toMatchObject({
      rows: [{ at: '2026-03-14', impressions: '10' }],
      first: { unread: ['About'] },
    });
    await expect(read('no.xlsx', await workbook(about, { about }))).rejects.toThrow(
      /unknown column "Date range"/,
    );
  });

  it('have days in a style of their own, shared formulas, and two beginnings of time', async () => {
    const rows = (offset: number): string =>
      header +
      rowOf(2, [
        ...[value(46_095 - offset, 's="1"'), inline('a.example'), value(10)],
        ...['<c><f t="shared" ref="D2:D3" si="0">C2*0.1</f><v>1</v></c>', inline('EUR')],
      ]) +
      rowOf(3, [
        ...[value(46_096 - offset, 's="1"'), '<c t="str"><f>LOWER("A")</f><v>a.example</v></c>', value(12)],
        ...['<c><f t="shared" si="0"/><v>1.2</v></c>', inline('EUR')],
      ]);
    for (const [offset, properties] of [
      [0, ''],
      [1_462, '<workbookPr date1904="1"/>'],
      [1_462, '<workbookPr date1904="true"/>'],
    ] as const)
      expect(await rowsOf('dates.xlsx', await workbook(rows(offset), { properties }))).toMatchObject([
        { at: '2026-03-14', domain: 'a.example', impressions: '10', earnings: '1' },
        { at: '2026-03-15', domain: 'a.example', impressions: '12', earnings: '1.2' },
      ]);
  });

  it('have no figure where a formula was not calculated, or is an error: such a row is not one of 0', async () => {
    const row = (n: number, earnings: string): string =>
      rowOf(n, [value(46_095, 's="1"'), inline('a.example'), value(10), earnings, inline('EUR')]);
    const rows = header + row(2, '<c><f>C2*0.1</f></c>') + row(3, '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>');
    const book = await workbook(rows);
    expect(await rowsOf('formulas.xlsx', book)).toMatchObject([
      { unreadable: expect.stringMatching(/earnings is a formula without its value: open the file/) },
      { unreadable: 'earnings is the error #DIV/0!' },
    ]);
    const other = { ignore: ['earnings'] };
    expect(await rowsOf('formulas.xlsx', book, other)).toMatchObject([{ impressions: '10' }, {}]);
  });
});
