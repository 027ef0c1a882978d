// tier: postgres
import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../api/reads/budget.ts';
import { createReads } from '../../../api/reads/reads.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openDatabase } from '../../support/postgres.ts';
import {
  appBody,
  bearer,
  callAs,
  createMember,
  createTestApi,
  type Member,
  newEndpoint,
  newKeys,
  openTestApi,
  type TestApi,
} from '../support.ts';

interface Publisher {
  readonly member: Member;
  readonly call: ReturnType<typeof callAs>;
  readonly app: string;
}

async function createPublisher(api: TestApi): Promise<Publisher> {
  const member = await createMember(api.database);
  const call = callAs(api.app, member);
  const { data } = (await call('POST', '/apps', appBody())).json();
  return { member, call, app: data.identifier };
}

const subscribe = (api: TestApi, app: string) =>
  api.app.inject({
    method: 'POST',
    url: '/api/v1/public/subscribe',
    headers: { 'x-app-id': app, origin: 'https://news.example.com' },
    payload: {
      appId: app,
      userId: newKeys().auth,
      subscription: { endpoint: newEndpoint(), keys: newKeys() },
    },
  });

/** Lists of deliveries wait for as long as this is held; nothing else does. */
async function holdDeliveries(url: string) {
  const database = openDatabase(url, 1);
  const letGo = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = database.transaction(async (sql) => {
    await sql.query('LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE');
    held.resolve();
    await letGo.promise;
  });
  await held.promise;
  let closed: Promise<void> | null = null;
  return (): Promise<void> => {
    letGo.resolve();
    closed ??= holding.then(() => database.close());
    return closed;
  };
}

const waitingLists = async (database: Database): Promise<number> => {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM deliveries%'`,
  );
  return row?.count ?? 0;
};

describe('while one organization has lists that do not end', () => {
  let api: TestApi;
  let letGo: () => Promise<void>;
  beforeEach(async () => {
    api = await createTestApi({ ownPools: true });
  });
  afterEach(async () => {
    await letGo();
    await api.close();
  });

  it('two of them run, the others wait, and other organizations are answered as ever', async () => {
    const [greedy, other] = [await createPublisher(api), await createPublisher(api)];
    letGo = await holdDeliveries(api.databaseUrl);
    const lists = Array.from({ length: 12 }, () => greedy.call('GET', `/apps/${greedy.app}/deliveries`));
    const all = Promise.all(lists);
    await expect.poll(() => waitingLists(api.database)).toBe(2);
    for (const path of ['subscriptions?search=a', 'segments', 'analytics/subscribers', 'vapid-keys'])
      expect((await other.call('GET', `/apps/${other.app}/${path}`)).statusCode).toBe(200);
    expect((await greedy.call('GET', `/apps/${greedy.app}`)).statusCode).toBe(200);
    expect(await waitingLists(api.database)).toBe(2);
    await letGo();
    expect((await all).map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200));
  });

  it('more than may wait are refused with 429, when to come again, and how to narrow them', async () => {
    const greedy = await createPublisher(api);
    letGo = await holdDeliveries(api.databaseUrl);
    const lists = Array.from({ length: 22 }, () => greedy.call('GET', `/apps/${greedy.app}/deliveries`));
    let answered = 0;
    const all = Promise.all(lists.map((list) => list.finally(() => answered++)));
    const refused = await Promise.race(lists);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.json().message).toMatch(/2 run at a time.*narrow them: fewer filters/);
    await expect.poll(() => waitingLists(api.database)).toBe(2);
    // All have asked: on a busy machine, one that asks once the lists run again is not refused.
    await expect.poll(() => answered).toBe(4);
    await letGo();
    const statuses = (await all).map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(18);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  it('browsers subscribe and beacons are taken while every connection for reads is held', async () => {
    const publishers = await Promise.all([createPublisher(api), createPublisher(api)]);
    const [first] = publishers;
    letGo = await holdDeliveries(api.databaseUrl);
    const all = Promise.all(
      publishers.flatMap(({ call, app }) => [1, 2, 3].map(() => call('GET', `/apps/${app}/deliveries`))),
    );
    await expect.poll(() => waitingLists(api.database)).toBe(4);
    const answers = await Promise.all(Array.from({ length: 20 }, () => subscribe(api, first?.app ?? '')));
    for (const { statusCode } of answers) expect(statusCode).toBe(200);
    expect(await waitingLists(api.database)).toBe(4);
    await letGo();
    for (const { statusCode } of await all) expect(statusCode).toBe(200);
  });

  it('cancels the query and releases its permit if the client disconnects', async () => {
    const greedy = await createPublisher(api);
    const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
    letGo = await holdDeliveries(api.databaseUrl);
    const calls = [1, 2, 3].map(() => {
      const call = httpRequest(`${url}/api/v1/client/apps/${greedy.app}/deliveries`, {
        headers: bearer(greedy.member.token),
        agent: false,
      });
      call.on('error', () => {});
      call.end();
      return call;
    });
    await expect.poll(() => waitingLists(api.database)).toBe(2);
    for (const call of calls) call.destroy();
    await expect.poll(() => waitingLists(api.database)).toBe(0);
    expect((await greedy.call('GET', `/apps/${greedy.app}/subscriptions`)).statusCode).toBe(200);
  });
});

