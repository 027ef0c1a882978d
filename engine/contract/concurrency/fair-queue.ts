import { type Clock, systemClock, type Timer } from './clock.ts';

export type Owner = string | number;

/**
 * Permits for long work, and a bounded queue for the work that waits. A free permit goes to the group that has the fewest,
 * of one group to the owner that has the fewest, and in turn where several have as few. So whoever has none waits for one
 * work of a group that has all, never for two; of one owner, first come is first served. Without a group, an owner is one.
 */
export interface FairQueue {
  /** A permit at once, or which bound was reached. */
  tryAcquire(owner: Owner, group?: Owner): Release | Bound;
  /** Waits for a permit until `waitMs` has passed or the signal aborts. Neither leaves anything in the queue. */
  acquire(owner: Owner, signal?: AbortSignal, group?: Owner): Promise<Permit>;
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
/** The share of the owner or of its group, or all there is. */
export type Bound = 'owner' | 'all';

export type Permit =
  | { readonly kind: 'granted'; readonly release: Release }
  | { readonly kind: 'refused'; readonly by: Bound; readonly retryAfterSeconds: number }
  | { readonly kind: 'gone' };

export interface FairQueueOptions {
  /** Permits, over all owners and per owner; left out, an owner may have all. */
  readonly permits: number;
  readonly perOwner?: number;
  /** Of the owners of one group together; left out, they may have all. */
  readonly perGroup?: number;
  /** Waiting work, over all owners and per owner; left out, nothing waits, and an owner may fill the queue. */
  readonly waiting?: number;
  readonly waitingPerOwner?: number;
  readonly waitingPerGroup?: number;
  /** Of one owner, running and waiting. Left out: no bound of its own. */
  readonly mostOfOwner?: number;
  /** Work that has waited this long is refused. Left out: it waits until it is its turn. */
  readonly waitMs?: number;
  readonly clock?: Clock;
}

interface Waiter {
  readonly admit: (permit: Permit) => void;
}

/** The waiting work of each owner of a group. */
type Queues = Map<Owner, Waiter[]>;
interface Who {
  readonly owner: Owner;
  readonly group: Owner;
}

/** The first estimate of how long work takes; each work that ends moves it by this share. */
const FIRST_GUESS_MS = 2_000;
const SHARE_OF_LATEST = 0.2;
const LONGEST_RETRY_SECONDS = 60;

/** What one organization may have of something that all share: others find the rest. Of three or fewer it may have all. */
export const shareOfOne = (all: number): number => Math.ceil((all * 3) / 4);

/** What is taken and who waits change together. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { permits, perOwner = permits, perGroup = permits, clock = systemClock } = options;
  const { waiting: mostWaiting = 0, waitingPerOwner = mostWaiting, waitingPerGroup = mostWaiting } = options;
  const { mostOfOwner = Number.POSITIVE_INFINITY, waitMs } = options;
  const inHand = createTally();
  const inHandOfGroup = createTally();
  /** By group, in the order in which they get the next free permit, and likewise the owners of each. None is empty. */
  const groups = new Map<Owner, Queues>();
  const idle = Promise.withResolvers<void>();
  let taken = 0;
  let waiting = 0;
  let usualMs = FIRST_GUESS_MS;
  let closed = false;

  const queuedOf = ({ owner, group }: Who): number => groups.get(group)?.get(owner)?.length ?? 0;
  const queuedOfGroup = (group: Owner): number =>
    [...(groups.get(group)?.values() ?? [])].reduce((sum, queue) => sum + queue.length, 0);
  const isShareFull = ({ owner, group }: Who): boolean =>
    inHand.of(owner) >= perOwner || inHandOfGroup.of(group) >= perGroup;
  const isFull = (): boolean => closed || taken >= permits;

