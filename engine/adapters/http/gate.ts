/** Lets a bounded number of works run, and a bounded number wait; what does not fit is told so at once. */
export interface Gate {
  /** `full`: nothing was started. Rejects with the work. */
  pass<Result>(owner: string | number, work: () => Promise<Result>): Promise<Result | 'full'>;
}

export interface GateOptions {
  readonly inHand: number;
  readonly waiting: number;
  /** Of one owner, running and waiting: nobody keeps all others out with works that take long. */
  readonly perOwner: number;
}

export function createGate(options: GateOptions): Gate {
  const waiting: (() => void)[] = [];
  const owners = new Map<string | number, number>();
  let inHand = 0;

  const isFull = (ofOwner: number): boolean =>
    ofOwner >= options.perOwner || (inHand >= options.inHand && waiting.length >= options.waiting);

  const enter = async (): Promise<void> => {
    if (inHand < options.inHand) inHand++;
    // Whoever leaves passes the place on: it stays counted.
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) inHand--;
    else next();
  };

  return {
    pass: async (owner, work) => {
      const ofOwner = owners.get(owner) ?? 0;
      if (isFull(ofOwner)) return 'full';
      owners.set(owner, ofOwner + 1);
      await enter();
      try {
        return await work();
      } finally {
        leave();
        const left = (owners.get(owner) ?? 1) - 1;
        if (left === 0) owners.delete(owner);
        else owners.set(owner, left);
      }
    },
  };
}
