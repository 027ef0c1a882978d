/** A fixed number of slots, given in the order they were asked for. */
export interface Slots {
  /** Resolves when a slot is free; call the result once to give it back. */
  take(): Promise<() => void>;
  inUse(): number;
}

/** Waiters are bounded by the caller: one per shard in hand. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let used = 0;

  const giveBack = (): void => {
    const next = waiting.shift();
    if (next === undefined) used--;
    else next();
  };

  return {
    take: async () => {
      if (used < count) used++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return giveBack;
    },
    inUse: () => used,
  };
}
