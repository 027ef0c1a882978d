import type { Database, Sql } from './database.ts';

/**
 * Several statements on one state of the data: none sees what was committed after the first. Statements come one
 * after the other, for they share a connection; the work must not write.
 */
export function readAtOnce<Result>(database: Database, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return database.transaction(async (sql) => {
    await sql.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    return work(sql);
  });
}
