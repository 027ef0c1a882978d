import type { Clock, Timer } from '../../../engine/contract/concurrency/clock.ts';
import { isRefusedValue } from '../../../engine/contract/refused-value.ts';

/**
 * Collects the entries of many requests into few batches. An entry waits until its batch is due (`delayMs`
 * after the first of it came, or at once when it is full), goes into one call of `flush`, and gets its result:
 * `stored` when it resolved, `away` when it rejected. Nothing is retried: the client still has the entry. Only where it is
 * entries that are refused, halves are flushed, down to one, so that one costs no other its place. At most `maxHeld` entries
 * wait or are being flushed; one more is `full`, at once.
 */
export interface Batcher<Entry> {
  submit(entry: Entry): Promise<'stored' | 'away' | 'full'>;
}

export interface BatcherOptions<Entry> {
  /** Of an entry, at least 1. */
  readonly sizeOf: (entry: Entry) => number;
  /** Of one call of `flush`; not less than the largest entry's. */
  readonly maxSize: number;
  readonly maxHeld: number;
  readonly delayMs: number;
  /** Calls of `flush` at a time; meanwhile the next batches wait. */
  readonly maxFlushes: number;
  readonly flush: (entries: readonly Entry[]) => Promise<void>;
  /** Whether what was rejected is an entry, and others would not be; by default what Postgres says of a value. */
  readonly isOfEntries?: (error: unknown) => boolean;
  /** Called once a batch, not once an entry. */
  readonly onAway: (error: unknown, entries: number) => void;
  readonly clock: Clock;
}

interface Held<Entry> {
  readonly entry: Entry;
  readonly settle: (ending: 'stored' | 'away') => void;
}

interface Batch<Entry> {
  readonly held: Held<Entry>[];
  size: number;
}

export function createBatcher<Entry>(options: BatcherOptions<Entry>): Batcher<Entry> {
  const { sizeOf, maxSize, clock, delayMs, isOfEntries = isRefusedValue } = options;
  /** Closed batches, oldest first, that wait for a permit. */
  const due: Batch<Entry>[] = [];
  let open: Batch<Entry> = { held: [], size: 0 };
  let timer: Timer | null = null;
  let flushes = 0;
  let held = 0;

  function add(one: Held<Entry>): void {
    const size = sizeOf(one.entry);
    if (open.size + size > maxSize) closeOpen();
    open.held.push(one);
    open.size += size;
    held++;
    if (open.size >= maxSize) closeOpen();
    else timer ??= clock.setTimer(delayMs, closeOpen);
  }

  function closeOpen(): void {
    timer?.clear();
    timer = null;
    due.push(open);
    open = { held: [], size: 0 };
    flushDue();
  }

  function flushDue(): void {
    while (flushes < options.maxFlushes) {
      const batch = due.shift();
      if (batch === undefined) return;
      void flushOne(batch.held);
    }
  }

  async function flushOne(batch: readonly Held<Entry>[]): Promise<void> {
    flushes++;
    await settleAll(batch);
    flushes--;
    flushDue();
  }

  function end(batch: readonly Held<Entry>[], ending: 'stored' | 'away'): void {
    held -= batch.length;
    for (const { settle } of batch) settle(ending);
  }

  async function settleAll(batch: readonly Held<Entry>[]): Promise<void> {
    try {
      await options.flush(batch.map(({ entry }) => entry));
      end(batch, 'stored');
    } catch (error) {
      if (batch.length > 1 && isOfEntries(error)) {
        const middle = Math.floor(batch.length / 2);
        await settleAll(batch.slice(0, middle));
        await settleAll(batch.slice(middle));
        return;
      }
      options.onAway(error, batch.length);
      end(batch, 'away');
    }
  }

  return {
    submit: async (entry) => {
      if (held >= options.maxHeld) return 'full';
      const { promise, resolve } = Promise.withResolvers<'stored' | 'away'>();
      add({ entry, settle: resolve });
      return promise;
    },
  };
}
