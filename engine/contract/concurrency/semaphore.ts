export type Owner = string | number;

/** Permits for long work, with a share per owner. Full is an answer: nothing waits. */
export interface Semaphore {
  /** A function that releases the permit (calling it again has no effect), or what was full: the owner's share, or all. */
  tryAcquire(owner: Owner): (() => void) | 'owner' | 'all';
  /** Permits in use. */
  count(): number;
}

export function createSemaphore({ permits, perOwner }: { permits: number; perOwner: number }): Semaphore {
  const owners = new Map<Owner, number>();
  let taken = 0;

  const release = (owner: Owner): void => {
    taken--;
    const left = (owners.get(owner) ?? 1) - 1;
    if (left === 0) owners.delete(owner);
    else owners.set(owner, left);
  };

  return {
    count: () => taken,
    tryAcquire: (owner) => {
      const own = owners.get(owner) ?? 0;
      if (own >= perOwner) return 'owner';
      if (taken >= permits) return 'all';
      taken++;
      owners.set(owner, own + 1);
      let isHeld = true;
      return () => {
        if (isHeld) release(owner);
        isHeld = false;
      };
    },
  };
}
