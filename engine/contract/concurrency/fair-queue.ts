import { type Clock, systemClock, type Timer } from './clock.ts';

export type Owner = string | number;

/**
 * Permits for long work, and a bounded queue for the work that waits. A free permit goes to the owners in turn, so the
 * queue of one owner never delays the first work of another; of one owner, first come is first served.
 */
export interface FairQueue {
  /** A permit at once, or which bound was reached. */
  tryAcquire(owner: Owner): Release | Bound;
  /** Waits for a permit until `waitMs` has passed or the signal aborts. Neither leaves anything in the queue. */
  acquire(owner: Owner, signal?: AbortSignal): Promise<Permit>;
  /**
   * Runs the work once it has a permit. Rejects when the work rejects; `full`, `closed`: it was not started.
   * @param owner left out, all works are one owner's.
   */
  run<Result>(work: () => Promise<Result>, owner?: Owner): Promise<Result | 'full' | 'closed'>;
  /** Permits in use. */
  count(): number;
  waiting(): number;
  /** Refuses what waits and whatever comes later; resolves when every permit is back. Safe to call twice. */
  close(): Promise<void>;
}

/** Gives the permit back; calling it again has no effect. */
export type Release = () => void;
/** The owner's share, or all there is. */
export type Bound = 'owner' | 'all';

export type Permit =
  | { readonly kind: 'granted'; readonly release: Release }
  | { readonly kind: 'refused'; readonly by: Bound; readonly retryAfterSeconds: number }
  | { readonly kind: 'gone' };

export interface FairQueueOptions {
  /** Permits, over all owners and per owner; left out, an owner may have all. */
  readonly permits: number;
  readonly perOwner?: number;
  /** Waiting work, over all owners and per owner; left out, nothing waits, and an owner may fill the queue. */
  readonly waiting?: number;
  readonly waitingPerOwner?: number;
  /** Of one owner, running and waiting. Left out: no bound of its own. */
  readonly mostOfOwner?: number;
  /** Work that has waited this long is refused. Left out: it waits until it is its turn. */
  readonly waitMs?: number;
  readonly clock?: Clock;
}

interface Waiter {
  readonly admit: (permit: Permit) => void;
}

/** The first estimate of how long work takes; each work that ends moves it by this share. */
const FIRST_GUESS_MS = 2_000;
const SHARE_OF_LATEST = 0.2;
const LONGEST_RETRY_SECONDS = 60;

/** What is taken and who waits change together. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { permits, perOwner = permits, waiting: mostWaiting = 0, clock = systemClock } = options;
  const { waitingPerOwner = mostWaiting, mostOfOwner = Number.POSITIVE_INFINITY, waitMs } = options;
  const inHand = new Map<Owner, number>();
  /** In the order in which the owners get the next free permit. No queue is empty. */
  const queues = new Map<Owner, Waiter[]>();
  const idle = Promise.withResolvers<void>();
  let taken = 0;
  let waiting = 0;
  let usualMs = FIRST_GUESS_MS;
  let closed = false;

  const ownOf = (owner: Owner): number => inHand.get(owner) ?? 0;
  const queuedOf = (owner: Owner): number => queues.get(owner)?.length ?? 0;
  const isOwnFull = (owner: Owner): boolean => ownOf(owner) >= perOwner;
  const isFull = (): boolean => closed || taken >= permits;

  function take(owner: Owner): Release {
    const startedAt = clock.now();
    taken++;
    inHand.set(owner, ownOf(owner) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken--;
      const left = ownOf(owner) - 1;
      if (left === 0) inHand.delete(owner);
      else inHand.set(owner, left);
      usualMs += (clock.now() - startedAt - usualMs) * SHARE_OF_LATEST;
      passOn();
    };
  }

  /** An owner whose share is in use is skipped, and keeps its position in the order. */
  function passOn(): void {
    if (closed && taken === 0) idle.resolve();
    for (const [owner, queue] of queues) {
      if (isFull()) return;
      const [next] = queue;
      if (next === undefined || isOwnFull(owner)) continue;
      remove(owner, next);
      if (queue.length > 0) {
        queues.delete(owner);
        queues.set(owner, queue);
      }
      next.admit({ kind: 'granted', release: take(owner) });
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

  function refusal(owner: Owner): Permit {
    const by = isOwnFull(owner) ? 'owner' : 'all';
    const rounds = by === 'owner' ? (queuedOf(owner) + 1) / perOwner : (waiting + 1) / permits;
    const seconds = Math.ceil((rounds * usualMs) / 1_000);
    return { kind: 'refused', by, retryAfterSeconds: Math.min(LONGEST_RETRY_SECONDS, Math.max(1, seconds)) };
  }

  function wait(owner: Owner, signal: AbortSignal | undefined): Promise<Permit> {
    const { promise, resolve } = Promise.withResolvers<Permit>();
    let timer: Timer | undefined;
    const waiter: Waiter = {
      admit: (permit) => {
        timer?.clear();
        signal?.removeEventListener('abort', onGone);
        resolve(permit);
      },
    };
    const giveUp = (permit: () => Permit): void => {
      remove(owner, waiter);
      waiter.admit(permit());
    };
    const onGone = (): void => giveUp(() => ({ kind: 'gone' }));
    if (waitMs !== undefined) timer = clock.setTimer(waitMs, () => giveUp(() => refusal(owner)));
    signal?.addEventListener('abort', onGone);
    const queue = queues.get(owner);
    if (queue === undefined) queues.set(owner, [waiter]);
    else queue.push(waiter);
    waiting++;
    return promise;
  }

  async function acquire(owner: Owner, signal?: AbortSignal): Promise<Permit> {
    if (signal?.aborted) return { kind: 'gone' };
    const own = ownOf(owner) + queuedOf(owner);
    if (closed || own >= mostOfOwner) return refusal(owner);
    // While a permit is free, every owner in the queue has used its share: no one is overtaken.
    if (!(isFull() || isOwnFull(owner))) return { kind: 'granted', release: take(owner) };
    return queuedOf(owner) >= waitingPerOwner || waiting >= mostWaiting
      ? refusal(owner)
      : wait(owner, signal);
  }

  return {
    tryAcquire: (owner) => {
      if (isOwnFull(owner)) return 'owner';
      return isFull() ? 'all' : take(owner);
    },
    acquire,
    run: async (work, owner = 'everyone') => {
      const permit = await acquire(owner);
      if (permit.kind !== 'granted') return closed ? 'closed' : 'full';
      try {
        return await work();
      } finally {
        permit.release();
      }
    },
    count: () => taken,
    waiting: () => waiting,
    close: async () => {
      closed = true;
      for (const [owner, queue] of queues) for (const waiter of queue.splice(0)) waiter.admit(refusal(owner));
      queues.clear();
      waiting = 0;
      if (taken === 0) idle.resolve();
      await idle.promise;
    },
  };
}
