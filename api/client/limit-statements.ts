import type { Sql } from '../../engine/adapters/postgres/database.ts';

/**
 * Cuts off the statements of this transaction after `timeoutMs`: the answer is then 503. For reads that a
 * caller can make as dear as they like, so that none of them holds a connection for long.
 */
export async function limitStatements(sql: Sql, timeoutMs: number): Promise<void> {
  await sql.query(`SELECT set_config('statement_timeout', $1, true)`, [`${timeoutMs}ms`]);
}
