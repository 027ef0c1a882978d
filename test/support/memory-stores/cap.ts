import { type Bitmap, bitmapOf, bitsOf } from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { CapRule } from '../../../engine/contract/shard.ts';
import { type BlockRow, subscriptionKey, type Tables } from './tables.ts';

/** Subscribers that the rules hold back: `engine/adapters/postgres/dispatch/cap-slots.ts`, target by target. */
export function findHeldBack(
  tables: Tables,
  appId: AppId,
  block: number,
  rules: readonly CapRule[],
  audience: Bitmap,
): { readonly capped: Bitmap; readonly guarded: Bitmap } {
  const rows = tables.blocks.all().filter((row) => row.appId === appId && row.block === block);
  const holds = (seq: number, { windowMinutes, maxNotifications, concerns }: CapRule): boolean => {
    const sinceMs = tables.now() - windowMinutes * 60_000;
    const taken = rows.filter((row) => slotsOf(tables, row, sinceMs).has(seq)).length;
    return taken >= maxNotifications && isConcerned(tables, appId, seq, concerns);
  };
  const held = bitsOf(audience, block).map((seq) => ({ seq, by: rules.find((rule) => holds(seq, rule)) }));
  const capped = held.filter(({ by }) => by !== undefined);
  return {
    capped: bitmapOf(capped.map(({ seq }) => seq)),
    guarded: bitmapOf(capped.filter(({ by }) => by?.concerns !== null).map(({ seq }) => seq)),
  };
}

function isConcerned(tables: Tables, appId: AppId, seq: number, concerns: CapRule['concerns']): boolean {
  if (concerns === null) return true;
  const row = tables.subscriptions.get(subscriptionKey(appId, seq));
  if (row === undefined || row.chrome !== concerns.chrome) return false;
  return row.lastSeenAtMs < tables.now() - concerns.forDays * 86_400_000;
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
