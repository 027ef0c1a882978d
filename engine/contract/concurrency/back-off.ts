/**
 * A delay that doubles with each failure in a row, up to a ceiling. @param failures before this one: 0 gives
 * `firstMs`.
 */
export const backOffMs = (firstMs: number, maxMs: number, failures: number): number =>
  Math.min(maxMs, firstMs * 2 ** failures);

/** The back-off of something that fails now and then: it starts over after a success. */
export interface BackOff {
  /** How long to wait after this failure, in ms. */
  next(): number;
  /** It succeeded. @returns whether there was anything to recover from. */
  reset(): boolean;
}

export function createBackOff(firstMs: number, maxMs: number): BackOff {
  let failures = 0;
  return {
    next: () => backOffMs(firstMs, maxMs, failures++),
    reset: () => {
      const hadFailed = failures > 0;
      failures = 0;
      return hadFailed;
    },
  };
}
