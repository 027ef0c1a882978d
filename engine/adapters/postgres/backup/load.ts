import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { connectClient } from '../connection.ts';
import type { Sql } from '../sql.ts';
import { listSequenceNames, listTables, quoted, type SequenceValue, type TableShape } from './snapshot.ts';

export interface TableRows {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** As `copyOut` of a snapshot gave them. */
  open(): Readable;
}

export interface LoadOptions {
  readonly tables: readonly TableRows[];
  readonly sequences: readonly SequenceValue[];
  readonly signal: AbortSignal;
}

/** What of the restored state belonged to processes and messages that are gone. */
export interface Requeued {
  readonly deliveries: number;
  readonly shards: number;
}

/**
 * Fills tables that the migrations have made, in one transaction: all rows are in, or none. Foreign keys and
 * triggers are off meanwhile: the rows were right when they were read, and what a trigger would write is among them.
 * @throws Error where a table has not the rows that were promised.
 */
export async function loadTables(url: string, options: LoadOptions): Promise<Requeued> {
  const client = await connectClient(url, { application_name: 'broadside restore' });
  const sql: Sql = {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await client.query(text, values as unknown[])).rows as Row[],
  };
  try {
    await client.query('BEGIN');
    await client.query(
      `SELECT set_config('statement_timeout', '0', true), set_config('synchronous_commit', 'on', true)`,
    );
    const made = await listTables(sql);
    refuseStrangeNames(options, made, await listSequenceNames(sql));
    const names = made.map(({ name }) => name);
    const keys = await dropForeignKeys(sql);
    const indexes = await dropIndexes(sql);
    for (const name of names) await sql.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    // Migrations may have written rows of their own.
    await sql.query(`TRUNCATE ${names.map(quoted).join(', ')}`);
    for (const table of options.tables) await loadTable(client, table, options.signal);
    for (const { name, value } of options.sequences)
      await sql.query(`SELECT setval($1::regclass, $2)`, [quoted(name), value]);
    const requeued = await requeue(sql);
    for (const name of names) await sql.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    for (const statement of [...indexes, ...keys]) {
      options.signal.throwIfAborted();
      await sql.query(statement);
    }
    await client.query('COMMIT');
    // Otherwise the first plans would be made for empty tables.
    await sql.query('ANALYZE');
    return requeued;
  } finally {
    await client.end().catch(() => {});
  }
}

/** What a backup names is filled where the migrations made it, and nowhere else: a name may mean Postgres' own tables. */
function refuseStrangeNames(
  { tables, sequences }: LoadOptions,
  made: readonly TableShape[],
  known: readonly string[],
): void {
  const columnsOf = new Map(made.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of tables) {
    const own = columnsOf.get(name);
    if (own === undefined)
      throw new Error(`the backup has a table ${name}, which its migrations did not make`);
    const strange = columns.find((column) => !own.includes(column));
    if (strange !== undefined)
      throw new Error(`the backup has a column ${strange} of ${name}, which its migrations did not make`);
  }
  const strange = sequences.find(({ name }) => !known.includes(name));
  if (strange !== undefined)
    throw new Error(`the backup has a sequence ${strange.name}, which its migrations did not make`);
}

async function loadTable(client: pg.Client, table: TableRows, signal: AbortSignal): Promise<void> {
  const columns = table.columns.map(quoted).join(', ');
  const into = client.query(copyFrom(`COPY ${quoted(table.name)} (${columns}) FROM STDIN`));
  await pipeline(table.open(), into, { signal });
  if (into.rowCount !== table.rows)
    throw new Error(`${table.name} took ${into.rowCount} rows of ${table.rows}`);
}

/** @returns the statements that make them again. */
async function dropForeignKeys(sql: Sql): Promise<string[]> {
  const keys = await sql.query<{ drop: string; add: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS add
     FROM pg_constraint
     WHERE contype = 'f' AND conparentid = 0 AND connamespace = current_schema()::regnamespace ORDER BY oid`,
  );
  for (const { drop } of keys) await sql.query(drop);
  return keys.map(({ add }) => add);
}

/** Of those that stand for no constraint: built at the end they take a fraction of the time. */
async function dropIndexes(sql: Sql): Promise<string[]> {
  const indexes = await sql.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE relnamespace = current_schema()::regnamespace AND NOT relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) ORDER BY indexrelid`,
  );
  for (const { name } of indexes) await sql.query(`DROP INDEX ${name}`);
  return indexes.map(({ definition }) => definition);
}

/** The log is empty and no engine lives that holds a lease: both are due at once, instead of after their time. */
async function requeue(sql: Sql): Promise<Requeued> {
  const [row] = await sql.query<{ deliveries: number; shards: number }>(
    `WITH queued AS (UPDATE deliveries SET plan_after = now() WHERE status = 'queued' RETURNING id),
       held AS (UPDATE shards SET due_at = now() WHERE state IN ('released', 'running') RETURNING id)
     SELECT (SELECT count(*) FROM queued)::int AS deliveries, (SELECT count(*) FROM held)::int AS shards`,
  );
  return row ?? { deliveries: 0, shards: 0 };
}
