import type { Database } from '../../engine/adapters/postgres/database.ts';

/** @param calls gets the name of each call that the database gets from outside of a transaction. */
export const watchedDatabase = (database: Database, calls: string[]): Database => ({
  ...database,
  query: (text, values) => {
    calls.push('query');
    return database.query(text, values);
  },
  transaction: (run) => {
    calls.push('transaction');
    return database.transaction(run);
  },
});
