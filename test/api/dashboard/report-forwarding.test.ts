// tier: postgres

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { admitReportToken } from '../../../engine/adapters/postgres/report-tokens.ts';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { hashSecret } from '../../../engine/kit/http/token.ts';
import { createReportToken, everything } from '../../reporting/support.ts';
import { type Browser, createPerson, openBrowser } from '../account/support.ts';
import { bearer, createTestApi, type TestApi } from '../support.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands in for the reporting API, and records its requests. */
async function startUpstream() {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  let answer: Answer = (_request, response) => response.end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push({
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answers: (next: Answer) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };
};

const TOKEN = '7|a-secret-of-the-report-token';
const report = { dimensions: ['day'], metrics: ['impressions'], currency: 'EUR' };
const path = '/dashboard/reports/generate';

describe('the way from the dashboard to the reporting API', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let api: TestApi;
  let browser: Browser;
  const headersOf = (extra: Record<string, string> = {}) => ({
    cookie: browser.cookie,
    'x-csrf-token': browser.csrf,
    'content-type': 'application/json',
    'x-report-token': TOKEN,
    ...extra,
  });
  const send = (payload: string = JSON.stringify(report), headers = headersOf()) =>
    api.app.inject({ method: 'POST', url: path, headers, payload });

  beforeEach(async () => {
    upstream = await startUpstream();
    api = await createTestApi({ config: { reportingUrl: `${upstream.url}/base` } });
    browser = await openBrowser(api.app, await createPerson(api.database, { role: 'member' }));
  });
  afterEach(async () => {
    await api.close();
    await upstream.close();
  });

  it('passes questions about jobs on to fixed paths, and their answers back', async () => {
    for (const [method, below, status] of [
      ['POST', '/jobs', 202],
      ['GET', '/jobs', 200],
      ['DELETE', '/jobs/7', 404],
      ['GET', '/jobs/7/parts/0', 410],
      ['GET', '/schedules', 200],
      ['POST', '/schedules/7/pause', 409],
      ['GET', '/schedules/7/runs', 200],
      ['POST', '/schedules/7/runs/12', 202],
    ] as const) {
      upstream.answers(json(status, { status: 'error', message: 'said' }));
      const headers = headersOf({ 'accept-encoding': 'br' });
      const answer = await api.app.inject({
        ...{ method, url: `/dashboard/reports${below}`, headers },
        ...(method === 'GET' ? {} : { payload: JSON.stringify(report) }),
      });
      expect([answer.statusCode, answer.headers['x-report-answer']]).toEqual([status, 'passed']);
      expect(upstream.seen.at(-1)).toMatchObject({
        ...{ method, url: `/base/api/v1/reports${below}` },
        headers: { authorization: `Bearer ${TOKEN}`, 'accept-encoding': 'br' },
      });
    }
    const count = upstream.seen.length;
    for (const below of ['/jobs/..', '/jobs/x', '/jobs/7/parts/%2e%2e', '/jobs/7%2f..'])
      expect(
        (await api.app.inject({ method: 'GET', url: `/dashboard/reports${below}`, headers: headersOf() }))
          .statusCode,
      ).toBeGreaterThanOrEqual(404);
    expect(upstream.seen).toHaveLength(count);
  });

  it('asks at no address that a page has: reloaded, the page would not come', () => {
    const routes = new URL('../../../api/dashboard/web/reports/routes.ts', import.meta.url);
    const pages = [...readFileSync(routes, 'utf8').matchAll(/path: '(\/reports[^']*)'/g)].map(
      ([, page]) => `/dashboard${page}`,
    );
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.filter((url) => api.app.hasRoute({ method: 'GET', url }))).toEqual([]);
    expect(api.app.hasRoute({ method: 'GET', url: '/dashboard/reports/schedules' })).toBe(true);
  });

  it('takes the body as it is to the set address, with the report’s token as its bearer and nothing of the session', async () => {
    upstream.answers(json(200, { status: 'success', data: [] }));
    const body = `{ "dimensions":["day"],  "metrics":["impressions"] }`;
    const answer = await send(body);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'success', data: [] }]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-report-answer': 'passed' });
    expect(upstream.seen).toMatchObject([{ url: '/base/api/v1/reports/generate', body }]);
    const headers = upstream.seen[0]?.headers ?? {};
    expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-csrf-token']));
  });

  it('vouches for who is logged in, so that nothing asked here uses up the five a minute of the token', async () => {
    upstream.answers(json(200, { status: 'success', data: [] }));
    const person = await createPerson(api.database);
    const token = await createReportToken(api.database, everything, person.userId);
    const [id = '', secret = ''] = token.split('|');
    const rates = { ofToken: 5, onPage: 30 };
    const admit = (pass: Buffer | null) =>
      admitReportToken(api.database, { id: Number(id), secretHash: hashSecret(secret) }, rates, pass);
    const left: (number | undefined)[] = [];
    for (let asked = 0; asked < 7; asked++) {
      // A pass of the request’s own counts for nothing.
      await send(undefined, headersOf({ 'x-report-token': token, 'x-report-pass': 'chosen' }));
      const pass = String(upstream.seen.at(-1)?.headers['x-report-pass']);
      left.push((await admit(hashSecret(pass)))?.remaining);
    }
    expect(left).toEqual([29, 28, 27, 26, 25, 24, 23]);
    expect((await admit(hashSecret('chosen')))?.remaining).toBe(4);
    expect(new Set(upstream.seen.map(({ headers }) => headers['x-report-pass'])).size).toBe(7);
  });

  it.each([
    [401, { status: 'error', message: 'Unauthenticated.' }, {}],
    [422, { status: 'error', message: 'Validation failed', errors: { currency: ['no'] } }, {}],
    [429, { status: 'error', message: 'Too many requests.' }, { 'retry-after': '41' }],
  ])('passes %i on, and marks it as being about the report', async (status, body, headers) => {
    upstream.answers(json(status, body, headers));
    const answer = await send();
    expect([answer.statusCode, answer.json()]).toEqual([status, body]);
    expect(answer.headers).toMatchObject({ 'x-report-answer': 'passed', ...headers });
  });

  it('hands a file on byte by byte, with its type, its name and its caveats', async () => {
    const bytes = Buffer.from([0x50, 0x4b, 0, 0xff, 0x0a, 0x0d]);
    const caveats = { 'x-old-rates': 'USD=2026-01-02', 'x-rows-left-out': 'HRK=12, LTL=3' };
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    upstream.answers((_request, response) => {
      response.writeHead(200, {
        'content-type': type,
        'content-disposition': 'attachment; filename="report.xlsx"',
        ...caveats,
      });
      response.end(bytes);
    });
    const answer = await send();
    expect(answer.rawPayload).toEqual(bytes);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-disposition': 'attachment; filename="report.xlsx"',
      ...caveats,
    });
  });

  it('is for sessions with the CSRF token alone: not for strangers, API tokens or other sites', async () => {
    const { cookie: _cookie, ...nobody } = headersOf();
    const { 'x-csrf-token': _csrf, ...forged } = headersOf();
    const { token } = await createPerson(api.database);
    expect((await send(undefined, nobody as never)).statusCode).toBe(401);
    expect((await send(undefined, headersOf(bearer(token)))).statusCode).toBe(401);
    expect((await send(undefined, forged as never)).statusCode).toBe(403);
    expect((await send(undefined, headersOf({ origin: 'https://evil.example' }))).statusCode).toBe(403);
    expect(upstream.seen).toEqual([]);
  });

  it('follows no redirect, and shows nothing that is not a report', async () => {
    const odd: Answer[] = [
      (_request, response) => response.writeHead(307, { location: `${upstream.url}/elsewhere` }).end(),
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>'),
      json(404, { message: 'Not found.' }),
    ];
    for (const answer of odd) {
      upstream.answers(answer);
      const got = await send();
      expect([got.statusCode, got.headers['x-report-answer']]).toEqual([502, 'unexpected']);
      expect(got.body).not.toContain('script');
    }
    expect(upstream.seen.map(({ url }) => url)).toEqual(odd.map(() => '/base/api/v1/reports/generate'));
  });

  it('sends nothing larger than the reporting API takes, and nothing but JSON', async () => {
    expect((await send('x'.repeat(1_048_577))).statusCode).toBe(413);
    expect((await send('a,b', headersOf({ 'content-type': 'text/csv' }))).statusCode).toBe(415);
    expect(upstream.seen).toEqual([]);
    upstream.answers(json(200, {}));
    expect((await send('x'.repeat(1_048_576))).statusCode).toBe(200);
  });

  it('passes the five reports of a user’s minute on at once, a sixth waits outside, and permits are released', async () => {
    const held: ServerResponse[] = [];
    upstream.answers((_request, response) => held.push(response));
    const running = [send(), send(), send(), send(), send()];
    await expect.poll(() => held.length).toBe(5);
    const sixth = await send();
    expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '2']);
    expect(sixth.headers['x-report-answer']).toBeUndefined();
    const other = await openBrowser(api.app, await createPerson(api.database));
    const theirs = send(undefined, headersOf({ cookie: other.cookie, 'x-csrf-token': other.csrf }));
    await expect.poll(() => held.length).toBe(6);
    for (const response of held) json(200, {})(undefined as never, response);
    for (const { statusCode } of await Promise.all([...running, theirs])) expect(statusCode).toBe(200);
    upstream.answers(json(200, {}));
    expect((await send()).statusCode).toBe(200);
  });

  it('answers 503 with Retry-After while the reporting API is unavailable', async () => {
    await upstream.close();
    const answer = await send();
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['x-report-answer']]).toEqual([
      503,
      '5',
      'away',
    ]);
  });

  it('breaks off where the reporting API breaks off, and ends its request where the reader goes', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}${path}`;
    const post = (signal?: AbortSignal) =>
      fetch(url, {
        method: 'POST',
        headers: headersOf(),
        body: JSON.stringify(report),
        ...(signal === undefined ? {} : { signal }),
      });
    upstream.answers((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('"day"\r\n');
      setTimeout(() => response.destroy(), 50);
    });
    await expect(post().then((answer) => answer.text())).rejects.toThrow();

    let gone = false;
    upstream.answers((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' }).write('"day"\r\n');
      response.on('close', () => {
        gone = true;
      });
    });
    const reader = new AbortController();
    await post(reader.signal);
    reader.abort();
    await expect.poll(() => gone).toBe(true);

    // While the report is still being made, too.
    let waiting: 'asked' | 'gone' | null = null;
    upstream.answers((_request, response) => {
      waiting = 'asked';
      response.on('close', () => {
        waiting = 'gone';
      });
    });
    const leaving = new AbortController();
    const left = expect(post(leaving.signal)).rejects.toThrow();
    await expect.poll(() => waiting).toBe('asked');
    leaving.abort();
    await left;
    await expect.poll(() => waiting).toBe('gone');
  });

  it('is closed where no reporting API is set up', async () => {
    const other = await createTestApi();
    const person = await openBrowser(other.app, await createPerson(other.database));
    const headers = {
      cookie: person.cookie,
      'x-csrf-token': person.csrf,
      'content-type': 'application/json',
    };
    const answer = await other.app.inject({ method: 'POST', url: path, headers, payload: report });
    expect([answer.statusCode, answer.json().message]).toEqual([
      404,
      expect.stringContaining('REPORTING_URL'),
    ]);
    await other.close();
  });
});

describe('the log of a report', () => {
  it('holds neither its token nor the session', async () => {
    const lines: string[] = [];
    const logger = createLogger({
      level: 'trace',
      role: 'api',
      destination: { write: (line: string) => void lines.push(line) },
    });
    // A closed port: the request fails, and the failure is logged.
    const api = await createTestApi({ logger, config: { reportingUrl: 'http://127.0.0.1:9' } });
    const browser = await openBrowser(api.app, await createPerson(api.database));
    const headers = {
      cookie: browser.cookie,
      'x-csrf-token': browser.csrf,
      'content-type': 'application/json',
      'x-report-token': TOKEN,
    };
    const answer = await api.app.inject({ method: 'POST', url: path, headers, payload: report });
    logger.info({ headers }, 'even where somebody logs the headers');
    await api.close();
    expect(answer.statusCode).toBe(503);
    expect(lines.join('')).toContain('the reporting API does not answer');
    expect(lines.join('')).not.toContain('a-secret-of-the-report-token');
    expect(lines.join('')).not.toContain(browser.csrf);
  });
});
