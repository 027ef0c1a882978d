import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Clock } from '../../../engine/contract/concurrency/clock.ts';
import { createSetAside } from '../../../engine/contract/concurrency/set-aside.ts';

/** Tries in a row before something is set aside, and how long it is. */
const TRIES = 3;
const ASIDE_MS = 600_000;
const MOST_ASIDE = 1_000;

/** Work in the order of a list, of which one piece may fail whatever happens: it goes behind the others then. */
export interface BehindOthers<Key> {
  /**
   * @param work gets the keys that are aside now, and notes what it takes before anything of that can fail.
   * @throws what it threw, where a database does not answer: that is nobody's fault.
   */
  run(work: (aside: Key[], takes: (key: Key, name: string) => void) => Promise<number>): Promise<number>;
}

interface BehindOthersDeps {
  readonly database: Pick<Database, 'ping'>;
  readonly clickhouse: Pick<ClickHouse, 'ping'>;
  readonly clock: Pick<Clock, 'now'> | undefined;
  /** A try that failed, and at the last one that it waits. */
  readonly onFault: (error: unknown) => void;
}

export function createBehindOthers<Key>(deps: BehindOthersDeps): BehindOthers<Key> {
  const aside = createSetAside<Key>(ASIDE_MS, MOST_ASIDE, deps.clock);
  const failures = new Map<Key, number>();

  function noteFailure(key: Key, name: string, error: unknown): unknown {
    const tries = (failures.get(key) ?? 0) + 1;
    failures.set(key, tries);
    if (tries < TRIES) return error;
    aside.add(key);
    if (failures.size > MOST_ASIDE) failures.clear();
    // Without a cause: of an outage the log shows the innermost words alone.
    return new Error(`${name} waits behind the others: ${String(error)}`);
  }

  return {
    run: async (work) => {
      const taken: { readonly key: Key; readonly name: string }[] = [];
      try {
        const done = await work(aside.keys(), (key, name) => void taken.push({ key, name }));
        for (const { key } of taken) failures.delete(key);
        return done;
      } catch (error) {
        const answer = await Promise.all([deps.database.ping(), deps.clickhouse.ping()]);
        if (taken.length === 0 || answer.includes(false)) throw error;
        for (const { key, name } of taken) deps.onFault(noteFailure(key, name, error));
        return 0;
      }
    },
  };
}
