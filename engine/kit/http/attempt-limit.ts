import rateLimit from '@fastify/rate-limit';
import { type Clock, systemClock } from '../../contract/concurrency/clock.ts';
import { plainAddress } from './trusted-proxies.ts';

export interface AttemptLimitOptions {
  readonly most: number;
  readonly withinMs: number;
  /** Keys counted at a time; the one counted longest is forgotten. About 150 bytes each. */
  readonly maxKeys: number;
  readonly clock?: Clock;
}

/** Counts attempts by key in the memory of this process: n processes let n times as many through. */
export interface AttemptLimit {
  /** Counts one attempt. @returns seconds to wait, at least 1, where there were too many; otherwise 0. */
  take(key: string): number;
  /** The attempt was a good one: it does not count. */
  giveBack(key: string): void;
}

interface Count {
  attempts: number;
  readonly endsAt: number;
}

export function createAttemptLimit(options: AttemptLimitOptions): AttemptLimit {
  const { most, withinMs, maxKeys, clock = systemClock } = options;
  const counts = new Map<string, Count>();
  const current = (key: string): Count => {
    const found = counts.get(key);
    if (found !== undefined && found.endsAt > clock.now()) return found;
    // Deleted first: a Map keeps a key's position, and the front is evicted.
    counts.delete(key);
    const fresh = { attempts: 0, endsAt: clock.now() + withinMs };
    counts.set(key, fresh);
    const [oldest] = counts.keys();
    if (counts.size > maxKeys && oldest !== undefined) counts.delete(oldest);
    return fresh;
  };
  return {
    take: (key) => {
      const count = current(key);
      if (count.attempts >= most) return Math.max(1, Math.ceil((count.endsAt - clock.now()) / 1_000));
      count.attempts++;
      return 0;
    },
    giveBack: (key) => {
      const count = counts.get(key);
      if (count !== undefined && count.attempts > 0) count.attempts--;
    },
  };
}

/** The key that attempts are counted under: an IPv4 address, or the /64 of one IPv6 household. */
export const addressKey = (ip: string): string => rateLimit.normalizeIP(plainAddress(ip));
