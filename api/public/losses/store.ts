import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

/** A browser that loses the permission again sooner is not counted again: so none counts more than once in this time. */
const LOST_AGAIN_DAYS = 30;

const dayOf = (time: string): string => `(${time} AT TIME ZONE 'UTC')::date`;

/**
 * Counts readers whose permission the browser took away, under the locks of their rows.
 *
 * What is counted of an app's readers is in `permission_days`, in the transaction that changes their rows. If its owner
 * dies, the browser reports it again.
 */
export async function noteLost(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `WITH lost AS (
       UPDATE subscriptions SET revoked_at = now(), won_back_at = NULL
       WHERE app_id = $1 AND seq = ANY($2::integer[])
         AND (revoked_at IS NULL OR revoked_at < now() - interval '${LOST_AGAIN_DAYS} days') RETURNING revoked_at
     )
     INSERT INTO permission_days AS kept (app_id, day, revoked)
     SELECT $1, ${dayOf('revoked_at')}, count(*) FROM lost GROUP BY 2
     ON CONFLICT (app_id, day) DO UPDATE SET revoked = kept.revoked + excluded.revoked`,
    [appId, seqs],
  );
}

/** Those of returned readers who had lost it: once, and on the day of the loss, so that a share of those lost is one. */
export async function noteWonBack(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await sql.query(
    `WITH back AS (
       UPDATE subscriptions SET won_back_at = now()
       WHERE app_id = $1 AND seq = ANY($2::integer[]) AND revoked_at IS NOT NULL AND won_back_at IS NULL
       RETURNING revoked_at
     )
     INSERT INTO permission_days AS kept (app_id, day, won_back)
     SELECT $1, ${dayOf('revoked_at')}, count(*) FROM back GROUP BY 2 ORDER BY 2
     ON CONFLICT (app_id, day) DO UPDATE SET won_back = kept.won_back + excluded.won_back`,
    [appId, seqs],
  );
}
