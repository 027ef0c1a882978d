// tier: system, clickhouse
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReportReader } from '../../reporting/answer/report-reader.ts';
import { unzip } from '../support/unzip.ts';
import { createReportToken, everything, generateRequest } from './support.ts';
import { createReportWorld, type ReportWorld, testBounds } from './world.ts';

/** Texts that break formats: quotes, separators, formulas, other scripts. */
const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'a "b", c;d', 'müller 💥', "'x", ''];

/** Each format from the real engine: embedded, and by the real client over HTTP. */
describe.each(['embedded', 'http'] as const)('formats, ClickHouse %s', (home) => {
  let world: ReportWorld;
  let token: string;
  beforeAll(async () => {
    world = await createReportWorld(home);
    token = await createReportToken(world.database);
    await world.addRows(
      names.map((deal_name, n) => ({
        at: '2026-01-31 00:00:00',
        deal_name,
        impressions: n + 1,
        earnings: '0.10000001',
        currency: 'EUR',
      })),
    );
  });
  afterAll(() => world.close());

  const body = {
    dimensions: ['day', 'deal_name'],
    metrics: ['impressions', 'earnings'],
    currency: 'EUR',
    selectedDate: ['2026-01-01', '2026-01-31'],
    sort: [{ by: 'impressions' }],
  };
  const get = (format: string, changes: object = {}) =>
    world.app.inject(generateRequest(token, { ...body, format, ...changes }));

  it('csv: headings, CRLF, quoted texts; a formula begins with an apostrophe', async () => {
    const answer = await get('csv');
    expect(answer.body.startsWith('"day","deal_name","impressions","earnings"\r\n')).toBe(true);
    expect(answer.body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const rows = parse(answer.body, { columns: true }) as Record<string, string>[];
    expect(rows.map(({ deal_name }) => deal_name)).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      ...names.slice(4),
    ]);
    expect(rows[0]).toMatchObject({ day: '2026-01-31', impressions: '1', earnings: '0.1' });
  });

  it('csv: groups and filters by the stored text, not by the displayed one', async () => {
    const filters = [{ value: 'deal_name', type: 'dimension', comparator: 'in', selectedValues: ['=1+1'] }];
    const answer = await get('csv', { filter_groups: [{ operator: 'or', filters }] });
    expect(parse(answer.body, { columns: true })).toHaveLength(1);
  });

  describe('a report of many days, in parts', () => {
    const many = {
      ...{ dimensions: ['day', 'domain'], metrics: ['impressions', 'earnings'], currency: 'EUR' },
      selectedDate: ['2025-06-01', '2025-08-27'],
    };
    let all: string;
    beforeAll(async () => {
      all = await createReportToken(world.database, everything);
      const days = Array.from({ length: 88 }, (_, day) => new Date(Date.UTC(2025, 5, 1 + day)));
      await world.addRows(
        // Late in the evening: in Berlin it is the day after. None in the first days.
        days.slice(12).flatMap((day, index) =>
          ['b.example', 'a.example', '"c".example'].slice(index % 2).map((domain) => ({
            at: `${day.toISOString().slice(0, 10)} 23:30:00`,
            ...{ domain, impressions: index, earnings: '0.5', currency: 'EUR' },
          })),
        ),
      );
    });
    const ask = async (changes: object) => world.app.inject(generateRequest(all, { ...many, ...changes }));
    /** With a limit, it is one statement. */
    const both = async (changes: object) => [await ask(changes), await ask({ ...changes, limit: 100_000 })];

    it.each<[string, object]>([
      ['day by day', {}],
      [
        'from the last day',
        {
          sort: [
            { by: 'day', direction: 'desc' },
            { by: 'domain', direction: 'desc' },
          ],
        },
      ],
      ['of another timezone', { timezone: 'Europe/Berlin' }],
      ['with totals', { totals: true }],
    ])('is what one statement answers: %s', async (_case, changes) => {
      const [parts, whole] = (await both(changes)).map((answer) => answer.json());
      expect(parts.data.length).toBeGreaterThan(185);
      expect(parts).toEqual({ ...whole, meta: { ...whole.meta, total_count: parts.meta.total_count } });
    });

    it.each(['csv', 'ndjson'])('has one heading, and every row once, as %s', async (format) => {
      const [parts, whole] = (await both({ format })).map(({ body: text }) => text);
      expect(parts).toBe(whole);
      expect(parts?.trimEnd().split('\n')).toHaveLength(format === 'csv' ? 191 : 190);
    });

    it('is refused where all parts have too many rows, and where a later one has, though nothing was sent', async () => {
      for (const rows of [100, 40]) {
        const bounds = { ...testBounds, rows };
        const generateReport = world.generateWith(createReportReader(world.clickhouse, bounds), bounds);
        const small = world.another({ generateReport, config: { reportRows: rows } });
        const answer = await small.inject(generateRequest(all, many));
        expect([answer.statusCode, answer.json().errors.dimensions[0]]).toEqual([
          422,
          expect.stringContaining(`more than ${rows} rows`),
        ]);
      }
    });
  });

  it('ndjson: a row a line, texts as they are', async () => {
    const lines = (await get('ndjson')).body.trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows.map(({ deal_name }) => deal_name)).toEqual(names);
    expect(rows[0]).toEqual({ day: '2026-01-31', deal_name: '=1+1', impressions: 1, earnings: 0.1 });
  });

  it('xlsx: a sheet with numbers, dates and texts', async () => {
    const sheet =
      unzip((await get('xlsx')).rawPayload)
        .get('xl/worksheets/sheet1.xml')
        ?.toString() ?? '';
    expect(sheet.match(/<row>/g)).toHaveLength(names.length + 1);
    expect(sheet).toContain(
      '<c s="2"><v>46053</v></c><c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c s="4"><v>1</v></c><c s="3"><v>0.1</v></c>',
    );
  });

  it('parquet: ClickHouse reads it back, with days as dates and amounts as decimals', async () => {
    const file = join(tmpdir(), `broadside-${home}-${process.pid}.parquet`);
    await writeFile(file, (await get('parquet')).rawPayload);
    const answer = await world.clickhouse.client.query({
      query: `SELECT count() AS rows, any(toTypeName(day)) AS day, any(toTypeName(earnings)) AS earnings,
        sum(impressions) AS impressions FROM file('${file}', Parquet)`,
      format: 'JSONEachRow',
    });
    const read = await answer.json();
    await rm(file);
    expect(read).toEqual([
      {
        rows: expect.toSatisfy((rows) => Number(rows) === names.length),
        day: expect.stringContaining('Date'),
        earnings: expect.stringContaining('Decimal'),
        impressions: expect.toSatisfy((sum) => Number(sum) === 36),
      },
    ]);
  });
});

