import type { Database } from '../../engine/adapters/postgres/database.ts';

/** A database that can be away for a while: every statement fails, those under way included. */
export interface Outage {
  readonly database: Database;
  begin(): void;
  end(): void;
}

export function createOutage(real: Database): Outage {
  let away = false;
  const reached = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (away) throw new Error('connection terminated unexpectedly');
    const result = await work();
    if (away) throw new Error('connection terminated unexpectedly');
    return result;
  };
  return {
    database: {
      query: (text, values) => reached(() => real.query(text, values)),
      read: (limits, work) => reached(() => real.read(limits, work)),
      transaction: (work) => reached(() => real.transaction(work)),
      copyOut: (statement, maxBytes) => reached(() => real.copyOut(statement, maxBytes)),
      copyOutIf: (condition, statement, maxBytes) =>
        reached(() => real.copyOutIf(condition, statement, maxBytes)),
      copyTransaction: (work) => reached(() => real.copyTransaction(work)),
      load: () => real.load(),
      ping: async () => !away && (await real.ping()),
      close: () => real.close(),
    },
    begin: () => {
      away = true;
    },
    end: () => {
      away = false;
    },
  };
}
