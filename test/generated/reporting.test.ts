// tier: system, clickhouse
import { connect } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileAddresses } from '../../reporting/schedules/file-address.ts';
import { jobsPath, makeJobOf, startTestJobs } from '../reporting/jobs/support.ts';
import { savedBody } from '../reporting/saved/support.ts';
import {
  createReportToken,
  generatePath,
  generateRequest,
  nothing,
  plainBody,
} from '../reporting/support.ts';
import { createReportWorld } from '../reporting/world.ts';
import { testMasterKey, testSealer } from '../support/builders.ts';
import { createAnswerCheck, createValidator, type Document, examplesOf, operationOf } from './answers.ts';
import { isOdd, type MadeUp, plainRequestTo, requestsTo, targetOf } from './requests.ts';
import { byName, collectRoutes, type ListedRoute } from './routes.ts';

/**
 * The reporting API as its own document says it is, over the real ClickHouse engine: every route with what its
 * schema and the list of nasty values make up. `FUZZ_SEED=<seed> FUZZ_RUNS=<runs>` plays a failure again.
 */
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2_147_483_647);
const runs = Number(process.env.FUZZ_RUNS ?? 8);

const world = await createReportWorld('embedded', { config: { reportRatePerMinute: 10_000 } });
let routes: readonly ListedRoute[] = [];
const jobs = await startTestJobs(world);
const app = world.another({
  config: { reportRatePerMinute: 10_000 },
  jobs: { store: jobs.store, wake: () => {} },
  schedules: {
    ...{ sealer: testSealer, addresses: createFileAddresses(testMasterKey, []), hasMail: true },
    wake: () => {},
  },
});
routes = collectRoutes(app);
await app.ready();
afterAll(async () => {
  await jobs.close();
  await world.close();
});

// What the examples of notes and muted series name; it earned nothing, so that it needs no rate.
await world.addRows([
  {
    ...{ at: '2026-01-14 00:00:00', load: 0, source: 'gam', domain: 'news.example', currency: 'EUR' },
    ...{ product: 'standard display', country: 'DE', impressions: 1, earnings: 0 },
  },
]);
const tokens = {
  owner: await createReportToken(world.database),
  stranger: await createReportToken(world.database, nothing),
  nonsense: '1|x',
};
const done = await makeJobOf(jobs.app, tokens.owner, plainBody);
const params = { id: String(done.id), part: '0', run: '1', job: String(done.id) };
const document = (await app.inject('/api/v1/openapi.json')).json() as Document;
const undocumented = createAnswerCheck(document);
const documented = routes.filter(({ hidden }) => !hidden);
/** What answers before a route is chosen. */
const early: ReadonlySet<number> = new Set([400, 404, 405, 414]);

const requestOf = (route: ListedRoute, made: MadeUp) => ({
  method: route.method as 'POST',
  url: targetOf(route, made, params),
  headers: {
    ...(made.who === 'nobody' ? {} : { authorization: `Bearer ${tokens[made.who]}` }),
    ...(made.accept === null ? {} : { accept: made.accept }),
    ...(made.body === null ? {} : { 'content-type': made.body.contentType }),
  },
  ...(made.body === null ? {} : { payload: made.body.payload }),
});

type Sent = Awaited<ReturnType<typeof app.inject>>;

function faultsOf(route: ListedRoute, made: MadeUp, answer: Sent): string[] {
  const { statusCode, body, headers } = answer;
  if (statusCode >= 500) return [`answered ${statusCode}: ${body}`];
  if (statusCode === 200 && !String(headers['content-type']).startsWith('application/json')) return [];
  if (early.has(statusCode) && (isOdd(made) || route.hidden)) return [];
  return route.hidden ? [] : undocumented(route, answer);
}

