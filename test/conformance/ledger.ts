import { expect } from 'vitest';
import { type Clock, pause } from '../../engine/contract/concurrency/clock.ts';
import type { BatchHandler, Claim, LogRecord, NewRecord } from '../../engine/contract/log.ts';

/** How often each consumer handled each message: what a handler marked done while it held its claim. */
export interface Ledger {
  done(record: LogRecord<'deliveries'>, by?: string): void;
  begun(record: LogRecord<'deliveries'>): void;
  /** How many different deliveries are done. */
  size(): number;
  times(id: number): number;
  doneBy(by: string): number[];
  /** Fails unless exactly these are done, each once. */
  expectOnceEach(ids: readonly number[]): void;
  /** Fails where work was thrown away: begun, not finished in time, and begun again. */
  expectNoneBegunTwice(): void;
  expectAll(ids: readonly number[]): void;
}

export function createLedger(): Ledger {
  const entries: { readonly id: number; readonly by: string }[] = [];
  const begun: number[] = [];
  const distinct = () => [...new Set(entries.map(({ id }) => id))].sort((a, b) => a - b);
  const times = (id: number) => entries.filter((entry) => entry.id === id).length;
  return {
    done: (record, by = '') => void entries.push({ id: record.value.delivery_id, by }),
    begun: (record) => void begun.push(record.value.delivery_id),
    expectNoneBegunTwice: () => expect(begun.filter((id, at) => begun.indexOf(id) !== at)).toEqual([]),
    size: () => distinct().length,
    times,
    doneBy: (by) => entries.filter((entry) => entry.by === by).map(({ id }) => id),
    expectOnceEach: (ids) => {
      expect(distinct()).toEqual([...ids]);
      expect(distinct().filter((id) => times(id) > 1)).toEqual([]);
    },
    expectAll: (ids) => expect(ids.filter((id) => times(id) === 0)).toEqual([]),
  };
}

export const range = (count: number, from = 1): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

/** A delivery's key is its number's rest by 8, so that partitions share the work evenly. */
export const deliveries = (ids: readonly number[]): NewRecord<'deliveries'>[] =>
  ids.map((id) => ({ key: `app-${id % 8}`, value: { delivery_id: id } }));

const POLL_MS = 10;
const PATIENCE_MS = 25_000;

/** Waits until the condition holds. @throws Error, with what was awaited, after 25 s of the log's time. */
export async function until(
  clock: Clock,
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = clock.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (clock.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await pause(clock, POLL_MS);
  }
}

export interface WorkerOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly by?: string;
  /** How long one record takes. */
  readonly workMs?: number;
}

/** A handler as stages write them: one record after the other, and no further one once the signal came. */
export function worker({ clock, ledger, by, workMs = 0 }: WorkerOptions): BatchHandler<'deliveries'> {
  return async (records, claim) => {
    for (const record of records) {
      if (claim.signal.aborted) break;
      ledger.begun(record);
      if (workMs > 0) await pause(clock, workMs);
      await finish(record, claim, ledger, by);
    }
    return { kind: 'handled' };
  };
}

export async function finish(
  record: LogRecord<'deliveries'>,
  claim: Claim<'deliveries'>,
  ledger: Ledger,
  by?: string,
): Promise<void> {
  if (claim.holds()) ledger.done(record, by);
  await claim.done(record);
}
