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
