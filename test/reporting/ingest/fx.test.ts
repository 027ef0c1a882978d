// tier: system, alone
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Session } from 'chdb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFxRate } from '../../../engine/contract/fx-rate.ts';
import { type OpenRates, openRates } from '../../../reporting/cli/fx/open-rates.ts';
import { type RateLine, readRates } from '../../../reporting/cli/fx/read-rates.ts';
import { runCliHere } from '../../support/run-cli-here.ts';
import { zipOf } from '../../support/zip-of.ts';

const today = '2026-03-05';

const ecbXml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube>
    <Cube time="2026-03-04"><Cube currency="USD" rate="1.0855"/><Cube currency="JPY" rate="161.34"/></Cube>
    <Cube time="2026-03-03"><Cube currency='USD' rate='1.0844'/><Cube currency="GBP" rate="0,5"/></Cube>
  </Cube>
</gesmes:Envelope>`;

async function allOf({ lines }: OpenRates): Promise<RateLine[]> {
  const all: RateLine[] = [];
  for await (const some of lines) all.push(...some);
  return all;
}

async function linesOf(text: string, format: 'csv' | 'ndjson' = 'csv') {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const lines = [];
  for await (const piece of readRates(bytes(), format, today)) lines.push(...piece);
  return lines.map(({ line, rates, refusals }) => ({ line, rates, refusals }));
}

describe('exchange rates in files', () => {
  it('are read in the wide layout of the ECB, skipping cells without a rate', async () => {
    const text = 'Date,USD,JPY,CYP,\n2026-03-04,1.0855,161.34,N/A,\n2026-03-03,1.0844,,N/A,\n';
    expect(await linesOf(text)).toEqual([
      {
        line: 2,
        rates: [
          { day: '2026-03-04', currency: 'USD', perEur: '1.0855' },
          { day: '2026-03-04', currency: 'JPY', perEur: '161.34' },
        ],
        refusals: [],
      },
      { line: 3, rates: [{ day: '2026-03-03', currency: 'USD', perEur: '1.0844' }], refusals: [] },
    ]);
  });

  it('are read in the long layout, in CSV and NDJSON alike, with every digit', async () => {
    const rate = { day: '2026-03-04', currency: 'USD', perEur: '1.085512345678901234' };
    const long = await linesOf('currency,per_eur,day\nusd,1.085512345678901234,2026-03-04\n');
    expect(long).toEqual([{ line: 2, rates: [rate], refusals: [] }]);
    const json = await linesOf(
      '{"day":"2026-03-04","currency":"USD","per_eur":1.085512345678901234}\n',
      'ndjson',
    );
    expect(json).toEqual([{ line: 1, rates: [rate], refusals: [] }]);
    const wide = await linesOf('{"date":"2026-03-04","USD":"1.085512345678901234"}\n', 'ndjson');
    expect(wide).toEqual([{ line: 1, rates: [rate], refusals: [] }]);
  });

  it('are refused where they are invalid', () => {
    const refusal = (day: string, currency: string, perEur: string) =>
      parseFxRate({ day, currency, perEur }, today);
    expect(refusal('2026-03-05', 'USD', '1.1')).toEqual({
      day: '2026-03-05',
      currency: 'USD',
      perEur: '1.1',
    });
    for (const [day, currency, perEur, reason] of [
      ['2026-03-06', 'USD', '1', 'in the future'],
      ['2026-02-30', 'USD', '1', 'is not a day'],
      ['1998-12-31', 'USD', '1', 'before 1999-01-01'],
      ['2026-03-01', 'EUX', '1', 'not a currency'],
      ['2026-03-01', 'EUR', '1', 'EUR has no rate'],
      ['2026-03-01', 'USD', '0', 'zero'],
      ['2026-03-01', 'USD', '0.000', 'zero'],
      ['2026-03-01', 'USD', '-1.1', 'not a decimal above zero'],
      ['2026-03-01', 'USD', '1,1', 'not a decimal above zero'],
      ['2026-03-01', 'USD', '1e3', 'not a decimal above zero'],
      ['2026-03-01', 'USD', '1.1234567890123456789', 'not a decimal above zero'],
    ] as const) {
      expect(refusal(day, currency, perEur)).toContain(reason);
    }
  });

  it('are read as the ECB’s daily file and its data portal write them', async () => {
    const usd = { day: '2026-03-04', currency: 'USD', perEur: '1.0855' };
    const daily = 'Date, USD, JPY, \n04 March 2026, 1.0855, 161.34, \n';
    expect((await linesOf(daily))[0]?.rates).toEqual([usd, { ...usd, currency: 'JPY', perEur: '161.34' }]);
    const head =
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE';
    const portal = `${head}
EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-04,1.0855,A,"US dollar/Euro, ECB"
EXR.D.USD.EUR.SP00.A,D,USD,EUR,SP00,A,2026-03-03,,H,"US dollar/Euro, ECB"
EXR.M.USD.EUR.SP00.A,M,USD,EUR,SP00,A,2026-02,1.04,A,
EXR.D.EUR.USD.SP00.A,D,EUR,USD,SP00,A,2026-03-04,0.92,A,
`;
    expect(await linesOf(portal)).toEqual([
      { line: 2, rates: [usd], refusals: [] },
      { line: 3, rates: [], refusals: [] },
      ...[
        ['FREQ', 'M', 'D'],
        ['CURRENCY_DENOM', 'USD', 'EUR'],
      ].map(([name, is, wanted], at) => ({
        ...{ line: 4 + at, rates: [] },
        refusals: [`is not a daily reference rate for 1 EUR: ${name} is ${is}, not ${wanted}`],
      })),
    ]);
    const saved = `"DATE","TIME PERIOD","US dollar/Euro (EXR.D.USD.EUR.SP00.A)"\n2026-03-04,04 Mar 2026,1.0855\n`;
    expect((await linesOf(saved))[0]?.rates).toEqual([usd]);
  });

  it.each([
    ['csv', 'Date,USD,\n2026-03-04,1.0855,\n'],
    ['xml', ecbXml],
  ])('are read from a zip with one %s in it, and from no other', async (ending, text) => {
    const file = join(await mkdtemp(join(tmpdir(), 'broadside-fx-zip-')), 'rates.zip');
    const zipped = async (parts: Readonly<Record<string, string>>) => {
      await writeFile(file, await zipOf(parts));
      await using opened = await openRates(file, undefined, today);
      return (await allOf(opened)).flatMap(({ rates }) => rates);
    };
    expect(await zipped({ [`eurofxref.${ending}`]: text })).toContainEqual({
      ...{ day: '2026-03-04', currency: 'USD', perEur: '1.0855' },
    });
    await expect(zipped({ [`a.${ending}`]: text, 'b.csv': '' })).rejects.toThrow('holds 2 files: unpack it');
    await expect(zipped({})).rejects.toThrow('holds no file');
    await expect(zipped({ 'a.pdf': text })).rejects.toThrow('unknown format of');
  });

  it('are read from the ECB’s XML, each by itself', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'broadside-fx-xml-')), 'eurofxref-hist-90d.xml');
    await writeFile(file, ecbXml);
    await using opened = await openRates(file, undefined, today);
    const lines = await allOf(opened);
    expect(lines.flatMap(({ rates }) => rates)).toEqual([
      { day: '2026-03-04', currency: 'USD', perEur: '1.0855' },
      { day: '2026-03-04', currency: 'JPY', perEur: '161.34' },
      { day: '2026-03-03', currency: 'USD', perEur: '1.0844' },
    ]);
    expect(lines.flatMap(({ line, refusals }) => refusals.map((reason) => [line, reason]))).toEqual([
      [4, '"0,5" is not a decimal above zero'],
    ]);
  });

  it('report a wrong day once a line', async () => {
    expect(await linesOf('Date,USD,JPY\n2027-01-01,1.1,160\n')).toMatchObject([
      { line: 2, rates: [], refusals: ['2027-01-01 lies in the future'] },
    ]);
  });

  it('need a header that names the layout', async () => {
    await expect(linesOf('a,b\n1,2\n')).rejects.toThrow('the first line must be');
  });
});

/** A process of the command line loads the embedded engine: seconds each on a machine that is busy. */
const PROCESSES_MS = 180_000;

describe('broadside fx import', { timeout: PROCESSES_MS }, () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'broadside-fx-'));
  });
  afterAll(() => rm(cwd, { recursive: true, force: true }));
  const run = (...args: string[]) =>
    runCliHere(['fx', 'import', ...args], { cwd, env: { DATA_FOLDER: 'data' } });

  it('keeps the rates in the embedded ClickHouse: the last import counts, a repeated one changes nothing', async () => {
    const wide = (usd: string) => `Date,USD,JPY,\n2025-03-04,${usd},161.34,\n`;
    await writeFile(join(cwd, 'a.csv'), wide('1.08'));
    await writeFile(join(cwd, 'b.csv.gz'), gzipSync(`${wide('1.09')}2025-02-30,1,1,\n2025-03-05,0,-1,\n`));
    for (const file of ['a.csv', 'b.csv.gz']) {
      const { code, out } = await run(file);
      expect({ code, out }).toEqual({
        code: file === 'a.csv' ? 0 : 3,
        out: expect.stringContaining(`2 rates of ${file} are in: 2 currencies, 2025-03-04 to 2025-03-04`),
      });
    }
    const { err } = await run('b.csv.gz');
    expect(err.trimEnd().split('\n')).toEqual([
      'line 3: "2025-02-30" is not a day (YYYY-MM-DD)',
      'line 4: a rate of zero',
      'line 4: "-1" is not a decimal above zero',
    ]);
    using session = new Session(join(cwd, 'data', 'clickhouse'));
    const found = await session.queryAsync(
      `SELECT currency, toString(argMax(per_eur, version)) AS rate FROM broadside.fx_rates GROUP BY currency ORDER BY currency`,
      { format: 'JSON' },
    );
    expect(found.json<{ data: unknown }>().data).toEqual([
      { currency: 'JPY', rate: '161.34' },
      { currency: 'USD', rate: '1.09' },
    ]);
  });

  it('ends with one line where there is nothing to take', async () => {
    await writeFile(join(cwd, 'c.csv'), 'Date,USD\n');
    expect(await run('c.csv')).toMatchObject({ code: 1, err: 'broadside: c.csv holds no rate\n' });
    expect(await run('d.csv')).toMatchObject({ code: 1, err: 'broadside: there is no file d.csv\n' });
  });
});
