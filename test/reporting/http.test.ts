// tier: postgres
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../engine/adapters/telemetry/logger.ts';
import { ReportFailed } from '../../reporting/answer/report-reader.ts';
import type { GenerateReport } from '../../reporting/generate/generate.ts';
import {
  createReportToken,
  createTestReporting,
  generatePath,
  generateRequest,
  heldReports,
  madeOf,
  plainBody,
  until,
} from './support.ts';

const test = await createTestReporting();
const token = await createReportToken(test.database);
afterAll(() => test.close());

const problem = { status: 'error', message: expect.any(String) };

describe('the listener', () => {
  it.each([
    ['a path that is none', 'POST', '/api/v1/reports', 404],
    ['another method', 'GET', generatePath, 405],
    ['an address that cannot be decoded', 'GET', '/%ff', 400],
  ] as const)('answers %s', async (_what, method, url, status) => {
    const answer = await test.app.inject({ method, url });
    expect([answer.statusCode, answer.json()]).toEqual([status, problem]);
    if (status === 405) expect(answer.headers.allow).toBe('POST');
  });

  it.each([
    ['no JSON', { payload: '{' }, 400],
    ['no body', { payload: '' }, 400],
    ['a body that is too large', { payload: JSON.stringify({ a: 'x'.repeat(1_100_000) }) }, 413],
    ['another content type', { headers: { 'content-type': 'text/plain' }, payload: 'a' }, 415],
    ['a type it does not have', { headers: { accept: 'text/html' } }, 406],
  ])('answers %s', async (_what, changes, status) => {
    const request = generateRequest(token);
    const headers = { ...request.headers, ...('headers' in changes ? changes.headers : {}) };
    const answer = await test.app.inject({ ...request, ...changes, headers });
    expect([answer.statusCode, answer.json()]).toEqual([status, problem]);
  });

  it('names each request, sets security headers, and forbids caching', async () => {
    const { headers } = await test.app.inject(generateRequest(token));
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it.each([
    ['ClickHouse', () => new ReportFailed('away', new Error('connect'))],
    ['Postgres', () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ])('answers 503 with Retry-After while %s is unavailable', async (_what, error) => {
    const app = test.another({
      generateReport: async () => {
        throw error();
      },
    });
    const answer = await app.inject(generateRequest(token));
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([503, '5', problem]);
  });

  it('reveals nothing of a bug', async () => {
    const app = test.another({
      generateReport: async () => {
        throw new Error('Unknown column ad_stats.secret');
      },
    });
    const answer = await app.inject(generateRequest(token));
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { status: 'error', message: 'Something went wrong on our side.' },
    ]);
  });
});

describe('the log', () => {
  it('names requests and their errors, and holds neither a token nor an address', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      level: 'debug',
      role: 'reporting',
      destination: { write: (line: string) => void lines.push(line) },
    });
    const app = test.another({
      logger,
      generateReport: async () => {
        throw new ReportFailed('away', new Error(`refused: Bearer ${token}`));
      },
    });
    const answer = await app.inject({ ...generateRequest(token), remoteAddress: '203.0.113.9' });
    const text = lines.join('');
    expect(text).toContain(String(answer.headers['x-request-id']));
    expect(text).toContain('a store is unavailable');
    expect(text).not.toContain(token.split('|')[1]);
    expect(text).not.toContain('203.0.113.9');
  });
});

