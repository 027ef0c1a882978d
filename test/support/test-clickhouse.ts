import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';

/** The embedded engine with Broadside's tables in a fresh folder, which its closing removes. One a process. */
export async function openTestClickHouse(): Promise<ClickHouse> {
  const path = await mkdtemp(join(tmpdir(), 'broadside-chdb-'));
  const clickhouse = await openClickHouse({ kind: 'embedded', path, database: 'broadside' });
  await migrateClickHouse(clickhouse);
  return {
    ...clickhouse,
    close: async () => {
      await clickhouse.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}
