import {
  type AcceptedLately,
  readAcceptedLately,
} from '../../../engine/adapters/postgres/deliveries/accepted-lately.ts';
import {
  audiencePredicate,
  type Predicate,
  type ReachMaps,
} from '../../../engine/adapters/postgres/deliveries/audience.ts';
import { unengagedOn } from '../../../engine/adapters/postgres/deliveries/unengaged-chrome.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { BLOCK_SIZE } from '../../../engine/contract/bitmap.ts';
import { type ChromeGuard, GUARD_WINDOW_MINUTES } from '../../../engine/contract/chrome-guard.ts';
import type { Audience } from '../../../engine/contract/frozen-audience.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { chunksOf, readSampleOf } from './sample.ts';

/** A reader is near the limit from this number of notifications below it. */
export const NEAR = 3;

/** Readers on Chrome without a visit or click, by how close they are to the guard's limit. */
export interface NearLimit {
  readonly near: number;
  /** The guard holds the next one back from them; without it, the next one may cost the permission. */
  readonly at_limit: number;
  /** False: scaled up from a part of the blocks. */
  readonly exact: boolean;
}

/** @param of null: everyone. */
export async function countNearLimit(
  sql: Sql,
  appId: AppId,
  guard: ChromeGuard,
  of: { readonly audience: Audience | null; readonly reaches: ReachMaps },
): Promise<NearLimit> {
  const audience = of.audience === null ? everyone : audiencePredicate(of.audience, TAKEN, of.reaches);
  const sample = await readSampleOf(sql, appId);
  const sums = { near: 0, at_limit: 0 };
  for (const blocks of chunksOf(sample)) {
    const accepted = await readAcceptedLately(sql, appId, blocks, GUARD_WINDOW_MINUTES);
    const found = await countIn(sql, appId, guard, accepted, audience);
    sums.near += found.near;
    sums.at_limit += found.at_limit;
  }
  return {
    near: Math.round(sums.near * sample.scale),
    at_limit: Math.round(sums.at_limit * sample.scale),
    exact: sample.scale === 1,
  };
}

/** Parameters that the statement has before those of the audience. */
const TAKEN = 3;
export const everyone: Predicate = Object.freeze({ text: 'TRUE', values: [] });

interface Unengaged {
  readonly seq: number;
  readonly android: boolean;
}

/** Of some blocks. Hardly anybody is close to a limit: who is concerned is asked for those alone. */
export async function countIn(
  sql: Sql,
  appId: AppId,
  guard: ChromeGuard,
  accepted: AcceptedLately,
  audience: Predicate,
): Promise<Pick<NearLimit, 'near' | 'at_limit'>> {
  const close = seqsFrom(accepted, Math.max(1, Math.min(guard.android_max, guard.desktop_max) - NEAR));
  const sums = { near: 0, at_limit: 0 };
  if (close.length === 0) return sums;
  const readers = await sql.query<Unengaged>(
    `SELECT seq, ${unengagedOn('android', '$3')} AS android FROM subscriptions
     WHERE app_id = $1 AND seq = ANY($2::integer[]) AND status = 'subscribed'
       AND (${unengagedOn('android', '$3')} OR ${unengagedOn('desktop', '$3')}) AND ${audience.text}`,
    [appId, close, guard.engaged_days, ...audience.values],
  );
  for (const { seq, android } of readers) {
    const limit = android ? guard.android_max : guard.desktop_max;
    const count = acceptedFor(accepted, seq);
    if (count >= limit) sums.at_limit++;
    else if (count >= limit - NEAR) sums.near++;
  }
  return sums;
}

export const acceptedFor = (accepted: AcceptedLately, seq: number): number =>
  accepted.get(Math.floor(seq / BLOCK_SIZE))?.[seq % BLOCK_SIZE] ?? 0;

function seqsFrom(accepted: AcceptedLately, least: number): number[] {
  const seqs: number[] = [];
  for (const [block, counts] of accepted)
    for (const [index, count] of counts.entries()) if (count >= least) seqs.push(block * BLOCK_SIZE + index);
  return seqs;
}
