// tier: postgres
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../../engine/adapters/postgres/database.ts';
import {
  appBody,
  bearer,
  callAs,
  createMember,
  createTestApi,
  newEndpoint,
  newKeys,
  openTestApi,
} from '../support.ts';

describe('the API', async () => {
  const api = await openTestApi();

  it('answers over a socket', async () => {
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
  it('the API answers 503 with Retry-After, is not ready, and is live', async () => {
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
