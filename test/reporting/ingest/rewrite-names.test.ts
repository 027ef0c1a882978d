import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import { activateLoad, type LoadKind, registerLoad } from '../../../reporting/ingest/ad-loads.ts';
import { type AdStatsRewrite, createAdStatsRewrite } from '../../../reporting/ingest/ad-stats-rewrite.ts';
import { createRewriteNames } from '../../../reporting/ingest/rewrite-names.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

const range = { firstDay: '2026-01-01', lastDay: '2026-12-31' };
const publisher = 'xn--mller-presse-dlb.example';

describe('the rewriting of domains that earlier versions stored as they were written', () => {
  let clickhouse: ClickHouse;
  let test: TestDatabase;
  beforeAll(async () => {
    clickhouse = await openTestClickHouse();
  });
  afterAll(() => clickhouse.close());
  beforeEach(async () => {
    test = await createTestDatabase();
    await clickhouse.client.command({ query: 'TRUNCATE TABLE ad_stats' });
  });
  afterEach(() => test.drop());

  /** A load as an earlier version made it: past the rules of the intake. */
  async function load(
    days: readonly string[],
    names: readonly string[],
    { source = 'gam', kind = 'append' as LoadKind, active = true } = {},
  ): Promise<number> {
    const content = `${Math.random()}`;
    const { load: id } = await registerLoad(test.database, { source, kind, content });
    const rows = days.flatMap((day) =>
      names.map((domain, n) =>
        JSON.stringify({
          ...{ at: `${day} 0${n}:00:00`, load: id, source, domain, subdomain: `www.${domain}` },
          ...{ impressions: 10 ** n, earnings: '0.00000001', currency: 'EUR', grain: 'hour' },
        }),
      ),
    );
    await clickhouse.client.command({ query: `INSERT INTO ad_stats FORMAT JSONEachRow ${rows.join('\n')}` });
    if (active) await activate(id, days);
    return id;
  }
  const activate = (id: number, days: readonly string[]) =>
    activateLoad(test.database, { load: id, days, rows: 1, refused: 0, completeUntil: null });
  const names = ['müller-presse.example', 'Müller-Presse.example', 'plain.example', 'große app', 'Große App'];

  /** Impressions of what counts, by source, day and name. */
  async function figures() {
    const { text, params } = visibleRows(await readLedger(test.database, range));
    const query = `SELECT concat(source, ' ', toString(toDate(at)), ' ', domain, ' ', subdomain) AS name,
      toString(sum(impressions)) AS impressions FROM ad_stats WHERE ${text} GROUP BY name ORDER BY name`;
    const answer = await clickhouse.client.query({
      query,
      query_params: { ...params },
      format: 'JSONEachRow',
    });
    const rows = await answer.json<{ name: string; impressions: string }>();
    return Object.fromEntries(rows.map(({ name, impressions }) => [name, Number(impressions)]));
  }
  const expected = (...places: string[]) =>
    Object.fromEntries(
      places.flatMap((place) => [
        [`${place} ${publisher} www.${publisher}`, 11],
        [`${place} große app www.große app`, 11_000],
        [`${place} plain.example www.plain.example`, 100],
      ]),
    );
  const rewrite = (changes: Partial<AdStatsRewrite> = {}) =>
    createRewriteNames({
      database: test.database,
      rewrite: { ...createAdStatsRewrite(clickhouse), ...changes },
    });
  /** Steps until one does nothing. */
  async function rewriteAll(step = rewrite()): Promise<number> {
    let days = 0;
    for (let did = 1; did > 0; days += did) did = await step();
    return days;
  }
  const loads = () =>
    test.database.query(`SELECT kind, state FROM ad_loads WHERE kind = 'rewrite' ORDER BY id`);

  it('takes a day of a source at a time, and does nothing once there are none left', async () => {
    await load(['2026-03-01', '2026-03-02'], names);
    await load(['2026-03-02'], names, { source: 'prebid' });
    await load(['2026-03-03'], ['plain.example']);
    expect(await rewriteAll()).toBe(3);
    expect(await figures()).toEqual({
      ...expected('gam 2026-03-01', 'gam 2026-03-02', 'prebid 2026-03-02'),
      'gam 2026-03-03 plain.example www.plain.example': 1,
    });
    expect(await loads()).toHaveLength(3);
    expect(await test.database.query('SELECT name FROM ad_rewrites')).toEqual([{ name: 'domain-names' }]);
    const asked: string[] = [];
    const watched = rewrite({ foreignNames: async () => [...asked, ''].slice(asked.push('names')) });
    expect([await watched(), await watched(), asked]).toEqual([0, 0, []]);
  });

  it('does nothing at all where every name is in its form, also one that is not a domain', async () => {
    await load(['2026-03-01'], ['plain.example', publisher, 'große app']);
    expect(await rewriteAll()).toBe(0);
    expect(await loads()).toEqual([]);
  });

  it('is not a statement of the source: it restates nothing, and marks no source as reporting', async () => {
    const file = { source: 'gam', kind: 'restate', content: 'file' } as const;
    const { load: restating } = await registerLoad(test.database, file);
    await activate(restating, ['2026-03-09']);
    await load(['2026-03-01', '2026-03-09'], names);
    await test.database.query(`UPDATE ad_sources SET reported_at = '2026-03-01'`);
    await rewriteAll();
    const { restated } = await readLedger(test.database, { firstDay: '2026-03-01', lastDay: '2026-03-08' });
    expect(restated).toBe(false);
    expect((await readLedger(test.database, range)).restated).toBe(true);
    const [source] = await test.database.query<{ reported_at: Date }>('SELECT reported_at FROM ad_sources');
    expect(source?.reported_at.toISOString()).toContain('2026-03-01');
  });

  it('waits for a load in progress, whose rows would be dead on arrival, and continues elsewhere', async () => {
    await load(['2026-03-01'], names);
    await load(['2026-03-02'], names, { source: 'prebid' });
    const pending = await load(['2026-03-01'], names, { active: false });
    expect(await rewriteAll()).toBe(1);
    expect(await figures()).toMatchObject(expected('prebid 2026-03-02'));
    await activate(pending, ['2026-03-01']);
    expect(await rewriteAll()).toBe(1);
    const twice = Object.entries(expected('gam 2026-03-01')).map(([name, count]) => [name, 2 * count]);
    expect(await figures()).toEqual({ ...Object.fromEntries(twice), ...expected('prebid 2026-03-02') });
  });

  it('is not done while a load is on its way', async () => {
    const pending = await load(['2026-03-01'], names, { active: false });
    const step = rewrite();
    expect(await step()).toBe(0);
    await activate(pending, ['2026-03-01']);
    expect(await rewriteAll(step)).toBe(1);
  });

  it('yields to a concurrent restatement, and later rows count on top of it', async () => {
    await load(['2026-03-01'], names);
    const real = createAdStatsRewrite(clickhouse);
    const during = rewrite({
      copyDay: async (...given) => {
        await real.copyDay(...given);
        await load(['2026-03-01'], ['plain.example'], { kind: 'restate' });
        await load(['2026-03-01'], ['late.example'], { kind: 'batch' });
      },
    });
    await rewriteAll(during);
    expect(await figures()).toEqual({
      'gam 2026-03-01 late.example www.late.example': 1,
      'gam 2026-03-01 plain.example www.plain.example': 1,
    });
  });

  const dies = async () => {
    throw new Error('the process dies here');
  };
  const real = () => createAdStatsRewrite(clickhouse);
  it.each<[string, () => Partial<AdStatsRewrite>]>([
    ['before the copy', () => ({ copyDay: dies })],
    [
      'after a part of the copy',
      () => ({ copyDay: (ledger, day, id) => real().copyDay(ledger, day, id, []).then(dies) }),
    ],
    ['before the copy counts', () => ({ copied: dies })],
    [
      'with a copy that is not whole',
      () => ({ copied: async () => ({ rows: 4, impressions: '1', earnings: '0' }) }),
    ],
  ])('counts every row once where it stops %s', async (_, faults) => {
    await load(['2026-03-01', '2026-03-02'], names);
    const before = await figures();
    await expect(rewrite(faults())()).rejects.toThrow();
    expect(await figures()).toEqual(before);
    // The failed transaction's connection is closed, and its locks go once the server has noticed.
    let rewritten = 0;
    await expect.poll(async () => (rewritten += await rewriteAll())).toBe(2);
    expect(await figures()).toEqual(expected('gam 2026-03-01', 'gam 2026-03-02'));
  });

  it('shows a reader the same sum at every moment, and is done by one of two that run side by side', async () => {
    await load(['2026-03-01', '2026-03-02', '2026-03-03'], names);
    const sum = async () => Object.values(await figures()).reduce((all, one) => all + one, 0);
    const seen = new Set<number>();
    let done = false;
    const reading = (async () => {
      while (!done) seen.add(await sum());
    })();
    const [one, other] = await Promise.all([rewriteAll(), rewriteAll()]);
    await rewriteAll();
    done = true;
    await reading;
    expect([...seen]).toEqual([3 * 11_111]);
    expect(one + other).toBeLessThanOrEqual(3);
    expect(await figures()).toEqual(expected('gam 2026-03-01', 'gam 2026-03-02', 'gam 2026-03-03'));
  });
});
