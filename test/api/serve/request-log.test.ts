// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { createTestApi, type TestApi } from '../support.ts';

describe('the API’s log of a request', () => {
  let test: TestApi;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    const destination = { write: (line: string) => void lines.push(line) };
    test = await createTestApi({ logger: createLogger({ level: 'debug', role: 'api', destination }) });
  });
  afterEach(() => test.close());

  const get = (url: string) => test.app.inject({ url, remoteAddress: '203.0.113.77' });
  const routes = () =>
    lines
      .map((line) => (JSON.parse(line) as { req?: { route: unknown } }).req?.route)
      .filter((r) => r !== undefined);

  it('names the route, and neither the path’s values, nor the query, nor the reader’s address', async () => {
    await get('/api/v1/client/apps/hush-app/subscriptions?search=hush-ada%40example.com');
    expect(routes()).toEqual(['/api/v1/client/apps/:identifier/subscriptions']);
    expect(lines.join('')).not.toMatch(/hush|203\.0\.113\.77/);
  });

  it.each([
    ['no route has', '/hush/nowhere?token=hush', 404],
    ['a route has under another method', '/api/v1/public/subscribe?token=hush', 405],
    ['that cannot be decoded', '/api/v1/client/apps/%zz?token=hush', 400],
    ['whose value is too long', `/api/v1/client/apps/${'hush'.repeat(100)}`, 414],
  ])('leaves out a path that %s', async (_what, url, status) => {
    expect((await get(url)).statusCode).toBe(status);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toContain('hush');
  });

  it('is without a line for an answered request where a person watches', async () => {
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'info', role: 'api', destination });
    const quiet = await createTestApi({ logger, logRequests: false });
    try {
      lines = [];
      expect((await quiet.app.inject({ url: '/api/v1/openapi.json' })).statusCode).toBe(200);
      expect(lines).toEqual([]);
    } finally {
      await quiet.close();
    }
  });
});
