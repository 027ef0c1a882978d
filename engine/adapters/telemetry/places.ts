/** So many places, and so many of them for one owner; nobody waits for one. */
export interface Places {
  /** False: there is none. */
  take(owner: string | number): boolean;
  leave(owner: string | number): void;
  /** Places that are taken. */
  count(): number;
}

export function createPlaces(most: number, mostOfOwner: number): Places {
  const owners = new Map<string | number, number>();
  let taken = 0;
  return {
    count: () => taken,
    take(owner) {
      const own = owners.get(owner) ?? 0;
      if (taken >= most || own >= mostOfOwner) return false;
      owners.set(owner, own + 1);
      taken++;
      return true;
    },
    leave(owner) {
      const left = (owners.get(owner) ?? 1) - 1;
      if (left === 0) owners.delete(owner);
      else owners.set(owner, left);
      taken--;
    },
  };
}