it('refuses more rows than the bound with a message that says how to narrow, in every format', async () => {
  const bounds = { seconds: 20, memoryBytes: 1024 ** 3, rows: 3 };
  const world = await createReportWorld('http', { bounds });
  const token = await createReportToken(world.database);
  await world.addRows(
    Array.from({ length: 4 }, (_, n) => ({ at: '2026-01-31 00:00:00', domain: `d${n}`, impressions: 1 })),
  );
  const body = {
    ...{ dimensions: ['domain'], metrics: ['impressions'], currency: 'EUR' },
    selectedDate: ['2026-01-31', '2026-01-31'],
  };
  for (const format of ['json', 'csv', 'ndjson', 'parquet', 'xlsx']) {
    const answer = await world.app.inject(generateRequest(token, { ...body, format }));
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        status: 'error',
        message: 'Validation failed',
        errors: {
          dimensions: [
            expect.stringMatching(/more than 3 rows: make it a job .*choose fewer dimensions.*limit/),
          ],
        },
      },
    ]);
  }
  const limited = await world.app.inject(generateRequest(token, { ...body, limit: 3 }));
  expect(limited.json()).toMatchObject({ meta: { count: 3, total_count: 4 } });
  await world.close();
});

it('reports with a code of its own that the operator has to import rates, and blames no field', async () => {
  const world = await createReportWorld('http');
  const token = await createReportToken(world.database);
  await world.addRows([
    { at: '2026-01-31 00:00:00', domain: 'news.example', impressions: 1, earnings: '1', currency: 'USD' },
  ]);
  const body = {
    ...{ dimensions: ['domain'], metrics: ['earnings'], currency: 'EUR' },
    selectedDate: ['2026-01-31', '2026-01-31'],
  };
  for (const format of ['json', 'csv']) {
    const answer = await world.app.inject(generateRequest(token, { ...body, format }));
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      {
        status: 'error',
        code: 'exchange_rate_missing',
        message: expect.stringMatching(/USD of 2026-01-31 .* the operator has to import rates/),
      },
    ]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  const counted = await world.app.inject(generateRequest(token, { ...body, metrics: ['impressions'] }));
  expect(counted.statusCode).toBe(200);
  await world.close();
});
