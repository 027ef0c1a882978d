// tier: postgres
import type { FastifyInstance } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import {
  createReportToken,
  createReportUser,
  createTestReporting,
  everything,
  generatePath,
  generateRequest,
  heldReports,
  oneRow,
  until,
} from './support.ts';

const test = await createTestReporting();
afterAll(() => test.close());

async function newUser(organizationId: number | null = null) {
  const userId = await createReportUser(test.database);
  if (organizationId !== null)
    await test.database.query('UPDATE users SET organization_id = $2 WHERE id = $1', [
      userId,
      organizationId,
    ]);
  const token = await createReportToken(test.database, everything, userId);
  const hits = async (): Promise<number> => {
    const [row] = await test.database.query<{ hits: number }>(
      `SELECT coalesce(cardinality(hits), 0) AS hits FROM request_hits WHERE user_id = $1 AND via = 'report'`,
      [userId],
    );
    return row?.hits ?? 0;
  };
  return { userId, token, hits };
}

const ask = (app: FastifyInstance, token: string) =>
  app.inject(generateRequest(token)).then((answer) => answer);
const fiveAMinute = { reportRatePerMinute: 5 };

describe('five reports at once', () => {
  it.each([1, 2])(
    'are all answered, over %i processes, and the sixth gets a Retry-After',
    async (processes) => {
      const { begun, letGo, generateReport } = heldReports();
      const apps = Array.from({ length: processes }, () =>
        test.another({ generateReport, config: fiveAMinute }),
      );
      const appOf = (n: number) => apps[n % processes] ?? test.app;
      const { userId, token, hits } = await newUser();
      const five = [0, 1, 2, 3, 4].map((n) => ask(appOf(n), token));
      await until(async () => (await hits()) === 5 && begun.length === Math.min(5, 2 * processes));
      const sixth = await ask(appOf(0), token);
      expect([sixth.statusCode, sixth.headers['x-ratelimit-remaining']]).toEqual([429, '0']);
      letGo();
      for (const { statusCode } of await Promise.all(five)) expect(statusCode).toBe(200);
      // The time it named is the time it takes: as if that much had gone by, and a second less.
      const wait = Number(sixth.headers['retry-after']);
      const age = (seconds: number) =>
        test.database.query(
          `UPDATE request_hits SET hits = ARRAY(SELECT hit - make_interval(secs => $2) FROM unnest(hits) AS hit ORDER BY 1)
         WHERE user_id = $1`,
          [userId, seconds],
        );
      expect(wait).toBeGreaterThan(30);
      await age(wait - 30);
      expect((await ask(appOf(0), token)).statusCode).toBe(429);
      await age(30);
      expect((await ask(appOf(0), token)).statusCode).toBe(200);
    },
  );
});

