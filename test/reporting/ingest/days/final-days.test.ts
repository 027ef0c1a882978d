// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Concerned,
  insertRunByHand,
  lookAtFinalDays,
} from '../../../../engine/adapters/postgres/report-schedules/fire.ts';
import { sayDays } from '../../../../reporting/ingest/days/ad-days.ts';
import { createKeepDays } from '../../../../reporting/ingest/days/keep-days.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/postgres.ts';
import { createReportToken, createReportUser, everything } from '../../support.ts';

/** Answers with one domain, and of a source that is broken with an error. */
function createStatistics() {
  const broken = new Set<string>();
  let reads = 0;
  const query = async ({ query_params: params }: { query_params: Record<string, unknown> }) => {
    reads++;
    if (Object.values(params).some((value) => broken.has(String(value)))) throw new Error('too many parts');
    return {
      stream: async function* () {
        yield [{ json: () => ({ c_domain: 'a.example' }) }];
      },
    };
  };
  const clickhouse = { client: { query }, ping: async () => true };
  return { clickhouse: clickhouse as never, broken, reads: () => reads };
}

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const becomesFinal = (source: string, day: string) =>
  sayDays(test.database, { source, days: [day], state: 'final', by: 'person', as: 'ann' });

describe('webhooks of days that became final', () => {
  it('go on behind a source whose rows cannot be read, which is said now and then, and come when they can', async () => {
    await test.database.query(
      `WITH owner AS (INSERT INTO organizations (name) VALUES ('daily') RETURNING id), domain AS (
         INSERT INTO revenue_domains (organization_id, domain) SELECT id, 'a.example' FROM owner)
       INSERT INTO webhook_endpoints (organization_id, url, types) SELECT id, 'https://hooks.example/x', '{reports.final}' FROM owner`,
    );
    const told = async () =>
      (
        await test.database.query<{ text: string }>(
          `SELECT (data ->> 'source') || ' ' || (data ->> 'first_day') AS text FROM webhook_messages ORDER BY id`,
        )
      ).map(({ text }) => text);
    const { clickhouse, broken, reads } = createStatistics();
    const faults: string[] = [];
    let nowMs = 0;
    const step = createKeepDays({
      ...{ database: test.database, clickhouse, clock: { now: () => nowMs } },
      onFault: (error) => void faults.push(String(error)),
    });
    broken.add('broken');
    for (const day of ['2026-03-01', '2026-03-02']) await becomesFinal('broken', day);
    await becomesFinal('sound', '2026-03-01');
    for (let time = 0; time < 6; time++) await step();
    expect(await told()).toEqual(['sound 2026-03-01']);
    expect(faults).toHaveLength(3);
    expect(faults[2]).toContain('reports.final of broken from 2026-03-01 waits behind the others');
    // Those that come later do not wait for it, either; it is not read meanwhile.
    await becomesFinal('sound', '2026-03-02');
    const before = reads();
    for (let time = 0; time < 6; time++) await step();
    expect(await told()).toEqual(['sound 2026-03-01', 'sound 2026-03-02']);
    expect(reads() - before).toBe(1);
    // Nothing is lost where the process ends: another one begins again.
    nowMs += 600_000;
    await step();
    expect(faults).toHaveLength(4);
    broken.clear();
    const another = createKeepDays({ database: test.database, clickhouse });
    while ((await another()) > 0);
    expect((await told()).toSorted()).toEqual([
      'broken 2026-03-01',
      'broken 2026-03-02',
      'sound 2026-03-01',
      'sound 2026-03-02',
    ]);
  });

  it('are nobody’s fault while a store does not answer', async () => {
    await test.database.query(
      `WITH owner AS (INSERT INTO organizations (name) VALUES ('daily') RETURNING id), domain AS (
         INSERT INTO revenue_domains (organization_id, domain) SELECT id, 'a.example' FROM owner)
       INSERT INTO webhook_endpoints (organization_id, url, types) SELECT id, 'https://hooks.example/x', '{reports.final}' FROM owner`,
    );
    const { clickhouse, broken } = createStatistics();
    const away = { ...(clickhouse as object), ping: async () => false } as never;
    const step = createKeepDays({
      ...{ database: test.database, clickhouse: away },
      onFault: () => expect.unreachable(),
    });
    broken.add('broken');
    await becomesFinal('broken', '2026-03-01');
    for (let time = 0; time < 5; time++) await expect(step()).rejects.toThrow('too many parts');
  });
});

async function scheduleOf(count: number): Promise<number> {
  const user = await createReportUser(test.database);
  await createReportToken(
    test.database,
    { ...everything, unrestricted: false, domains: ['a.example'] },
    user,
  );
  const [row] = await test.database.query<{ id: number }>(
    `WITH saved AS (
       INSERT INTO saved_reports (organization_id, name, period, request, made_by)
       SELECT organization_id, 'days', 'yesterday', '{}', id FROM users WHERE id = $1 RETURNING id, organization_id
     ), made AS (
       INSERT INTO report_schedules (organization_id, saved_id, token_id, made_by, zone, format, destination, next_at)
       SELECT organization_id, saved.id, (SELECT id FROM report_tokens WHERE user_id = $1), $1, 'UTC', 'csv', '{}',
         now() + interval '1 hour' FROM saved, generate_series(1, $2) RETURNING id
     )
     SELECT min(id) AS id FROM made`,
    [user, count],
  );
  return row?.id ?? 0;
}

describe('schedules that wait for final days', () => {
  it('are woken by one read of the domains of a source, however many they are', async () => {
    await scheduleOf(2_100);
    await becomesFinal('gam', '2026-03-01');
    const asked: string[][] = [];
    const concerned: Concerned = async (_sql, events, wanted) => {
      asked.push([...events.map(({ source }) => source), ...wanted]);
      return (scope) => scope?.domains.includes('a.example') === true;
    };
    expect(await lookAtFinalDays(test.database, concerned)).toBe(1);
    expect(asked).toEqual([['gam', 'a.example']]);
    const due = await test.database.query(`SELECT FROM report_schedules WHERE next_at <= now()`);
    expect(due).toHaveLength(2_100);
  });

  it('and are run by hand as often as somebody asks, in the same millisecond, too', async () => {
    const id = await scheduleOf(1);
    const firing = { key: 'by hand 2026-03-01T00:00:00.000Z', today: '2026-03-01' };
    const runs = await Promise.all([1, 2, 3].map(() => insertRunByHand(test.database, id, firing)));
    expect(new Set(runs).size).toBe(3);
    expect(runs).not.toContain(null);
    const keys = await test.database.query<{ key: string }>('SELECT key FROM report_runs ORDER BY id');
    expect(keys.map(({ key }) => key.slice(firing.key.length))).toEqual(['', ' #2', ' #3']);
  });
});
