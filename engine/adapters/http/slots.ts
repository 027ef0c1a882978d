/** Places for works that take long. Full is an answer: nobody waits in line. */
export interface Slots {
  /** A function that gives the place back (once is enough), or who is full: this user, or the process. */
  take(userId: number): (() => void) | 'user' | 'process';
  inUse(): number;
}

export function createSlots({ atOnce, perUser }: { atOnce: number; perUser: number }): Slots {
  const users = new Map<number, number>();
  let inUse = 0;

  const leave = (userId: number): void => {
    inUse--;
    const left = (users.get(userId) ?? 1) - 1;
    if (left === 0) users.delete(userId);
    else users.set(userId, left);
  };

  return {
    inUse: () => inUse,
    take: (userId) => {
      const ofUser = users.get(userId) ?? 0;
      if (ofUser >= perUser) return 'user';
      if (inUse >= atOnce) return 'process';
      inUse++;
      users.set(userId, ofUser + 1);
      let isTaken = true;
      return () => {
        if (isTaken) leave(userId);
        isTaken = false;
      };
    },
  };
}
