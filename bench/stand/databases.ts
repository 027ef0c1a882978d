import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../engine/adapters/postgres/database.ts';
import { startEmbeddedPostgres } from '../../engine/adapters/postgres/embedded.ts';
import { migrateDatabase } from '../../engine/adapters/postgres/migrate.ts';
import { testMasterKey } from '../../test/support/builders.ts';
import { startClickHouseBridge } from '../../test/support/clickhouse-bridge/bridge.ts';

/** A durable Postgres in a fresh folder with its tables, not analysed. */
export async function startPostgres(opened: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'));
  // The embedded Postgres runs as another user where we are root, and must be able to reach its files.
  await chmod(folder, 0o755);
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ folder, port: 0, durable: true });
  opened.defer(() => postgres.stop());
  const database = createDatabase({
    url: postgres.url,
    applicationName: 'broadside-bench',
    maxConnections: 2,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 60_000,
  });
  opened.defer(() => database.close());
  await migrateDatabase(postgres.url, database);
  return { database, url: postgres.url, folder };
}

/** Servers for roles in processes of their own: Postgres, and ClickHouse over HTTP. */
export async function startDatabases(opened: AsyncDisposableStack) {
  const { database, url, folder } = await startPostgres(opened);
  const clickhouse = await startClickHouseBridge();
  opened.defer(() => clickhouse.stop());
  const environment = {
    DATABASE_URL: url,
    MASTER_KEY: testMasterKey.toString('base64'),
    CLICKHOUSE_URL: clickhouse.url,
  };
  return { database, environment, folder, clickhouse };
}
