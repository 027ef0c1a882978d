/**
 * While a push service throttles an app, whoever was active last goes first: over the whole audience, not only
 * within a block. A shard goes through its blocks in rounds, and a round sends to those only who came back or
 * clicked within so many days; the last one to everybody who is left. Shards of an earlier round go before those
 * of a later one.
 */
const ROUND_DAYS = [1, 7, 30] as const;

export const LAST_ROUND = ROUND_DAYS.length;

const DAY_MS = 86_400_000;

/** Since when somebody must have been active to be sent to in this round, in ms since 1970. */
export function activeSinceMs(round: number, nowMs: number): number {
  const days = ROUND_DAYS[round];
  return days === undefined ? Number.NEGATIVE_INFINITY : nowMs - days * DAY_MS;
}
