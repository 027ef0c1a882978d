// tier: postgres
import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { tagsBody as publicTagsBody } from '../../../api/public/tags/schema.ts';
import { readApiConfig } from '../../../api/settings/config.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { createLogger } from '../../../engine/adapters/telemetry/logger.ts';
import { mostBytes } from '../../../engine/kit/http/most-bytes.ts';
import { createIsTrusted } from '../../../engine/kit/http/trusted-proxies.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { createSite, SITE_ORIGIN, type Site } from '../../support/site.ts';
import { createTestApi, openTestApi } from '../support.ts';

/** Counts statements, and can simulate an outage. */
function createOutage(real: Database) {
  let away = false;
  let asked = 0;
  const reached = <Result>(work: () => Promise<Result>): Promise<Result> => {
    asked++;
    return away ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) : work();
  };
  const database: Database = {
    ...real,
    query: (text, values) => reached(() => real.query(text, values)),
    transaction: (work) => reached(() => real.transaction(work)),
  };
  const begin = () => {
    away = true;
  };
  return { database, begin, asked: () => asked };
}

describe('the public API', async () => {
  const api = await openTestApi();
  const site = await createSite(api.app, api.database);

  const preflight = (origin: string) =>
    api.app.inject({
      method: 'OPTIONS',
      url: '/api/v1/public/subscribe',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-app-id',
      },
    });

  it('answers a preflight of a known origin, without credentials, and of no other', async () => {
    const known = await preflight(SITE_ORIGIN);
    expect(known.statusCode).toBe(204);
    expect(known.headers).toMatchObject({
      'access-control-allow-origin': SITE_ORIGIN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': expect.stringContaining('X-App-Id'),
      'access-control-expose-headers': 'Retry-After',
      vary: expect.stringContaining('Origin'),
    });
    expect(known.headers).not.toHaveProperty('access-control-allow-credentials');
    const stranger = await preflight('https://evil.example.com');
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
    // A cache between must not give one page's answer to another.
    expect(stranger.headers.vary).toContain('Origin');
  });

  it('lets the page read every answer, with its origin and no other', async () => {
    for (const body of [site.subscribeBody(), {}]) {
      const { headers } = await site.post('subscribe', body);
      expect(headers).toMatchObject({ 'access-control-allow-origin': SITE_ORIGIN, vary: 'Origin' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    const stranger = await site.post('subscribe', site.subscribeBody(), {
      origin: 'https://evil.example.com',
    });
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('takes no body beyond what its fields allow', async () => {
    for (const path of ['subscribe', 'update_subscription', 'subscription-tags'] as const) {
      const answer = await site.post(path, { padding: 'x'.repeat(524_288) });
      expect([answer.statusCode, answer.json()]).toEqual([
        413,
        { message: 'The request body is too large.' },
      ]);
    }
  });

  it('takes the largest body that its fields allow', async () => {
    const endpoint = `https://push.example.com/${'x'.repeat(2_000)}`;
    const externalIds = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [String(n).padStart(64, 'k'), 'v'.repeat(255)]),
    );
    const categoryIds = Array.from({ length: 100 }, (_, n) => 2_147_483_000 + n);
    const userId = 'u'.repeat(255);
    const answer = await site.post(
      'subscribe',
      site.subscribeBody({ userId, externalIds, categoryIds }, { endpoint }),
    );
    expect(answer.statusCode).toBe(200);
  });

  it.each(['é', '😀'])('takes fifty tags of 255 %s, however they are written', async (character) => {
    const userId = 'tagged';
    expect((await site.post('subscribe', site.subscribeBody({ userId }))).statusCode).toBe(200);
    const tags = Array.from({ length: 50 }, (_, n) => ({
      key: String(n).padStart(4, '0') + character.repeat(251),
      value: character.repeat(255),
    }));
    const answer = await site.post('subscription-tags', { userId, tags });
    expect(answer.statusCode, answer.body).toBe(200);
    const written = mostBytes(publicTagsBody);
    const escaped = JSON.stringify({ userId, tags }).replaceAll(
      /[^ -~]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect(Buffer.byteLength(escaped)).toBeLessThanOrEqual(written);
  });

  it('refuses keys of external ids and tags that are longer than they may be, or of several lines and wrong', async () => {
    const long = randomBytes(2_000).toString('hex');
    const refused: [path: 'subscribe' | 'update_subscription' | 'subscription-tags', body: object][] = [
      ['subscribe', site.subscribeBody({ externalIds: { ['k'.repeat(65)]: 'v' } })],
      ['subscribe', site.subscribeBody({ externalIds: { 'a\nb': 'v'.repeat(256) } })],
      ['update_subscription', { userId: 'u', externalIds: { [long]: 'v' } }],
      ['subscription-tags', { userId: 'u', tags: [{ key: long, value: 'v' }] }],
    ];
    for (const [path, body] of refused) {
      expect([path, (await site.post(path, body)).statusCode]).toEqual([path, 422]);
    }
    expect(
      (await site.post('subscribe', site.subscribeBody({ externalIds: { ['k'.repeat(64)]: 'v' } })))
        .statusCode,
    ).toBe(200);
  });

  it('answers 503 with Retry-After while Postgres is unavailable, readable by the page', async () => {
    const outage = createOutage(api.database);
    const weak = await createTestApi({ database: outage.database });
    const other = await createSite(weak.app, api.database);
    expect((await other.post('subscribe', other.subscribeBody())).statusCode).toBe(200);
    outage.begin();
    const answer = await other.post('subscribe', other.subscribeBody());
    expect([answer.statusCode, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
    expect(answer.headers['access-control-allow-origin']).toBe(SITE_ORIGIN);
    await weak.close();
  });
});

it('an app and its origin are looked up once, not at every subscribe', async () => {
  const api = await createTestApi();
  const site = await createSite(api.app, api.database);
  await site.post('subscribe', site.subscribeBody());
  await api.database.query(`UPDATE apps SET site_domain = 'https://moved.example' WHERE id = $1`, [
    site.appId,
  ]);
  // Remembered for some seconds: the old origin still, the new one at once.
  expect((await site.post('subscribe', site.subscribeBody())).statusCode).toBe(200);
  const moved = { origin: 'https://moved.example' };
  expect((await site.post('subscribe', site.subscribeBody(), moved)).statusCode).toBe(200);
  await api.close();
});

describe('the limit by address', () => {
  let test: TestDatabase;
  let outage: ReturnType<typeof createOutage>;
  let site: Site;
  beforeEach(async () => {
    test = await createTestDatabase();
    outage = createOutage(test.database);
    const config = { publicRatePerMinute: 3, trustedProxies: ['127.0.0.1'] };
    const api = await createTestApi({ database: outage.database, config });
    site = await createSite(api.app, test.database);
    return async () => {
      await api.close();
      await test.drop();
    };
  });
  const from = async (address: string, origin = SITE_ORIGIN) => {
    const headers = { 'x-forwarded-for': address, origin };
    return site.post('subscription-tags', { userId: 'u', tags: [] }, headers);
  };
  const codes = async (addresses: readonly string[]) => {
    const answers = [];
    for (const address of addresses) answers.push((await from(address)).statusCode);
    return answers;
  };

  it('answers 429 with Retry-After, readable by the page', async () => {
    expect(await codes(Array(3).fill('192.0.2.1'))).toEqual([200, 200, 200]);
    const answer = await from('192.0.2.1');
    expect([answer.statusCode, answer.json()]).toEqual([429, { message: expect.any(String) }]);
    const seconds = Number(answer.headers['retry-after']);
    expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': SITE_ORIGIN,
      'access-control-expose-headers': 'Retry-After',
    });
  });

  it('counts each address apart, and IPv6 by /64', async () => {
    const six = (interface_: number) => `2001:db8:1:2::${interface_}`;
    expect(await codes([six(1), six(2), '2001:db8:1:2:ffff::3', six(4)])).toEqual([200, 200, 200, 429]);
    expect(await codes(['2001:db8:1:3::1', '192.0.2.1', '192.0.2.2'])).toEqual([200, 200, 200]);
    expect(await codes(['::ffff:192.0.2.1', '192.0.2.1:80', '192.0.2.1'])).toEqual([200, 200, 429]);
  });

  it('counts strangers’ requests too, and looks nothing up for them any more', async () => {
    for (let n = 0; n < 3; n++)
      expect((await from('192.0.2.9', `https://evil-${n}.example`)).statusCode).toBe(403);
    const asked = outage.asked();
    expect((await from('192.0.2.9', 'https://evil-4.example')).statusCode).toBe(429);
    expect(outage.asked()).toBe(asked);
  });

  it('takes the word of no proxy that is not trusted', async () => {
    const open = await createTestApi({ config: { publicRatePerMinute: 1 } });
    const other = await createSite(open.app, open.database);
    const post = async (address: string) =>
      (await other.post('subscribe', other.subscribeBody(), { 'x-forwarded-for': address })).statusCode;
    expect([await post('192.0.2.1'), await post('192.0.2.2')]).toEqual([200, 429]);
    await open.close();
  });
});

it('the log has no address of a client', async () => {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    role: 'api',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const api = await createTestApi({ logger, config: { trustedProxies: ['127.0.0.1'] } });
  const site = await createSite(api.app, api.database);
  for (const body of [site.subscribeBody(), {}])
    await site.post('subscribe', body, { 'x-forwarded-for': '203.0.113.77' });
  await api.close();
  const text = lines.join('\n');
  expect(text).toContain('/api/v1/public/subscribe');
  expect(text).not.toContain('203.0.113.77');
  expect(text).not.toContain('127.0.0.1');
});

describe('the settings of proxies', () => {
  const base = { DATABASE_URL: 'postgres://x/y', MASTER_KEY: 'A'.repeat(43) };
  const linesOf = (environment: Record<string, string>): string => {
    try {
      readApiConfig({ ...base, ...environment });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each(['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/8', '::1/129', '10.0.0.0/x'])('refuse %s', (range) => {
    expect(linesOf({ TRUSTED_PROXIES: `127.0.0.1,${range}` })).toContain(`TRUSTED_PROXIES holds ${range}`);
  });

  it('take addresses and ranges of both families, and a header only with them', () => {
    expect(linesOf({ TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8', COUNTRY_HEADER: 'CF-IPCountry' })).toBe('');
    expect(linesOf({ COUNTRY_HEADER: 'CF-IPCountry' })).toContain('COUNTRY_HEADER');
  });

  it('trust the addresses of a range, as a dual-stack socket writes them too, and nothing else', () => {
    const isTrusted = createIsTrusted(['10.0.0.0/8', 'fd00::/8']);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1'].map(isTrusted)).toEqual([true, true, true]);
    expect(['11.0.0.1', '::ffff:11.0.0.1', 'fe80::1', 'x', ''].map(isTrusted)).toEqual(Array(5).fill(false));
  });
});
