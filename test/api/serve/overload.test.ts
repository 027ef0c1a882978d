// tier: postgres
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDatabase } from '../../../engine/adapters/postgres/database.ts';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { lasting, registerOverload } from '../../../engine/kit/http/overload.ts';
import { serverLimits } from '../../../engine/kit/http/server-limits.ts';
import { appBody, callAs, createMember, createTestApi, type TestApi } from '../support.ts';

let api: TestApi | null = null;
afterEach(async () => {
  await api?.close();
  api = null;
});

const unavailable = { message: 'The service is unavailable for the moment. Try again shortly.' };

describe('an API with too much to do', () => {
  it('answers 503 with Retry-After before it looks anything up, and health all the same', async () => {
    let overloaded = true;
    api = await createTestApi({ isOverloaded: () => overloaded });
    const call = callAs(api.app, await createMember(api.database));
    await api.database.query(`UPDATE api_tokens SET last_used_at = NULL`);
    for (const answer of [
      await call('GET', '/apps'),
      await call('POST', '/apps', appBody()),
      await api.app.inject('/'),
    ]) {
      expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
        503,
        '5',
        unavailable,
      ]);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await api.database.query(`SELECT last_used_at FROM api_tokens`)).toEqual([{ last_used_at: null }]);
    for (const path of ['/internal/health/live', '/internal/health/ready']) {
      expect((await api.app.inject(path)).statusCode).toBe(200);
    }
    overloaded = false;
    expect((await call('GET', '/apps')).statusCode).toBe(200);
  });

  it('is one whose event loop lags for a while, not one that paused once', () => {
    let at = 0;
    let lags = true;
    const isLagging = lasting(
      () => lags,
      1_000,
      () => at,
    );
    const ask = (time: number): boolean => {
      at = time;
      return isLagging();
    };
    expect([ask(0), ask(999), ask(1_000), ask(1_500)]).toEqual([false, false, true, true]);
    lags = false;
    expect(ask(1_600)).toBe(false);
    lags = true;
    expect([ask(1_700), ask(2_700)]).toEqual([false, true]);
    // A sample long ago: it says nothing about now.
    expect(ask(60_000)).toBe(false);
  });
});

describe('a process whose event loop is blocked again and again', () => {
  it('refuses, and admits again once it is free', async () => {
    const app = Fastify();
    registerOverload(app, { ...serverLimits, maxEventLoopDelayMs: 20, pressureSampleMs: 50 }, () => false);
    app.get('/', async () => 'fine');
    await app.ready();
    const status = async () => (await app.inject('/')).statusCode;
    await vi.waitUntil(
      async () => {
        for (const end = performance.now() + 60; performance.now() < end; );
        return (await status()) === 503;
      },
      { timeout: 120_000, interval: 1 },
    );
    await vi.waitUntil(async () => (await status()) === 200, { timeout: 120_000, interval: 20 });
    await app.close();
  });
});

describe('with every connection to Postgres taken', () => {
  it('a bounded number of requests wait and pass; the next is refused at once', async () => {
    api = await createTestApi();
    const member = await createMember(api.database);
    const narrow = createDatabase({
      url: api.databaseUrl,
      applicationName: 'narrow',
      maxConnections: 1,
      maxWaiting: 2,
      connectTimeoutMs: 30_000,
      statementTimeoutMs: 30_000,
    });
    const busy = await createTestApi({ database: narrow });
    const call = callAs(busy.app, member);
    const taken = Promise.withResolvers<void>();
    const given = Promise.withResolvers<void>();
    const holding = narrow.transaction(async () => {
      taken.resolve();
      await given.promise;
    });
    await taken.promise;
    const answers = [1, 2, 3].map(() => call('GET', '/apps'));
    const refused = await Promise.race(answers);
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      503,
      '5',
      unavailable,
    ]);
    given.resolve();
    await holding;
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 200, 503]);
    expect((await call('GET', '/apps')).statusCode).toBe(200);
    await busy.close();
    await narrow.close();
  });
});

/** The bytes a connection received until the server closed it. */
async function heard(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

async function open(changes: Parameters<typeof createTestApi>[0] = {}): Promise<() => Promise<Socket>> {
  api = await createTestApi(changes);
  const url = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
  return async () => {
    const socket = connect(Number(url.port), url.hostname);
    await once(socket, 'connect');
    return socket;
  };
}

const short = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 50 };
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

describe('a slow client', () => {
  it.each([
    ['that says nothing', ''],
    ['that stops in the middle of its headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'that stops in the middle of its body',
      'POST /api/v1/client/apps HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name',
    ],
  ])('%s is cut off', async (_what, sent) => {
    const connection = await (await open({ limits: short }))();
    const answer = heard(connection);
    connection.write(sent);
    expect(await answer).toMatch(/^(HTTP\/1\.1 (408|401) |$)/);
  });

  it('that feeds its headers byte by byte is cut off, too', async () => {
    const connection = await (await open({ limits: short }))();
    const answer = heard(connection);
    const feed = setInterval(() => connection.write('x'), 20);
    for (const event of ['data', 'error', 'close']) connection.once(event, () => clearInterval(feed));
    connection.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    // A byte that is written to a closed connection resets it: the answer may be lost, the end may not.
    const text = await answer;
    expect(text).toMatch(/^(HTTP\/1\.1 408 |$)/);
    if (text !== '') expect(bodyOf(text)).toEqual({ message: 'The request took too long to arrive.' });
  });

  it('between two requests loses its connection', async () => {
    const connection = await (await open({ limits: { ...short, keepAliveTimeoutMs: 50 } }))();
    const answer = heard(connection);
    connection.write('GET /internal/health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a request that the parser refuses', () => {
  it.each([
    ['no HTTP', 'NONSENSE\r\n\r\n', 400, 'The request is malformed.'],
    ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'The request is malformed.'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      'The request is malformed.',
    ],
    [
      'headers past 16 KB',
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The address and the headers of the request are too long.',
    ],
    [
      'an address past 16 KB',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'The address and the headers of the request are too long.',
    ],
  ])('%s is answered in the shape of every answer', async (_what, sent, status, message) => {
    const connection = await (await open())();
    const answer = heard(connection);
    connection.write(sent);
    const text = await answer;
    expect(text.startsWith(`HTTP/1.1 ${status} `)).toBe(true);
    expect(text).toMatch(/\r\nx-request-id: [0-9a-f-]{36}\r\n/);
    expect(text).toContain('\r\ncontent-type: application/json; charset=utf-8\r\n');
    expect(bodyOf(text)).toEqual({ message });
  });

  it('is logged under the id in the answer, without its content', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const connection = await (
      await open({ logger: createLogger({ level: 'info', role: 'api', destination }) })
    )();
    const answer = heard(connection);
    connection.write(`GET / HTTP/1.1\r\nAuthorization: Bearer 1|secret\r\nbroken header\r\n\r\n`);
    const id = /x-request-id: (\S+)/.exec(await answer)?.[1];
    const logged = lines.join('');
    expect(logged).toContain(`"reqId":"${id}"`);
    expect(logged).not.toContain('secret');
  });

  it('after a good request on the same connection leaves the good answer whole', async () => {
    const connection = await (await open())();
    const answer = heard(connection);
    connection.write('GET /internal/health/live HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 (200 .*\{"status":"live"\}|400 )/s);
  });
});
