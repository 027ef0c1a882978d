import type { ClickHouse } from './clickhouse.ts';

/**
 * The tables that grow with every message. The totals derived from them have tables of their own, which are
 * never emptied.
 */
const rawTables = ['outcomes', 'events'] as const;

/**
 * Keeps single attempts and events for this many days. They are deleted with their part, which holds a month at
 * most, once all of it is expired; or before, where ClickHouse merges the part anyway. Safe from several
 * processes at once; where the table has this setting already nothing is done, because ClickHouse would scan
 * every part of it.
 */
export async function keepRawRows(clickhouse: ClickHouse, days: number): Promise<void> {
  const kept = await readKeptDays(clickhouse);
  for (const table of rawTables) {
    if (kept.get(table) === days) continue;
    await clickhouse.client.command({
      query: `ALTER TABLE ${table} MODIFY TTL toDateTime(at) + toIntervalDay(${Math.trunc(days)})`,
    });
  }
}

/** For how many days attempts are kept at least; null: permanently. */
export async function attemptsKeptDays(clickhouse: ClickHouse): Promise<number | null> {
  return (await readKeptDays(clickhouse)).get('outcomes') ?? null;
}

/** As ClickHouse writes the TTL that `keepRawRows` sets. */
const TTL_DAYS = 'TTL toDateTime\\\\(at\\\\) \\\\+ toIntervalDay\\\\((\\\\d+)\\\\)';

async function readKeptDays({ client }: ClickHouse): Promise<ReadonlyMap<string, number>> {
  const answer = await client.query({
    query: `SELECT name, toUInt32OrZero(extract(create_table_query, '${TTL_DAYS}')) AS days FROM system.tables
      WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    query_params: { names: [...rawTables] },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ name: string; days: number }>();
  return new Map(rows.filter(({ days }) => days > 0).map(({ name, days }) => [name, days]));
}
