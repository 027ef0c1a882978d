import { type Clock, systemClock } from '../contract/concurrency/clock.ts';
import type { Lane } from '../contract/topics.ts';

/**
 * The turns in which the blocks of one thread encrypt. Where breaking blocks encrypt in each turn of the event loop,
 * a bulk block does in one out of these many: it began earlier, holds its slot until its end, and would otherwise get
 * as much of the thread as they do.
 */
const TURNS_PASSED = 8;
/**
 * Breaking blocks that wait for answers encrypt again as soon as some arrive, and what bulk sent meanwhile would be
 * answered before theirs. If none arrives for this long, their push service delays them, and bulk goes on.
 */
const PATIENCE_MS = 10;

export interface Turns {
  /** A block of this lane has messages to send. @returns what to call when it has none left. */
  begin(lane: Lane): () => void;
  /** Resolves when a block of this lane may encrypt again, after the messages that it just did. */
  next(lane: Lane): Promise<void>;
}

export function createTurns(clock: Clock = systemClock, nextTurn = ofEventLoop): Turns {
  /** Of breaking blocks so far. */
  let taken = 0;
  /** Breaking blocks with messages to send. */
  let open = 0;
  const waiting = new Set<() => void>();

  function wakeAll(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  /** @returns whether a breaking block encrypted. */
  async function afterTurn(): Promise<boolean> {
    const before = taken;
    await nextTurn();
    if (taken === before && open > 0) await breakingOrPatience();
    return taken !== before;
  }

  async function breakingOrPatience(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = clock.setTimer(PATIENCE_MS, resolve);
    waiting.add(resolve);
    await promise;
    waiting.delete(resolve);
    timer.clear();
  }

  return {
    begin(lane) {
      if (lane === 'bulk') return () => {};
      open++;
      return () => {
        open--;
        if (open === 0) wakeAll();
      };
    },
    async next(lane) {
      if (lane === 'breaking') {
        taken++;
        wakeAll();
        return nextTurn();
      }
      for (let passed = 0; passed < TURNS_PASSED; passed++) if (!(await afterTurn())) return;
    },
  };
}

const ofEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
