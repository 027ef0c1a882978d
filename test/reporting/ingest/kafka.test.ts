// tier: system, clickhouse
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { createEarnings } from '../../../engine/adapters/clickhouse/earnings.ts';
import { createKafkaLog } from '../../../engine/adapters/kafka/log.ts';
import { readLedger } from '../../../engine/adapters/postgres/ad-ledger.ts';
import { createMetrics } from '../../../engine/adapters/telemetry/metrics.ts';
import type { Log } from '../../../engine/contract/log.ts';
import { startIngest } from '../../../reporting/ingest/start.ts';
import { visibleTotals } from '../../support/ad-stats.ts';
import { describeKafka } from '../../support/kafka/describe-kafka.ts';
import { type KafkaBroker, startKafkaBroker } from '../../support/kafka-broker.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import { openTestClickHouse } from '../../support/test-clickhouse.ts';

const TEST_MS = 240_000;
const SOON = { timeout: 120_000, interval: 200 };
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const march = { firstDay: '2026-03-01', lastDay: '2026-03-31' };

describeKafka('ad statistics and rates on Kafka', () => {
  let broker: KafkaBroker;
  let clickhouse: ClickHouse;
  let test: TestDatabase;
  let prefixes = 0;
  let opened = new AsyncDisposableStack();
  beforeAll(async () => {
    clickhouse = await openTestClickHouse();
    broker = await startKafkaBroker();
  }, TEST_MS);
  afterAll(async () => {
    await broker?.stop();
    await clickhouse.close();
  });
  beforeEach(async () => {
    prefixes++;
    test = await createTestDatabase();
    opened = new AsyncDisposableStack();
    for (const table of ['ad_stats', 'ad_stats_refused', 'fx_rates']) {
      await clickhouse.client.command({ query: `TRUNCATE TABLE ${table}` });
    }
  });
  afterEach(async () => {
    await opened.disposeAsync();
    await test.drop();
  });

  async function connect(): Promise<Log> {
    const log = await createKafkaLog({
      brokers: [broker.address],
      prefix: `ingest-${prefixes}.`,
      partitions: 4,
      sessionTimeoutMs: 2_000,
      revokeBudgetMs: 2_000,
      publishTimeoutMs: 10_000,
      fetchWaitMs: 100,
    });
    opened.defer(() => log.close(2_000));
    return log;
  }
  /** What a reporting process runs of it, with a connection of its own. */
  async function startReader() {
    const log = await connect();
    const { database } = test;
    const metrics = createMetrics();
    const ingest = await startIngest({
      database,
      log,
      clickhouse,
      logger: quiet,
      metrics,
      onRates: () => {},
    });
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await ingest.close(5_000);
      isOpen = false;
    };
    opened.defer(close);
    return { close, exposition: async () => (await metrics.exposition()).body };
  }
  const send = (log: Log, n: number, key = `b-${n}`) =>
    log.publish('ad-stats', [
      {
        key,
        value: {
          ...{ batch_id: `b-${n}`, source: 'gam' },
          rows: [{ at: '2026-03-01', impressions: 10 ** n, earnings: '1.25', currency: 'EUR' }],
        },
      },
    ]);
  const visible = async () => visibleTotals(clickhouse, await readLedger(test.database, march));

  it('count each batch once, over several processes and partitions, whatever is sent again', {
    timeout: TEST_MS,
  }, async () => {
    const readers = [await startReader(), await startReader()];
    const log = await connect();
    for (const n of [0, 1, 2, 3]) await send(log, n);
    for (const n of [0, 1, 2, 3]) await send(log, n, `again on another partition ${n}`);
    await vi.waitFor(async () => expect(await log.lag('ad-stats')).toBe(0), SOON);
    expect(await visible()).toEqual({ rows: 4, impressions: 1_111 });
    expect(await log.deadLetters('ad-stats', 10)).toEqual([]);
    const counted = async (name: string): Promise<number> => {
      const texts = await Promise.all(readers.map((reader) => reader.exposition()));
      const found = new RegExp(`^broadside_ingest_${name}{topic="ad-stats"} (\\d+)$`, 'm');
      return texts.reduce((sum, text) => sum + Number(found.exec(text)?.[1]), 0);
    };
    expect([await counted('batches_total'), await counted('batch_seconds_count')]).toEqual([8, 8]);
    expect(await counted('rows_total')).toBeGreaterThanOrEqual(4);
    expect(await counted('lag_messages')).toBe(0);
  });

  it('go on where a reader left off and where the broker crashed, without a loss or a double', {
    timeout: TEST_MS,
  }, async () => {
    const log = await connect();
    const first = await startReader();
    await send(log, 0);
    await vi.waitFor(async () => expect(await visible()).toEqual({ rows: 1, impressions: 1 }), SOON);
    await first.close();
    await send(log, 1);
    await startReader();
    await vi.waitFor(async () => expect(await visible()).toEqual({ rows: 2, impressions: 11 }), SOON);
    await broker.kill();
    await broker.restart();
    await vi.waitFor(() => send(log, 2), SOON);
    await vi.waitFor(async () => expect(await visible()).toEqual({ rows: 3, impressions: 111 }), SOON);
    await vi.waitFor(async () => expect(await log.lag('ad-stats')).toBe(0), SOON);
    expect(await visible()).toEqual({ rows: 3, impressions: 111 });
  });

  it('take the latest statement of a rate, and bury a batch with a wrong one', {
    timeout: TEST_MS,
  }, async () => {
    await startReader();
    const log = await connect();
    const state = (batch_id: string, stated_at: number, per_eur: string) =>
      log.publish('fx-rates', [
        {
          key: batch_id,
          value: {
            ...{ batch_id, source: 'ecb', stated_at },
            rates: [{ day: '2026-03-04', currency: 'GBP', per_eur }],
          },
        },
      ]);
    await state('r-2', 2_000, '0.87');
    await state('r-1', 1_000, '0.86');
    await state('r-3', 3_000, '-1');
    await vi.waitFor(async () => expect(await log.lag('fx-rates')).toBe(0), SOON);
    const rates = await createEarnings(clickhouse).rates('all', march.firstDay, march.lastDay);
    expect(rates).toEqual([{ currency: 'GBP', day: '2026-03-04', perEur: '0.87', source: 'ecb' }]);
    expect(await log.deadLetters('fx-rates', 10)).toMatchObject([
      { reason: expect.stringContaining('rate 1') },
    ]);
  });
});
