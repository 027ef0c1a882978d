import type { Database } from '../database.ts';
import { listMigrationNames, runMigrations } from '../migrate.ts';
import type { Sql } from '../sql.ts';
import { restoreMark } from './restore-mark.ts';
import { listMigrations, quoted } from './snapshot.ts';

export type TargetState = 'empty' | 'filled' | 'half-restored';

/** What a restore would find there. Extensions bring tables of their own; none that we need does. */
export async function readTargetState(sql: Sql): Promise<TargetState> {
  const [row] = await sql.query<{ half: boolean; filled: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL AS half, EXISTS (
       SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')) AS filled`,
    [restoreMark],
  );
  if (row?.half) return 'half-restored';
  return row?.filled ? 'filled' : 'empty';
}

/** From here on no role starts on it, until `endRestore`. */
export async function beginRestore(sql: Sql, backup: string): Promise<void> {
  await sql.query(
    `CREATE TABLE IF NOT EXISTS ${restoreMark} (backup text NOT NULL, begun_at timestamptz NOT NULL)`,
  );
  await sql.query(`INSERT INTO ${restoreMark} VALUES ($1, now())`, [backup]);
}

export async function endRestore(sql: Sql): Promise<void> {
  await sql.query(`DROP TABLE ${restoreMark}`);
}

/** Everything of ours but the mark: tables, sequences, functions and types, and the log on Postgres. */
export async function emptyTarget(database: Database, logSchema: string): Promise<void> {
  await database.transaction(async (sql) => {
    const things = await sql.query<{ drop: string }>(
      `SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) AS drop FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname <> $1
       UNION ALL SELECT format('DROP SEQUENCE IF EXISTS %s CASCADE', oid::regclass) FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'
       UNION ALL SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', pg_proc.oid::regprocedure) FROM pg_proc
       WHERE pronamespace = current_schema()::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
       UNION ALL SELECT format('DROP TYPE IF EXISTS %s CASCADE', pg_type.oid::regtype) FROM pg_type
       WHERE typnamespace = current_schema()::regnamespace AND typtype IN ('e', 'd')`,
      [restoreMark],
    );
    for (const { drop } of things) await sql.query(drop);
    await sql.query(`DROP SCHEMA IF EXISTS ${quoted(logSchema)} CASCADE`);
  });
}

/**
 * Makes the tables as they were in the release that wrote the backup. The migrations since then run when a role
 * starts, on the rows of the backup.
 * @throws Error where these are not the migrations that the backup names.
 */
export async function makeTables(
  url: string,
  database: Database,
  migrations: readonly string[],
): Promise<void> {
  await runMigrations(url, migrations);
  const made = await listMigrations(database);
  if (made.join() !== migrations.join())
    throw new Error(`the migrations made ${made.at(-1)}, and the backup names ${migrations.at(-1)}`);
}

/** Those of the backup that this release does not know. */
export async function unknownMigrations(migrations: readonly string[]): Promise<string[]> {
  const known = await listMigrationNames();
  return migrations.filter((name) => !known.includes(name));
}
