import { mayBeSilent, type Sql } from '../sql.ts';

/**
 * Relays name a batch of outcomes under the shared side of this lock, and what has no name is not on the log. A
 * backup takes the other side: sending goes on, its outcomes wait in the outbox, and soon none is under way.
 * If its owner dies, the lock goes with its connection, and any relay names the outcomes that the backup held back.
 */
const KEY = `hashtextextended('broadside outcomes held', 0)`;

/** A condition of the statement that names a batch: false while a backup holds outcomes back. */
export const mayNameBatch = `(SELECT pg_try_advisory_xact_lock_shared(${KEY}))`;

/** Waits for namings under way. Until the transaction ends, in its own time, no outcome gets a name. */
export async function holdOutcomes(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${KEY}), ${mayBeSilent}`);
}

/** Whether every batch with a name has left the outbox, except those that the log refused: they are not on it. */
export async function areNamedPublished(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ left: boolean }>(
    `SELECT EXISTS (SELECT FROM outbox WHERE batch_id IS NOT NULL AND topic = 'outcomes') AS left`,
  );
  return row?.left === false;
}
