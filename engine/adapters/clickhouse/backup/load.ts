import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ClickHouse } from '../clickhouse.ts';
import { identifier } from '../literals.ts';
import { listStatisticsMigrations, runStatisticsMigrations } from '../migrate.ts';

export interface RowsOfTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Each as a piece of a copy was read. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

export async function hasStatistics({ client }: ClickHouse): Promise<boolean> {
  const answer = await client.query({
    query: 'SELECT count() AS tables FROM system.tables WHERE database = currentDatabase()',
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ tables: string | number }>();
  return Number(row?.tables ?? 0) > 0;
}

/** Removes every table of the database. */
export async function emptyStatistics({ client }: ClickHouse): Promise<void> {
  const answer = await client.query({
    query: `SELECT name, engine LIKE '%View' AS view FROM system.tables WHERE database = currentDatabase()
      ORDER BY view DESC, name`,
    format: 'JSONEachRow',
  });
  for (const { name } of await answer.json<{ name: string }>())
    await client.command({ query: `DROP TABLE IF EXISTS ${identifier(name)} SYNC` });
}

export async function unknownStatisticsMigrations(names: readonly string[]): Promise<string[]> {
  const known = await listStatisticsMigrations();
  return names.filter((name) => !known.includes(name));
}

/**
 * Fills the tables that these migrations make. Rows go into a copy of their table, where no view sees them: what the
 * views would write is among the rows. Its parts are then moved in one statement.
 * @throws Error where a table has not the rows that were promised.
 */
export async function loadStatistics(
  clickhouse: ClickHouse,
  migrations: readonly string[],
  tables: readonly RowsOfTable[],
): Promise<void> {
  const { client, database } = clickhouse;
  const staging = `${database}_restore`;
  await clickhouse.createDatabase();
  await runStatisticsMigrations(clickhouse, migrations);
  await refuseStrangeTables(clickhouse, tables);
  await client.command({ query: `DROP DATABASE IF EXISTS ${staging} SYNC` });
  await client.command({ query: `CREATE DATABASE ${staging}` });
  for (const table of tables) await loadTable(clickhouse, staging, table);
  await client.command({ query: `DROP DATABASE ${staging} SYNC` });
}

async function refuseStrangeTables({ client }: ClickHouse, tables: readonly RowsOfTable[]): Promise<void> {
  const answer = await client.query({
    query: 'SELECT name FROM system.tables WHERE database = currentDatabase()',
    format: 'JSONEachRow',
  });
  const made = new Set((await answer.json<{ name: string }>()).map(({ name }) => name));
  const strange = tables.find(({ name }) => !made.has(name));
  if (strange !== undefined)
    throw new Error(`the backup has a table ${strange.name}, which its migrations did not make`);
}

async function loadTable(
  { client }: ClickHouse,
  staging: string,
  { name, columns, rows, pieces }: RowsOfTable,
): Promise<void> {
  const own = identifier(name);
  // One of ours, which `refuseStrangeTables` has seen: a plain name.
  const staged = `${staging}.${name}`;
  await client.command({ query: `CREATE TABLE ${staged} AS ${own}` });
  // Rows that a merge would sum up are counted first.
  await client.command({ query: `SYSTEM STOP MERGES ${staged}` });
  for await (const piece of pieces) {
    // Parts that have not merged may be equal: by names of their own, none is taken for a repeated insert.
    const settings = `async_insert = 0, optimize_on_insert = 0, insert_deduplication_token = '${randomUUID()}'`;
    const query = `INSERT INTO ${staged} (${columns.map(identifier).join(', ')}) SETTINGS ${settings} FORMAT Native`;
    const answer = await client.exec({ query, values: Readable.from([piece]) });
    // An answer that is not read keeps its socket.
    for await (const _ of answer.stream);
  }
  const counted = await client.query({
    query: `SELECT count() AS rows FROM ${staged}`,
    format: 'JSONEachRow',
  });
  const [found] = await counted.json<{ rows: string | number }>();
  if (Number(found?.rows) !== rows) throw new Error(`${name} took ${found?.rows} rows of ${rows}`);
  await client.command({ query: `ALTER TABLE ${own} ATTACH PARTITION ALL FROM ${staged}` });
  await client.command({ query: `DROP TABLE ${staged} SYNC` });
}
