import {
  type Bitmap,
  bitmapOf,
  either,
  emptyBitmap,
  hasBit,
  setBit,
  without,
} from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import {
  type BlockEnd,
  type BlockMaps,
  type Lease,
  STRIKES_TO_RETIRE,
} from '../../../engine/contract/shard.ts';
import { appBlockKey, subscriptionKey, type Tables } from './tables.ts';

/** `engine/adapters/postgres/dispatch/endpoint-record.ts`. */
export function acceptedBefore(
  tables: Tables,
  appId: AppId,
  block: number,
): Pick<BlockMaps, 'acceptedBefore'> {
  const known = tables.acceptedEndpoints.get(appBlockKey(appId, block));
  return known === undefined ? {} : { acceptedBefore: known };
}

export function noteRecord(tables: Tables, lease: Lease, end: BlockEnd): void {
  const { maps, newlyKnown, invalid = [], readAtMs } = end;
  for (const { seq } of invalid) strike(tables, lease, seq, readAtMs);
  if (newlyKnown === undefined && invalid.length === 0) return;
  const dropped = bitmapOf(invalid.map(({ seq }) => seq));
  const seen = emptyBitmap();
  for (const { appId, seq, lastSeenAtMs } of tables.subscriptions.all()) {
    if (appId !== lease.appId || seq >> 10 !== maps.block) continue;
    if (lastSeenAtMs > readAtMs) setBit(seen, seq);
    if (newlyKnown !== undefined && hasBit(newlyKnown, seq))
      tables.failingEndpoints.delete(subscriptionKey(appId, seq));
  }
  const key = appBlockKey(lease.appId, maps.block);
  const kept: Bitmap = tables.acceptedEndpoints.get(key) ?? emptyBitmap();
  tables.acceptedEndpoints.put(key, without(either(kept, without(newlyKnown ?? seen, seen)), dropped));
}

/** A subscriber who moves to another endpoint has to prove it again. */
export function forgetAccepted(tables: Tables, appId: AppId, seq: number): void {
  const key = appBlockKey(appId, seq >> 10);
  const kept = tables.acceptedEndpoints.get(key);
  if (kept === undefined || !hasBit(kept, seq)) return;
  const moved = emptyBitmap();
  setBit(moved, seq);
  tables.acceptedEndpoints.put(key, without(kept, moved));
}

/** One a delivery; the last one unsubscribes. */
function strike(tables: Tables, lease: Lease, seq: number, readAtMs: number): void {
  const key = subscriptionKey(lease.appId, seq);
  const row = tables.subscriptions.get(key);
  if (row === undefined || row.lastSeenAtMs > readAtMs) return;
  const before = tables.failingEndpoints.get(key);
  const isSame = before?.endpoint === row.endpoint;
  const times = isSame ? before.times + (before.deliveryId === lease.deliveryId ? 0 : 1) : 1;
  const retired = times >= STRIKES_TO_RETIRE;
  const { endpoint } = row;
  tables.failingEndpoints.put(key, { endpoint, deliveryId: lease.deliveryId, times, retired });
  if (retired) leaveBehind(tables, lease, seq, readAtMs);
}

/** A subscriber who came back with another endpoint since the targets were read is not gone. */
export function leaveBehind(tables: Tables, { appId }: Lease, seq: number, readAtMs: number): void {
  const key = subscriptionKey(appId, seq);
  const row = tables.subscriptions.get(key);
  if (!row?.subscribed || row.lastSeenAtMs > readAtMs) return;
  tables.subscriptions.put(key, { ...row, subscribed: false });
  tables.active.put(appId, (tables.active.get(appId) ?? 0) - 1);
}
