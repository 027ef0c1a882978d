import { BLOCK_SIZE } from '../../../contract/bitmap.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { lockedRows, unsubscribing } from '../subscriptions/counts.ts';
import { isQuiet, readQuietReaders } from './quiet-readers.ts';

/** An app whose readers are to be checked today, from this block on. */
export interface DuePruning {
  readonly appId: AppId;
  readonly days: number;
  readonly day: string;
  readonly nextBlock: number;
  readonly blocks: number;
}

/**
 * Pruning's statements. Each is safe to run again, and beside another engine that runs it.
 *
 * How far today's check for unreachable readers is lives in `subscription_prunings`. If its owner dies, any engine goes
 * on from `next_block`: a block that is checked twice has nobody left.
 */
export function createPruneStore(database: Database) {
  return {
    due: async (except: readonly AppId[], last: number): Promise<DuePruning | null> => {
      const [row] = await database.query<DuePruning>(
        `SELECT apps.id AS "appId", prune_unreachable_days AS days, to_char(today.day, 'YYYY-MM-DD') AS day,
           coalesce(next_block, 0) AS "nextBlock", ceil(next_seq / ${BLOCK_SIZE}.0)::integer AS blocks
         FROM apps CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS day) AS today
           LEFT JOIN subscription_prunings AS pruning ON pruning.app_id = apps.id AND pruning.day = today.day
         WHERE prune_unreachable_days IS NOT NULL AND deleted_at IS NULL AND done IS NOT TRUE
           AND apps.id <> ALL($1::integer[])
         ORDER BY apps.id <= $2, apps.id LIMIT 1`,
        [except, last],
      );
      return row ?? null;
    },

    findQuiet: async ({ appId, days }: DuePruning, blocks: readonly number[]): Promise<number[]> =>
      (await readQuietReaders(database, appId, blocks, days)).map(({ seq }) => seq),

    prune: (due: DuePruning, seqs: readonly number[]): Promise<number> =>
      database.transaction(async (sql) => {
        const pruned = await unsubscribeQuiet(sql, due, seqs);
        if (pruned > 0) await noteInAuditLog(sql, due, pruned);
        return pruned;
      }),

    /** All before this block were checked. */
    moveOn: async ({ appId, day, blocks }: DuePruning, nextBlock: number): Promise<void> => {
      await database.query(
        `INSERT INTO subscription_prunings AS kept (app_id, day, next_block, done)
         SELECT id, $2, $3::integer, $3::integer >= $4 FROM apps WHERE id = $1
         ON CONFLICT (app_id, day) DO UPDATE SET next_block = greatest(kept.next_block, excluded.next_block),
           done = kept.done OR excluded.done`,
        [appId, day, nextBlock, blocks],
      );
    },
  };
}

/** A reader who came back since is not quiet; an app that was switched off or deleted since loses nobody. */
const quiet = lockedRows(
  `seq = ANY($2::integer[]) AND ${isQuiet('$3')}
   AND EXISTS (SELECT FROM apps WHERE id = $1 AND prune_unreachable_days = $3 AND deleted_at IS NULL)`,
  { orSkip: true },
);

async function unsubscribeQuiet(sql: Sql, due: DuePruning, seqs: readonly number[]): Promise<number> {
  const [row] = await sql.query<{ pruned: number }>(
    `WITH ${unsubscribing(quiet, { also: ', pruned_at = now()' })}
     SELECT count(*)::integer AS pruned FROM unsubscribed`,
    [due.appId, seqs, due.days],
  );
  return row?.pruned ?? 0;
}

/** One line a day, in the transaction that unsubscribes: it grows with each. */
async function noteInAuditLog(sql: Sql, { appId, day, days }: DuePruning, pruned: number): Promise<void> {
  const [row] = await sql.query<{ pruned: number; audit_id: number | null }>(
    `INSERT INTO subscription_prunings AS kept (app_id, day, pruned) VALUES ($1, $2, $3)
     ON CONFLICT (app_id, day) DO UPDATE SET pruned = kept.pruned + excluded.pruned RETURNING pruned, audit_id`,
    [appId, day, pruned],
  );
  const detail = JSON.stringify({ count: row?.pruned ?? pruned, days });
  if (row !== undefined && row.audit_id !== null) {
    await sql.query(`UPDATE audit_log SET detail = $2 WHERE id = $1`, [row.audit_id, detail]);
    return;
  }
  await sql.query(
    `WITH noted AS (
       INSERT INTO audit_log (organization_id, via, action, subject_id, app_id, detail)
       SELECT organization_id, 'service', 'subscription.pruned', identifier, id, $3 FROM apps WHERE id = $1
       RETURNING id
     )
     UPDATE subscription_prunings SET audit_id = (SELECT id FROM noted) WHERE app_id = $1 AND day = $2`,
    [appId, day, detail],
  );
}
