// tier: system, clickhouse
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { createEarnings } from '../../../engine/adapters/clickhouse/earnings.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import { systemClock } from '../../../engine/contract/concurrency/clock.ts';
import type { TopicValue } from '../../../engine/contract/topics.ts';
import { abandonLoad, activateLoad, registerLoad } from '../../../reporting/ingest/ad-loads.ts';
import { createAdStatsStage } from '../../../reporting/ingest/ad-stats-stage.ts';
import { createAdStatsStore } from '../../../reporting/ingest/ad-stats-store.ts';
import { createFxStage } from '../../../reporting/ingest/fx-stage.ts';
import { createFxStore } from '../../../reporting/ingest/fx-store.ts';
import { visibleTotals } from '../../support/ad-stats.ts';
import { createMemoryLog } from '../../support/memory-log/log.ts';
import { createMemoryStore } from '../../support/memory-log/store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

const quiet = {
  logger: { info: () => {}, warn: () => {}, error: () => {} },
  metrics: { recordBatch: () => {}, backPressurePause: () => {} },
  options: { firstPauseMs: 5, maxPauseMs: 5, maxAttempts: 3 },
};
const range = { firstDay: '2026-01-01', lastDay: '2026-12-31' };
const NOW_MS = Date.UTC(2026, 10, 1);
const SOON = { timeout: 120_000, interval: 50 };

