import { createFairQueue } from '../../engine/contract/concurrency/fair-queue.ts';
import { hashPassword, isOutdated, isPasswordOf, noHash } from './password-hash.ts';

/**
 * A hash takes about 30 ms of a core, 19 MiB, and one of the 4 threads that file and DNS lookups share: two at
 * a time leave room for those.
 */
const AT_ONCE = 2;
/** Half a second of waiting; beyond, 503 is kinder than a queue. */
const MAX_WAITING = 16;

export type PasswordCheck = 'right' | 'outdated' | 'wrong' | 'busy';

/** Hashes and checks passwords, a few at a time. */
export interface Passwords {
  /** Null where too many wait already. */
  hash(password: string): Promise<string | null>;
  /**
   * `outdated`: right, but the hash should be renewed. A null hash (no such user, or one without a password) is
   * `wrong` after the same time as any other.
   */
  check(password: string, hash: string | null): Promise<PasswordCheck>;
}

export function createPasswords(): Passwords {
  // No share for an owner: it is the machine that is protected, not one caller from another.
  const { run } = createFairQueue({ permits: AT_ONCE, waiting: MAX_WAITING });
  return {
    hash: async (password) => {
      const hash = await run(() => hashPassword(password));
      return hash === 'full' || hash === 'closed' ? null : hash;
    },
    check: async (password, hash) => {
      const matches = await run(() => isPasswordOf(password, hash ?? noHash));
      if (matches === 'full' || matches === 'closed') return 'busy';
      if (!matches || hash === null) return 'wrong';
      return isOutdated(hash) ? 'outdated' : 'right';
    },
  };
}
