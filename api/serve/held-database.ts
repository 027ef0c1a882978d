import type { Database } from '../../engine/adapters/postgres/database.ts';

/** Answers like a Postgres that is starting: callers get 503 with Retry-After. */
class DatabaseNotReady extends Error {
  /** `cannot_connect_now`. */
  readonly code = '57P03';
  constructor() {
    super('Postgres does not hold the schema of this version yet');
    this.name = 'DatabaseNotReady';
  }
}

/** A database that refuses every query until `release`: serving on an older schema would produce errors. */
export function holdDatabase(database: Database): { readonly held: Database; release(): void } {
  let ready = false;
  const whenReady = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!ready) throw new DatabaseNotReady();
    return work();
  };
  return {
    held: {
      query: (text, values) => whenReady(() => database.query(text, values)),
      read: (limits, work) => whenReady(() => database.read(limits, work)),
      transaction: (work) => whenReady(() => database.transaction(work)),
      copyOut: (statement, maxBytes) => whenReady(() => database.copyOut(statement, maxBytes)),
      copyOutIf: (condition, statement, maxBytes) =>
        whenReady(() => database.copyOutIf(condition, statement, maxBytes)),
      copyTransaction: (work) => whenReady(() => database.copyTransaction(work)),
      load: () => database.load(),
      ping: async () => ready && (await database.ping()),
      close: () => database.close(),
    },
    release: () => {
      ready = true;
    },
  };
}