describe('the stages of ad statistics and rates', () => {
  let clickhouse: ClickHouse;
  let test: TestDatabase;
  const memory = { store: createMemoryStore() };
  beforeAll(async () => {
    clickhouse = await openTestClickHouse();
  });
  afterAll(() => clickhouse.close());
  beforeEach(async () => {
    test = await createTestDatabase();
    memory.store = createMemoryStore();
    await clickhouse.client.command({ query: 'TRUNCATE TABLE ad_stats' });
    await clickhouse.client.command({ query: 'TRUNCATE TABLE ad_stats_refused' });
  });
  afterEach(() => test.drop());

  const openLog = () => createMemoryLog({ store: memory.store, clock: systemClock });
  /** A consumer as after a start of the process: its own log and stage over the same stores. */
  async function start(
    faults: { insertRows?: () => Promise<void>; activate?: () => Promise<void>; away?: () => boolean } = {},
  ) {
    const log = openLog();
    const setAside: number[] = [];
    const store = createAdStatsStore(clickhouse);
    const stage = createAdStatsStage({
      ...quiet,
      onSetAside: (rows) => setAside.push(rows),
      nowMs: () => NOW_MS,
      log,
      store: {
        ...store,
        insertRows: async (rows, token) => {
          if (faults.away?.()) return { kind: 'away', store: 'ClickHouse', reason: 'connection refused' };
          const ending = await store.insertRows(rows, token);
          await faults.insertRows?.();
          return ending;
        },
      },
      loads: {
        register: (load) => registerLoad(test.database, load),
        activate: async (activation) => {
          await faults.activate?.();
          return activateLoad(test.database, activation);
        },
        abandon: (load) => abandonLoad(test.database, load),
        answers: () => test.database.ping(),
      },
    });
    await stage.start();
    return {
      log,
      setAside,
      stop: async () => {
        await stage.close(5_000);
        await log.close(1_000);
      },
    };
  }

  const batch = (
    batch_id: string,
    changes: Partial<TopicValue<'ad-stats'>> = {},
  ): TopicValue<'ad-stats'> => ({
    ...{ batch_id, source: 'gam' },
    rows: [1, 2].map((n) => ({
      ...{
        at: '2026-03-01',
        domain: `d${n}.example`,
        impressions: 100 * n,
        earnings: '1.25',
        currency: 'EUR',
      },
    })),
    ...changes,
  });
  const publish = async (value: TopicValue<'ad-stats'>, key = value.batch_id) => {
    const log = openLog();
    await log.publish('ad-stats', [{ key, value }]);
    await log.close(1_000);
  };
  const drained = (log: ReturnType<typeof openLog>) =>
    vi.waitFor(async () => expect(await log.lag('ad-stats')).toBe(0), SOON);
  const visible = async () => visibleTotals(clickhouse, await readLedger(test.database, range));

  it('counts a batch once that is sent twice, under another key, or again after a restart', async () => {
    const first = await start();
    await publish(batch('b-1'));
    await publish(batch('b-1'), 'another partition');
    await drained(first.log);
    await first.stop();
    await publish(batch('b-1'));
    const second = await start();
    await drained(second.log);
    await second.stop();
    expect(await visible()).toEqual({ rows: 2, impressions: 300 });
  });

  it('counts it once also where ClickHouse has long forgotten its name', async () => {
    const { log, stop } = await start();
    await publish(batch('b-1'));
    await drained(log);
    // As after 50,000 further inserts: what it remembers is gone.
    const window = (inserts: number) =>
      clickhouse.client.command({
        query: `ALTER TABLE ad_stats MODIFY SETTING non_replicated_deduplication_window = ${inserts}`,
      });
    await window(0);
    await window(50_000);
    await publish(batch('b-1'));
    await drained(log);
    await stop();
    expect(await visible()).toEqual({ rows: 2, impressions: 300 });
  });

  it('takes the same id of another source for another batch', async () => {
    const { log, stop } = await start();
    await publish(batch('b-1'));
    await publish(batch('b-1', { source: 'prebid' }));
    await drained(log);
    await stop();
    expect(await visible()).toMatchObject({ rows: 4 });
  });

  it('counts rows inserted before the process died once, and shows nothing of them before', async () => {
    let visibleBefore: unknown = null;
    const dying = await start({
      activate: async () => {
        visibleBefore ??= await visible();
        throw new Error('the process dies here');
      },
    });
    await publish(batch('b-1'));
    await vi.waitFor(() => expect(visibleBefore).toEqual({ rows: 0, impressions: 0 }), SOON);
    await dying.stop();
    await publish(batch('b-1'));
    const next = await start();
    await drained(next.log);
    await next.stop();
    expect(await visible()).toEqual({ rows: 2, impressions: 300 });
    const [stored] = await (
      await clickhouse.client.query({
        query: 'SELECT toUInt32(count()) AS rows FROM ad_stats',
        format: 'JSONEachRow',
      })
    ).json<{ rows: number }>();
    expect(stored?.rows).toBe(2);
  });

  it('starts again where ClickHouse had forgotten an insert that came again', async () => {
    let times = 0;
    const { log, stop } = await start({
      activate: async () => {
        if (times++ > 0) return;
        await clickhouse.client.command({
          query: `INSERT INTO ad_stats SELECT * FROM ad_stats SETTINGS insert_deduplicate = 0`,
        });
        throw new Error('the answer is lost');
      },
    });
    await publish(batch('b-1'));
    await drained(log);
    await stop();
    expect(await visible()).toEqual({ rows: 2, impressions: 300 });
  });

  it('waits on the log while ClickHouse is unavailable, and loses nothing', async () => {
    let away = true;
    const { log, stop } = await start({ away: () => away });
    await publish(batch('b-1'));
    await publish(batch('b-2'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await log.lag('ad-stats')).toBe(2);
    away = false;
    await drained(log);
    await stop();
    expect(await visible()).toEqual({ rows: 4, impressions: 600 });
  });

  it('sets bad rows of a batch aside and counts the others; an invalid message is a dead letter', async () => {
    const { log, stop, setAside } = await start();
    const rows = [
      ...batch('x').rows,
      { at: '2026-02-30' },
      { day: '2026-03-02', impressions: 5, note: 'of no meaning' },
    ];
    await publish(batch('b-1', { rows }));
    await publish({ ...batch('b-2'), rows: [] });
    await drained(log);
    expect(await log.deadLetters('ad-stats', 10)).toHaveLength(1);
    await stop();
    expect(await visible()).toEqual({ rows: 3, impressions: 305 });
    const [load] = await test.database.query<{ id: number; refused: number }>(
      'SELECT id, refused FROM ad_loads',
    );
    expect(load?.refused).toBe(1);
    expect(await createAdStatsStore(clickhouse).refusedRows(load?.id ?? 0, 0, 10)).toMatchObject([
      { row: 3, reason: 'at does not exist' },
    ]);
    expect(setAside).toEqual([1]);
  });

  it('counts rows after a restatement on top of it', async () => {
    const { log, stop } = await start();
    await publish(batch('b-1'));
    await drained(log);
    const restating = await registerLoad(test.database, { source: 'gam', kind: 'restate', content: 'file' });
    await activateLoad(test.database, {
      ...{ load: restating.load, days: ['2026-03-01'], rows: 0, refused: 0, completeUntil: null },
    });
    expect(await visible()).toEqual({ rows: 0, impressions: 0 });
    await publish(batch('b-2'));
    await drained(log);
    await stop();
    expect(await visible()).toEqual({ rows: 2, impressions: 300 });
  });

  it('notes up to when the source is complete', async () => {
    const { log, stop } = await start();
    await publish(batch('b-1', { complete_until: Date.UTC(2026, 2, 2) }));
    await drained(log);
    await stop();
    expect((await readLedger(test.database, range)).completeUntil).toEqual(new Date(Date.UTC(2026, 2, 2)));
  });

  it('counts the rows of a batch that claims to be complete up to a time to come, and passes the claim over', async () => {
    const { log, stop } = await start();
    await publish(batch('b-1', { complete_until: NOW_MS + 3_600_000 }));
    await drained(log);
    await stop();
    expect(await visible()).toMatchObject({ rows: 2 });
    expect((await readLedger(test.database, range)).completeUntil).toBeNull();
  });

  it('takes rates from the log, the latest statement of a day, and buries a batch with a wrong one', async () => {
    const log = openLog();
    let notified = 0;
    const stage = createFxStage({
      ...quiet,
      onRates: () => notified++,
      log,
      store: createFxStore(clickhouse),
      nowMs: () => Date.UTC(2026, 2, 5),
    });
    await stage.start();
    const state = (batch_id: string, stated_at: number, rates: [string, string, string][]) =>
      log.publish('fx-rates', [
        {
          key: batch_id,
          value: {
            ...{ batch_id, source: 'ecb', stated_at },
            rates: rates.map(([day, currency, per_eur]) => ({ day, currency, per_eur })),
          },
        },
      ]);
    await state('r-2', 2_000, [['2026-03-04', 'GBP', '0.87']]);
    await state('r-1', 1_000, [['2026-03-04', 'GBP', '0.86']]);
    await state('r-3', 3_000, [
      ['2026-03-04', 'GBP', '0.99'],
      ['2026-03-06', 'GBP', '0.88'],
    ]);
    await vi.waitFor(async () => expect(await log.lag('fx-rates')).toBe(0), SOON);
    const letters = await log.deadLetters('fx-rates', 10);
    expect(letters).toMatchObject([
      { reason: expect.stringContaining('rate 2: 2026-03-06 lies in the future') },
    ]);
    await stage.close(1_000);
    await log.close(1_000);
    const rates = await createEarnings(clickhouse).rates('all', '2026-03-01', '2026-03-31');
    expect(rates).toEqual([{ currency: 'GBP', day: '2026-03-04', perEur: '0.87', source: 'ecb' }]);
    // The rate cache is notified of both accepted statements.
    expect(notified).toBe(2);
  });
});