describe('a request for a report', () => {
  const ask = (body: object | Buffer, query = '', contentType = 'application/json') =>
    app.inject({
      method: 'POST',
      url: `${generatePath}${query}`,
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': contentType },
      payload: body,
    });

  it('with a misspelt field is told what was meant, at every depth', async () => {
    const filter = { valeu: 'os', type: 'dimension', comparator: 'in', selectedValues: ['iOS'] };
    const whole = {
      ...plainBody,
      filterGroups: [],
      filter_groups: [{ operator: 'or', filter: [], filters: [filter] }],
      sort: [{ by: 'impressions', dirction: 'asc' }],
    };
    const { status, message, errors } = (await ask(whole)).json();
    expect([status, message]).toEqual(['error', 'Validation failed']);
    for (const [name, meant] of [
      ['filterGroups', 'filter_groups'],
      ['filter_groups.0.filter', 'filter_groups.0.filters'],
      ['filter_groups.0.filters.0.valeu', 'filter_groups.0.filters.0.value'],
      ['sort.0.dirction', 'sort.0.direction'],
    ] as const)
      expect(errors[name]).toEqual([`${name} is not a field of this request; did you mean ${meant}?`]);
  });

  it('takes no parameters in its address', async () => {
    const answer = await ask(plainBody, '?currency=USD');
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      { currency: ['currency is not a parameter of this request, which takes none.'] },
    ]);
  });

  it('is refused where it is not UTF-8, or means another charset', async () => {
    const latin = Buffer.from(JSON.stringify({ ...plainBody, zzz: 'Grüße' }), 'latin1');
    for (const [body, query, type] of [
      [latin, '', 'application/json'],
      [latin, '', 'application/json; charset=ISO-8859-1'],
      [plainBody, '?a=%FF', 'application/json'],
    ] as const) {
      const answer = await ask(body, query, type);
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { status: 'error', message: expect.stringContaining('UTF-8') },
      ]);
    }
  });
});

const savedPath = '/api/v1/reports/saved';
const schedulesPath = '/api/v1/reports/schedules';
// Whom the example of a schedule names.
await world.database.query(
  `UPDATE users SET email = 'anna@news.example' WHERE id = (SELECT min(user_id) FROM report_tokens)`,
);

/** The saved report that the example of a schedule names. */
const saveExample = (): Promise<unknown> =>
  world.database.query(
    `INSERT INTO saved_reports (id, organization_id, name, period, request, made_by) OVERRIDING SYSTEM VALUE
     SELECT 3, organization_id, 'Example', 'last_week', '{"metrics":["impressions"],"currency":"EUR"}', id
     FROM users WHERE email = 'anna@news.example'`,
  );

/** The address of a saved report, with another name than the document's example. */
async function anySaved(): Promise<string> {
  const made = await app.inject({ ...generateRequest(tokens.owner, savedBody), url: savedPath });
  return `${savedPath}/${made.json().data.id}`;
}

