import { areNamedPublished, holdOutcomes } from '../../../engine/adapters/postgres/backup/hold-outcomes.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { Lag } from './log.ts';

export interface HoldOptions {
  readonly readLag: () => Promise<Lag>;
  /** False: no process takes anything from the log, so nothing is worth waiting for. */
  readonly isServed: boolean;
  readonly signal: AbortSignal;
}

const WAIT_MS = 60_000;
const POLL_MS = 100;

/**
 * Runs `work` at a moment when every outcome is in one of two places: in the outbox, where it has no name yet, or in
 * ClickHouse. Sending goes on meanwhile. Without it an outcome could be missing from both books, or be inserted again
 * by a ClickHouse that no longer remembers its name.
 * @throws CliError where outcomes do not reach ClickHouse.
 */
export function withOutcomesHeld<Result>(
  database: Database,
  { readLag, isServed, signal }: HoldOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (sql) => {
    await holdOutcomes(sql);
    const endsAt = performance.now() + (isServed ? WAIT_MS : 0);
    for (;;) {
      signal.throwIfAborted();
      if ((await areNamedPublished(database)) && ((await readLag()).outcomes ?? 0) === 0) return work();
      if (performance.now() >= endsAt) throw new CliError(whyNot(isServed));
      await pause(systemClock, POLL_MS, signal);
    }
  });
}

const whyNot = (isServed: boolean): string =>
  isServed
    ? `outcomes on the log did not reach ClickHouse within ${WAIT_MS / 1_000} s: see whether an engine runs and ClickHouse answers ("broadside doctor"), then back up again`
    : 'outcomes wait on the log, and no Broadside runs to take them: start it, and back up while it runs';
