/** A pause that doubles from one failure to the next, up to a bound, and starts over after a success. */
export interface GrowingPause {
  next(): number;
  /** @returns whether there was anything to recover from. */
  reset(): boolean;
}

export function createGrowingPause(firstMs: number, maxMs: number): GrowingPause {
  let nextMs = firstMs;
  let failing = false;
  return {
    next: () => {
      const pauseMs = Math.min(nextMs, maxMs);
      nextMs = Math.min(pauseMs * 2, maxMs);
      failing = true;
      return pauseMs;
    },
    reset: () => {
      const was = failing;
      failing = false;
      nextMs = firstMs;
      return was;
    },
  };
}
