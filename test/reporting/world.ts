import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { createEarnings } from '../../engine/adapters/clickhouse/earnings.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import {
  createReportReader,
  type ReportBounds,
  type ReportReader,
} from '../../reporting/answer/report-reader.ts';
import { createExplain } from '../../reporting/explained/explain.ts';
import { createGenerateReport, type GenerateReport } from '../../reporting/generate/generate.ts';
import { readCurrencies } from '../../reporting/report/ad-currencies.ts';
import { idnNamesOf } from '../../reporting/report/domain-names.ts';
import { readIdnNames } from '../../reporting/report/idn-names.ts';
import { startClickHouseBridge } from '../support/clickhouse-bridge/bridge.ts';
import { openTestClickHouse } from '../support/test-clickhouse.ts';
import { type Changes, createTestReporting, type TestReporting } from './support.ts';

/** Where a test's reports come from. */
export type Home = 'embedded' | 'http';

export interface ReportWorld extends TestReporting {
  readonly clickhouse: ClickHouse;
  /** As the API makes reports, with another reader. */
  generateWith(reader: ReportReader, bounds?: ReportBounds): GenerateReport;
  /** Rows of `ad_stats` that every reader sees; what is left out is '' or 0. */
  addRows(rows: readonly AdRow[]): Promise<void>;
  addRates(rates: readonly { day: string; currency: string; per_eur: string }[]): Promise<void>;
}

export type AdRow = Readonly<Record<string, string | number>> & { readonly at: string };

export const testBounds: ReportBounds = { seconds: 20, memoryBytes: 1024 ** 3, rows: 500_000 };
/** Today, for reports that name no days. */
export const NOW = Date.parse('2026-03-15T12:00:00Z');

/** The reporting API over a real ClickHouse: the engine in this process, or the real client over HTTP. */
export async function createReportWorld(
  home: Home,
  { bounds = testBounds, ...changes }: Changes & { readonly bounds?: ReportBounds } = {},
): Promise<ReportWorld> {
  const { clickhouse, stop } = await openHome(home);
  const test = await createTestReporting();
  const known = {
    sql: test.database,
    ratesOf: (first: string, last: string) => createEarnings(clickhouse).rates('all', first, last),
    namesOf: async () => idnNamesOf(await readIdnNames(clickhouse)),
    currenciesOf: () => readCurrencies(clickhouse),
    clock: { now: () => NOW },
  };
  const generateWith = (reader: ReportReader, within = bounds): GenerateReport =>
    createGenerateReport({ ...known, reader, bounds: within });
  const reader = createReportReader(clickhouse, bounds);
  const generateReport = generateWith(reader);
  const explain = createExplain({ ...known, reader, bounds });
  const app = test.another({ generateReport, explain, clickhouse, ...changes });
  await app.ready();
  const insert = async (table: string, rows: readonly object[]): Promise<void> => {
    const lines = rows.map((row) => JSON.stringify(row)).join('\n');
    await clickhouse.client.command({ query: `INSERT INTO ${table} FORMAT JSONEachRow ${lines}` });
  };
  return {
    ...test,
    app,
    generateWith,
    another: (other = {}) => test.another({ generateReport, explain, clickhouse, ...changes, ...other }),
    clickhouse,
    addRows: (rows) =>
      insert(
        'ad_stats',
        rows.map((row) => ({ grain: 'hour', ...row })),
      ),
    addRates: (rates) =>
      insert(
        'fx_rates',
        rates.map((rate) => ({ ...rate, source: 'ECB', version: 1 })),
      ),
    close: async () => {
      await test.close();
      await stop();
    },
  };
}

async function openHome(home: Home): Promise<{ clickhouse: ClickHouse; stop(): Promise<void> }> {
  if (home === 'embedded') {
    const clickhouse = await openTestClickHouse();
    return { clickhouse, stop: () => clickhouse.close() };
  }
  const bridge = await startClickHouseBridge();
  const clickhouse = await openClickHouse({
    kind: 'http',
    url: bridge.url,
    username: 'default',
    password: 'secret',
    database: 'broadside',
    requestTimeoutMs: 30_000,
    maxConnections: 8,
  });
  await migrateClickHouse(clickhouse);
  return {
    clickhouse,
    stop: async () => {
      await clickhouse.close();
      await bridge.stop();
    },
  };
}