  function take({ owner, group }: Who): Release {
    const startedAt = clock.now();
    taken++;
    const giveBack = [inHand.add(owner), inHandOfGroup.add(group)];
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken--;
      for (const each of giveBack) each();
      usualMs += (clock.now() - startedAt - usualMs) * SHARE_OF_LATEST;
      passOn();
    };
  }

  function passOn(): void {
    if (closed && taken === 0) idle.resolve();
    for (let who = nextWho(); who !== null; who = nextWho()) {
      const queues = groups.get(who.group);
      const queue = queues?.get(who.owner);
      const next = queue?.[0];
      if (queues === undefined || queue === undefined || next === undefined) return;
      remove(who, next);
      if (queue.length > 0) toEnd(queues, who.owner, queue);
      if (queues.size > 0) toEnd(groups, who.group, queues);
      next.admit({ kind: 'granted', release: take(who) });
    }
  }

  /** The first in the order of those with the fewest permits. Whose share is in use is skipped, and keeps its position. */
  function nextWho(): Who | null {
    if (isFull()) return null;
    let found: Who | null = null;
    const hasFewer = (one: Who, other: Who): boolean => {
      const groupsDiffer = inHandOfGroup.of(one.group) - inHandOfGroup.of(other.group);
      return groupsDiffer < 0 || (groupsDiffer === 0 && inHand.of(one.owner) < inHand.of(other.owner));
    };
    for (const [group, queues] of groups)
      for (const owner of queues.keys()) {
        const who = { owner, group };
        if (!isShareFull(who) && (found === null || hasFewer(who, found))) found = who;
      }
    return found;
  }

  function remove({ owner, group }: Who, waiter: Waiter): void {
    const queues = groups.get(group);
    const queue = queues?.get(owner);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queues === undefined || queue === undefined || at < 0) return;
    queue.splice(at, 1);
    waiting--;
    if (queue.length === 0) queues.delete(owner);
    if (queues.size === 0) groups.delete(group);
  }

  function refusal(who: Who): Permit {
    const by = isShareFull(who) ? 'owner' : 'all';
    const ofShare = Math.max((queuedOf(who) + 1) / perOwner, (queuedOfGroup(who.group) + 1) / perGroup);
    const rounds = by === 'owner' ? ofShare : (waiting + 1) / permits;
    const seconds = Math.ceil((rounds * usualMs) / 1_000);
    return { kind: 'refused', by, retryAfterSeconds: Math.min(LONGEST_RETRY_SECONDS, Math.max(1, seconds)) };
  }

  function wait(who: Who, signal: AbortSignal | undefined): Promise<Permit> {
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
      remove(who, waiter);
      waiter.admit(permit());
    };
    const onGone = (): void => giveUp(() => ({ kind: 'gone' }));
    if (waitMs !== undefined) timer = clock.setTimer(waitMs, () => giveUp(() => refusal(who)));
    signal?.addEventListener('abort', onGone);
    const queues: Queues = groups.get(who.group) ?? new Map();
    groups.set(who.group, queues);
    const queue = queues.get(who.owner) ?? [];
    queue.push(waiter);
    queues.set(who.owner, queue);
    waiting++;
    return promise;
  }

  const mayWait = (who: Who): boolean =>
    queuedOf(who) < waitingPerOwner && queuedOfGroup(who.group) < waitingPerGroup && waiting < mostWaiting;

  async function acquire(owner: Owner, signal?: AbortSignal, group: Owner = owner): Promise<Permit> {
    const who = { owner, group };
    if (signal?.aborted) return { kind: 'gone' };
    if (closed || inHand.of(owner) + queuedOf(who) >= mostOfOwner) return refusal(who);
    // While a permit is free, every owner in the queue has used its share: no one is overtaken.
    if (!(isFull() || isShareFull(who))) return { kind: 'granted', release: take(who) };
    return mayWait(who) ? wait(who, signal) : refusal(who);
  }

  return {
    tryAcquire: (owner, group = owner) => {
      const who = { owner, group };
      if (isShareFull(who)) return 'owner';
      return isFull() ? 'all' : take(who);
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
      for (const [group, queues] of groups)
        for (const [owner, queue] of queues)
          for (const waiter of queue.splice(0)) waiter.admit(refusal({ owner, group }));
      groups.clear();
      waiting = 0;
      if (taken === 0) idle.resolve();
      await idle.promise;
    },
  };
}

function toEnd<Value>(map: Map<Owner, Value>, key: Owner, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** How many each has; those who have none take no room. */
export function createTally() {
  const held = new Map<Owner, number>();
  const of = (owner: Owner): number => held.get(owner) ?? 0;
  return {
    of,
    /** @returns what takes it back; to be called once. */
    add: (owner: Owner): (() => void) => {
      held.set(owner, of(owner) + 1);
      return () => {
        const left = of(owner) - 1;
        if (left > 0) held.set(owner, left);
        else held.delete(owner);
      };
    },
  };
}
