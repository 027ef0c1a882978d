/**
 * Time as a dependency: code that waits, expires or retries uses this clock, so that tests and the simulation
 * can move it by hand.
 */
export interface Clock {
  /** Milliseconds since 1970; never goes back within one process. */
  now(): number;
  /** Calls `fire` once, after `delayMs`. */
  setTimer(delayMs: number, fire: () => void): Timer;
}

export interface Timer {
  /** Cancels the timer. Safe to call twice, and after it fired. */
  clear(): void;
}

/** The machine's time. `performance` instead of `Date`: a corrected wall clock must not end a lease. */
export const systemClock: Clock = Object.freeze({
  now: () => performance.timeOrigin + performance.now(),
  setTimer: (delayMs: number, fire: () => void) => {
    const timeout = setTimeout(fire, delayMs);
    return { clear: () => clearTimeout(timeout) };
  },
});

/** Resolves after `delayMs`, or at once when the signal is aborted: a wait that ends early is not an error. */
export async function pause(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  const timer = clock.setTimer(delayMs, wake);
  signal?.addEventListener('abort', wake);
  await promise;
  timer.clear();
  signal?.removeEventListener('abort', wake);
}
