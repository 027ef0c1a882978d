/** Days without a sign of a reader, after which an app may unsubscribe them. */
export const LEAST_PRUNE_DAYS = 60;
export const MOST_PRUNE_DAYS = 400;

/** Whether a map of the app's subscriptions, least significant bit first, has this one. */
export const isIn = (map: Uint8Array, seq: number): boolean =>
  (((map[seq >> 3] ?? 0) >> (seq & 7)) & 1) === 1;

/** Where no browser reported anything, the site reports no displays, and nobody is known to be unreachable. */
export const knowsDisplays = (seen: Uint8Array): boolean => seen.some((byte) => byte !== 0);
