import { hashPassword, isOutdated, isPasswordOf, noHash } from './password-hash.ts';

/**
 * A hash takes about 30 ms of a core, 19 MiB, and one of the 4 threads that file and name look-ups share:
 * two at a time leave room for those.
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
   * `outdated`: right, and the hash is to be made anew. A null hash (no such user, or one without a password)
   * is `wrong` after the same time as any other.
   */
  check(password: string, hash: string | null): Promise<PasswordCheck>;
}

export function createPasswords(): Passwords {
  const run = createQueue({ atOnce: AT_ONCE, maxWaiting: MAX_WAITING });
  return {
    hash: (password) => run(() => hashPassword(password)),
    check: async (password, hash) => {
      const matches = await run(() => isPasswordOf(password, hash ?? noHash));
      if (matches === null) return 'busy';
      if (!matches || hash === null) return 'wrong';
      return isOutdated(hash) ? 'outdated' : 'right';
    },
  };
}

/** Runs works in the order they came, `atOnce` at a time; null where `maxWaiting` wait already. */
export function createQueue({
  atOnce,
  maxWaiting,
}: {
  readonly atOnce: number;
  readonly maxWaiting: number;
}) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function run<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      // Whoever ends hands its place on, so nobody can slip in between.
      await promise;
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
