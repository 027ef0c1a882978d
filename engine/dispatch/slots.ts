import type { Lane } from '../contract/topics.ts';

/**
 * Permits for the blocks in flight of one engine, by lane: a slot is one permit. A free slot goes to a breaking
 * block first, so breaking waits for no bulk block that has not begun. And each lane has some slots that the
 * other never gets: a breaking block starts at once even if slow push services hold every bulk slot, and bulk
 * continues, slower, under endless breaking work. It is not a fair queue (`contract/concurrency/fair-queue.ts`), where owners take turns.
 */
export interface Slots {
  /** Resolves when a slot is free, in the order of asking within a lane; call the result once to give it back. */
  take(lane: Lane): Promise<() => void>;
  inUse(): number;
}

const lanes: readonly Lane[] = ['breaking', 'bulk'];

/** One bulk slot out of this many is never given to breaking blocks. */
const BULK_SLOTS_PER_KEPT_ONE = 4;

/**
 * Waiters are bounded by the caller: a few per running shard.
 * @param bulk slots for bulk blocks.
 * @param kept slots on top of them, for breaking blocks alone.
 */
export function createSlots(bulk: number, kept = Math.ceil(bulk / BULK_SLOTS_PER_KEPT_ONE)): Slots {
  const all = bulk + kept;
  const most: Readonly<Record<Lane, number>> = {
    bulk,
    breaking: all - Math.ceil(bulk / BULK_SLOTS_PER_KEPT_ONE),
  };
  const waiting: Readonly<Record<Lane, (() => void)[]>> = { breaking: [], bulk: [] };
  const used: Record<Lane, number> = { breaking: 0, bulk: 0 };
  const inUse = (): number => used.breaking + used.bulk;

  function admit(): void {
    for (const lane of lanes) {
      while (inUse() < all && used[lane] < most[lane]) {
        const next = waiting[lane].shift();
        if (next === undefined) break;
        used[lane]++;
        next();
      }
    }
  }

  return {
    take: async (lane) => {
      await new Promise<void>((resolve) => {
        waiting[lane].push(resolve);
        admit();
      });
      return () => {
        used[lane]--;
        admit();
      };
    },
    inUse,
  };
}
