import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';

/** As after its migration, for a twentieth of what that costs: an insert that comes again is new, too. */
export async function emptyTables({ client }: ClickHouse): Promise<void> {
  const answer = await client.query({
    query: `SELECT name FROM system.tables
      WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name <> 'schema_migrations' AND total_rows > 0`,
    format: 'JSONEachRow',
  });
  for (const { name } of await answer.json<{ name: string }>())
    await client.command({ query: `TRUNCATE TABLE ${name}` });
}

const LOADS_APART = 1_000;
let used = 0;

/**
 * For another database beside the same tables: rows of an import that was given up may come after they were emptied, and
 * would be those of the load that has its number.
 */
export async function numberLoadsApart(database: Database): Promise<void> {
  used += LOADS_APART;
  await database.query(`SELECT setval(pg_get_serial_sequence('ad_loads', 'id'), $1)`, [used]);
}