describe('the OpenAPI document of the reporting API', () => {
  it('is valid 3.1', async () => {
    expect((await new Validator().validate({ ...document })).valid).toBe(true);
  });

  it('describes every route: a summary, an id, a tag and the meaning of each answer', () => {
    expect(documented.map(({ name }) => name)).toEqual([
      `POST ${generatePath}`,
      'POST /api/v1/reports/discrepancies',
      'POST /api/v1/reports/anomalies',
      'GET /api/v1/reports/restatements',
      'PUT /api/v1/reports/days',
      ...['POST /', 'GET /', 'GET /:id', 'DELETE /:id', 'GET /:id/parts/:part', 'GET /:id/rows'].map((name) =>
        name.replace(' /', ` ${jobsPath}/`).replace(/\/$/, ''),
      ),
      'GET /api/v1/reports/discrepancies/sources',
      'POST /api/v1/reports/discrepancies/notes',
      'GET /api/v1/reports/anomalies/mutes',
      'POST /api/v1/reports/anomalies/mutes',
      ...['POST', 'GET'].map((method) => `${method} ${savedPath}`),
      ...['GET', 'PUT', 'DELETE'].map((method) => `${method} ${savedPath}/:id`),
      ...['POST', 'GET'].map((method) => `${method} ${schedulesPath}`),
      ...['GET', 'DELETE'].map((method) => `${method} ${schedulesPath}/:id`),
      ...['POST :id/pause', 'POST :id/resume', 'GET :id/runs', 'POST :id/runs', 'POST :id/runs/:run'].map(
        (name) => name.replace(' ', ` ${schedulesPath}/`),
      ),
      'GET /api/v1/reports/files/:run/:job/:part',
    ]);
    for (const route of documented) {
      const operation = operationOf(document, route);
      expect(operation).toMatchObject({ operationId: expect.any(String), summary: expect.any(String) });
      for (const { description } of Object.values(operation?.responses ?? {})) {
        expect(description).not.toBe('Default Response');
      }
    }
  });

  it.each(byName(documented))('shows examples for %s that match its schemas', (_name, route) => {
    const validate = createValidator(document);
    const operation = operationOf(document, route);
    const medias = [
      ...Object.values(operation?.requestBody?.content ?? {}),
      ...Object.values(operation?.responses ?? {}).flatMap(({ content }) => Object.values(content ?? {})),
    ];
    for (const media of medias) {
      expect(examplesOf(media).length, JSON.stringify(media)).toBeGreaterThan(0);
      for (const example of examplesOf(media)) expect(validate(media?.schema ?? {}, example)).toEqual([]);
    }
  });

  it.each(byName(documented))(
    'shows requests to %s that are accepted, and answers as it documents',
    async (_name, route) => {
      for (const example of examplesOf(
        operationOf(document, route)?.requestBody?.content['application/json'],
      )) {
        await world.database.query('DELETE FROM saved_reports');
        if (route.url === schedulesPath) await saveExample();
        const url = route.url === `${savedPath}/:id` ? await anySaved() : route.url;
        const method = route.method as 'POST';
        const answer = await app.inject({ ...generateRequest(tokens.owner, example), url, method });
        const status = { [jobsPath]: 202, [savedPath]: 201, [schedulesPath]: 201 }[route.url] ?? 200;
        expect(answer.statusCode, answer.body).toBe(status);
        expect(undocumented(route, answer)).toEqual([]);
      }
      await world.database.query('DELETE FROM saved_reports');
    },
  );

  it('has a page to read it, which makes no third-party requests', async () => {
    const page = await app.inject('/docs/reference/reports');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('BROADSIDE_REPORT_TOKEN');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe(`made-up requests (FUZZ_SEED=${seed} FUZZ_RUNS=${runs})`, () => {
  it.each(byName(routes))('to %s are answered as documented, and never with 5xx', async (_name, route) => {
    const property = fc.asyncProperty(requestsTo(route), async (made) => {
      expect(faultsOf(route, made, await app.inject(requestOf(route, made)))).toEqual([]);
    });
    await fc.assert(property, {
      seed,
      numRuns: Math.ceil(runs * (route.hidden ? 0.2 : 4)),
      interruptAfterTimeLimit: 30_000,
      examples: [[plainRequestTo(route)]],
    });
  });
});

const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));

/** @returns everything that came back until the API hung up. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    const ending = setTimeout(() => socket.end(), 400);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(ending);
      resolve(text);
    });
  });
}

describe('over a socket', () => {
  const closing = 'Host: x\r\nConnection: close\r\n';
  it.each([
    ['two slashes', `POST //api/v1/reports/generate HTTP/1.1\r\n${closing}\r\n`, 404],
    ['an encoded way up', `POST /api/v1/%2e%2e/v1/reports/generate HTTP/1.1\r\n${closing}\r\n`, 404],
    ['bytes that are not UTF-8', `GET /%ff HTTP/1.1\r\n${closing}\r\n`, 400],
    ['headers past the limit', `GET / HTTP/1.1\r\n${closing}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', `POST / HTTP/1.1\r\n${closing}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`, 400],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01', 400],
  ])('%s is answered in the one shape', async (_what, bytes, status) => {
    const answer = await exchange(bytes);
    expect(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])).toBe(status);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual({
      status: 'error',
      message: expect.any(String),
    });
  });
});
