import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connectClient } from '../connection.ts';
import { migrationsTable } from '../migrate.ts';
import type { Sql } from '../sql.ts';
import { restoreMark } from './restore-mark.ts';

/** A table of ours, without its partitions: they are their parent's. */
export interface TableShape {
  readonly name: string;
  /** Those that a COPY may write: none that Postgres computes. */
  readonly columns: readonly string[];
  /** On disk, without indexes: a measure of how long it takes. */
  readonly bytes: number;
}

export interface SequenceValue {
  readonly name: string;
  readonly value: number;
}

/** Everything in Postgres as it was at one moment, while others go on writing. */
export interface PostgresSnapshot {
  readonly takenAt: string;
  readonly server: string;
  readonly migrations: readonly string[];
  readonly tables: readonly TableShape[];
  /** Of the moment of asking, which is later: numbers are never given twice. */
  readonly sequences: readonly SequenceValue[];
  readonly sql: Sql;
  /** The rows as COPY writes them, as text, which every Postgres from 15 on reads; `rowCount` holds at its end. */
  copyOut(table: TableShape): Readable & { readonly rowCount: number };
  close(): Promise<void>;
}

/** @param url of the server. @throws Error where it does not answer. */
export async function openSnapshot(url: string): Promise<PostgresSnapshot> {
  const client = await connectClient(url, { application_name: 'broadside backup', types: numbers });
  const sql: Sql = {
    query: async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await client.query(text, values as unknown[])).rows as Row[],
  };
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // A large table takes longer than any statement of a role.
    await client.query(`SELECT set_config('statement_timeout', '0', true)`);
    const [moment] = await sql.query<{ taken_at: string; server: string }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS taken_at,
         current_setting('server_version') AS server`,
    );
    return {
      takenAt: moment?.taken_at ?? '',
      server: moment?.server ?? '',
      migrations: await listMigrations(sql),
      tables: await listTables(sql),
      sequences: await listSequences(sql),
      sql,
      copyOut: ({ name, columns }) =>
        client.query(
          copyTo(`COPY (SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}) TO STDOUT`),
        ) as Readable & { readonly rowCount: number },
      close: () => client.end().catch(() => {}),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

const numbers = new pg.TypeOverrides();
numbers.setTypeParser(20, (text) => Number(text));

export const quoted = (name: string): string => pg.escapeIdentifier(name);

export const listMigrations = async (sql: Sql): Promise<string[]> =>
  (await sql.query<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY name`)).map(
    ({ name }) => name,
  );

/**
 * Unlogged tables are empty after a crash, and what is in them may be lost; of the migrations the names are enough,
 * because the restored tables are made by running them.
 */
export const listTables = (sql: Sql): Promise<TableShape[]> =>
  sql.query<TableShape>(
    `SELECT relname AS name,
       (SELECT coalesce(sum(pg_table_size(relid)), 0) FROM pg_partition_tree(tables.oid)) AS bytes,
       (SELECT array_agg(attname::text ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = tables.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
     FROM pg_class AS tables
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relpersistence = 'p' AND relname <> ALL($1) ORDER BY relname`,
    [[migrationsTable, restoreMark]],
  );

export const listSequenceNames = async (sql: Sql): Promise<string[]> =>
  (
    await sql.query<{ name: string }>(
      'SELECT sequencename::text AS name FROM pg_sequences WHERE schemaname = current_schema()',
    )
  ).map(({ name }) => name);

const listSequences = (sql: Sql): Promise<SequenceValue[]> =>
  sql.query<SequenceValue>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename`,
  );
