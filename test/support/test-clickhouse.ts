import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import { openClickHouse } from '../../engine/adapters/clickhouse/client.ts';
import { migrateClickHouse } from '../../engine/adapters/clickhouse/migrate.ts';

/** For all test files of this process, which has one folder at a time. Gone with the run. */
const path = join(tmpdir(), `broadside-chdb-${process.pid}`);
let databases = 0;

/** The embedded engine of this process with Broadside's tables in a database of its own, which its closing drops. */
export async function openTestClickHouse(): Promise<ClickHouse> {
  const database = `test_${++databases}`;
  const clickhouse = await openClickHouse({ kind: 'embedded', path, database });
  await migrateClickHouse(clickhouse);
  return {
    ...clickhouse,
    close: async () => {
      await clickhouse.client.command({ query: `DROP DATABASE ${database}` });
      await clickhouse.close();
    },
  };
}
