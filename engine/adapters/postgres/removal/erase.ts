import type { AppId } from '../../../contract/ids.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/** Deletes subscriptions, of a number that the caller bounds. @returns those that were there. */
export async function eraseSubscriptions(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<number[]> {
  // Locks are taken subscriptions first, in the order of their numbers, then the app's row, like everywhere else.
  const rows = await sql.query<{ seq: number }>(
    `WITH locked AS (
       SELECT seq FROM subscriptions WHERE app_id = $1 AND seq = ANY($2::integer[]) ORDER BY seq FOR UPDATE
     ), deleted AS (
       DELETE FROM subscriptions WHERE app_id = $1 AND seq IN (SELECT seq FROM locked) RETURNING seq, status
     ), counted AS (
       UPDATE apps SET subscriber_count = subscriber_count - (SELECT count(*) FROM deleted),
         active_subscriber_count = active_subscriber_count - (SELECT count(*) FROM deleted WHERE status = 'subscribed')
       WHERE id = $1
     ), unfailed AS (
       DELETE FROM failing_endpoints WHERE app_id = $1 AND seq IN (SELECT seq FROM deleted)
     ), forgotten AS (
       INSERT INTO forgotten_subscriptions (app_id, seq) SELECT $1, seq FROM deleted ON CONFLICT DO NOTHING
     ) SELECT seq FROM deleted ORDER BY seq`,
    [appId, seqs],
  );
  const erased = rows.map(({ seq }) => seq);
  await clearAccepted(sql, appId, erased);
  return erased;
}

/** Whether its endpoint ever accepted is a bit of its block. */
async function clearAccepted(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE accepted_endpoints AS kept SET seqs = changed_seqs(kept.seqs, NULL, gone.places)
     FROM (SELECT seq >> 10 AS block, array_agg(seq & 1023) AS places FROM unnest($2::integer[]) AS seq GROUP BY 1) AS gone
     WHERE kept.app_id = $1 AND kept.block = gone.block`,
    [appId, seqs],
  );
}

/**
 * Erases one part of an erasure, in one transaction. What is not erased yet of a person, or of more than 1,000 named
 * subscriptions, lives in `erasure_parts`, written with the receipt. If its owner dies, the part stays as it was and
 * any engine erases it; a part twice changes nothing.
 * @returns how many subscriptions and parts; 0: no part waits, or other engines are at them.
 */
export const eraseNextPart = (database: Database): Promise<number> =>
  database.transaction(async (sql) => {
    const [part] = await sql.query<{ erasure_id: number; part: number; app_id: AppId; seqs: number[] }>(
      `SELECT erasure_id, part, app_id, seqs FROM erasure_parts WHERE erased_at IS NULL
       ORDER BY part, erasure_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    if (part === undefined) return 0;
    const erased = await eraseSubscriptions(sql, part.app_id, part.seqs);
    await sql.query(
      `UPDATE erasure_parts SET seqs = $3::integer[], subscriptions = $4, erased_at = now()
       WHERE erasure_id = $1 AND part = $2`,
      [part.erasure_id, part.part, erased, erased.length],
    );
    return erased.length + 1;
  });
