// tier: postgres
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTestApi } from '../api/support.ts';

/** What no client library would send: over a socket, byte by byte. */
const api = await openTestApi();
const { port, hostname } = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2_147_483_647);

const WAIT_MS = 400;

/** @returns everything that came back until the API hung up; each request says that it is the last. */
async function exchange(bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The connection closed during a write: the received bytes count.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  // What is not a whole request is waited for; ours is all there is. Ended at once, Node would drop the answer.
  const ending = setTimeout(() => socket.end(), WAIT_MS);
  await new Promise((resolve) => socket.once('close', resolve));
  clearTimeout(ending);
  return Buffer.concat(chunks).toString();
}

const get = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
const message = { message: expect.any(String) };

const targets: readonly [what: string, target: string, status: number][] = [
  ['two slashes', '//api/v1/client/apps', 404],
  ['two slashes inside', '/api/v1//client/apps', 404],
  ['a slash at the end', '/api/v1/client/apps/', 401],
  ['a way up', '/api/v1/client/../client/apps', 404],
  ['an encoded way up', '/api/v1/client/%2e%2e/client/apps', 404],
  ['upper case', '/API/V1/CLIENT/APPS', 404],
  ['NUL', '/api/v1/client/apps/%00', 401],
  ['an encoded slash', '/api/v1/client/apps/a%2fb', 401],
  ['bytes that are not UTF-8', '/api/v1/client/apps/%ff', 400],
  ['a parameter past the limit', `/api/v1/client/apps/${'x'.repeat(300)}`, 414],
  ['a fragment', '/api/v1/client/apps#x', 401],
  ['a whole URL', 'http://elsewhere.example/api/v1/client/apps', 401],
  ['no path', '*', 404],
];

describe('over a socket', () => {
  it.each(targets)('%s is answered', async (_what, target, status) => {
    const answer = await exchange(get(target));
    expect(statusOf(answer)).toBe(status);
    expect(bodyOf(answer)).toEqual(message);
  });

  it.each(['/docs/static/../../../../etc/passwd', '/docs/static/%2e%2e%2f%2e%2e%2fpackage.json'])(
    'a way up out of the docs, %s, is answered with the page of the guides',
    async (target) => {
      const answer = await exchange(get(target));
      expect(statusOf(answer)).toBe(404);
      expect(answer).toContain('<!doctype html>');
      expect(answer).not.toMatch(/root:|"dependencies"|%2e/);
    },
  );

  it.each([
    ['headers past the limit', get('/', `X: ${'x'.repeat(20_000)}\r\n`), 431],
    ['an address past the limit', get(`/${'x'.repeat(20_000)}`), 431],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01', 400],
  ])('%s is answered in the one shape, and hung up on', async (_what, bytes, status) => {
    const answer = await exchange(bytes);
    expect(statusOf(answer)).toBe(status);
    expect(bodyOf(answer)).toEqual(message);
    expect(answer).toMatch(/^connection: close/im);
  });

  it(`for any bytes (FUZZ_SEED=${seed}), the answer is below 500, and the next request is answered`, async () => {
    const line = fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'get', '');
    const path = fc.oneof(
      fc.constantFrom('/', '/docs', '/api/v1/client/apps', '/api/v1/public/subscribe'),
      fc.string(),
    );
    const headers = fc.array(
      fc.tuple(fc.string(), fc.string()).map(([name, value]) => `${name}: ${value}\r\n`),
      { maxLength: 3 },
    );
    const bytes = fc
      .record({ line, path, headers, body: fc.string() })
      .map(
        (made) =>
          `${made.line} ${made.path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${made.headers.join('')}\r\n${made.body}`,
      );
    const property = fc.asyncProperty(bytes, async (request) => {
      expect(statusOf(await exchange(request))).toBeLessThan(500);
    });
    await fc.assert(property, { seed, numRuns: 150, interruptAfterTimeLimit: 10_000 });
    expect(statusOf(await exchange(get('/internal/health/live')))).toBe(200);
  });
});
