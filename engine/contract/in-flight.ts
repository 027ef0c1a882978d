/**
 * Work that runs beside its loop, each piece with its owner. A piece leaves whichever way it ends, also where the note of
 * its error throws: what is counted here is what others wait for.
 */
export interface InFlight<Owner> {
  begin(owner: Owner, work: () => Promise<void>): void;
  /** Of the pieces that have not ended, an owner as often as it has some. */
  owners(): Owner[];
  count(): number;
  /** Resolves when one of those that run now has ended; at once where none runs. */
  oneEnded(): Promise<void>;
  /** Resolves when all of those that run now have ended. */
  idle(): Promise<void>;
}

/**
 * @param onError what the work threw; a throw of its own is dropped.
 * @param onEnded a piece has left; as `onError`.
 */
export function createInFlight<Owner>(
  onError: (error: unknown) => void,
  onEnded: () => void = () => {},
): InFlight<Owner> {
  const running = new Map<Promise<void>, Owner>();

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  }

  return {
    begin(owner, work) {
      const ended: Promise<void> = attempt(work)
        .catch(() => {})
        .then(() => {
          running.delete(ended);
          onEnded();
        })
        .catch(() => {});
      running.set(ended, owner);
    },
    owners: () => [...running.values()],
    count: () => running.size,
    async oneEnded() {
      if (running.size > 0) await Promise.race(running.keys());
    },
    async idle() {
      await Promise.all(running.keys());
    },
  };
}

/** What is due in a store, handled beside what is in flight. */
export interface ClaimStep {
  /** Claims what has a permit, and begins it. @returns how many it began. */
  step(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

export interface ClaimStepDeps<Item> {
  /** Permits of one engine. */
  readonly atOnce: number;
  /** Leases what is due. @param inFlight what is handled now: those who have their share of it get no more. */
  readonly claim: (limit: number, inFlight: readonly Item[]) => Promise<readonly Item[]>;
  /** If this dies before it has noted the end, the lease ends and the item is claimed again. */
  readonly attempt: (item: Item) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** A permit is free again: there may be more to claim. */
  readonly onEnded?: () => void;
}

/** A step waits for nobody unless every permit is taken: who hangs delays those it shares its share with, at most. */
export function createClaimStep<Item>(deps: ClaimStepDeps<Item>): ClaimStep {
  const { atOnce, claim, attempt } = deps;
  const inFlight = createInFlight<Item>(deps.onError, deps.onEnded);
  return {
    step: async () => {
      if (inFlight.count() >= atOnce) await inFlight.oneEnded();
      const claimed = await claim(atOnce - inFlight.count(), inFlight.owners());
      for (const item of claimed) inFlight.begin(item, () => attempt(item));
      return claimed.length;
    },
    idle: inFlight.idle,
  };
}

/** Whom at least `share` of what is in flight is for. */
export function busy<Item, Owner>(
  inFlight: readonly Item[],
  ownerOf: (item: Item) => Owner,
  share: number,
): Owner[] {
  const own = Map.groupBy(inFlight, ownerOf);
  return [...own].flatMap(([owner, items]) => (items.length >= share ? [owner] : []));
}
