// tier: core, clickhouse
import { afterAll, describe, expect, it } from 'vitest';
import { parquetFooter } from '../../support/parquet-footer.ts';
import { unzip } from '../../support/unzip.ts';
import { createReportToken, generateRequest } from '../support.ts';
import { createReportWorld } from '../world.ts';
import { askJob, look, makeJobOf, partsOf, removeJob, startTestJobs } from './support.ts';

const body = {
  dimensions: ['day', 'domain'],
  metrics: ['impressions', 'earnings'],
  currency: 'EUR',
  selectedDate: ['2026-01-01', '2026-03-31'],
};
/** Each part holds two rows. */
const PART_ROWS = 2;

const world = await createReportWorld('embedded');
await world.addRows(
  [1, 2, 3, 4, 5].map((day) => ({
    at: `2026-01-0${day} 10:00:00`,
    domain: `a${day}.example`,
    ad_unit: `a "quoted"\nunit ${day}`,
    impressions: day,
    earnings: '0.12345678',
    currency: 'EUR',
  })),
);
const jobs = await startTestJobs(world, { partRows: PART_ROWS });
const token = await createReportToken(world.database);
afterAll(async () => {
  await jobs.close();
  await world.close();
});

const generated = async (request: object) => (await jobs.app.inject(generateRequest(token, request))).body;

describe('a job', () => {
  it('is answered with 202 and its address, and with what it became when it is over', async () => {
    const asked = await askJob(jobs.app, token, body);
    expect(asked.statusCode, asked.body).toBe(202);
    const { id } = asked.json().data;
    expect(asked.headers.location).toBe(`/api/v1/reports/jobs/${id}`);
    const job = await makeJobOf(jobs.app, token, { ...body, format: 'csv' });
    expect(job).toMatchObject({
      ...{
        state: 'done',
        rows: 5,
        problem: null,
        left_out: [],
        old_rates: [],
        seconds_left: null,
        format: 'csv',
      },
      parts: [
        { part: 0, kind: 'rows', rows: 2 },
        { part: 1, kind: 'rows', rows: 2 },
        { part: 2, kind: 'rows', rows: 1 },
      ],
      request: { selectedDate: ['2026-01-01', '2026-03-31'] },
    });
    const days = (Date.parse(String(job.expires_at)) - Date.parse(String(job.ended_at))) / 86_400_000;
    expect(days).toBe(7);
    const listed = (await look(jobs.app, token, '')).json().data as readonly { readonly id: number }[];
    expect(listed.map((one) => one.id)).toEqual([job.id, id]);
  });

  it('may have 24 months, where a report has three', async () => {
    const long = { ...body, selectedDate: ['2024-03-01', '2026-03-01'] };
    const refused = await jobs.app.inject(generateRequest(token, long));
    expect([refused.statusCode, refused.json().errors]).toEqual([
      422,
      { 'selectedDate.1': [expect.stringContaining('POST /reports/jobs')] },
    ]);
    expect(await makeJobOf(jobs.app, token, long)).toMatchObject({ state: 'done', rows: 5 });
    const longer = await askJob(jobs.app, token, { ...body, selectedDate: ['2024-03-01', '2026-03-02'] });
    expect([longer.statusCode, longer.json().errors]).toEqual([
      422,
      {
        'selectedDate.1': ['The selectedDate.1 field must be at most 24 months after the start: 2026-03-01.'],
      },
    ]);
  });

  it('gives JSON part by part as a report would have it', async () => {
    const job = await makeJobOf(jobs.app, token, { ...body, totals: true });
    const parts = (await partsOf(jobs.app, token, job)).map((part) => part.json());
    const whole = JSON.parse(await generated({ ...body, totals: true }));
    expect(parts.flatMap(({ data }) => data)).toEqual(whole.data);
    expect(parts.map(({ meta }) => meta)).toEqual([2, 2, 1].map((count) => ({ ...whole.meta, count })));
  });

  it.each(['csv', 'ndjson'])('gives %s whose parts together are the report', async (format) => {
    const request = { ...body, dimensions: ['day', 'ad_unit'], format };
    const job = await makeJobOf(jobs.app, token, request);
    const parts = (await partsOf(jobs.app, token, job)).map((part) => part.body);
    const heading = format === 'csv' ? `${parts[0]?.split('\r\n', 1)[0]}\r\n` : '';
    expect(parts).toHaveLength(3);
    for (const part of parts) expect(part.startsWith(heading)).toBe(true);
    expect(heading + parts.map((part) => part.slice(heading.length)).join('')).toBe(await generated(request));
  });

  it('gives one file of Parquet, and spreadsheets by their rows', async () => {
    const parquet = await makeJobOf(jobs.app, token, { ...body, format: 'parquet' });
    const [file] = await partsOf(jobs.app, token, parquet);
    expect(parquet.parts).toHaveLength(1);
    expect(file?.rawPayload.subarray(0, 4).toString()).toBe('PAR1');
    expect(file?.headers['content-disposition']).toBe(
      'attachment; filename="report-2026-01-01-2026-03-31.parquet"',
    );
    const xlsx = await makeJobOf(jobs.app, token, { ...body, format: 'xlsx' });
    const sheets = await partsOf(jobs.app, token, xlsx);
    expect(sheets).toHaveLength(3);
    expect(sheets[2]?.headers['content-disposition']).toContain('-part-3.xlsx');
    for (const sheet of sheets) expect(sheet.rawPayload.subarray(0, 2).toString()).toBe('PK');
  });

  it('says in each format where its figures come from, beside CSV and NDJSON in a last part', async () => {
    const asked = { ...body, include: ['sources'] };
    const { sources } = JSON.parse(await generated(asked)).meta;
    expect(sources.loads).toMatchObject([{ load: 0, kind: 'batch', rows: 5, files: [] }]);
    for (const format of ['csv', 'ndjson']) {
      const job = await makeJobOf(jobs.app, token, { ...asked, format });
      expect(job.parts.map(({ kind }) => kind)).toEqual(['rows', 'rows', 'rows', 'sources']);
      const last = (await partsOf(jobs.app, token, job)).at(-1);
      expect(last?.json()).toEqual(sources);
      expect(last?.headers['content-disposition']).toBe(
        `attachment; filename="report-2026-01-01-2026-03-31.${format}.sources.json"`,
      );
    }
    const [parquet] = await partsOf(
      ...[jobs.app, token],
      await makeJobOf(jobs.app, token, { ...asked, format: 'parquet' }),
    );
    const { keys } = parquetFooter(parquet?.rawPayload ?? Buffer.alloc(0));
    expect(JSON.parse(keys.get('broadside.sources') ?? 'null')).toEqual(sources);
    const sheets = await partsOf(
      ...[jobs.app, token],
      await makeJobOf(jobs.app, token, { ...asked, format: 'xlsx' }),
    );
    for (const sheet of sheets)
      expect(unzip(sheet.rawPayload).get('xl/worksheets/sheet2.xml')?.toString()).toContain('>batch<');
    const parts = await partsOf(jobs.app, token, await makeJobOf(jobs.app, token, asked));
    for (const part of parts) expect(part.json().meta.sources).toEqual(sources);
  });

  it('without rows has one part, which says so', async () => {
    const none = { ...body, selectedDate: ['2025-01-01', '2025-01-02'] };
    const job = await makeJobOf(jobs.app, token, none);
    const [part, ...others] = await partsOf(jobs.app, token, job);
    expect([others, part?.json()]).toMatchObject([[], { data: [], meta: { count: 0, total_count: 0 } }]);
    const csv = await makeJobOf(jobs.app, token, { ...none, format: 'csv' });
    const [headings] = await partsOf(jobs.app, token, csv);
    expect(headings?.body).toBe('"day","domain","impressions","earnings"\r\n');
  });

  it('that cannot be made says why, in the words of a report', async () => {
    const job = await makeJobOf(jobs.app, token, { ...body, currency: 'USD' });
    expect(job).toMatchObject({ state: 'failed', problem: { message: expect.stringContaining('USD') } });
    const part = await look(jobs.app, token, `/${job.id}/parts/0`);
    expect(part.statusCode).toBe(409);
  });
});

