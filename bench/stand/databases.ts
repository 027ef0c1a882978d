import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '../../engine/adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import { testMasterKey } from '../../test/support/builders.ts';
import { startClickHouseBridge } from '../../test/support/clickhouse-bridge/bridge.ts';

/** A Postgres with its tables, not analysed. */
export interface BenchPostgres {
  readonly database: Database;
  readonly url: string;
  readonly folder: string;
}

export type StartPostgres = (opened: AsyncDisposableStack) => Promise<BenchPostgres>;

/** Durable, in a fresh folder. */
export async function startPostgres(opened: AsyncDisposableStack): Promise<BenchPostgres> {
  const folder = await makeServerFolder(opened);
  const { url, stop } = await startEmbeddedPostgres({ folder, port: 0, durable: true });
  opened.defer(stop);
  return { database: await openBenchDatabase(opened, url), url, folder };
}

export async function makeServerFolder(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'));
  // The embedded Postgres runs as another user where we are root, and must be able to reach its files.
  await chmod(folder, 0o755);
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Brought to its schema. */
export async function openBenchDatabase(opened: AsyncDisposableStack, url: string): Promise<Database> {
  const database = createDatabase({
    url,
    applicationName: 'broadside-bench',
    maxConnections: 2,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  });
  opened.defer(() => database.close());
  await migrateDatabase(url, database);
  return database;
}

/** Servers for roles in processes of their own: Postgres, and ClickHouse over HTTP. */
export async function startDatabases(
  opened: AsyncDisposableStack,
  startDatabase: StartPostgres = startPostgres,
) {
  const { database, url, folder } = await startDatabase(opened);
  const clickhouse = await startClickHouseBridge();
  opened.defer(() => clickhouse.stop());
  const environment = {
    DATABASE_URL: url,
    MASTER_KEY: testMasterKey.toString('base64'),
    CLICKHOUSE_URL: clickhouse.url,
  };
  return { database, environment, folder, clickhouse };
}
