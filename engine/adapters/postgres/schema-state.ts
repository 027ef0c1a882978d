import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { migrationsFolder, migrationsTable } from './migrate.ts';
import type { Sql } from './sql.ts';

/** What a check from outside finds out about the server and of its tables. Nothing is changed. */
export interface PostgresState {
  readonly version: string;
  readonly major: number;
  /** A replica that has not been promoted: nothing can be written. */
  readonly isStandby: boolean;
  readonly maxConnections: number;
  readonly usedConnections: number;
  /** Without pg_trgm no table can be made. */
  readonly hasTrigrams: boolean;
}

export async function readPostgresState(sql: Sql): Promise<PostgresState> {
  const [row] = await sql.query<PostgresState>(
    `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
       current_setting('server_version_num')::int / 10000 AS major,
       pg_is_in_recovery() AS "isStandby",
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS "maxConnections",
       (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS "usedConnections",
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "hasTrigrams"`,
  );
  if (row === undefined) throw new Error('Postgres did not say its version');
  return row;
}

export interface SchemaState {
  /** Migrations that were not run yet; all of them where the database is new. */
  readonly pending: readonly string[];
  /** Run by a newer Broadside. */
  readonly newer: readonly string[];
  /** Of the migrations that were run. */
  readonly missingTables: readonly string[];
}

export async function readSchemaState(sql: Sql): Promise<SchemaState> {
  const known = (await readdir(migrationsFolder)).map((file) => basename(file, '.sql')).toSorted();
  const run = await listRun(sql);
  const wanted = await tablesOf(known.filter((name) => run.includes(name)));
  const missing = await sql.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL`,
    [wanted],
  );
  return {
    pending: known.filter((name) => !run.includes(name)),
    newer: run.filter((name) => !known.includes(name)),
    missingTables: missing.map(({ name }) => name),
  };
}

async function listRun(sql: Sql): Promise<string[]> {
  const [found] = await sql.query<{ exists: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS exists`, [
    migrationsTable,
  ]);
  if (!found?.exists) return [];
  return (await sql.query<{ name: string }>(`SELECT name FROM ${migrationsTable}`)).map(({ name }) => name);
}

/** The tables that the upward halves of these migrations make and leave. Partitions are their parent's. */
async function tablesOf(migrations: readonly string[]): Promise<string[]> {
  const tables = new Set<string>();
  for (const name of migrations) {
    const text = await readFile(join(migrationsFolder, `${name}.sql`), 'utf8');
    const upward = text.split(/^-- Down Migration/im)[0] ?? '';
    for (const [, verb, table = ''] of upward.matchAll(
      /^(CREATE|DROP) (?:UNLOGGED )?TABLE (?:IF (?:NOT )?EXISTS )?(\w+)/gm,
    )) {
      if (verb === 'CREATE') tables.add(table);
      else tables.delete(table);
    }
  }
  return [...tables];
}
