/** What TanStack Query asks of its `TimeoutProvider`. */
export interface Timers {
  setTimeout(callback: () => void, delayMs: number): number;
  clearTimeout(id: number | undefined): void;
  setInterval(callback: () => void, delayMs: number): number;
  clearInterval(id: number | undefined): void;
}

const now = (): number => performance.now();

interface Entry {
  readonly call: () => void;
  atMs: number;
  /** Null: once. */
  readonly everyMs: number | null;
}

/**
 * The timers of all queries on one timer of the browser. Each part of a page that reads a query sets one and clears it
 * again for every answer, nearly always long before it is due; a browser under observation notes the whole way to each
 * call, which took a tenth of what a page does at its start.
 */
export function createOneTimer(): Timers {
  const entries = new Map<number, Entry>();
  let lastId = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakesAtMs = Number.POSITIVE_INFINITY;

  function add(call: () => void, delayMs: number, isRepeated: boolean): number {
    const entry = { call, atMs: now() + delayMs, everyMs: isRepeated ? delayMs : null };
    entries.set(++lastId, entry);
    wakeBy(entry.atMs);
    return lastId;
  }

  /** Never later than asked. What is cleared leaves the browser's timer as it is: it then finds nothing to do. */
  function wakeBy(atMs: number): void {
    if (atMs >= wakesAtMs) return;
    clearTimeout(timer);
    wakesAtMs = atMs;
    timer = setTimeout(wake, Math.max(0, atMs - now()));
  }

  function wake(): void {
    wakesAtMs = Number.POSITIVE_INFINITY;
    const dueIds = [...entries].flatMap(([id, { atMs }]) => (atMs <= now() ? [id] : []));
    try {
      for (const id of dueIds) call(id);
    } finally {
      // Also after an error: the others are due then.
      wakeBy(Math.min(...[...entries.values()].map(({ atMs }) => atMs)));
    }
  }

  function call(id: number): void {
    const entry = entries.get(id);
    // One before it may have cleared it.
    if (entry === undefined) return;
    if (entry.everyMs === null) entries.delete(id);
    else entry.atMs = now() + entry.everyMs;
    entry.call();
  }

  const clear = (id: number | undefined): void => {
    if (id !== undefined) entries.delete(id);
  };
  return {
    setTimeout: (callback, delayMs) => add(callback, delayMs, false),
    clearTimeout: clear,
    setInterval: (callback, delayMs) => add(callback, delayMs, true),
    clearInterval: clear,
  };
}
