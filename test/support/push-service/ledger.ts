import { createArrivalTimes, type RunArrivals } from './arrival-times.ts';
import type { Entry } from './ledger-entry.ts';
import { loadStoredRun, openLedgerFile } from './ledger-file.ts';
import { createRun, type Duplicate, type IndexCounts, type LedgerTotals } from './ledger-run.ts';
import type { ServiceKind } from './options.ts';
import type { Reading } from './read-message.ts';

/** A message as it happened, before its identity has a number. */
export type Happened = Omit<Entry, 'identity' | 'reading' | 'keyReused'> & { readonly reading: Reading };

export interface Ledger {
  record(happened: Happened): void;
  receivedOf(index: number): number;
  totals(): LedgerTotals;
  /** At most `MAX_INDEXES_AT_ONCE` indexes of [from, to). */
  indexes(from: number, to: number): IndexCounts;
  duplicates(limit: number): Duplicate[];
  /** When the messages of this run were accepted. Not kept over a restart. */
  arrivals(): RunArrivals;
  /**
   * Ends the run and begins another from zero. @returns the totals of the ended one.
   * @param arrivalsFrom the first index whose arrivals are counted apart from the others'.
   */
  mark(run: string, arrivalsFrom: number): LedgerTotals;
  close(): void;
}

const MAX_INDEXES_AT_ONCE = 65_536;

/** Takes up the run that the directory holds, where it holds one. */
export function openLedger(directory: string, kinds: readonly ServiceKind[], durable: boolean): Ledger {
  const stored = loadStoredRun(directory);
  const file = openLedgerFile(directory, durable);
  if (stored === null) file.restart('');
  const deps = { kinds, onNewIdentity: file.addIdentity };
  let run = createRun({ name: stored?.run ?? '', identities: stored?.identities ?? [], ...deps });
  let arrivals = createArrivalTimes(Date.now);
  let others = createArrivalTimes(Date.now);
  let timedFrom = -1;
  for (const entry of stored?.entries ?? []) run.apply(entry);

  return {
    record(happened) {
      const { reading } = happened;
      if (reading.kind === 'failed') run.noteError(reading.error);
      const identity = reading.kind === 'read' ? run.numberOf(reading.identity) : 0;
      const keyReused = reading.kind === 'read' && reading.keyReused;
      const entry: Entry = { ...happened, reading: reading.kind, identity, keyReused };
      run.apply(entry);
      if (entry.accepted) (entry.index >= timedFrom ? arrivals : others).note();
      file.append(entry);
    },
    receivedOf: (index) => run.received.get(index),
    totals: () => run.totals(),
    indexes: (from, to) => run.indexes(from, Math.min(to, from + MAX_INDEXES_AT_ONCE)),
    duplicates: (limit) => run.duplicates(limit),
    arrivals: () => ({ ...arrivals.read(), others: others.read().counts }),
    mark(name, arrivalsFrom) {
      const ended = run.totals();
      file.restart(name);
      run = createRun({ name, identities: [], ...deps });
      arrivals = createArrivalTimes(Date.now);
      others = createArrivalTimes(Date.now);
      timedFrom = arrivalsFrom;
      return ended;
    },
    close: () => file.close(),
  };
}
