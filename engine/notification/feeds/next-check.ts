const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const MIN_INTERVAL_MS = MINUTE_MS;
export const MAX_INTERVAL_MS = 24 * HOUR_MS;

/**
 * When a feed is checked again: after its interval, and after each failure in a row twice as long, up to an hour. A feed
 * that is checked less often than that keeps its interval.
 */
export function nextCheckMs(intervalMs: number, failures: number): number {
  const interval = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, intervalMs));
  return Math.max(interval, Math.min(HOUR_MS, interval * 2 ** failures));
}
