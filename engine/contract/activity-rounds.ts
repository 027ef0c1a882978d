/**
 * While a push service throttles an app, the most recently active subscribers go first, across the whole
 * audience and not only within a block. A shard goes through its blocks in rounds. Each round sends only to
 * subscribers who came back or clicked within a number of days; the last round sends to the rest. Shards of an
 * earlier round go before those of a later one.
 */
const ROUND_DAYS = [1, 7, 30] as const;

export const LAST_ROUND = ROUND_DAYS.length;

const DAY_MS = 86_400_000;

/** The earliest activity that counts for this round, in ms since 1970. */
export function activeSinceMs(round: number, nowMs: number): number {
  const days = ROUND_DAYS[round];
  return days === undefined ? Number.NEGATIVE_INFINITY : nowMs - days * DAY_MS;
}
