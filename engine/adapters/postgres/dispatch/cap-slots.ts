import {
  type Bitmap,
  bitmapOf,
  bitsOf,
  both,
  countBits,
  either,
  emptyBitmap,
  inAtLeast,
  without,
} from '../../../contract/bitmap.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { BlockWishes } from '../../../contract/reader-wishes.ts';
import type { CapRule, FrequencyCap, UnengagedChrome } from '../../../contract/shard.ts';
import { unengagedOn } from '../deliveries/unengaged-chrome.ts';
import type { Sql } from '../sql.ts';

/**
 * The slots of the cap, which all of its rules count, kept in `blocks`:
 *
 * - A target has a slot from the moment its block's audience is fixed. While it is unsettled the slot is held,
 *   however long that takes; a failure, or the stop of its shard, gives it back.
 * - Accepted, it counts until the window has passed since the end of the attempt that accepted it: by the clock
 *   of Postgres, which all engines share.
 *
 * So a subscriber's held slots and accepted notifications inside a rule's window are never more than it allowed
 * when the last of them was given, and turning a held slot into an accepted one adds none.
 */

/**
 * The most acceptance times that a block keeps. From then on the latest one moves, so that its slots count
 * longer than the window, never shorter.
 */
const MAX_ACCEPTED_STEPS = 64;

// Ascending, even if the clock is set back.
const stepAt = 'greatest(now(), accepted_at[cardinality(accepted_at)])';

/** The changes by the end of an attempt. $7: settled from now on, $8: how many were accepted. */
export const slotsAfterEnd = `
  accepted_at = CASE WHEN $8 = 0 THEN accepted_at ELSE accepted_at[:${MAX_ACCEPTED_STEPS - 1}] || ${stepAt} END,
  earlier_accepted = CASE WHEN $8 = 0 OR cardinality(accepted_at) IN (0, ${MAX_ACCEPTED_STEPS}) THEN earlier_accepted
    ELSE earlier_accepted || accepted END,
  slots_at = CASE WHEN slots_at IS NULL THEN NULL WHEN $7 <> audience THEN 'infinity' WHEN $8 > 0 THEN ${stepAt}
    ELSE coalesce(accepted_at[cardinality(accepted_at)], '-infinity') END`;

/** The part of an audience that the rules hold back. */
export interface HeldBack {
  readonly capped: Bitmap;
  /** Those of them whom only Chrome's guard holds back. */
  readonly guarded: Bitmap;
  /** And those whom only their own wish does. */
  readonly wished: Bitmap;
}

export const nobody = (): HeldBack => ({
  capped: emptyBitmap(),
  guarded: emptyBitmap(),
  wished: emptyBitmap(),
});

/** Who asked for silence: no slot is read for that. */
export function findSilent({ silent }: BlockWishes, audience: Bitmap): HeldBack {
  const wished = both(audience, silent);
  return { ...nobody(), capped: wished, wished };
}

/**
 * The caller's transaction has locked the block of the app, until it has written the slots of the others: of two
 * deliveries at once the second one sees those of the first.
 * @param rules those for everyone first; with the readers' own there is at least one.
 */
export async function findHeldBack(
  sql: Sql,
  appId: AppId,
  block: number,
  rules: readonly CapRule[],
  wishes: BlockWishes,
  audience: Bitmap,
): Promise<HeldBack> {
  const windows = [...new Set([...rules, ...wishes.caps].map(({ windowMinutes }) => windowMinutes))];
  const slots = await readSlots(sql, appId, block, windows);
  const held = { ...nobody() };
  const fullBy = ({ windowMinutes, maxNotifications }: FrequencyCap): Bitmap => {
    // A delivery takes one slot of a reader at most: fewer deliveries reach no limit, which is the usual case.
    if (slots.length < maxNotifications) return emptyBitmap();
    const taken = slots.map((slot) => takenIn(slot, windows.indexOf(windowMinutes)));
    return without(both(audience, inAtLeast(taken, maxNotifications)), held.capped);
  };
  for (const rule of rules) {
    const { concerns } = rule;
    const full = fullBy(rule);
    // Hardly anybody is that close to a limit for some: who is concerned is asked for those alone.
    if (countBits(full) === 0) continue;
    const concerned = concerns === null ? full : await readUnengaged(sql, appId, block, full, concerns);
    held.capped = either(held.capped, concerned);
    if (concerns !== null) held.guarded = either(held.guarded, concerned);
  }
  const own = wishes.caps.map((cap) => both(fullBy(cap), cap.readers));
  held.wished = own.reduce(either, without(findSilent(wishes, audience).wished, held.capped));
  held.capped = either(held.capped, held.wished);
  return held;
}

interface Slots {
  /** Null where no slot is held. */
  readonly audience: Bitmap | null;
  readonly settled: Bitmap | null;
  readonly accepted: Bitmap;
  /** Accepted as they were at the end of each attempt but the last; null: there was no more than one. */
  readonly earlier: readonly Bitmap[] | null;
  /** By window: how many of the attempts ended before it. Null: none has ended. */
  readonly outdated: readonly number[] | null;
}

/** One row for each delivery with a slot in the block. `width_bucket`: how many of the times are not after it. */
function readSlots(sql: Sql, appId: AppId, block: number, windows: readonly number[]): Promise<Slots[]> {
  return sql.query<Slots>(
    `SELECT CASE WHEN slots_at = 'infinity' THEN audience END AS audience,
       CASE WHEN slots_at = 'infinity' THEN settled END AS settled, accepted,
       nullif(earlier_accepted, '{}') AS earlier,
       CASE WHEN accepted_at = '{}' THEN NULL ELSE ARRAY[${windows.map((_, n) => endedBefore(n + 4)).join()}] END AS outdated
     FROM blocks WHERE app_id = $1 AND block = $2 AND slots_at > now() - make_interval(mins => $3)`,
    [appId, block, Math.max(...windows), ...windows],
  );
}

const endedBefore = (minutes: number): string =>
  `width_bucket(now() - make_interval(mins => $${minutes}), accepted_at)`;

function takenIn({ audience, settled, accepted, earlier, outdated }: Slots, window: number): Bitmap {
  const before = outdated?.[window] ?? 0;
  const last = [...(earlier ?? []), accepted][before - 1];
  const counting = last === undefined ? accepted : without(accepted, last);
  return audience === null || settled === null ? counting : either(counting, without(audience, settled));
}

/** Those among `full` whom Chrome may judge: without a visit or a click for a number of days. */
async function readUnengaged(
  sql: Sql,
  appId: AppId,
  block: number,
  full: Bitmap,
  { chrome, forDays }: UnengagedChrome,
): Promise<Bitmap> {
  const [row] = await sql.query<{ seqs: number[] | null }>(
    `SELECT array_agg(seq) AS seqs FROM subscriptions
     WHERE app_id = $1 AND seq = ANY($2::integer[]) AND ${unengagedOn(chrome, '$3')}`,
    [appId, bitsOf(full, block), forDays],
  );
  return bitmapOf(row?.seqs ?? []);
}
