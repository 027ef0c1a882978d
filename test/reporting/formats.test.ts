// tier: system, alone
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../support/unzip.ts';
import { createReportToken, generateRequest } from './support.ts';
import { createReportWorld, type ReportWorld } from './world.ts';

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
