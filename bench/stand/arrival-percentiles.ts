import type { Arrivals } from '../../test/support/push-service/arrival-times.ts';

/**
 * @returns a function from a share (0.99: 99 in 100) to the time from `sinceMs` (milliseconds since the epoch)
 * until that share of the messages had arrived, in ms, to a step; NaN where none did.
 */
export function percentiles({ startedAtMs, stepMs, counts }: Arrivals, sinceMs: number) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return function until(share: number): number {
    let seen = 0;
    for (const [step, count] of counts.entries()) {
      seen += count;
      if (total > 0 && seen >= share * total) return startedAtMs + (step + 1) * stepMs - sinceMs;
    }
    return Number.NaN;
  };
}
