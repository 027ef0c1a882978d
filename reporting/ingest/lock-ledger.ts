import type { Sql } from '../../engine/adapters/postgres/sql.ts';

/** Until the end of the transaction: loads, days and restatements get their numbers one after the other. */
export const lockLedger = (sql: Sql): Promise<unknown> =>
  sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('broadside ad loads', 0))`);