/** Over a real socket: what a client sees of an answer that breaks off. */
async function exchange(
  url: string,
  body: object,
): Promise<{ status: number; text: string; ended: boolean }> {
  const call = httpRequest(`${url}${generatePath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  call.end(JSON.stringify(body));
  const [response] = await once(call, 'response');
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  response.on('error', () => {});
  await new Promise((resolve) => response.once('close', resolve));
  return { status: response.statusCode, text, ended: response.complete };
}

describe('an answer that breaks off in its middle', () => {
  it.each(['json', 'csv', 'ndjson', 'parquet', 'xlsx'])(
    'at ClickHouse is 503 before its first byte, never a short %s',
    async (format) => {
      async function* rows() {
        yield Buffer.from('["7"]\n'.repeat(200_000));
        throw new Error('ClickHouse went away');
      }
      const app = test.another({ generateReport: async () => madeOf(Readable.from(rows())) });
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      const { status, ended } = await exchange(url, { ...plainBody, format });
      expect([status, ended]).toEqual([503, true]);
    },
  );

  it.each(['json', 'csv'])('of a later part is a broken connection, never a short %s', async (format) => {
    const rows = '{"impressions":7}\n'.repeat(1_000);
    const app = test.another({
      generateReport: async () => ({
        ...madeOf(Readable.from([Buffer.from(rows)])),
        share: 0.5,
        later: [
          { share: 0.3, open: async () => Readable.from([Buffer.from(rows)]) },
          { share: 0.2, open: () => Promise.reject(new Error('ClickHouse went away')) },
        ],
      }),
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { status, ended } = await exchange(url, { ...plainBody, format });
    expect([status, ended]).toEqual([200, false]);
    expect((await test.exposition()).includes('broken_off_total{reason="rows"}')).toBe(true);
  });

  it.each(['json', 'xlsx'])('of a row is a broken connection, never a short %s', async (format) => {
    const rows = Readable.from([Buffer.from('["7"]\n'.repeat(200_000)), Buffer.from('["7')]);
    const app = test.another({ generateReport: async () => madeOf(rows) });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { status, ended } = await exchange(url, { ...plainBody, format });
    expect([status, ended]).toEqual([200, false]);
    expect(await test.exposition()).toMatch(/broadside_reports_broken_off_total\{reason="rows"\} [1-9]/);
  });
});

describe('a client that goes away', () => {
  it('ends the query while it waits, and the rows while they come', async () => {
    const { begun, generateReport } = heldReports();
    let rows: Readable | null = null;
    const endless: GenerateReport = async () => {
      rows = new Readable({ read: () => {} });
      rows.push(Buffer.from('{"impressions":7}\n'.repeat(10)));
      return madeOf(rows);
    };
    for (const [report, isGone] of [
      [generateReport, () => begun[0]?.aborted === true],
      [endless, () => rows?.destroyed === true],
    ] as const) {
      const app = test.another({ generateReport: report, config: { reportsAtOnce: 1 } });
      const url = await app.listen({ host: '127.0.0.1', port: 0 });
      const { headers, payload } = generateRequest(token);
      const leaving = new AbortController();
      const asked = fetch(`${url}${generatePath}`, {
        method: 'POST',
        headers,
        body: payload,
        signal: leaving.signal,
      });
      await until(() => begun.length > 0 && (report === generateReport || rows !== null));
      leaving.abort();
      await asked.catch(() => {});
      await until(isGone);
    }
    expect(await test.exposition()).toMatch(/broadside_reports_broken_off_total\{reason="reader"\} 2/);
  });
});

describe('a file', () => {
  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['ndjson', 'application/x-ndjson; charset=utf-8'],
    ['parquet', 'application/vnd.apache.parquet'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ])('in %s has its type, and a name with its days', async (format, type) => {
    const app = test.another({ generateReport: async () => madeOf(Readable.from([Buffer.from('["7"]\n')])) });
    const { headers } = await app.inject(generateRequest(token, { ...plainBody, format }));
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="report-2026-01-01-2026-01-31.${format}"`,
      'cache-control': 'no-store',
    });
  });
});

describe('metrics', () => {
  it('count requests by status, their time, rows and bytes', async () => {
    const own = await createTestReporting();
    const mine = await createReportToken(own.database);
    await own.app.inject(generateRequest(mine));
    await own.app.inject(generateRequest(null));
    await own.app.inject(generateRequest(mine, {}));
    const text = await own.exposition();
    for (const line of [
      'broadside_report_requests_total{status="200"} 1',
      'broadside_report_requests_total{status="401"} 1',
      'broadside_report_requests_total{status="422"} 1',
      'broadside_report_seconds_count 1',
      'broadside_report_rows_total 1',
      'broadside_report_bytes_total 18',
      'broadside_reports_in_hand 0',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
    await own.close();
  });
});
