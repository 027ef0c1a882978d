import type { Lane } from '../contract/topics.ts';

/**
 * The turns in which the blocks of one thread encrypt. Where breaking blocks encrypt in each turn of the event loop,
 * a bulk block does in one out of these many: it began earlier, holds its slot until its end, and would otherwise get
 * as much of the thread as they do.
 */
const TURNS_PASSED = 8;

export interface Turns {
  /** Resolves when a block of this lane may encrypt again, after the messages that it just did. */
  next(lane: Lane): Promise<void>;
}

/** Bulk blocks wait only while breaking ones do encrypt: those that wait for answers themselves delay nobody. */
export function createTurns(nextTurn: () => Promise<void> = ofEventLoop): Turns {
  /** Of breaking blocks so far. */
  let taken = 0;
  return {
    async next(lane) {
      if (lane === 'breaking') {
        taken++;
        return nextTurn();
      }
      for (let passed = 0; passed < TURNS_PASSED; passed++) {
        const before = taken;
        await nextTurn();
        if (taken === before) return;
      }
    },
  };
}

const ofEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
