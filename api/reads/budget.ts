import type { Clock } from '../../engine/contract/concurrency/clock.ts';

/**
 * Time that each owner may use, refilled evenly over a minute. Running work may overdraw it, and that is paid
 * back first.
 */
export interface Budget<Owner> {
  /** Milliseconds; below 0 where it is overdrawn. */
  left(owner: Owner): number;
  spend(owner: Owner, ms: number): void;
  /** Seconds until this much is left, at least 1. */
  waitSeconds(owner: Owner, ms: number): number;
  /** The bound of owners in memory: those who used some in the last minutes. */
  owners(): number;
}

const MINUTE_MS = 60_000;

export function createBudget<Owner>(perMinuteMs: number, clock: Pick<Clock, 'now'>): Budget<Owner> {
  const accounts = new Map<Owner, { left: number; at: number }>();
  let sweptAt = clock.now();
  const leftOf = ({ left, at }: { left: number; at: number }): number =>
    Math.min(perMinuteMs, left + ((clock.now() - at) * perMinuteMs) / MINUTE_MS);

  /** A full account is no different from none. */
  function sweep(): void {
    if (clock.now() - sweptAt < MINUTE_MS) return;
    sweptAt = clock.now();
    for (const [owner, account] of accounts) if (leftOf(account) >= perMinuteMs) accounts.delete(owner);
  }

  const left = (owner: Owner): number => {
    const account = accounts.get(owner);
    return account === undefined ? perMinuteMs : leftOf(account);
  };
  return {
    left,
    spend: (owner, ms) => {
      sweep();
      accounts.set(owner, { left: left(owner) - ms, at: clock.now() });
    },
    waitSeconds: (owner, ms) =>
      Math.max(1, Math.ceil(((ms - left(owner)) / perMinuteMs) * (MINUTE_MS / 1_000))),
    owners: () => accounts.size,
  };
}
