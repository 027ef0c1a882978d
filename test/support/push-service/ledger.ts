import { type Cause, causes, type Entry } from './ledger-entry.ts';
import { type LedgerFile, loadStoredRun, openLedgerFile } from './ledger-file.ts';
import type { ServiceKind } from './options.ts';
import { createPagedCounts, type PagedCounts } from './paged-counts.ts';
import type { Reading } from './read-message.ts';

/** The sums of one run. */
export interface LedgerTotals {
  readonly run: string;
  /** Messages read to their end (and those refused before), whatever became of them. */
  readonly received: number;
  /** Answered 2xx, or counted as accepted before a fault. `distinct + duplicates`. */
  readonly accepted: number;
  /** Different (endpoint, delivery) among the accepted. */
  readonly distinct: number;
  /** Accepted once more for the same (endpoint, delivery). Unread messages all count as one delivery. */
  readonly duplicates: number;
  readonly decrypted: number;
  readonly decryptFailed: number;
  readonly keysReused: number;
  /** Messages by what was done to them instead of, or beside, acceptance. */
  readonly rejected: Readonly<Partial<Record<Cause, number>>>;
  /** Answers by service and status; "0" is none. */
  readonly statuses: Readonly<Partial<Record<ServiceKind, Readonly<Record<string, number>>>>>;
  /** What went wrong with the first few. Not kept over a restart. */
  readonly decryptErrors: readonly string[];
}

export interface IndexCounts {
  readonly from: number;
  /** One number per index from `from` on. */
  readonly received: readonly number[];
  readonly accepted: readonly number[];
}

export interface Duplicate {
  readonly index: number;
  /** The delivery, as `deliveryIdPath` found it, or the plaintext's digest; empty: unread. */
  readonly identity: string;
  readonly accepted: number;
}

/** A message as it happened, before its identity has a number. */
export type Happened = Omit<Entry, 'identity' | 'reading' | 'keyReused'> & { readonly reading: Reading };

export interface Ledger {
  record(happened: Happened): void;
  receivedOf(index: number): number;
  totals(): LedgerTotals;
  /** At most `MAX_INDEXES_AT_ONCE` indexes of [from, to). */
  indexes(from: number, to: number): IndexCounts;
  duplicates(limit: number): Duplicate[];
  /** Ends the run and begins another from zero. @returns the totals of the ended one */
  mark(run: string): LedgerTotals;
  close(): void;
}

export const MAX_INDEXES_AT_ONCE = 65_536;
/** Numbers are stored in 16 bits; more deliveries than that in one run share the last number. */
const MAX_IDENTITIES = 65_535;
const MAX_IDENTITY_LENGTH = 100;
const MAX_DECRYPT_ERRORS = 8;

export function openLedger(directory: string, kinds: readonly ServiceKind[], durable: boolean): Ledger {
  const stored = loadStoredRun(directory);
  const file = openLedgerFile(directory, durable);
  if (stored === null) file.restart('');
  let run = createRun(stored?.run ?? '', kinds, stored?.identities ?? []);
  for (const entry of stored?.entries ?? []) run.apply(entry);

  return {
    record(happened) {
      const { reading } = happened;
      if (reading.kind === 'failed') run.noteError(reading.error);
      const identity = reading.kind === 'read' ? run.numberOf(reading.identity, file) : 0;
      const keyReused = reading.kind === 'read' && reading.keyReused;
      const entry: Entry = { ...happened, reading: reading.kind, identity, keyReused };
      run.apply(entry);
      file.append(entry);
    },
    receivedOf: (index) => run.received.get(index),
    totals: () => run.totals(),
    indexes: (from, to) => run.indexes(from, Math.min(to, from + MAX_INDEXES_AT_ONCE)),
    duplicates: (limit) => run.duplicates(limit),
    mark(name) {
      const ended = run.totals();
      file.restart(name);
      run = createRun(name, kinds, []);
      return ended;
    },
    close: () => file.close(),
  };
}

function createRun(name: string, kinds: readonly ServiceKind[], stored: readonly string[]) {
  const identities = ['', ...stored];
  const numbers = new Map(identities.map((identity, number) => [identity, number]));
  const received = createPagedCounts();
  const accepted = createPagedCounts();
  const byIdentity: PagedCounts[] = [];
  const sums = { received: 0, accepted: 0, distinct: 0, duplicates: 0 };
  const readings = { unread: 0, read: 0, failed: 0 };
  const byCause = new Uint32Array(causes.length);
  const statuses: Partial<Record<ServiceKind, Record<string, number>>> = {};
  const errors: string[] = [];
  let keysReused = 0;

  function numberOf(text: string, file: LedgerFile): number {
    const identity = text.slice(0, MAX_IDENTITY_LENGTH);
    const known = numbers.get(identity);
    if (known !== undefined) return known;
    if (identities.length > MAX_IDENTITIES) return MAX_IDENTITIES;
    file.addIdentity(identity);
    numbers.set(identity, identities.length);
    return identities.push(identity) - 1;
  }

  function accept({ index, identity }: Entry): void {
    byIdentity[identity] ??= createPagedCounts();
    accepted.add(index);
    sums.accepted++;
    if (byIdentity[identity].add(index) === 1) sums.distinct++;
    else sums.duplicates++;
  }

  function apply(entry: Entry): void {
    sums.received++;
    readings[entry.reading]++;
    if (entry.keyReused) keysReused++;
    const cause = causes.indexOf(entry.cause);
    byCause[cause] = (byCause[cause] as number) + 1;
    const kind = kinds[entry.origin] as ServiceKind;
    statuses[kind] ??= {};
    statuses[kind][entry.status] = (statuses[kind][entry.status] ?? 0) + 1;
    if (entry.index >= 0) received.add(entry.index);
    if (entry.accepted) accept(entry);
  }

  function duplicates(limit: number): Duplicate[] {
    const found: Duplicate[] = [];
    byIdentity.forEach((counts, number) => {
      counts.scan(1, (index, accepted) => {
        if (found.length < limit) found.push({ index, identity: identities[number] as string, accepted });
        return found.length < limit;
      });
    });
    return found;
  }

  function indexes(from: number, to: number): IndexCounts {
    const range = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    return { from, received: range.map(received.get), accepted: range.map(accepted.get) };
  }

  const totals = (): LedgerTotals => ({
    run: name,
    ...sums,
    decrypted: readings.read,
    decryptFailed: readings.failed,
    keysReused,
    rejected: Object.fromEntries(
      causes.map((cause, at) => [cause, byCause[at] as number] as const).filter(isRejection),
    ),
    statuses: structuredClone(statuses),
    decryptErrors: [...errors],
  });

  function noteError(error: string): void {
    if (errors.length < MAX_DECRYPT_ERRORS) errors.push(error);
  }

  return { apply, numberOf, noteError, received, totals, indexes, duplicates };
}

const isRejection = ([cause, count]: readonly [Cause, number]): boolean => cause !== 'none' && count > 0;
