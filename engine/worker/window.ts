/** Requests in flight on a thread, over all its tasks: the bound on what waits for answers in memory. */
export interface Window {
  /** Resolves once `count` places are taken, in the order of asking; `count` is at most the size. */
  take(count: number): Promise<void>;
  give(count: number): void;
  inFlight(): number;
}

/** Waiters are bounded by the tasks that run on the thread: each waits at one place only. */
export function createWindow(size: number): Window {
  const waiting: { readonly count: number; readonly go: () => void }[] = [];
  let used = 0;

  function admit(): void {
    for (let first = waiting[0]; first !== undefined && used + first.count <= size; first = waiting[0]) {
      waiting.shift();
      used += first.count;
      first.go();
    }
  }

  return {
    take(count) {
      if (count > size) throw new RangeError(`${count} places in a window of ${size}`);
      return new Promise((go) => {
        waiting.push({ count, go });
        admit();
      });
    },
    give(count) {
      used -= count;
      admit();
    },
    inFlight: () => used,
  };
}
