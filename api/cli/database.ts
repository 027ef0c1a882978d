import { createDatabase, type Database } from '../../engine/adapters/postgres/database.ts';
import type { DatabaseConfig } from '../config.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A batch of an import is the longest statement; it takes well under a second. */
const STATEMENT_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 4;

/** Runs a command's work on its database, and closes it. */
export async function withDatabase<Result>(
  config: DatabaseConfig,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = createDatabase({
    url: config.databaseUrl,
    applicationName: 'broadside-cli',
    maxConnections: MAX_CONNECTIONS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
