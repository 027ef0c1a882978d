import { type Bitmap, both, either, inAtLeast, without } from '../../../contract/bitmap.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { FrequencyCap } from '../../../contract/shard.ts';
import type { Sql } from '../sql.ts';

/**
 * The slots of the frequency cap, kept in `blocks`:
 *
 * - A target has a slot from the moment its block's audience is fixed. While it is unsettled the slot is held,
 *   however long that takes; a failure, or the stop of its shard, gives it back.
 * - Accepted, it counts until the window has passed since the end of the attempt that accepted it: by the clock
 *   of Postgres, which all engines share.
 *
 * So a subscriber's held slots and accepted notifications inside the window are never more than the cap allowed
 * when the last of them was given, and turning a held slot into an accepted one adds none.
 */

/**
 * The most acceptance times that a block keeps. From then on the latest one moves, so that its slots count
 * longer than the window, never shorter.
 */
const MAX_ACCEPTED_STEPS = 64;

/** Longest that a transaction may keep a block to itself between two statements. */
const MAX_SILENCE_MS = 10_000;

// Ascending, even if the clock is set back.
const stepAt = 'greatest(now(), accepted_at[cardinality(accepted_at)])';

/** The changes by the end of an attempt. $7: settled from now on, $8: how many were accepted. */
export const slotsAfterEnd = `
  accepted_at = CASE WHEN $8 = 0 THEN accepted_at ELSE accepted_at[:${MAX_ACCEPTED_STEPS - 1}] || ${stepAt} END,
  earlier_accepted = CASE WHEN $8 = 0 OR cardinality(accepted_at) IN (0, ${MAX_ACCEPTED_STEPS}) THEN earlier_accepted
    ELSE earlier_accepted || accepted END,
  slots_at = CASE WHEN slots_at IS NULL THEN NULL WHEN $7 <> audience THEN 'infinity' WHEN $8 > 0 THEN ${stepAt}
    ELSE coalesce(accepted_at[cardinality(accepted_at)], '-infinity') END`;

/**
 * The part of the audience that the cap holds back. The caller's transaction has locked the block of the app, until it
 * has written the slots of the others: of two deliveries at once the second one sees those of the first.
 */
export async function findCapped(
  sql: Sql,
  appId: AppId,
  block: number,
  cap: FrequencyCap,
  audience: Bitmap,
): Promise<Bitmap> {
  const taken = (await readSlots(sql, appId, block, cap.windowMinutes)).map(takenIn);
  return both(audience, inAtLeast(taken, cap.maxNotifications));
}

/**
 * The block of an app to this transaction alone. A statement of its own: the next one must see rows committed while this one waited. If an engine silently
 * vanishes, even with its network, Postgres ends the transaction, or the others would wait for hours.
 */
export async function lockBlock(sql: Sql, appId: AppId, block: number): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock($1, $2), set_config('idle_in_transaction_session_timeout', $3, true)`,
    [appId, block, `${MAX_SILENCE_MS}ms`],
  );
}

interface Slots {
  /** Null where no slot is held. */
  readonly audience: Bitmap | null;
  readonly settled: Bitmap | null;
  readonly accepted: Bitmap;
  /** Those of them that were accepted before the window; null: none. */
  readonly outdated: Bitmap | null;
}

/** One row for each delivery with a slot in the block. `width_bucket`: how many of the times are not after it. */
function readSlots(sql: Sql, appId: AppId, block: number, windowMinutes: number): Promise<Slots[]> {
  return sql.query<Slots>(
    `SELECT CASE WHEN slots_at = 'infinity' THEN audience END AS audience,
       CASE WHEN slots_at = 'infinity' THEN settled END AS settled, accepted,
       CASE WHEN accepted_at <> '{}' THEN
         (earlier_accepted || accepted)[width_bucket(now() - make_interval(mins => $3), accepted_at)]
       END AS outdated
     FROM blocks WHERE app_id = $1 AND block = $2 AND slots_at > now() - make_interval(mins => $3)`,
    [appId, block, windowMinutes],
  );
}

function takenIn({ audience, settled, accepted, outdated }: Slots): Bitmap {
  const counting = outdated === null ? accepted : without(accepted, outdated);
  return audience === null || settled === null ? counting : either(counting, without(audience, settled));
}