describe('pages of a job', () => {
  it('give each row once, whatever is imported meanwhile', async () => {
    const job = await makeJobOf(jobs.app, token, body);
    const seen: unknown[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = (await look(jobs.app, token, `/${job.id}/rows?limit=2${query}`)).json();
      expect(answer.meta).toMatchObject({ count: answer.data.length, total_count: 5 });
      seen.push(...answer.data);
      cursor = answer.meta.next_cursor;
      if (page === 0)
        await world.addRows([
          { at: '2026-01-01 10:00:00', domain: 'a0.example', impressions: 1, currency: 'EUR' },
        ]);
    }
    expect(seen).toHaveLength(5);
    expect(new Set(seen.map((row) => JSON.stringify(row))).size).toBe(5);
    const whole = await look(jobs.app, token, `/${job.id}/rows`);
    expect(whole.json()).toMatchObject({ data: seen, meta: { count: 5, next_cursor: null } });
  });

  it('begin at a cursor of theirs alone', async () => {
    const job = await makeJobOf(jobs.app, token, body);
    const at = (text: string) => encodeURIComponent(Buffer.from(text).toString('base64url'));
    for (const cursor of [at('0:1'), at('0:99999'), at('9:0'), at('-1:0'), 'x', at('0:0x')]) {
      const answer = await look(jobs.app, token, `/${job.id}/rows?cursor=${cursor}`);
      expect([cursor, answer.statusCode]).toEqual([cursor, 422]);
    }
    const csv = await makeJobOf(jobs.app, token, { ...body, format: 'csv' });
    expect((await look(jobs.app, token, `/${csv.id}/rows`)).statusCode).toBe(409);
  });
});

describe('of others', () => {
  it('a job is not found: neither by another user nor with another token of the same user', async () => {
    const job = await makeJobOf(jobs.app, token, body);
    const other = await createReportToken(world.database);
    for (const path of [`/${job.id}`, `/${job.id}/parts/0`, `/${job.id}/rows`])
      expect((await look(jobs.app, other, path)).statusCode).toBe(404);
    expect((await removeJob(jobs.app, other, job.id)).statusCode).toBe(404);
    expect((await look(jobs.app, other, '')).json().data).toEqual([]);
  });

  it('a job sees the rows of its token alone', async () => {
    const scope = { domains: ['a2.example'], wholesalers: [], unrestricted: false };
    const narrow = await createReportToken(world.database, scope);
    const job = await makeJobOf(jobs.app, narrow, body);
    const [part] = await partsOf(jobs.app, narrow, job);
    expect(part?.json().data.map(({ domain }: { domain: string }) => domain)).toEqual(['a2.example']);
    await world.database.query(
      `UPDATE report_tokens SET domains = '{a3.example}' WHERE domains = '{a2.example}'`,
    );
    expect((await look(jobs.app, narrow, `/${job.id}/parts/0`)).statusCode).toBe(410);
    expect((await look(jobs.app, narrow, `/${job.id}/rows`)).statusCode).toBe(410);
  });
});
