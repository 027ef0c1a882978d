/** Wakes up the one who waits for it; rung while nobody waits, it is heard at once by the next one. */
export interface Bell {
  ring(): void;
  /** May resolve without news: ask again whether what you wait for is there. */
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
      // Not when it is woken: a wait that was given up would take the ring from the next one.
      hasRung = false;
      return promise;
    },
  };
}
