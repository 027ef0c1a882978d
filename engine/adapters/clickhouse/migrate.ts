import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClickHouse } from './clickhouse.ts';
import { checkCluster, onCluster } from './cluster.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * Migrates ClickHouse to this code's schema. ClickHouse has neither a lock nor a transaction around statements,
 * so safety from concurrent processes, and from one that died half-way, comes from the statements: each must
 * change nothing when it runs a second time (`IF NOT EXISTS`, `ADD COLUMN IF NOT EXISTS`). A migration recorded
 * twice is one migration.
 *
 * A migration is a file `NNNN_name.sql`; statements end with `;` at the end of a line. A query that two of them need
 * stands in a file of this folder, at its place `-- of <file>`.
 * @throws Error in one clear line where the database was written by a newer Broadside.
 */
export async function migrateClickHouse(clickhouse: ClickHouse): Promise<void> {
  await checkCluster(clickhouse);
  await clickhouse.createDatabase();
  await runStatisticsMigrations(clickhouse, await listStatisticsMigrations());
}

/** Of this code, in their order. */
export const listStatisticsMigrations = async (): Promise<string[]> =>
  (await readdir(migrationsFolder))
    .filter((file) => file.endsWith('.sql'))
    .map(nameOf)
    .toSorted();

/** @param names of migrations of this code: all of them, or those of a backup. */
export async function runStatisticsMigrations(
  clickhouse: ClickHouse,
  names: readonly string[],
): Promise<void> {
  const { client, cluster } = clickhouse;
  await client.command({ query: onCluster(recordTable, cluster) });
  const done = await recorded(clickhouse);
  refuseNewer(done, await listStatisticsMigrations());
  for (const name of names) {
    if (done.includes(name)) continue;
    for (const query of await readMigration(name)) {
      if (!(await isSoAlready(clickhouse, query))) await client.command({ query: onCluster(query, cluster) });
    }
    await client.command({
      query: `INSERT INTO schema_migrations (name) SETTINGS async_insert = 0 SELECT {name:String}`,
      query_params: { name },
    });
  }
}

/** Its statements. @param name as `listStatisticsMigrations` has it. */
export async function readMigration(name: string): Promise<string[]> {
  let text = await readFile(join(migrationsFolder, `${name}.sql`), 'utf8');
  for (const [place, file = ''] of text.matchAll(/^-- of ([\w-]+\.sql)$/gm)) {
    const query = await readFile(new URL(file, import.meta.url), 'utf8');
    // A function, because "$" followed by a quote means something in a text.
    text = text.replace(place, () => query);
  }
  return statementsOf(text);
}

/**
 * Whether a view has the query that the statement would give it. In the server that changes a view, the view has another
 * identity than after the server's next start, and its target remembers inserts by that: it is changed only where it must
 * be.
 */
async function isSoAlready({ client }: ClickHouse, statement: string): Promise<boolean> {
  const [, view, query] = /^ALTER TABLE (\w+) MODIFY QUERY\s(.+)$/s.exec(statement) ?? [];
  if (view === undefined || query === undefined) return false;
  const answer = await client.query({
    query: `SELECT replaceAll(as_select, concat(currentDatabase(), '.'), '') = formatQuerySingleLine({query:String}) AS same
      FROM system.tables WHERE database = currentDatabase() AND name = {view:String}`,
    query_params: { view, query },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ same: number }>()).some(({ same }) => same === 1);
}

const recordTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
    name String,
    run_at DateTime64(3, 'UTC') DEFAULT now64(3)
  ) ENGINE = ReplacingMergeTree ORDER BY name`;

async function recorded({ client }: ClickHouse): Promise<string[]> {
  const answer = await client.query({
    query: 'SELECT DISTINCT name FROM schema_migrations ORDER BY name',
    format: 'JSONEachRow',
  });
  return (await answer.json<{ name: string }>()).map(({ name }) => name);
}

function refuseNewer(done: readonly string[], known: readonly string[]): void {
  const newer = done.find((name) => !known.includes(name));
  if (newer === undefined) return;
  throw new Error(
    `ClickHouse was written by a newer Broadside (it has "${newer}", which this version does not know). ` +
      'Start that version, or use another database or data folder.',
  );
}

const nameOf = (file: string): string => basename(file, '.sql');

/** HTTP takes one statement a request. Comments go first: one may hold a semicolon at its line's end. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/^[ \t]*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
