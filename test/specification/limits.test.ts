// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { createToken } from '../../api/auth/token-store.ts';
import { formatToken } from '../../engine/kit/http/token.ts';
import { createPerson, openBrowser } from '../api/account/support.ts';
import { appBody, bearer, callAs, createMember, type Member, openTestApi } from '../api/support.ts';
import { openDatabase } from '../support/postgres.ts';

const config = { clientRatePerMinute: 60, sessionRatePerMinute: 70 };

describe('Limits, client API rate: 60 requests per minute per token (per-user bucket)', async () => {
  const api = await openTestApi({ config });
  const secondPool = openDatabase(api.databaseUrl, 10);
  /** Another process, as the limit sees it: it shares the database alone. */
  const second = await openTestApi({ config, database: secondPool });
  afterAll(() => secondPool.close());

  const get = (member: { token: string }, app = api.app) =>
    app.inject({ url: '/api/v1/client/apps', headers: bearer(member.token) });
  /** Twenty at a time: more of them wait for a connection to Postgres, and on a busy machine get 503 instead. */
  const statusesOf = async (count: number, ask: (n: number) => Promise<{ statusCode: number }>) => {
    const answers: { statusCode: number }[] = [];
    for (let first = 0; first < count; first += 20) {
      answers.push(
        ...(await Promise.all(Array.from({ length: Math.min(20, count - first) }, (_, n) => ask(first + n)))),
      );
    }
    return Map.groupBy(answers, ({ statusCode }) => statusCode);
  };
  /** As if the user's requests had come that much earlier. */
  const age = (member: Member, seconds: number) =>
    api.database.query(
      `UPDATE request_hits SET hits = ARRAY(SELECT hit - make_interval(secs => $2) FROM unnest(hits) hit) WHERE user_id = $1`,
      [member.userId, seconds],
    );

  /** Until all hits but the newest have left the minute. */
  const secondsUntilLeft = async (member: Member, newest: number): Promise<number> => {
    const [row] = await api.database.query<{ seconds: number }>(
      `SELECT (60.5 - extract(epoch FROM now() - hit))::float8 AS seconds FROM request_hits, unnest(hits) AS hit
       WHERE user_id = $1 ORDER BY hit DESC OFFSET $2 LIMIT 1`,
      [member.userId, newest],
    );
    return Math.max(0, row?.seconds ?? 0);
  };

  it('60 requests pass, the next gets 429 with Retry-After', async () => {
    const member = await createMember(api.database);
    for (let n = 1; n <= 60; n++) {
      const answer = await get(member);
      expect([answer.statusCode, answer.headers['x-ratelimit-limit']]).toEqual([200, '60']);
      expect(answer.headers['x-ratelimit-remaining']).toBe(String(60 - n));
    }
    const refused = await get(member);
    expect([refused.statusCode, refused.headers['x-ratelimit-remaining']]).toEqual([429, '0']);
    expect(Object.keys(refused.json())).toEqual(['message']);
    expect(refused.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it('hammered through two API processes at once, exactly 60 pass', async () => {
    const member = await createMember(api.database);
    const statuses = await statusesOf(160, (n) => get(member, n % 2 === 0 ? api.app : second.app));
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([60, 100]);
  });

  it('all tokens of one user share the bucket, colleagues do not', async () => {
    const member = await createMember(api.database);
    const raw = await createToken(api.database, {
      userId: member.userId,
      name: 'two',
      abilities: ['apps:read'],
    });
    const two = { token: formatToken(raw) };
    const statuses = await statusesOf(80, (n) => get(n % 2 === 0 ? member : two));
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([60, 20]);
    const colleague = await createMember(api.database, { organizationId: member.organizationId });
    expect((await get(colleague)).statusCode).toBe(200);
  });

  it('after Retry-After the next request passes, and no 60 seconds ever see more than 60', async () => {
    const member = await createMember(api.database);
    await statusesOf(40, () => get(member));
    await age(member, 50);
    await statusesOf(20, () => get(member));
    const refused = await get(member);
    expect(refused.statusCode).toBe(429);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeLessThanOrEqual(10);
    await age(member, wait);
    expect((await get(member)).statusCode).toBe(200);
    await age(member, await secondsUntilLeft(member, 21));
    // The 40 have left the window, however long they took; the 20 and the one have not.
    const statuses = await statusesOf(60, () => get(member));
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([39, 21]);
  });

  it('a refused request does not count', async () => {
    const member = await createMember(api.database);
    await statusesOf(200, () => get(member));
    await age(member, 60);
    const answer = await get(member);
    expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, '59']);
  });

  it('other failures count: 403, 404, 422', async () => {
    const member = await createMember(api.database, { abilities: ['apps:read'] });
    const call = callAs(api.app, member);
    const answers = [
      await call('GET', '/apps/x'),
      await call('POST', '/apps', {}),
      await call('GET', '/apps'),
    ];
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers['x-ratelimit-remaining']])).toEqual([
      [404, '59'],
      [403, '58'],
      [200, '57'],
    ]);
  });

  it('a wrong secret uses no one’s allowance', async () => {
    const member = await createMember(api.database);
    const [id] = member.token.split('|');
    await statusesOf(50, () => get({ token: `${id}|${'a'.repeat(43)}` }));
    expect((await get(member)).headers['x-ratelimit-remaining']).toBe('59');
  });

  it('many wrong tokens from one address get 429, and a good one from there still passes', async () => {
    const member = await createMember(api.database);
    const from = (remoteAddress: string, token: string) =>
      api.app.inject({ url: '/api/v1/client/apps', headers: bearer(token), remoteAddress });
    const statuses = await statusesOf(70, () => from('192.0.2.1', 'nonsense'));
    expect([statuses.get(401)?.length, statuses.get(429)?.length]).toEqual([60, 10]);
    expect(Number((await from('192.0.2.1', 'nonsense')).headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await from('192.0.2.2', 'nonsense')).statusCode).toBe(401);
    expect((await from('192.0.2.1', member.token)).statusCode).toBe(200);
  });

  it('a session has a larger bucket of its own', async () => {
    const person = await createPerson(api.database);
    const browser = await openBrowser(api.app, person);
    await statusesOf(60, () => get(person));
    const statuses = await statusesOf(75, (n) =>
      n % 2 === 0 ? browser.client('GET', '/apps') : browser.account('GET', '/tokens'),
    );
    expect([statuses.get(200)?.length, statuses.get(429)?.length]).toEqual([70, 5]);
    expect((await browser.client('POST', '/apps', appBody())).statusCode).toBe(429);
    expect((await get(person)).statusCode).toBe(429);
  });

  it('a clock that was set back locks no one out', async () => {
    const member = await createMember(api.database);
    await statusesOf(60, () => get(member));
    await age(member, -3_600);
    expect((await get(member)).statusCode).toBe(200);
  });
});
