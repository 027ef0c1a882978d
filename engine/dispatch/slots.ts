import type { Lane } from '../contract/topics.ts';

/**
 * The blocks that one engine has in hand, by lane. A slot that becomes free goes to a breaking block first, so
 * breaking waits for no bulk block that has not begun. And each lane keeps some slots that the other never gets:
 * a breaking block starts at once though slow push services hold every bulk slot for as long as they like, and
 * bulk goes on, slower, under breaking work that never ends.
 */
export interface Slots {
  /** Resolves when a slot is free, in the order of asking within a lane; call the result once to give it back. */
  take(lane: Lane): Promise<() => void>;
  inUse(): number;
}

const lanes: readonly Lane[] = ['breaking', 'bulk'];

/** Of so many slots for bulk work, one is never given to breaking blocks. */
const BULK_SLOTS_PER_KEPT_ONE = 4;

/**
 * Waiters are bounded by the caller: a few per shard in hand.
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
