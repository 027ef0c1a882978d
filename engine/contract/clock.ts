/**
 * Time as a dependency: what waits, expires or retries asks this, so that tests and the simulation may
 * move it by hand.
 */
export interface Clock {
  /** Milliseconds since 1970; never goes back within one process. */
  now(): number;
  /** Calls `fire` once, after `delayMs`. */
  setTimer(delayMs: number, fire: () => void): Timer;
}

export interface Timer {
  /** The timer will not fire any more. Safe to call twice, and after it fired. */
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

/** Resolves after `delayMs`, or at once when the signal is aborted: a wait that ends early is no error. */
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

/** Whether `work` settled within the limit; what did not goes on, and its end is ignored. Rejects with `work`. */
export async function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = clock.setTimer(limitMs, () => resolve(false));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    timer.clear();
  }
}
