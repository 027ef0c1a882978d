import { readdir } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { pause, systemClock } from '../../contract/concurrency/clock.ts';
import { timeZones } from '../../contract/time-zone.ts';
import { restoreMark } from './backup/restore-mark.ts';
import { connectClient } from './connection.ts';
import { type Database, MAX_SILENCE_MS } from './database.ts';
import { isLockConflict } from './lock-conflict.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));
export const migrationsTable = 'schema_migrations';
const CONNECT_TIMEOUT_MS = 5_000;

/** Of this code, in their order. */
export const listMigrationNames = async (): Promise<string[]> =>
  (await readdir(migrationsFolder)).map((file) => basename(file, extname(file))).toSorted();

/**
 * Brings the database to this code's schema. Safe from many processes at once: one takes the lock, the
 * others wait for it and find nothing to do.
 * @param onWait called now and then while another process migrates, or a table is locked.
 * @throws Error in one clear line where the database was written by a newer Broadside, or a restore into it has not
 * ended.
 */
export async function migrateDatabase(
  url: string,
  database: Database,
  onWait: () => void = () => {},
): Promise<void> {
  await refuseNewerSchema(database, await listMigrationNames());
  await refuseHalfRestored(database);
  await runMigrations(url, null, onWait);
  await addTimeZones(database);
}

/** @param only names of migrations, as a backup has them; null: all. */
export async function runMigrations(
  url: string,
  only: readonly string[] | null,
  onWait: () => void = () => {},
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = await connectClient(url, {
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: MAX_SILENCE_MS,
    });
    try {
      return await runOn(client, only);
    } catch (error) {
      if (!isLockConflict(error) || attempt === MOST_ATTEMPTS) throw error;
      if (attempt % ATTEMPTS_PER_WARNING === 0) onWait();
    } finally {
      await client.end().catch(() => {});
    }
    await pause(systemClock, BETWEEN_ATTEMPTS_MS);
  }
}

/**
 * What waits for a table's lock holds up everything that comes after it, reads included. So a migration gives up soon,
 * all of it, and another attempt finds the table free at some time. Another process' migrations are waited for alike.
 */
const LOCK_TIMEOUT_MS = 1_000;
const BETWEEN_ATTEMPTS_MS = 500;
const MOST_ATTEMPTS = 400;
const ATTEMPTS_PER_WARNING = 5;

async function runOn(client: pg.Client, only: readonly string[] | null): Promise<void> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await runner({
    dbClient: client,
    dir: migrationsFolder,
    migrationsTable,
    direction: 'up',
    singleTransaction: true,
    advisoryLockMode: 'wait',
    logger: silent,
    ...(only === null ? {} : { ignorePattern: `(?!(${only.join('|')})\\.sql$).*` }),
  });
}

/** Zones that this runtime knows and the table does not yet. Two processes at once give them the same numbers. */
async function addTimeZones(database: Database): Promise<void> {
  await database.query(
    `INSERT INTO time_zones (id, name)
     SELECT (SELECT coalesce(max(id), 0) FROM time_zones) + row_number() OVER (ORDER BY name), name
     FROM unnest($1::text[]) AS known (name) WHERE NOT EXISTS (SELECT FROM time_zones WHERE time_zones.name = known.name)
     ON CONFLICT DO NOTHING`,
    [timeZones],
  );
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function refuseHalfRestored(database: Database): Promise<void> {
  const [mark] = await database.query<{ stands: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS stands`, [
    restoreMark,
  ]);
  if (!mark?.stands) return;
  throw new Error(
    'a restore into this database has not ended: wait for it, or run "broadside restore" again with --overwrite',
  );
}

async function refuseNewerSchema(database: Database, known: readonly string[]): Promise<void> {
  const [exists] = await database.query<{ found: boolean }>(`SELECT to_regclass($1) IS NOT NULL AS found`, [
    migrationsTable,
  ]);
  if (!exists?.found) return;
  const newer = await database.query<{ name: string }>(
    `SELECT name FROM ${migrationsTable} WHERE name <> ALL($1)`,
    [known],
  );
  if (newer.length === 0) return;
  throw new Error(
    `the database was written by a newer Broadside (it has "${newer[0]?.name}", which this version does not know). ` +
      'Start that version, or use another database or data folder.',
  );
}
