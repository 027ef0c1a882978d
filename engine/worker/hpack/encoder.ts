import { createDynamicTable, DEFAULT_TABLE_BYTES } from './dynamic-table.ts';
import { createEntry, entryBytes } from './entry.ts';
import { INDEXED, INSERTED, NOT_INSERTED, type Prefix, RAW_STRING, TABLE_SIZE } from './representations.ts';
import { findStatic, findStaticName, STATIC_LENGTH } from './static-table.ts';

/**
 * The header blocks of requests that share all fields but `:path` (RFC 7541). The first request puts those
 * fields into the dynamic table; in the next ones they are references: a few dozen bytes, cached for the array
 * they came from and copied until the table changes.
 *
 * Nothing is Huffman coded: a field that is sent once need not be short, and paths are mostly base64url, where
 * the code saves a tenth for more time than everything else takes.
 */
export interface HeaderEncoder {
  /** The peer's SETTINGS_HEADER_TABLE_SIZE; more than 4,096 is not used. Announced at the start of the next block. */
  setTableSize(bytes: number): void;
  /**
   * Writes the header block of one request: `:path` as a literal that is not indexed, then `fields` (names and
   * values in turn, pseudo headers first), which are put into the dynamic table the first time and are
   * references afterwards.
   * @param path as `fields`, latin1: of a character above U+00FF the low octet would be sent.
   * @param fields the same array for all requests that share them, never changed: its identity is remembered, so
   * that the bytes of the references are copied and not made. Names in lower case (RFC 9113 section 8.2).
   * @param target with at least `maxBlockBytes(path, fields)` left at `at`.
   * @returns where the block ends.
   */
  write(target: Buffer, at: number, path: string, fields: readonly string[]): number;
}

/** Arrays whose references are remembered: more than the letterheads that alternate on a connection. */
const MAX_REMEMBERED = 32;

const PATH_LITERAL = NOT_INSERTED.pattern | findStaticName(':path');

