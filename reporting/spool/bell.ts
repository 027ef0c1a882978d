/** Wakes the waiter; a ring without a waiter wakes the next one at once. */
export interface Bell {
  ring(): void;
  /** May resolve without a change: check again for the awaited condition. */
  heard(): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake = (): void => {};
  return {
    ring: () => {
      hasRung = true;
      wake();
    },
    heard: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (hasRung) resolve();
      else wake = resolve;
      // Not on waking: an abandoned wait would take the ring from the next one.
      hasRung = false;
      return promise;
    },
  };
}
