import { type Bitmap, bitmapOf, bitsOf } from '../../../engine/contract/bitmap.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { isQuiet, type ReaderWishes } from '../../../engine/contract/reader-wishes.ts';
import type { CapRule, FrequencyCap, LeasedShard, WishesHeeded } from '../../../engine/contract/shard.ts';
import { type BlockRow, subscriptionKey, type Tables } from './tables.ts';

/** Subscribers that the rules hold back: `engine/adapters/postgres/dispatch/cap-slots.ts`, target by target. */
export function findHeldBack(
  tables: Tables,
  { appId, capRules, wishes }: LeasedShard,
  block: number,
  audience: Bitmap,
): { readonly capped: Bitmap; readonly guarded: Bitmap; readonly wished: Bitmap } {
  const rows = tables.blocks.all().filter((row) => row.appId === appId && row.block === block);
  const isFull = (seq: number, { windowMinutes, maxNotifications }: FrequencyCap): boolean => {
    const sinceMs = tables.now() - windowMinutes * 60_000;
    return rows.filter((row) => slotsOf(tables, row, sinceMs).has(seq)).length >= maxNotifications;
  };
  const heldBy = (seq: number): 'cap' | 'guard' | 'wish' | null => {
    const by = capRules.find((rule) => isFull(seq, rule) && isConcerned(tables, appId, seq, rule.concerns));
    if (by !== undefined) return by.concerns === null ? 'cap' : 'guard';
    const wish = wishes === 'none' ? undefined : tables.wishes.get(subscriptionKey(appId, seq));
    if (wish === undefined) return null;
    const isHeld = isSilent(tables, wish, wishes) || (wish.fewer !== null && isFull(seq, wish.fewer));
    return isHeld ? 'wish' : null;
  };
  const held = bitsOf(audience, block).map((seq) => ({ seq, by: heldBy(seq) }));
  const of = (isOne: (by: string | null) => boolean): Bitmap =>
    bitmapOf(held.filter(({ by }) => isOne(by)).map(({ seq }) => seq));
  return {
    capped: of((by) => by !== null),
    guarded: of((by) => by === 'guard'),
    wished: of((by) => by === 'wish'),
  };
}

/** Readers of the tests are in UTC. */
function isSilent(tables: Tables, { pausedUntil, quietHours }: ReaderWishes, heeded: WishesHeeded): boolean {
  const now = new Date(tables.now());
  if (pausedUntil !== null && pausedUntil > now) return true;
  return heeded === 'all' && quietHours !== null && isQuiet(quietHours, now.toISOString().slice(11, 16));
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