/** Table and cache must change together (RFC 7541). */
export function createHeaderEncoder(): HeaderEncoder {
  const table = createDynamicTable(DEFAULT_TABLE_BYTES);
  /** In the order they were made. Valid while the table stays the same: every change of it empties this cache. */
  const remembered = new Map<readonly string[], Uint8Array>();
  let lastFields: readonly string[] | undefined;
  let lastBytes: Uint8Array | undefined;
  let peerLimit = DEFAULT_TABLE_BYTES;
  let announce = false;
  /**
   * The smallest size since the last announcement: the peer has evicted everything above it, even if it grew
   * again.
   */
  let smallest = Number.POSITIVE_INFINITY;

  function forget(): void {
    remembered.clear();
    lastFields = undefined;
    lastBytes = undefined;
  }

  function remember(fields: readonly string[], bytes: Uint8Array): Uint8Array {
    if (remembered.size >= MAX_REMEMBERED) {
      const [oldest] = remembered.keys();
      remembered.delete(oldest as readonly string[]);
    }
    remembered.set(fields, bytes);
    return bytes;
  }

  /** The smallest and the last size, as RFC 7541 section 4.2 requires. */
  function writeTableSizes(target: Buffer, at: number): number {
    const size = Math.min(peerLimit, DEFAULT_TABLE_BYTES);
    let end = at;
    if (smallest < size) end = writeInteger(target, end, TABLE_SIZE, smallest);
    end = writeInteger(target, end, TABLE_SIZE, size);
    table.resize(smallest);
    table.resize(size);
    announce = false;
    smallest = Number.POSITIVE_INFINITY;
    forget();
    return end;
  }

  /** @returns the index of the field in both tables, 0 where it is in none */
  function find(name: string, value: string): number {
    const inStatic = findStatic(name, value);
    if (inStatic !== 0) return inStatic;
    const position = table.find(name, value);
    return position === 0 ? 0 : STATIC_LENGTH + position;
  }

  function findName(name: string): number {
    const inStatic = findStaticName(name);
    if (inStatic !== 0) return inStatic;
    const position = table.findName(name);
    return position === 0 ? 0 : STATIC_LENGTH + position;
  }

  /** Each field is looked up in the table as the one before it left it, as the peer will do it. */
  function writeFields(target: Buffer, at: number, fields: readonly string[]): number {
    let end = at;
    let inserted = false;
    // Of fields that have no room together the last ones stay out: they would evict the first each time.
    let room = table.maxBytes();
    for (let i = 0; i < fields.length; i += 2) {
      const [name, value] = [fields[i] as string, fields[i + 1] as string];
      const index = find(name, value);
      const bytes = index > 0 && index <= STATIC_LENGTH ? 0 : entryBytes(name, value);
      const fits = bytes <= room;
      if (fits) room -= bytes;
      if (index > 0) end = writeInteger(target, end, INDEXED, index);
      else if (fits) {
        end = writeLiteral(target, end, INSERTED, findName(name), name, value);
        table.insert(createEntry(name, value));
        inserted = true;
      } else end = writeLiteral(target, end, NOT_INSERTED, findName(name), name, value);
    }
    if (inserted) forget();
    else lastBytes = remember(fields, new Uint8Array(target.subarray(at, end)));
    return end;
  }

  return {
    setTableSize(bytes) {
      const size = Math.min(bytes, DEFAULT_TABLE_BYTES);
      // A peer may insist on an announcement of a lower limit, though we never used more.
      announce ||= bytes < peerLimit || size !== table.maxBytes();
      peerLimit = bytes;
      smallest = Math.min(smallest, size);
    },
    write(target, at, path, fields) {
      const start = announce ? writeTableSizes(target, at) : at;
      target[start] = PATH_LITERAL;
      const end = writeString(target, start + 1, path);
      if (fields !== lastFields) {
        lastBytes = remembered.get(fields);
        lastFields = fields;
      }
      if (lastBytes === undefined) return writeFields(target, end, fields);
      target.set(lastBytes, end);
      return end + lastBytes.length;
    },
  };
}

/** Two table sizes of three bytes. */
const MAX_SIZES_BYTES = 6;
/** A field's overhead beside its octets: the first octet, and two lengths. A reference takes less. */
const MAX_FIELD_OVERHEAD_BYTES = 13;

const boundOf = new WeakMap<readonly string[], number>();

/** An upper bound, cheap to get. */
export function maxBlockBytes(path: string, fields: readonly string[]): number {
  let bound = boundOf.get(fields);
  if (bound === undefined) {
    bound = MAX_SIZES_BYTES + MAX_FIELD_OVERHEAD_BYTES * (1 + fields.length / 2);
    for (const field of fields) bound += field.length;
    boundOf.set(fields, bound);
  }
  return bound + path.length;
}

/** @param nameIndex 0: the name is written, too */
function writeLiteral(
  target: Buffer,
  at: number,
  prefix: Prefix,
  nameIndex: number,
  name: string,
  value: string,
): number {
  let end = writeInteger(target, at, prefix, nameIndex);
  if (nameIndex === 0) end = writeString(target, end, name);
  return writeString(target, end, value);
}

function writeString(target: Buffer, at: number, text: string): number {
  const start = writeInteger(target, at, RAW_STRING, text.length);
  // Cut short it would be a block that means something else.
  if (target.write(text, start, 'latin1') !== text.length) throw new RangeError('no room for a header block');
  return start + text.length;
}

/** RFC 7541 section 5.1. */
function writeInteger(target: Buffer, at: number, { pattern, bits }: Prefix, value: number): number {
  const full = (1 << bits) - 1;
  if (value < full) {
    target[at] = pattern | value;
    return at + 1;
  }
  target[at] = pattern | full;
  let end = at + 1;
  let rest = value - full;
  for (; rest >= 0x80; rest >>>= 7) target[end++] = 0x80 | (rest & 0x7f);
  target[end++] = rest;
  return end;
}
