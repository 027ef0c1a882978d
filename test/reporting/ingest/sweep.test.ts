// tier: system, clickhouse
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import { takeSessionLock } from '../../../engine/adapters/postgres/session-lock.ts';
import {
  abandonLoad,
  activateLoad,
  type LoadKind,
  loadLockName,
  registerLoad,
} from '../../../reporting/ingest/ad-loads.ts';
import { createAdStatsRemoval } from '../../../reporting/ingest/ad-stats-removal.ts';
import { createSweep, SWEEP_GRACE_MS } from '../../../reporting/ingest/sweep.ts';
import { buildAdRow, insertAdRows, visibleTotals } from '../../support/ad-stats.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

const range = { firstDay: '2026-01-01', lastDay: '2026-12-31' };

describe('the sweep of dead ad statistics', () => {
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

  const fill = async (
    content: string,
    days: readonly string[],
    kind: LoadKind = 'append',
    source = 'gam',
  ) => {
    const { load } = await registerLoad(test.database, { source, kind, content });
    await insertAdRows(
      clickhouse,
      days.map((at) => buildAdRow({ at })),
      { load, source },
    );
    return load;
  };
  const load = async (
    content: string,
    days: readonly string[],
    kind: LoadKind = 'append',
    source = 'gam',
  ) => {
    const id = await fill(content, days, kind, source);
    await activateLoad(test.database, { load: id, days, rows: days.length, refused: 0, completeUntil: null });
    return id;
  };
  const age = (hours: number) =>
    test.database.query(
      `WITH loads AS (UPDATE ad_loads SET created_at = created_at - $1 * interval '1 hour', ended_at = ended_at - $1 * interval '1 hour'),
         counted AS (UPDATE ad_restatements SET counted_at = coalesce(counted_at, now()) - $1 * interval '1 hour')
       UPDATE ad_restated SET restated_at = restated_at - $1 * interval '1 hour'`,
      [hours],
    );
  const stored = async (): Promise<number> => {
    const query = 'SELECT toUInt32(count()) AS rows FROM ad_stats';
    const [row] = await (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<{
      rows: number;
    }>();
    return row?.rows ?? 0;
  };
  const ledger = () => readLedger(test.database, range);
  const sweep = () => createSweep({ sql: test.database, removal: createAdStatsRemoval(clickhouse) })();
  /** Steps until the ledger's lists are empty; a mutation runs in the background meanwhile. */
  const sweepClean = () =>
    vi.waitFor(
      async () => {
        await sweep();
        expect(await ledger()).toMatchObject({ hidden: [], superseded: [] });
      },
      { timeout: 120_000, interval: 100 },
    );

  it('deletes restated rows after the grace of reports, and nothing else', async () => {
    await load('old', ['2026-03-01', '2026-03-02', '2026-03-03']);
    await load('other', ['2026-03-01'], 'append', 'prebid');
    await load('new', ['2026-03-01', '2026-03-02'], 'restate');
    await load('late', ['2026-03-01'], 'batch');
    const before = await visibleTotals(clickhouse, await ledger());
    expect(before.rows).toBe(5);
    expect(await sweep()).toBe(0);
    expect(await stored()).toBe(7);
    await age(SWEEP_GRACE_MS / 3_600_000 + 0.01);
    // What a restatement changed is counted first, from the rows before it.
    await test.database.query('UPDATE ad_restatements SET counted_at = NULL');
    expect(await sweep()).toBe(0);
    await age(SWEEP_GRACE_MS / 3_600_000 + 0.01);
    await sweepClean();
    expect(await stored()).toBe(5);
    expect(await visibleTotals(clickhouse, await ledger())).toEqual(before);
    expect((await ledger()).restated).toBe(true);
    expect(await sweep()).toBe(0);
  });

  it('deletes a load a day after it was abandoned, and one whose importer died a day ago', async () => {
    await abandonLoad(test.database, await fill('given up', ['2026-03-01']));
    await fill('died', ['2026-03-01']);
    await load('good', ['2026-03-01']);
    await age(23);
    expect(await sweep()).toBe(0);
    expect((await ledger()).hidden).toHaveLength(2);
    await age(2);
    expect(await sweep()).toBeGreaterThan(0);
    await age(25);
    await sweepClean();
    expect(await stored()).toBe(1);
  });

  it('leaves an import alone that goes on for more than a day', async () => {
    const id = await fill('long', ['2026-03-01']);
    const lock = await takeSessionLock(
      test.url,
      loadLockName({ source: 'gam', kind: 'append', content: 'long' }),
    );
    await age(100);
    await sweep();
    await sweep();
    expect(
      await activateLoad(test.database, {
        load: id,
        days: ['2026-03-01'],
        rows: 1,
        refused: 0,
        completeUntil: null,
      }),
    ).toBe(true);
    await lock?.release();
    expect(await visibleTotals(clickhouse, await ledger())).toMatchObject({ rows: 1 });
  });

  it('deletes rows that arrive dead after their day was swept', async () => {
    const slow = await fill('slow', ['2026-03-01']);
    await load('new', ['2026-03-01'], 'restate');
    await age(1);
    await vi.waitFor(
      async () => {
        await sweep();
        expect((await ledger()).superseded).toEqual([]);
      },
      { timeout: 120_000, interval: 100 },
    );
    await activateLoad(test.database, {
      load: slow,
      days: ['2026-03-01'],
      rows: 1,
      refused: 0,
      completeUntil: null,
    });
    await insertAdRows(clickhouse, [buildAdRow()], { load: slow });
    expect(await visibleTotals(clickhouse, await ledger())).toMatchObject({ rows: 1 });
    await age(1);
    await sweepClean();
    expect(await stored()).toBe(1);
  });
});
