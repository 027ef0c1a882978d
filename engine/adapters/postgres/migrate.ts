import { readdir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type { Database } from './database.ts';

const directory = fileURLToPath(new URL('./migrations', import.meta.url));
const table = 'schema_migrations';
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Brings the database to this code's schema. Safe from many processes at once: one takes the lock, the
 * others wait for it and find nothing to do.
 * @throws Error in one clear line where the database was written by a newer Broadside.
 */
export async function migrateDatabase(url: string, database: Database): Promise<void> {
  const names = (await readdir(directory)).map((file) => basename(file, extname(file)));
  await refuseNewerSchema(database, names);
  await runner({
    databaseUrl: { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true },
    dir: directory,
    migrationsTable: table,
    direction: 'up',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: silent,
  });
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function refuseNewerSchema(database: Database, known: readonly string[]): Promise<void> {
  const [exists] = await database.query<{ found: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS found`, [
    table,
  ]);
  if (!exists?.found) return;
  const newer = await database.query<{ name: string }>(`SELECT name FROM ${table} WHERE name <> ALL($1)`, [
    known,
  ]);
  if (newer.length === 0) return;
  throw new Error(
    `the database was written by a newer Broadside (it has "${newer[0]?.name}", which this version does not know). ` +
      'Start that version, or use another database or data folder.',
  );
}
