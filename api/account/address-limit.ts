import { createAttemptLimit } from '../../engine/kit/http/attempt-limit.ts';

const WITHIN_MS = 15 * 60_000;
const MOST_ADDRESSES = 10_000;
/** An office has one address for all. */
const MOST = 300;

/** Requests of one address in a quarter of an hour, by `addressKey`. */
export const createAddressLimit = (most = MOST): ReturnType<typeof createAttemptLimit> =>
  createAttemptLimit({ most, withinMs: WITHIN_MS, maxKeys: MOST_ADDRESSES });
