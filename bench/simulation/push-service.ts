/** A push service that takes a number of messages a second of this sender, and answers 429 beyond. */
export interface SimulatedService {
  /** @returns how many of these it takes now. */
  take(messages: number, nowMs: number): number;
}

/** What it lets through at once after a quiet moment. */
const BURST_SECONDS = 1;

export function createService(perSecond: number): SimulatedService {
  const most = perSecond * BURST_SECONDS;
  let allowed = most;
  let lastMs = 0;
  return {
    take(messages, nowMs) {
      allowed = Math.min(most, allowed + ((nowMs - lastMs) / 1_000) * perSecond);
      lastMs = nowMs;
      const taken = Math.min(messages, Math.floor(allowed));
      allowed -= taken;
      return taken;
    },
  };
}

/**
 * How fast an engine sends to a throttling push service: slower after each 429, slowly faster after none, as the
 * governors of its threads do by requests in flight. A block that has to wait takes longer; nothing of it is left out.
 */
export interface Restraint {
  /** @returns when these messages are sent, one engine's blocks after one another. */
  sentAtMs(messages: number, nowMs: number): number;
  answered(throttled: number, nowMs: number): void;
}

const FIRST_PER_SECOND = 20_000;
const LEAST_PER_SECOND = 100;
const SLOWER = 0.7;
/** A second with several 429s slows it once. */
const SLOWER_EVERY_MS = 1_000;
/** With each block that was taken in full, in messages a second. */
const FASTER = 25;

export function createRestraint(): Restraint {
  let perSecond = FIRST_PER_SECOND;
  let freeAtMs = 0;
  let slowedAtMs = Number.NEGATIVE_INFINITY;
  return {
    sentAtMs(messages, nowMs) {
      freeAtMs = Math.max(freeAtMs, nowMs) + (messages / perSecond) * 1_000;
      return freeAtMs;
    },
    answered(throttled, nowMs) {
      if (throttled === 0) perSecond += FASTER;
      else if (nowMs - slowedAtMs >= SLOWER_EVERY_MS) {
        slowedAtMs = nowMs;
        perSecond = Math.max(LEAST_PER_SECOND, perSecond * SLOWER);
      }
    },
  };
}
