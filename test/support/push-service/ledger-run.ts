import type { Cause, Entry } from './ledger-entry.ts';
import type { ServiceKind } from './options.ts';
import { createPagedCounts, type PagedCounts } from './paged-counts.ts';

/** The sums of one run. */
export interface LedgerTotals {
  readonly run: string;
  /** Messages read to their end (and those refused before), whatever their result. */
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

/** Numbers are stored in 16 bits; more deliveries than that in one run share the last number. */
const MAX_IDENTITIES = 65_535;
const MAX_IDENTITY_LENGTH = 100;
const MAX_DECRYPT_ERRORS = 8;

/** The counts of one run, in memory. */
export interface Run {
  apply(entry: Entry): void;
  /** The number under which an identity is counted, a new one where it is new. */
  numberOf(identity: string): number;
  noteError(error: string): void;
  readonly received: PagedCounts;
  totals(): LedgerTotals;
  indexes(from: number, to: number): IndexCounts;
  duplicates(limit: number): Duplicate[];
}

export interface RunOptions {
  readonly name: string;
  /** Of the services, by origin. */
  readonly kinds: readonly ServiceKind[];
  /** Known from before, in the order of their numbers. */
  readonly identities: readonly string[];
  readonly onNewIdentity: (identity: string) => void;
}

export function createRun(options: RunOptions): Run {
  const received = createPagedCounts();
  const accepted = createPagedCounts();
  const names = createIdentities(options);
  const copies = createCopies();
  const tally = createTally(options.kinds);

  return {
    numberOf: names.numberOf,
    noteError: tally.noteError,
    received,
    apply(entry) {
      tally.add(entry);
      if (entry.index >= 0) received.add(entry.index);
      if (!entry.accepted) return;
      accepted.add(entry.index);
      copies.add(entry);
    },
    totals: () => ({ run: options.name, ...tally.sums(), ...copies.sums() }),
    indexes(from, to) {
      const range = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
      return { from, received: range.map(received.get), accepted: range.map(accepted.get) };
    },
    duplicates: (limit) =>
      copies.duplicates(limit).map(({ number, ...copy }) => ({ ...copy, identity: names.nameOf(number) })),
  };
}

function createIdentities({ identities, onNewIdentity }: RunOptions) {
  const names = ['', ...identities];
  const numbers = new Map(names.map((name, number) => [name, number]));

  return {
    nameOf: (number: number): string => names[number] ?? '',
    numberOf(text: string): number {
      const name = text.slice(0, MAX_IDENTITY_LENGTH);
      const known = numbers.get(name);
      if (known !== undefined) return known;
      if (names.length > MAX_IDENTITIES) return MAX_IDENTITIES;
      onNewIdentity(name);
      numbers.set(name, names.length);
      return names.push(name) - 1;
    },
  };
}

/** How often each (index, identity) was accepted. */
function createCopies() {
  const byIdentity: PagedCounts[] = [];
  const sums = { accepted: 0, distinct: 0, duplicates: 0 };

  return {
    sums: () => ({ ...sums }),
    add({ index, identity }: Entry): void {
      byIdentity[identity] ??= createPagedCounts();
      sums.accepted++;
      if (byIdentity[identity].add(index) === 1) sums.distinct++;
      else sums.duplicates++;
    },
    duplicates(limit: number): { index: number; number: number; accepted: number }[] {
      const found: { index: number; number: number; accepted: number }[] = [];
      byIdentity.forEach((counts, number) => {
        counts.scan(1, (index, accepted) => {
          if (found.length < limit) found.push({ index, number, accepted });
          return found.length < limit;
        });
      });
      return found;
    },
  };
}

/** What became of messages, whosever they were. */
function createTally(kinds: readonly ServiceKind[]) {
  const readings = { unread: 0, read: 0, failed: 0 };
  const byCause: Partial<Record<Cause, number>> = {};
  const statuses: Partial<Record<ServiceKind, Record<string, number>>> = {};
  const errors: string[] = [];
  let received = 0;
  let keysReused = 0;

  return {
    add({ cause, keyReused, origin, reading, status }: Entry): void {
      received++;
      readings[reading]++;
      if (keyReused) keysReused++;
      if (cause !== 'none') byCause[cause] = (byCause[cause] ?? 0) + 1;
      const kind = kinds[origin] as ServiceKind;
      statuses[kind] ??= {};
      statuses[kind][status] = (statuses[kind][status] ?? 0) + 1;
    },
    noteError(error: string): void {
      if (errors.length < MAX_DECRYPT_ERRORS) errors.push(error);
    },
    sums: () => ({
      received,
      decrypted: readings.read,
      decryptFailed: readings.failed,
      keysReused,
      rejected: { ...byCause },
      statuses: structuredClone(statuses),
      decryptErrors: [...errors],
    }),
  };
}
