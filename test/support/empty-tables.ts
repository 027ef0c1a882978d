import type { ClickHouse } from '../../engine/adapters/clickhouse/clickhouse.ts';

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
