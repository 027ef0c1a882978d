// tier: unit
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../../../engine/adapters/telemetry/metrics.ts';
import {
  type InternalServer,
  type InternalServerOptions,
  startInternalServer,
} from '../../../engine/kit/roles/internal-server.ts';

const servers: InternalServer[] = [];

async function start(options: Partial<InternalServerOptions> = {}): Promise<InternalServer> {
  const server = await startInternalServer({
    host: '127.0.0.1',
    port: 0,
    readiness: async () => ({ postgres: true }),
    metrics: async () => ({ contentType: 'text/plain', body: 'up 1\n' }),
    ...options,
  });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close(0)));
});

const get = (server: InternalServer, path: string, init: RequestInit = {}) => fetch(server.url + path, init);

describe('the internal listener', () => {
  it('reports that the process lives, whatever its dependencies do', async () => {
    const server = await start({ readiness: async () => ({ postgres: false }) });
    const response = await get(server, '/health/live');
    expect([response.status, await response.json()]).toEqual([200, { status: 'live' }]);
  });

  it('is ready while every dependency answers, and names the one that does not', async () => {
    const checks = { postgres: true, log: true };
    const server = await start({ readiness: async () => checks });
    const ready = await get(server, '/health/ready');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', checks }]);
    checks.log = false;
    const away = await get(server, '/health/ready');
    expect([away.status, await away.json()]).toEqual([
      503,
      { status: 'not ready', checks: { postgres: true, log: false } },
    ]);
  });

  it('is not ready once it drains, though it lives and still answers', async () => {
    const server = await start();
    server.drain();
    const ready = await get(server, '/health/ready');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'draining', checks: {} }]);
    expect((await get(server, '/health/live')).status).toBe(200);
  });

  /** Like a page whose own name was made to point here. */
  const statusUnder = async (server: InternalServer, host: string, path = '/metrics', method = 'GET') => {
    const asked = request(server.url + path, {
      headers: { host, 'x-broadside-control': '1' },
      method,
      setHost: false,
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };

  it.each([
    'evil.example',
    'evil.example:8081',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'engine.',
    ' ',
  ])('shows a page under the name %s nothing, and lets it change nothing', async (host) => {
    const server = await start({ control: () => null, lookUp: async () => ({ secret: 1 }) });
    for (const path of ['/metrics', '/health/ready', '/deliveries/1', '/state']) {
      expect([path, await statusUnder(server, host, path)]).toEqual([path, 421]);
    }
    expect(await statusUnder(server, host, '/drain', 'POST')).toBe(421);
  });

  it.each([
    '127.0.0.1:8081',
    '10.0.3.7',
    '[::1]:8081',
    'localhost:8081',
    'engine:8081',
    'Engine.Monitoring.SVC:1',
  ])('answers under the name %s, which is the operator’s', async (host) => {
    const server = await start({ hostNames: ['engine.monitoring.svc'] });
    expect(await statusUnder(server, host)).toBe(200);
  });

  it('gives the metrics in the format they name', async () => {
    const server = await start({ metrics: createMetrics().exposition });
    const response = await get(server, '/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(await response.text()).toContain('broadside_worker_threads_lost_total 0');
  });

  it('answers other paths from the role’s own lookups', async () => {
    const server = await start({
      lookUp: async (path) => (path === '/deliveries/7' ? { status: 'processing' } : null),
    });
    const found = await get(server, '/deliveries/7');
    expect([found.status, await found.json()]).toEqual([200, { status: 'processing' }]);
    expect((await get(server, '/deliveries/8')).status).toBe(404);
  });

  it('answers unknown paths with 404, other methods with 405, and a bug with 500', async () => {
    const server = await start({ metrics: () => Promise.reject(new Error('a bug with hush in it')) });
    const missing = await get(server, '/health');
    expect([missing.status, await missing.json()]).toEqual([404, { message: 'Not found.' }]);
    expect((await get(server, '/__proto__')).status).toBe(404);
    expect((await get(server, '/toString')).status).toBe(404);
    const posted = await get(server, '/metrics', { method: 'POST', body: 'x'.repeat(100_000) });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const broken = await get(server, '/metrics');
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('hush');
  });

  it('answers HEAD without a body', async () => {
    const response = await get(await start(), '/health/ready?from=probe', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('closes although a client holds its connection open without a word', async () => {
    const server = await start();
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(client, 'connect');
    client.write('GET /health/live HTTP/1.1\r\n');
    const cut = new Promise((resolve) => client.once('close', resolve));
    client.on('error', () => {});
    client.resume();
    await server.close(50);
    await cut;
    await server.close(50);
    await expect(get(server, '/health/live')).rejects.toThrow();
  });

  it('finishes a running answer before it closes', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: go, resolve: onGo } = Promise.withResolvers<void>();
    const server = await start({
      readiness: async () => {
        onAsked();
        await go;
        return { postgres: true };
      },
    });
    const response = get(server, '/health/ready');
    await asked;
    const closed = server.close(5_000);
    onGo();
    expect((await response).status).toBe(200);
    await closed;
  });

  it('refuses to start on an address that is taken', async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE');
  });
});
