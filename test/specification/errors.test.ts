// tier: postgres
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../engine/adapters/postgres/database.ts';
import {
  appBody,
  bearer,
  callAs,
  createMember,
  createTestApi,
  deliveryBody,
  openWithMember,
} from '../api/support.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

const { api, member, call } = await openWithMember();

type Answer = Awaited<ReturnType<typeof call>>;

/** One shape for every status: a message for people, nothing else, in an answer that names its request. */
function expectProblem(answer: Answer, status: number, message: string): void {
  expect([answer.statusCode, answer.json()]).toEqual([status, { message }]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(uuid);
}

const post = (payload: string, headers: Record<string, string> = {}) =>
  api.app.inject({
    method: 'POST',
    url: '/api/v1/client/apps',
    headers: { ...bearer(member.token), 'content-type': 'application/json', ...headers },
    payload,
  });

describe('Errors', () => {
  it('400 | malformed request', async () => {
    expectProblem(await post('{"name":'), 400, 'The request body is not valid JSON.');
    expectProblem(await post(''), 400, 'The request body is empty.');
    expectProblem(
      await post('{"__proto__":{"a":1},"name":"x"}'),
      400,
      'The request body has a field called __proto__, or a prototype inside a constructor: give it another name.',
    );
    const answer = await api.app.inject({ url: '/api/v1/client/apps/%zz', headers: bearer(member.token) });
    expectProblem(answer, 400, 'The request is malformed.');
  });

  it('401 | missing or invalid token', async () => {
    expectProblem(await api.app.inject('/api/v1/client/apps'), 401, 'Unauthenticated.');
  });

  it('403 | token lacks the required ability', async () => {
    const reader = callAs(api.app, await createMember(api.database, { abilities: ['apps:read'] }));
    const answer = await reader('POST', '/apps', appBody());
    expectProblem(answer, 403, 'Token does not have the required ability: apps:write');
  });

  it('403 | public API: invalid origin', async () => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/public/subscribe',
      headers: { origin: 'https://stranger.example', 'x-app-id': 'x' },
      payload: {},
    });
    expectProblem(answer, 403, 'Invalid origin domain');
  });

  it('404 | resource not found or not visible to the organization: the two cannot be told apart', async () => {
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const stranger = callAs(api.app, await createMember(api.database));
    for (const path of ['', '/deliveries', '/deliveries/1', '/analytics/overview']) {
      expectProblem(await stranger('GET', `/apps/${identifier}${path}`), 404, 'Not found.');
      expectProblem(await stranger('GET', `/apps/missing${path}`), 404, 'Not found.');
    }
    for (const path of [
      '/nothing',
      '/api/v1/client/nothing',
      '/api/v2/client/apps',
      '/api/v1/client/apps/a/b/c',
    ]) {
      expectProblem(await api.app.inject({ url: path }), 404, 'Not found.');
    }
    for (const id of ['0', '-1', '1.5', 'x', '99999999999999999999', '%00']) {
      expectProblem(await call('GET', `/apps/${identifier}/deliveries/${id}`), 404, 'Not found.');
    }
  });

  it('422 | validation error (validation error body above)', async () => {
    const answer = await call('POST', '/apps', { name: 5 });
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        message: expect.stringMatching(/\(and 1 more error\)$/),
        errors: {
          site_domain: ['The site_domain field is required.'],
          name: ['The name field must be a string.'],
        },
      },
    ]);
    expect(answer.headers['x-request-id']).toMatch(uuid);
    for (const payload of ['[]', 'null', '"x"', '3']) {
      const { statusCode, body } = await post(payload);
      expect([statusCode, Object.keys(JSON.parse(body).errors)]).toEqual([422, ['body']]);
    }
  });

  it('422 | cancel of a finished or non-cancellable delivery, with a human-readable message', async () => {
    const { identifier } = (await call('POST', '/apps', appBody())).json().data;
    const path = `/apps/${identifier}/deliveries`;
    const { id } = (await call('POST', path, deliveryBody())).json().data;
    await api.database.query(`UPDATE deliveries SET status = 'success' WHERE id = $1`, [id]);
    const answer = await call('POST', `${path}/${id}/cancel`);
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(/completed/)]);
  });

  it('422 | public subscribe failure (generic body above)', async () => {
    const { identifier, site_domain } = (await call('POST', '/apps', appBody())).json().data;
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/v1/public/subscribe',
      headers: { origin: site_domain, 'x-app-id': identifier },
      payload: { appId: identifier },
    });
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { success: false, message: 'Invalid request.' },
    ]);
  });

  it('5xx | server error: 500 tells neither stack nor SQL nor a table', async () => {
    await api.database.query(`ALTER TABLE apps RENAME COLUMN default_silent TO renamed`);
    const answer = await call('GET', '/apps');
    await api.database.query(`ALTER TABLE apps RENAME COLUMN renamed TO default_silent`);
    expectProblem(answer, 500, 'Something went wrong on our side.');
  });

  it('5xx | server error: 503 while Postgres is unavailable, with Retry-After', async () => {
    const database = createDatabase({
      url: 'postgres://nobody@127.0.0.1:1/none',
      applicationName: 'test',
      maxConnections: 2,
      connectTimeoutMs: 1_000,
      statementTimeoutMs: 1_000,
    });
    const away = await createTestApi({ database });
    const headers = bearer(`1|${'a'.repeat(43)}`);
    for (const method of ['GET', 'POST'] as const) {
      const answer = await away.app.inject({
        method,
        url: '/api/v1/client/apps',
        headers,
        payload: appBody(),
      });
      expectProblem(answer, 503, 'The service is unavailable for the moment. Try again shortly.');
      expect(answer.headers['retry-after']).toBe('5');
    }
    await database.close();
    await away.close();
  });
});

describe('Answers that the specification leaves open', () => {
  it('405 | the address is there, the method is not; Allow names those that are', async () => {
    const answer = await api.app.inject({ method: 'DELETE', url: '/api/v1/client/apps' });
    expectProblem(answer, 405, 'This address does not take DELETE.');
    expect(answer.headers.allow).toBe('GET, HEAD, POST');
    const one = await api.app.inject({ method: 'POST', url: '/api/v1/client/apps/x' });
    expect([one.statusCode, one.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PATCH, PUT']);
  });

  it('406 | is never given: whatever Accept says, the answer is JSON', async () => {
    const headers = { ...bearer(member.token), accept: 'text/html' };
    const answer = await api.app.inject({ url: '/api/v1/client/apps', headers });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
  });

  it('413 | the body is past 64 KB', async () => {
    expectProblem(await post(`"${'x'.repeat(65_536)}"`), 413, 'The request body is too large.');
  });

  it('414 | a part of the path is past 255 characters', async () => {
    const answer = await call('GET', `/apps/${'x'.repeat(256)}`);
    expectProblem(answer, 414, 'The URL is too long.');
    expect((await call('GET', `/apps/${'x'.repeat(255)}`)).statusCode).toBe(404);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'application/xml', 'application/jsonp', 'x'])(
    '415 | the body is %s',
    async (type) => {
      expectProblem(
        await post('{}', { 'content-type': type }),
        415,
        'The request body must be application/json.',
      );
    },
  );

  it('every answer has headers by which browsers guard it, and an id of its own', async () => {
    const answers = await Promise.all([call('GET', '/apps'), call('GET', '/apps/x'), api.app.inject('/')]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });
});
