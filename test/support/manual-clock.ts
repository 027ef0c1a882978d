import type { Clock } from '../../engine/contract/concurrency/clock.ts';

/** A clock that moves only when a test moves it. Timers fire in the order of their time, then of their making. */
export interface ManualClock extends Clock {
  /** Moves time on, firing what becomes due, each timer at its own time. */
  advance(byMs: number): void;
  /** Moves to the next timer and fires it. False when there is none. */
  advanceToNext(): boolean;
  /** Timers that have not fired: a test may ask for none to be left. */
  pending(): number;
}

interface Waiting {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export function createManualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startMs;
  let order = 0;
  const waiting = new Set<Waiting>();

  function next(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const timer of waiting) if (first === undefined || isBefore(timer, first)) first = timer;
    return first;
  }

  function fire(timer: Waiting): void {
    waiting.delete(timer);
    now = Math.max(now, timer.at);
    timer.fire();
  }

  return {
    now: () => now,
    setTimer: (delayMs, fire) => {
      const timer = { at: now + Math.max(0, delayMs), order: order++, fire };
      waiting.add(timer);
      return { clear: () => void waiting.delete(timer) };
    },
    advance: (byMs) => {
      const until = now + byMs;
      for (let timer = next(); timer !== undefined && timer.at <= until; timer = next()) fire(timer);
      now = until;
    },
    advanceToNext: () => {
      const timer = next();
      if (timer === undefined) return false;
      fire(timer);
      return true;
    },
    pending: () => waiting.size,
  };
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
