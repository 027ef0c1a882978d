import type { Sql } from './sql.ts';

/**
 * The time by Postgres' clock, which all engines share: a TTL that counts from the moment Postgres wrote must
 * not end early because this machine's clock is wrong. Between two readings a monotonic clock continues it.
 */
export interface ServerClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The offset to add to this machine's clock at this moment. */
  aheadMs(): number;
  /** Asks Postgres again: its clock may be set, too. @throws as a query does; the last reading holds then. */
  read(): Promise<void>;
}

/** @throws as a query does. */
export async function openServerClock(sql: Sql): Promise<ServerClock> {
  let readMs = 0;
  let atMs = 0;

  async function read(): Promise<void> {
    const askedMs = performance.now();
    const [row] = await sql.query<{ ms: number }>(
      `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`,
    );
    if (row === undefined) throw new Error('Postgres did not return its time');
    readMs = row.ms;
    atMs = (askedMs + performance.now()) / 2; // Read half-way between the question and the answer.
  }

  const now = (): number => readMs + performance.now() - atMs;
  await read();
  return { now, aheadMs: () => now() - Date.now(), read };
}
