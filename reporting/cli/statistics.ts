import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { type ClickHouseHome, openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';
import { serverHome } from '../../engine/adapters/clickhouse/server-home.ts';
import { CliError } from '../../engine/kit/command-line/endings.ts';
import type { StatisticsConfig } from '../config.ts';
import { createAdStatsStore } from '../ingest/ad-stats-store.ts';
import { createFxStore } from '../ingest/fx-store.ts';
import { reachIntake } from '../loopback/client.ts';
import type { StatisticsParts } from '../loopback/statistics-parts.ts';

/** Where a command's statistics go. */
export interface OpenStatistics extends StatisticsParts {
  /** The folder that the embedded engine of this process is open on; null: none. */
  readonly engineFolder: string | null;
}

const REQUEST_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 4;

/**
 * Runs a command's work on the ClickHouse server that is named, otherwise on the embedded one of the data folder:
 * through `broadside up` where it runs there, in this process where it does not.
 * @throws CliError where neither can be had.
 */
export async function withStatistics<Result>(
  config: StatisticsConfig,
  work: (statistics: OpenStatistics) => Promise<Result>,
): Promise<Result> {
  const database = config.clickhouseDatabase;
  if (config.clickhouseUrl !== null) {
    const bounds = { requestTimeoutMs: REQUEST_TIMEOUT_MS, maxConnections: MAX_CONNECTIONS };
    const home = serverHome({ ...config, clickhouseUrl: config.clickhouseUrl }, bounds);
    return onOwn(home, null, work);
  }
  const folder = resolve(config.dataFolder);
  const running = await reachIntake(folder);
  if (running !== null) return work({ ...running, engineFolder: null });
  const path = join(folder, 'clickhouse');
  return onOwn({ kind: 'embedded', path, database }, path, work);
}

/** The same on a temporary, empty ClickHouse: a preview of an import. */
export async function withScratchStatistics<Result>(
  work: (statistics: OpenStatistics, clickhouse: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const path = await mkdtemp(join(tmpdir(), 'broadside-dry-run-'));
  try {
    return await onOwn({ kind: 'embedded', path, database: 'broadside' }, path, work);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function onOwn<Result>(
  home: ClickHouseHome,
  engineFolder: string | null,
  work: (statistics: OpenStatistics, clickhouse: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const clickhouse = await open(home);
  try {
    const parts = { adStats: createAdStatsStore(clickhouse), rates: createFxStore(clickhouse) };
    return await work({ ...parts, engineFolder }, clickhouse);
  } finally {
    await clickhouse.close();
  }
}

async function open(home: ClickHouseHome): Promise<ClickHouse> {
  let clickhouse: ClickHouse | null = null;
  try {
    clickhouse = await openClickHouse(home);
    await migrateClickHouse(clickhouse);
    return clickhouse;
  } catch (error) {
    await clickhouse?.close();
    throw new CliError(error instanceof Error ? error.message : String(error));
  }
}
