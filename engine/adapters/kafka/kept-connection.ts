import type { Admin } from 'kafkajs';

/** One connection, made again after a failure. */
export interface KeptConnection {
  get(): Promise<Admin>;
  /**
   * It failed: the next `get` makes another. Not one that is still being made: a broker may be silent for longer than
   * a question may take, and the next one is not.
   */
  discard(used: Promise<Admin>): void;
  /** Resolves when it is closed; one that is being made is closed as soon as it is there. */
  close(): Promise<void>;
}

export function createKeptConnection(connect: () => Promise<Admin>): KeptConnection {
  let kept: Promise<Admin> | null = null;
  let made: Promise<Admin> | null = null;

  function open(): Promise<Admin> {
    const opening = connect();
    opening.then(
      () => {
        if (kept === opening) made = opening;
      },
      () => {
        if (kept === opening) kept = null;
      },
    );
    return opening;
  }

  async function disconnect(used: Promise<Admin>): Promise<void> {
    await used.then((admin) => admin.disconnect()).catch(() => undefined);
  }

  return {
    get: () => {
      kept ??= open();
      return kept;
    },
    discard: (used) => {
      if (kept !== used || made !== used) return;
      kept = null;
      void disconnect(used);
    },
    close: async () => {
      const last = kept;
      kept = null;
      if (last !== null) await disconnect(last);
    },
  };
}
