/** How often a list is read again in which nothing is due: new entries come from colleagues, and from programs. */
export const NEW_ENTRIES_EVERY_MS = 60_000;

/** An engine begins what is due within the second: a page that looks as soon as that sees it begin. */
const AFTER_MS = 1_000;
/** Every engine may be away: after this time a page no longer expects it at any moment. */
const LATE_MS = 30_000;

/**
 * How long a page waits before it reads again what is due then: until just after, then every second while it is late,
 * and never longer than it usually waits.
 *
 * @param due timestamps; null: nothing comes by itself.
 */
export function untilDue(due: readonly (string | null)[], usuallyMs: number, nowMs = Date.now()): number {
  const waits = due.flatMap((at) => {
    const leftMs = at === null ? Number.POSITIVE_INFINITY : Date.parse(at) - nowMs;
    return leftMs > -LATE_MS ? [Math.max(0, leftMs) + AFTER_MS] : [];
  });
  return Math.min(usuallyMs, ...waits);
}
