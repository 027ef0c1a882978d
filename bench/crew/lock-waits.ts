import type { Database } from '../../engine/adapters/postgres/database.ts';

const LOOK_EVERY_MS = 50;

/** How long sessions of Postgres waited for locks of rows, tables and advisory ones, by a sample every 50 ms. */
export interface LockWaits {
  /** Ends the looking. @returns the sum over all sessions, in ms. */
  stop(): Promise<number>;
}

export function watchLockWaits(database: Database): LockWaits {
  let waitedMs = 0;
  let stopped = false;
  async function look(): Promise<void> {
    let lookedAt = performance.now();
    while (!stopped) {
      const [row] = await database.query<{ waiting: number }>(
        `SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
      );
      const now = performance.now();
      waitedMs += (row?.waiting ?? 0) * (now - lookedAt);
      lookedAt = now;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
  const looking = look();
  return {
    async stop() {
      stopped = true;
      await looking;
      return waitedMs;
    },
  };
}
