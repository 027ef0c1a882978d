import type { Clock } from './clock.ts';
import type { Owner } from './semaphore.ts';

/**
 * Permits for long work, and a bounded queue for the work that waits. A free permit goes to the owners in turn,
 * so the queue of one owner never delays the first work of another.
 */
export interface Turns {
  /** Waits for a permit until `waitMs` has passed or the signal aborts. Neither leaves anything in the queue. */
  enter(owner: Owner, signal: AbortSignal): Promise<Turn>;
  /** Permits in use. */
  count(): number;
  waiting(): number;
}

export type Turn =
  | {
      readonly kind: 'in';
      /** Releases the permit; calling it again has no effect. */
      readonly leave: () => void;
    }
  /** `by`: which bound was reached, the owner's share or the total. */
  | { readonly kind: 'refused'; readonly by: 'owner' | 'all'; readonly retryAfterSeconds: number }
  | { readonly kind: 'gone' };

export interface TurnOptions {
  /** Running work, over all owners and per owner. */
  readonly atOnce: number;
  readonly perOwner: number;
  /** Waiting work, over all owners and per owner. */
  readonly mostWaiting: number;
  readonly mostWaitingPerOwner: number;
  /** Work that has waited this long is refused. */
  readonly waitMs: number;
  readonly clock: Clock;
}

interface Waiter {
  readonly admit: (turn: Turn) => void;
}

/** The first estimate of how long work takes; each work that ends moves it by this share. */
const FIRST_GUESS_MS = 2_000;
const SHARE_OF_LATEST = 0.2;
const LONGEST_RETRY_SECONDS = 60;

/** In one piece: what is taken and who waits change together. */
export function createTurns(options: TurnOptions): Turns {
  const { atOnce, perOwner, clock } = options;
  const inHand = new Map<Owner, number>();
  /** In the order in which the owners get the next free permit. No queue is empty. */
  const queues = new Map<Owner, Waiter[]>();
  let taken = 0;
  let waiting = 0;
  let usualMs = FIRST_GUESS_MS;

  const ownOf = (owner: Owner): number => inHand.get(owner) ?? 0;
  const isOwnFull = (owner: Owner): boolean => ownOf(owner) >= perOwner;
  const hasPermit = (owner: Owner): boolean => taken < atOnce && !isOwnFull(owner);

  function take(owner: Owner): Turn {
    const startedAt = clock.now();
    taken++;
    inHand.set(owner, ownOf(owner) + 1);
    let isTaken = true;
    const leave = (): void => {
      if (!isTaken) return;
      isTaken = false;
      taken--;
      const left = ownOf(owner) - 1;
      if (left === 0) inHand.delete(owner);
      else inHand.set(owner, left);
      usualMs += (clock.now() - startedAt - usualMs) * SHARE_OF_LATEST;
      passOn();
    };
    return { kind: 'in', leave };
  }

  /** An owner whose share is in use is skipped, and keeps its position in the order. */
  function passOn(): void {
    for (const [owner, queue] of queues) {
      if (taken >= atOnce) return;
      if (isOwnFull(owner)) continue;
      const next = queue[0];
      if (next === undefined) continue;
      remove(owner, next);
      const rest = queues.get(owner);
      if (rest !== undefined) {
        queues.delete(owner);
        queues.set(owner, rest);
      }
      next.admit(take(owner));
    }
  }

  function remove(owner: Owner, waiter: Waiter): void {
    const queue = queues.get(owner);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at < 0) return;
    queue.splice(at, 1);
    waiting--;
    if (queue.length === 0) queues.delete(owner);
  }

  function refusal(owner: Owner): Turn {
    const by = isOwnFull(owner) ? 'owner' : 'all';
    const rounds =
      by === 'owner' ? ((queues.get(owner)?.length ?? 0) + 1) / perOwner : (waiting + 1) / atOnce;
    const seconds = Math.ceil((rounds * usualMs) / 1_000);
    return { kind: 'refused', by, retryAfterSeconds: Math.min(LONGEST_RETRY_SECONDS, Math.max(1, seconds)) };
  }

  function wait(owner: Owner, signal: AbortSignal): Promise<Turn> {
    const { promise, resolve } = Promise.withResolvers<Turn>();
    const waiter: Waiter = {
      admit: (turn) => {
        timer.clear();
        signal.removeEventListener('abort', onGone);
        resolve(turn);
      },
    };
    const giveUp = (turn: () => Turn): void => {
      remove(owner, waiter);
      waiter.admit(turn());
    };
    const onGone = (): void => giveUp(() => ({ kind: 'gone' }));
    const timer = clock.setTimer(options.waitMs, () => giveUp(() => refusal(owner)));
    signal.addEventListener('abort', onGone);
    queues.set(owner, [...(queues.get(owner) ?? []), waiter]);
    waiting++;
    return promise;
  }

  return {
    count: () => taken,
    waiting: () => waiting,
    enter: async (owner, signal) => {
      if (signal.aborted) return { kind: 'gone' };
      // While a permit is free, every owner in the queue has used its share: no one is overtaken.
      if (hasPermit(owner)) return take(owner);
      const own = queues.get(owner)?.length ?? 0;
      if (own >= options.mostWaitingPerOwner || waiting >= options.mostWaiting) return refusal(owner);
      return wait(owner, signal);
    },
  };
}
