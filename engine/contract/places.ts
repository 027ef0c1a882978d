export type Owner = string | number;

/** Places for works that take long, some for each owner. Full is an answer: nobody waits in line. */
export interface Places {
  /** A function that gives the place back (once is enough), or who is full: this owner, or all together. */
  take(owner: Owner): (() => void) | 'owner' | 'all';
  /** Places that are taken. */
  count(): number;
}

export function createPlaces({ atOnce, perOwner }: { atOnce: number; perOwner: number }): Places {
  const owners = new Map<Owner, number>();
  let taken = 0;

  const leave = (owner: Owner): void => {
    taken--;
    const left = (owners.get(owner) ?? 1) - 1;
    if (left === 0) owners.delete(owner);
    else owners.set(owner, left);
  };

  return {
    count: () => taken,
    take: (owner) => {
      const own = owners.get(owner) ?? 0;
      if (own >= perOwner) return 'owner';
      if (taken >= atOnce) return 'all';
      taken++;
      owners.set(owner, own + 1);
      let isTaken = true;
      return () => {
        if (isTaken) leave(owner);
        isTaken = false;
      };
    },
  };
}
