// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { insertReportPass } from '../../engine/adapters/postgres/report-passes.ts';
import { revokeReportToken } from '../../engine/adapters/postgres/report-tokens.ts';
import { hashSecret, newSecret } from '../../engine/kit/http/token.ts';
import {
  createReportToken,
  createReportUser,
  createTestReporting,
  everything,
  generateRequest,
} from './support.ts';

const test = await createTestReporting({ config: { reportRatePerMinute: 5, reportPageRatePerMinute: 7 } });
afterAll(() => test.close());

const withoutRequestId = ({ statusCode, headers, body }: Awaited<ReturnType<typeof test.app.inject>>) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { statusCode, body, headers: rest };
};

describe('a caller without a valid token', () => {
  it('gets the same answer for every fault: none, nonsense, unknown, another secret, revoked', async () => {
    const good = await createReportToken(test.database);
    const [id = ''] = good.split('|');
    const revoked = await createReportToken(test.database);
    await revokeReportToken(test.database, Number(revoked.split('|')[0]));
    const bad = ['', 'x', `999999|${newSecret()}`, `${id}|${newSecret()}`, revoked];
    const answers = await Promise.all(
      [null, ...bad].map(async (token) => withoutRequestId(await test.app.inject(generateRequest(token)))),
    );
    expect(answers[0]).toMatchObject({ statusCode: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect(JSON.parse(answers[0]?.body ?? '')).toEqual({ status: 'error', message: 'Unauthenticated.' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await test.app.inject(generateRequest(good))).statusCode).toBe(200);
  });

  it('learns nothing of a body, and gets a 429 after many attempts', async () => {
    const app = test.another();
    const asNobody = () => app.inject({ ...generateRequest(null, '{'), remoteAddress: '203.0.113.7' });
    for (let attempt = 0; attempt < 60; attempt++) expect((await asNobody()).statusCode).toBe(401);
    const answer = await asNobody();
    expect(answer.statusCode).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('a token', () => {
  it('that is revoked ends at once in every process', async () => {
    const token = await createReportToken(test.database);
    const other = test.another();
    expect((await other.inject(generateRequest(token))).statusCode).toBe(200);
    await revokeReportToken(test.database, Number(token.split('|')[0]));
    for (const app of [test.app, other])
      expect((await app.inject(generateRequest(token))).statusCode).toBe(401);
  });

  it('has its last use noted, at most once a minute', async () => {
    const token = await createReportToken(test.database);
    const lastUse = async () =>
      (
        await test.database.query<{ last_used_at: Date | null }>(
          `SELECT last_used_at FROM report_tokens WHERE id = $1`,
          [token.split('|')[0]],
        )
      )[0]?.last_used_at ?? null;
    expect(await lastUse()).toBeNull();
    await test.app.inject(generateRequest(token));
    const first = await lastUse();
    expect(first).not.toBeNull();
    await test.app.inject(generateRequest(token));
    expect(await lastUse()).toEqual(first);
  });

  it('goes with its user', async () => {
    const userId = await createReportUser(test.database);
    const token = await createReportToken(test.database, everything, userId);
    await test.database.query(`DELETE FROM users WHERE id = $1`, [userId]);
    expect((await test.app.inject(generateRequest(token))).statusCode).toBe(401);
  });
});

describe('the rate limit', () => {
  it('admits exactly 5 a minute of a user, over all their tokens and all processes at once', async () => {
    const userId = await createReportUser(test.database);
    const tokens = [
      await createReportToken(test.database, everything, userId),
      await createReportToken(test.database, everything, userId),
    ];
    // Permits for all of them: only the rate is tested here.
    const wide = { config: { reportRatePerMinute: 5, reportsAtOnce: 8, reportsPerUser: 8 } };
    const apps = [test.another(wide), test.another(wide)];
    const requests = Array.from({ length: 24 }, (_, n) =>
      apps[n % 2]?.inject(generateRequest(tokens[(n >> 1) % 2] ?? '')),
    );
    const answers = (await Promise.all(requests)).filter((answer) => answer !== undefined);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(19);
    for (const answer of refused) {
      const wait = Number(answer.headers['retry-after']);
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
      expect(answer.json()).toEqual({ status: 'error', message: expect.any(String) });
    }
  });

  it('is another one than that of the API, and other users have their own', async () => {
    const userId = await createReportUser(test.database);
    const token = await createReportToken(test.database, everything, userId);
    await test.database.query(`SELECT take_hit($1, 'token', 60) FROM generate_series(1, 60)`, [userId]);
    const answer = await test.app.inject(generateRequest(token));
    expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, '4']);
  });
});

describe('a question of the dashboard, which the API vouches for', () => {
  const askedBy = async (token: string, userId: number, pass = newSecret()) => {
    await insertReportPass(test.database, userId, hashSecret(pass));
    return withPass(token, pass);
  };
  const withPass = (token: string, pass: string) => {
    const request = generateRequest(token);
    return test.app.inject({ ...request, headers: { ...request.headers, 'x-report-pass': pass } });
  };
  const leftOf = async (token: string) =>
    (await test.app.inject(generateRequest(token))).headers['x-ratelimit-remaining'];

  it('counts against who asks it, up to a limit of its own, and leaves the token’s five a minute alone', async () => {
    const [owner, reader] = [await createReportUser(test.database), await createReportUser(test.database)];
    const token = await createReportToken(test.database, everything, owner);
    for (const left of [6, 5, 4, 3, 2, 1, 0]) {
      const answer = await askedBy(token, reader);
      expect([answer.statusCode, answer.headers['x-ratelimit-remaining']]).toEqual([200, String(left)]);
    }
    const eighth = await askedBy(token, reader);
    expect([eighth.statusCode, eighth.headers['x-ratelimit-limit']]).toEqual([429, '7']);
    expect(Number(eighth.headers['retry-after'])).toBeGreaterThan(0);
    // Another reader has their own, and so has the token.
    expect((await askedBy(token, owner)).headers['x-ratelimit-remaining']).toBe('6');
    expect(await leftOf(token)).toBe('4');
  });

  it('is one question: a pass is good once, for a minute, and with a token that is valid', async () => {
    const [owner, reader] = [await createReportUser(test.database), await createReportUser(test.database)];
    const token = await createReportToken(test.database, everything, owner);
    const pass = newSecret();
    expect((await askedBy(token, reader, pass)).headers['x-ratelimit-limit']).toBe('7');
    expect((await withPass(token, pass)).headers).toMatchObject({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
    });
    const old = newSecret();
    await insertReportPass(test.database, reader, hashSecret(old));
    await test.database.query(`UPDATE report_passes SET made_at = now() - interval '61 seconds'`);
    expect((await withPass(token, old)).headers['x-ratelimit-remaining']).toBe('3');
    expect((await withPass(token, newSecret())).headers['x-ratelimit-remaining']).toBe('2');
    const kept = newSecret();
    expect((await askedBy(`${token.split('|')[0]}|${newSecret()}`, reader, kept)).statusCode).toBe(401);
    expect((await withPass(token, kept)).headers['x-ratelimit-limit']).toBe('7');
  });

  it('leaves at most a hundred passes behind, and none for longer than until the next one', async () => {
    const reader = await createReportUser(test.database);
    const make = () => insertReportPass(test.database, reader, hashSecret(newSecret()));
    for (let made = 0; made < 100; made++) expect(await make()).toBe(true);
    expect(await make()).toBe(false);
    await test.database.query(`UPDATE report_passes SET made_at = now() - interval '61 seconds'`);
    expect(await make()).toBe(true);
    const rows = await test.database.query(`SELECT FROM report_passes WHERE user_id = $1`, [reader]);
    expect(rows).toHaveLength(1);
  });
});
