import type { Entry } from './entry.ts';

/**
 * The dynamic table of one direction (RFC 7541 sections 2.3.2 and 4): a queue of entries in a ring, so that
 * nothing is moved when entries come and go. Positions count from 1, the newest.
 */
export interface DynamicTable {
  /** Evicts from the oldest to make room. An entry that is larger than the table empties it and is not put in. */
  insert(entry: Entry): void;
  /** Evicts what no longer fits. @param bytes at most what the table was created for. */
  resize(bytes: number): void;
  at(position: number): Entry | undefined;
  /** @returns the position of the newest entry that is this field, 0 where there is none. */
  find(name: string, value: string): number;
  /** @returns the position of the newest entry of this name, 0 where there is none. */
  findName(name: string): number;
  /** Its current capacity, in bytes as RFC 7541 section 4.1 counts them. */
  maxBytes(): number;
}

/** The default of SETTINGS_HEADER_TABLE_SIZE (RFC 9113 section 6.5.2). */
export const DEFAULT_TABLE_BYTES = 4096;

const SMALLEST_ENTRY_BYTES = 32;

/**
 * Begins with the protocol's default size, or with its capacity where that is less.
 * @param capacityBytes the most that `resize` will ask for.
 */
export function createDynamicTable(capacityBytes: number): DynamicTable {
  const ring = new Array<Entry | undefined>(slotsFor(capacityBytes)).fill(undefined);
  const mask = ring.length - 1;
  let maxBytes = Math.min(capacityBytes, DEFAULT_TABLE_BYTES);
  let bytes = 0;
  let length = 0;
  /** The slot of the next entry. */
  let head = 0;

  function evictDownTo(limit: number): void {
    while (bytes > limit) {
      const oldest = (head - length) & mask;
      bytes -= (ring[oldest] as Entry).bytes;
      // Its strings are garbage now, and a peer's may be long.
      ring[oldest] = undefined;
      length--;
    }
  }

  return {
    insert(entry) {
      evictDownTo(Math.max(0, maxBytes - entry.bytes));
      if (entry.bytes > maxBytes) return;
      ring[head] = entry;
      head = (head + 1) & mask;
      bytes += entry.bytes;
      length++;
    },
    resize(limit) {
      maxBytes = limit;
      evictDownTo(limit);
    },
    at: (position) => (position <= length ? ring[(head - position) & mask] : undefined),
    find(name, value) {
      for (let position = 1; position <= length; position++) {
        const entry = ring[(head - position) & mask] as Entry;
        if (entry.name === name && entry.value === value) return position;
      }
      return 0;
    },
    findName(name) {
      for (let position = 1; position <= length; position++)
        if ((ring[(head - position) & mask] as Entry).name === name) return position;
      return 0;
    },
    maxBytes: () => maxBytes,
  };
}

/** A power of two, so that a position is masked and not divided. */
function slotsFor(capacityBytes: number): number {
  const entries = Math.max(1, Math.floor(capacityBytes / SMALLEST_ENTRY_BYTES));
  return 2 ** Math.ceil(Math.log2(entries));
}
