import type { Clock } from '../../contract/concurrency/clock.ts';
import { throwAll } from '../../contract/concurrency/each-step.ts';
import { createSetAside } from '../../contract/concurrency/set-aside.ts';
import { isDatabaseAway } from './database-away.ts';

/** A statement that takes the next rows of a queue. Both skip the rows of `except`. */
export interface Queue {
  /** @returns how many. */
  take(limit: number, except: readonly number[]): Promise<number>;
  /** The row that `take` would begin with; null: there is none. */
  first(except: readonly number[]): Promise<number | null>;
}

/** Short: a deadlock, too, may look like a row that cannot be taken. */
const ASIDE_MS = 60_000;
const MOST_ASIDE = 1_000;
/** Found in one call. */
const MOST_FOUND = 8;

/**
 * Takes rows together; one that cannot be taken, such as a row that a trigger or a check of a newer release refuses, is
 * found by taking fewer, and set aside, so that it does not stop whoever is behind it.
 * @returns a step. @throws what such rows failed with, once those behind them were taken.
 */
export function createRowsApart(
  { take, first }: Queue,
  clock?: Pick<Clock, 'now'>,
): (limit: number) => Promise<number> {
  const aside = createSetAside<number>(ASIDE_MS, MOST_ASIDE, clock);

  return async function takeRows(limit) {
    const failures: unknown[] = [];
    let taken = 0;
    for (let most = limit; ; )
      try {
        taken = await take(most, aside.keys());
        break;
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        most = Math.floor(most / 4);
        if (most > 0) continue;
        const row = await first(aside.keys());
        if (row === null || failures.length === MOST_FOUND) throw error;
        aside.add(row);
        failures.push(error);
        most = limit;
      }
    throwAll(failures, failures.length + taken);
    return taken;
  };
}
