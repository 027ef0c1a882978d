import { type Bitmap, bitmapOf, bitsOf } from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { FrequencyCap } from '../../../engine/contract/shard.ts';
import type { BlockRow, Tables } from './tables.ts';

/** Subscribers that the cap holds back: `engine/adapters/postgres/dispatch/cap-slots.ts`, target by target. */
export function findCapped(
  tables: Tables,
  appId: AppId,
  block: number,
  cap: FrequencyCap,
  audience: Bitmap,
): Bitmap {
  const rows = tables.blocks.all().filter((row) => row.appId === appId && row.block === block);
  const sinceMs = tables.now() - cap.windowMinutes * 60_000;
  const slots = rows.map((row) => slotsOf(tables, row, sinceMs));
  const isFull = (seq: number): boolean =>
    slots.filter((taken) => taken.has(seq)).length >= cap.maxNotifications;
  return bitmapOf(bitsOf(audience, block).filter(isFull));
}

/** Held ones, and those accepted inside the window. A shard that was stopped holds none, a rehearsal neither. */
function slotsOf(tables: Tables, row: BlockRow, sinceMs: number): ReadonlySet<number> {
  const taken = new Set<number>();
  if (tables.deliveries.get(row.deliveryId)?.rehearsal) return taken;
  for (const [seq, atMs] of row.acceptedAtMs) if (atMs > sinceMs) taken.add(seq);
  if (tables.shards.get(row.shardId)?.state === 'stopped') return taken;
  const settled = new Set(bitsOf(row.settled, row.block));
  for (const seq of bitsOf(row.audience, row.block)) if (!settled.has(seq)) taken.add(seq);
  return taken;
}
