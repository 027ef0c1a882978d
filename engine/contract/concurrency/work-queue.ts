import type { Owner } from './semaphore.ts';

/** Runs a bounded number of works while a bounded number wait, in order; one that does not fit is refused at once. */
export interface WorkQueue {
  /**
   * Runs the work once a permit is free. Rejects when the work rejects; `full`, `closed`: it was not started.
   * @param owner whose share it counts towards; left out, all works are one owner's.
   */
  run<Result>(work: () => Promise<Result>, owner?: Owner): Promise<Result | Refusal>;
  /** Refuses what waits and whatever comes later; resolves when the running works have ended. Safe to call twice. */
  close(): Promise<void>;
}

export type Refusal = 'full' | 'closed';

export interface WorkQueueOptions {
  /** Works that run at the same time. */
  readonly permits: number;
  readonly waiting: number;
  /** Of one owner, running and waiting: no owner locks the others out with long work. Left out: no bound. */
  readonly perOwner?: number;
}

export function createWorkQueue(options: WorkQueueOptions): WorkQueue {
  const { perOwner = Number.POSITIVE_INFINITY } = options;
  const waiting: ((refusal: Refusal | null) => void)[] = [];
  const owners = new Map<Owner, number>();
  const idle = Promise.withResolvers<void>();
  let running = 0;
  let closed = false;

  function refusalOf(owner: Owner): Refusal | null {
    if (closed) return 'closed';
    const isFull = running >= options.permits && waiting.length >= options.waiting;
    return isFull || (owners.get(owner) ?? 0) >= perOwner ? 'full' : null;
  }

  async function takePermit(): Promise<Refusal | null> {
    // A work that ends hands its permit over: it stays counted.
    if (running >= options.permits) return new Promise((resolve) => waiting.push(resolve));
    running++;
    return null;
  }

  function givePermitBack(): void {
    const next = waiting.shift();
    if (next !== undefined) {
      next(null);
      return;
    }
    running--;
    if (closed && running === 0) idle.resolve();
  }

  function count(owner: Owner, change: 1 | -1): void {
    const now = (owners.get(owner) ?? 0) + change;
    if (now === 0) owners.delete(owner);
    else owners.set(owner, now);
  }

  async function runInTurn<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
    const refusal = await takePermit();
    if (refusal !== null) return refusal;
    try {
      return await work();
    } finally {
      givePermitBack();
    }
  }

  return {
    run: async (work, owner = 'everyone') => {
      const refusal = refusalOf(owner);
      if (refusal !== null) return refusal;
      count(owner, 1);
      try {
        return await runInTurn(work);
      } finally {
        count(owner, -1);
      }
    },
    close: async () => {
      closed = true;
      for (const refuse of waiting.splice(0)) refuse('closed');
      if (running === 0) idle.resolve();
      await idle.promise;
    },
  };
}
