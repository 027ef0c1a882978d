import type { Sql } from '../../../engine/adapters/postgres/sql.ts';

/** What the index of words can look up: it knows runs of three. */
const indexed = /[\p{L}\p{N}]{3}/u;

/**
 * Makes the statements of this transaction read the rows where the search is too short for the index of words. Postgres
 * expects few rows and asks the index all the same, which then names every page: at ten million, half of 8 s.
 */
export async function scanForShort(sql: Sql, search: string | undefined): Promise<void> {
  if (search === undefined || search === '' || indexed.test(search)) return;
  await sql.query('SET LOCAL enable_bitmapscan = off');
}