describe('an organization that has used its time of a minute', async () => {
  const api = await openTestApi({ ownPools: true, config: { readSecondsPerMinute: 2 } });

  it('has its query ended and gets 429 with when to come again, and the others are answered', async () => {
    const [greedy, other] = [await createPublisher(api), await createPublisher(api)];
    const letGo = await holdDeliveries(api.databaseUrl);
    const ended = await greedy.call('GET', `/apps/${greedy.app}/deliveries`);
    expect(ended.statusCode).toBe(429);
    expect(ended.json().message).toMatch(
      /used the 2 seconds .* in a minute\. Wait, or narrow them: fewer filters/,
    );
    // A second of two is there again after half a minute.
    expect(Number(ended.headers['retry-after'])).toBeGreaterThan(20);
    expect(await waitingLists(api.database)).toBe(0);
    const next = await greedy.call('GET', `/apps/${greedy.app}/subscriptions`);
    expect([next.statusCode, Number(next.headers['retry-after']) > 20]).toEqual([429, true]);
    expect((await greedy.call('GET', `/apps/${greedy.app}`)).statusCode).toBe(200);
    await letGo();
    expect((await other.call('GET', `/apps/${other.app}/deliveries`)).statusCode).toBe(200);
  });
});

describe('reads', () => {
  const [ada, bob] = [toId<OrganizationId>(1), toId<OrganizationId>(2)];
  const asked = (organizationId: OrganizationId) => ({
    organizationId,
    signal: new AbortController().signal,
  });

  it('of one organization do not delay those of another, however many wait', async () => {
    const clock = createManualClock();
    const options = { atOnce: 2, perOrganization: 1, secondsPerMinute: 30, clock };
    const reads = createReads({ database: {} as Database, ...options });
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => async () => {
      order.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    };
    const all = [1, 2, 3, 4].map((n) => reads.pass(asked(ada), work(`ada ${n}`)));
    all.push(reads.pass(asked(bob), work('bob 1')), reads.pass(asked(bob), work('bob 2')));
    for (let ended = 0; ended < 6; ended++) {
      await expect.poll(() => ends.length).toBeGreaterThan(0);
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    expect(order.slice(0, 2)).toEqual(['ada 1', 'bob 1']);
    expect(order.indexOf('bob 2')).toBeLessThan(4);
  });
});

describe('a budget', () => {
  it('is refilled evenly, may be overdrawn by running work, and forgets idle owners', () => {
    const clock = createManualClock();
    const budget = createBudget<string>(30_000, clock);
    expect(budget.left('ada')).toBe(30_000);
    budget.spend('ada', 40_000);
    expect([budget.left('ada'), budget.left('bob')]).toEqual([-10_000, 30_000]);
    expect(budget.waitSeconds('ada', 1_000)).toBe(22);
    clock.advance(22_000);
    expect(budget.left('ada')).toBe(1_000);
    clock.advance(3_600_000);
    expect(budget.left('ada')).toBe(30_000);
    budget.spend('bob', 1);
    expect(budget.owners()).toBe(1);
  });
});
