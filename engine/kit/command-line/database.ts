import { resolve } from 'node:path';
import { createDatabase, type Database } from '../../adapters/postgres/database.ts';
import { hasEmbeddedPostgres, startEmbeddedPostgres } from '../../adapters/postgres/embedded.ts';
import { CliError } from './endings.ts';
import type { DatabaseConfig } from './settings.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Of this machine: where it is slow, it is not away. */
const OWN_CONNECT_TIMEOUT_MS = 120_000;
/** A batch of an import is the longest statement; it takes well under a second. */
export const STATEMENT_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 4;

/**
 * Runs a command's work on the server that is named, otherwise on the embedded Postgres of the data folder, which
 * is started for the time of the work where `broadside up` does not run, and goes on where that starts meanwhile.
 */
export async function withDatabase<Result>(
  { databaseUrl, dataFolder }: DatabaseConfig,
  work: (database: Database, url: string) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl !== null) return onServer(databaseUrl, CONNECT_TIMEOUT_MS, work);
  const folder = resolve(dataFolder);
  if (!(await hasEmbeddedPostgres(folder))) {
    throw new CliError(
      `there is no database in ${folder}: start "broadside up" there first, or set DATABASE_URL`,
    );
  }
  const postgres = await startEmbeddedPostgres({ folder, port: 0, durable: true });
  try {
    return await onServer(postgres.url, OWN_CONNECT_TIMEOUT_MS, work);
  } finally {
    await postgres.release();
  }
}

async function onServer<Result>(
  url: string,
  connectTimeoutMs: number,
  work: (database: Database, url: string) => Promise<Result>,
): Promise<Result> {
  const database = createDatabase({
    url,
    applicationName: 'broadside-cli',
    maxConnections: MAX_CONNECTIONS,
    connectTimeoutMs,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    return await work(database, url);
  } finally {
    await database.close();
  }
}