describe('a report that waits for its permit', () => {
  it('does not hold up another user, however many wait before theirs', async () => {
    const order: string[] = [];
    const { begun, letGo, generateReport } = heldReports();
    const clock = createManualClock();
    const app = test.another({
      clock,
      config: { reportsAtOnce: 2, reportsPerUser: 2 },
      generateReport: async (request, access, signal) => {
        order.push(access === 'unrestricted' ? 'ada' : 'bob');
        return generateReport(request, access, signal);
      },
    });
    const { token: ada } = await newUser();
    const bob = await createReportToken(test.database, {
      ...everything,
      unrestricted: false,
      domains: ['b.example'],
    });
    const answers = Array.from({ length: 6 }, () => ask(app, ada));
    // Each that waits has a timer.
    await until(() => begun.length === 2 && clock.pending() === 4);
    answers.push(ask(app, bob));
    await until(() => clock.pending() === 5);
    letGo();
    for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(200);
    expect(order.indexOf('bob')).toBeLessThan(5);
    expect(order).toHaveLength(7);
  });

  it('does not hold up another organization, however many users one has', async () => {
    const { begun, letGo, generateReport } = heldReports();
    const clock = createManualClock();
    const app = test.another({ generateReport, clock, config: { reportsAtOnce: 4, reportsPerUser: 2 } });
    const [first] = await test.database.query<{ id: number }>(
      `INSERT INTO organizations (name) VALUES ('many users') RETURNING id`,
    );
    const many = await Promise.all(Array.from({ length: 7 }, () => newUser(first?.id)));
    // Three are made, and of the 64 that may wait, 48.
    const inHand = many.slice(0, 3).map(({ token }) => ask(app, token));
    await until(() => begun.length === 3);
    for (const { token } of many.slice(0, 6)) for (let n = 0; n < 8; n++) inHand.push(ask(app, token));
    await until(() => clock.pending() === 48);
    expect((await ask(app, many[6]?.token ?? '')).statusCode).toBe(429);
    expect(begun).toHaveLength(3);
    const other = ask(app, (await newUser()).token);
    await until(() => begun.length === 4);
    letGo();
    for (const { statusCode } of await Promise.all([other, ...inHand])) expect(statusCode).toBe(200);
  });

  it('waits for one report, where a rival organization has all permits and a queue', async () => {
    const ends: (() => void)[] = [];
    const begun: string[] = [];
    const clock = createManualClock();
    const app = test.another({
      clock,
      config: { reportsAtOnce: 3, reportsPerUser: 2 },
      generateReport: async (request, access, signal) => {
        begun.push(access === 'unrestricted' ? 'rival' : 'own');
        await new Promise<void>((resolve) => void ends.push(resolve));
        return oneRow(request, access, signal);
      },
    });
    const [rival] = await test.database.query<{ id: number }>(
      `INSERT INTO organizations (name) VALUES ('a rival') RETURNING id`,
    );
    const answers: Promise<{ statusCode: number }>[] = [];
    for (let user = 0; user < 4; user++) {
      const { token } = await newUser(rival?.id);
      for (let n = 0; n < 4; n++) answers.push(ask(app, token));
    }
    await until(() => begun.length === 3);
    const token = await createReportToken(test.database, {
      ...everything,
      unrestricted: false,
      domains: ['b.example'],
    });
    // Each that waits has a timer.
    await until(() => clock.pending() === 13);
    const own = ask(app, token);
    await until(() => clock.pending() === 14);
    ends[0]?.();
    await until(() => begun.length === 4);
    expect(begun).toEqual(['rival', 'rival', 'rival', 'own']);
    for (let n = 1; n < 17; n++) {
      await until(() => ends.length > n);
      ends[n]?.();
    }
    for (const { statusCode } of await Promise.all([own, ...answers])) expect(statusCode).toBe(200);
  });

  it('is refused beyond the bound of its user with 429, and of the process with 503, and spends nothing', async () => {
    const { begun, letGo, generateReport } = heldReports();
    const config = { reportsAtOnce: 1, reportsPerUser: 1, reportRatePerMinute: 50 };
    const clock = createManualClock();
    const app = test.another({ generateReport, config, clock });
    const users = await Promise.all(Array.from({ length: 9 }, () => newUser()));
    const [first] = users;
    const inHand = [ask(app, first?.token ?? '')];
    await until(() => begun.length === 1);
    // Eight of each user may wait, and 64 in all.
    for (const { token } of users.slice(0, 8)) for (let n = 0; n < 8; n++) inHand.push(ask(app, token));
    await until(() => clock.pending() === 64);
    const tenth = await ask(app, first?.token ?? '');
    expect([tenth.statusCode, await first?.hits()]).toEqual([429, 9]);
    expect(tenth.headers['x-ratelimit-remaining']).toBe('41');
    const last = users[8];
    const refused = await ask(app, last?.token ?? '');
    expect([refused.statusCode, await last?.hits()]).toEqual([503, 0]);
    for (const { headers } of [tenth, refused]) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    letGo();
    for (const { statusCode } of await Promise.all(inHand)) expect(statusCode).toBe(200);
  });

  it('is refused after its longest wait, and spends nothing', async () => {
    const { begun, letGo, generateReport } = heldReports();
    const clock = createManualClock();
    const app = test.another({ generateReport, clock, config: { reportsPerUser: 1, reportWaitSeconds: 60 } });
    const { token, hits } = await newUser();
    const running = ask(app, token);
    await until(() => begun.length === 1);
    const late = ask(app, token);
    await until(() => clock.pending() === 1);
    expect(await hits()).toBe(2);
    clock.advance(60_000);
    const answer = await late;
    expect([answer.statusCode, await hits()]).toEqual([429, 1]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    letGo();
    expect((await running).statusCode).toBe(200);
  });

  it('gives back its permit and its hit when its client disconnects', async () => {
    const { begun, letGo, generateReport } = heldReports();
    const app = test.another({ generateReport, config: { ...fiveAMinute, reportsPerUser: 1 } });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const { token, hits } = await newUser();
    const { headers, payload } = generateRequest(token);
    const send = (signal?: AbortSignal) =>
      fetch(`${url}${generatePath}`, { method: 'POST', headers, body: payload, ...(signal && { signal }) });
    const first = send();
    await until(() => begun.length === 1);
    const leaving = new AbortController();
    const gone = send(leaving.signal).catch(() => 'gone');
    await until(async () => (await hits()) === 2);
    leaving.abort();
    expect(await gone).toBe('gone');
    await until(async () => (await hits()) === 1);
    const second = send();
    await until(async () => (await hits()) === 2);
    letGo();
    expect([(await first).status, (await second).status, begun.length]).toEqual([200, 200, 2]);
  });
});

describe('a hit that is given back', () => {
  it('is that one alone, and giving it back again has no effect', async () => {
    const { userId } = await newUser();
    const take = async () => {
      const [row] = await test.database.query<{ at: string }>(
        `SELECT hit_at::text AS at FROM take_hit($1, 'report', 5)`,
        [userId],
      );
      return row?.at ?? '';
    };
    const [first, second] = [await take(), await take()];
    const left = async () => {
      const [row] = await test.database.query<{ hits: string[] }>(
        `SELECT hits::text[] AS hits FROM request_hits WHERE user_id = $1`,
        [userId],
      );
      return row?.hits;
    };
    for (let time = 0; time < 2; time++) {
      const [row] = await test.database.query<{ remaining: number }>(
        `SELECT remaining FROM give_back_hit($1, 'report', 5, $2)`,
        [userId, first],
      );
      expect([row?.remaining, await left()]).toEqual([4, [second]]);
    }
  });
});
