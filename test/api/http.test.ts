import { once } from 'node:events';
import { connect } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../engine/adapters/postgres/database.ts';
import {
  appBody,
  bearer,
  callAs,
  createMember,
  createTestApi,
  type Member,
  newEndpoint,
  newKeys,
  type TestApi,
} from './support.ts';

const uuid = /^[0-9a-f-]{36}$/;

describe('errors', () => {
  let api: TestApi;
  let member: Member;
  beforeAll(async () => {
    api = await createTestApi();
    member = await createMember(api.database);
  });
  afterAll(() => api.close());

  const post = (payload: string | undefined, headers: Record<string, string> = {}) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v1/client/apps',
      headers: { ...bearer(member.token), 'content-type': 'application/json', ...headers },
      ...(payload === undefined ? {} : { payload }),
    });

  it.each<
    [
      what: string,
      payload: string | undefined,
      headers: Record<string, string>,
      status: number,
      message: string,
    ]
  >([
    ['JSON that is none', '{"name":', {}, 400, 'The request body is not valid JSON.'],
    ['an empty body', '', {}, 400, 'The request body is empty.'],
    [
      'a poisoned prototype',
      '{"__proto__":{"a":1},"name":"x"}',
      {},
      400,
      'The request body is not valid JSON.',
    ],
    [
      'another content type',
      'name=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'The request body must be application/json.',
    ],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415, 'The request body must be application/json.'],
    ['a body past the limit', `"${'x'.repeat(65_536)}"`, {}, 413, 'The request body is too large.'],
  ])('answer %s in one shape', async (_what, payload, headers, status, message) => {
    const answer = await post(payload, headers);
    expect([answer.statusCode, answer.json()]).toEqual([status, { message }]);
    expect(answer.headers['x-request-id']).toMatch(uuid);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  it.each(['[]', 'null', '"x"', '3'])('answer a body that is %s with 422', async (payload) => {
    const answer = await post(payload);
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['body']]);
  });

  it.each(['/', '/api/v1/client/nothing', '/api/v2/client/apps', '/api/v1/client/apps/a/b/c'])(
    'answer 404 for %s, with a token and without',
    async (url) => {
      for (const headers of [{}, bearer(member.token)]) {
        const answer = await api.app.inject({ method: 'GET', url, headers });
        expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Not found.' }]);
        expect(answer.headers['x-request-id']).toMatch(uuid);
      }
    },
  );

  it('answer 405 where only the method is wrong, and name the right ones', async () => {
    const answer = await api.app.inject({ method: 'DELETE', url: '/api/v1/client/apps' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect(answer.json()).toEqual({ message: 'This address does not take DELETE.' });
  });

  it('answer 400 for an address that cannot be decoded', async () => {
    const answer = await api.app.inject({ method: 'GET', url: '/api/v1/client/apps/%zz' });
    expect([answer.statusCode, answer.json()]).toEqual([400, { message: 'The request is malformed.' }]);
    expect(answer.headers['x-request-id']).toMatch(uuid);
  });

  it('tell neither stack nor SQL when something breaks', async () => {
    await api.database.query(`ALTER TABLE apps RENAME COLUMN default_silent TO renamed`);
    const answer = await api.app.inject({ url: '/api/v1/client/apps', headers: bearer(member.token) });
    await api.database.query(`ALTER TABLE apps RENAME COLUMN renamed TO default_silent`);
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { message: 'Something went wrong on our side.' },
    ]);
  });

  it('give every request an id of its own', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await api.app.inject('/')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('keep a path parameter with NUL from Postgres', async () => {
    const answer = await api.app.inject({ url: '/api/v1/client/apps/a%00b', headers: bearer(member.token) });
    expect(answer.statusCode).toBe(404);
  });

  it('over a socket, too', async () => {
    const url = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    socket.write('GET /api/v1/client/apps HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 401/);
  });
});

describe('without Postgres', () => {
  it('the API answers 503 with Retry-After, says it is not ready, and lives', async () => {
    const database = createDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      applicationName: 'test',
      maxConnections: 2,
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 1_000,
    });
    const api = await createTestApi({
      database,
      readiness: async () => ({ postgres: await database.ping() }),
    });
    const token = `1|${'a'.repeat(43)}`;
    const body = { subscription: { endpoint: newEndpoint(), keys: newKeys() } };
    const answers = await Promise.all([
      api.app.inject({ url: '/api/v1/client/apps', headers: bearer(token) }),
      api.app.inject({
        method: 'POST',
        url: '/api/v1/client/apps',
        headers: bearer(token),
        payload: appBody(),
      }),
      api.app.inject({
        method: 'POST',
        url: '/api/v1/public/subscribe',
        headers: { origin: 'https://news.example.com', 'x-app-id': 'x' },
        payload: body,
      }),
    ]);
    for (const answer of answers) {
      expect([answer.statusCode, answer.headers['retry-after'], Object.keys(answer.json())]).toEqual([
        503,
        '5',
        ['message'],
      ]);
    }
    const ready = await api.app.inject('/internal/health/ready');
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      { status: 'not ready', checks: { postgres: false } },
    ]);
    expect((await api.app.inject('/internal/health/live')).statusCode).toBe(200);
    await database.close();
    await api.close();
  });

  it('that came back, the API answers again', async () => {
    const api = await createTestApi();
    const call = callAs(api.app, await createMember(api.database));
    await api.database
      .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()`)
      .catch(() => {});
    expect((await call('GET', '/apps')).statusCode).toBe(200);
    expect((await api.app.inject('/internal/health/ready')).json()).toEqual({
      status: 'ready',
      checks: { postgres: true },
    });
    await api.close();
  });
});

describe('the OpenAPI document', () => {
  it('is valid 3.1, and has every route with its answers', async () => {
    const api = await createTestApi();
    const document = (await api.app.inject('/api/v1/openapi.json')).json();
    expect(await new Validator().validate(document)).toMatchObject({ valid: true });
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).sort()).toEqual([
      '/api/v1/client/apps',
      '/api/v1/client/apps/{identifier}',
      '/api/v1/client/apps/{identifier}/analytics/overview',
      '/api/v1/client/apps/{identifier}/deliveries',
      '/api/v1/client/apps/{identifier}/deliveries/{delivery_id}',
      '/api/v1/public/subscribe',
    ]);
    const create = document.paths['/api/v1/client/apps/{identifier}/deliveries'].post;
    expect(Object.keys(create.responses)).toEqual(
      expect.arrayContaining(['201', '401', '403', '404', '422', '503']),
    );
    expect(create.requestBody.content['application/json'].schema.required).toEqual([
      'name',
      'title',
      'body',
      'url',
    ]);
    await api.close();
  });
});
