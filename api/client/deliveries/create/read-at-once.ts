import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';

/**
 * Runs several statements on one snapshot: none sees rows committed after the first. One after the other,
 * because they share a connection; the work must not write.
 */
export function readAtOnce<Result>(database: Database, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return database.transaction(async (sql) => {
    await sql.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(sql);
  });
}
