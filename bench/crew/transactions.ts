import type { Database } from '../../engine/adapters/postgres/database.ts';

/** Committed so far, by everybody. */
export async function readTransactions(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = current_database()`,
  );
  return row?.count ?? 0;
}
