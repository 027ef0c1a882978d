/**
 * Commits offsets one request at a time; offsets that become committable meanwhile go together in the next. A
 * failed commit is repeated with the next progress, or at the next `flush`.
 */
export interface Committer {
  /** Everything of the partition below `offset` is done. */
  progress(partition: number, offset: number): void;
  /** Resolves when nothing is left to commit. @throws the error of the last commit. */
  flush(): Promise<void>;
  /** The partitions were revoked: no offset of them may be committed. @returns the uncommitted ones. */
  forget(): ReadonlyMap<number, number>;
}

export type Commit = (offsets: ReadonlyMap<number, number>) => Promise<void>;

export function createCommitter(commit: Commit): Committer {
  let dirty = new Map<number, number>();
  let inFlight = new Map<number, number>();
  let running: Promise<void> | null = null;

  async function commitAll(): Promise<void> {
    while (dirty.size > 0) {
      const taken = dirty;
      inFlight = taken;
      dirty = new Map();
      try {
        await commit(taken);
      } catch (error) {
        // Not after `forget`: they may be another consumer's by now, and would be set back.
        if (inFlight === taken) dirty = new Map([...taken, ...dirty]);
        throw error;
      } finally {
        if (inFlight === taken) inFlight = new Map();
      }
    }
  }

  function flush(): Promise<void> {
    running ??= commitAll().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    progress: (partition, offset) => {
      dirty.set(partition, offset);
      flush().catch(() => undefined);
    },
    flush,
    forget: () => {
      const uncommitted = new Map([...inFlight, ...dirty]);
      dirty = new Map();
      inFlight = new Map();
      return uncommitted;
    },
  };
}
