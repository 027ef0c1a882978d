// tier: postgres
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeReportToken } from '../../engine/adapters/postgres/report-tokens.ts';
import { newSecret } from '../../engine/kit/http/token.ts';
import {
  createReportToken,
  createReportUser,
  createTestReporting,
  everything,
  generateRequest,
  type TestReporting,
} from './support.ts';

let test: TestReporting;
beforeAll(async () => {
  test = await createTestReporting({ config: { reportRatePerMinute: 5 } });
});
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
