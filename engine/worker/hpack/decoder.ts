import { createDynamicTable } from './dynamic-table.ts';
import { createEntry, type Entry } from './entry.ts';
import { decodeHuffman, minDecodedBytes, roomToDecode } from './huffman.ts';
import {
  HUFFMAN_STRING,
  INDEXED,
  INSERTED,
  NOT_INSERTED,
  RAW_STRING,
  TABLE_SIZE,
} from './representations.ts';
import { STATIC_LENGTH, staticEntries } from './static-table.ts';

/** The header blocks of the peer (RFC 7541), in the order they came: each changes the table for the next ones. */
export interface HeaderDecoder {
  /**
   * Every field of one whole header block, in order.
   * @param onField gets an octet in each character (latin1), and must not throw: the rest of the block is
   * needed for the table. Has been called for the fields before an error.
   * @throws HpackError on what RFC 7541 forbids, or over the bounds: the connection must end then, its table is
   * out of step.
   */
  decode(block: Buffer, onField: (name: string, value: string) => void): void;
}

export interface HeaderDecoderOptions {
  /** The SETTINGS_HEADER_TABLE_SIZE we announced. */
  readonly maxTableBytes: number;
  /** Of a block, the sum over fields of 32 + name + value octets: over it, it is refused. */
  readonly maxListBytes: number;
}

export class HpackError extends Error {}

/** Continuation octets of an integer: seven bits each, so none is over 2^28 + 127. */
const MAX_CONTINUATIONS = 4;
const FIRST_SCRATCH_BYTES = 512;
const nothing = Buffer.alloc(0);

/** Reads a block with one cursor, without an object for each field. */
export function createHeaderDecoder({ maxTableBytes, maxListBytes }: HeaderDecoderOptions): HeaderDecoder {
  const table = createDynamicTable(maxTableBytes);
  /** Where Huffman strings are decoded to. Grows with the longest, of which `maxListBytes` is the bound. */
  let scratch: Buffer = Buffer.allocUnsafeSlow(FIRST_SCRATCH_BYTES);
  /** The block being decoded, and the index of the next octet. */
  let block: Buffer = nothing;
  let at = 0;

  /** RFC 7541 section 5.1. @param first the octet with the prefix, which was read */
  function readInteger(first: number, prefixBits: number): number {
    const full = (1 << prefixBits) - 1;
    const value = first & full;
    return value < full ? value : value + readContinuation();
  }

  function readContinuation(): number {
    let value = 0;
    for (let read = 0; read < MAX_CONTINUATIONS; read++) {
      const octet = readOctet();
      value |= (octet & 0x7f) << (7 * read);
      if (octet < 0x80) return value;
    }
    throw new HpackError('an integer over the bound');
  }

  function readOctet(): number {
    if (at >= block.length) throw new HpackError('the block ends within a field');
    return block[at++] as number;
  }

  function readString(): string {
    const first = readOctet();
    const length = readInteger(first, RAW_STRING.bits);
    const from = at;
    if (length > block.length - from) throw new HpackError('the block ends within a string');
    at = from + length;
    return first < HUFFMAN_STRING.pattern ? block.toString('latin1', from, at) : decodeString(from, at);
  }

  function decodeString(from: number, to: number): string {
    if (minDecodedBytes(to - from) > maxListBytes) throw new HpackError('a string over the bound');
    const needed = roomToDecode(to - from);
    if (needed > scratch.length) scratch = Buffer.allocUnsafeSlow(needed);
    const length = decodeHuffman(block, from, to, scratch);
    if (length < 0) throw new HpackError('EOS or wrong padding in a Huffman string');
    return scratch.toString('latin1', 0, length);
  }

  function entryAt(index: number): Entry {
    const entry = index <= STATIC_LENGTH ? staticEntries[index] : table.at(index - STATIC_LENGTH);
    if (entry === undefined) throw new HpackError(`no entry ${index} in the tables`);
    return entry;
  }

  /** @param nameIndex 0: the name follows, too */
  function readLiteral(nameIndex: number): Entry {
    const name = nameIndex === 0 ? readString() : entryAt(nameIndex).name;
    return createEntry(name, readString());
  }

  function readField(first: number): Entry {
    if (first >= INDEXED.pattern) return entryAt(readInteger(first, INDEXED.bits));
    if (first < INSERTED.pattern) return readLiteral(readInteger(first, NOT_INSERTED.bits));
    const entry = readLiteral(readInteger(first, INSERTED.bits));
    table.insert(entry);
    return entry;
  }

  /** Only at the start of a block (RFC 7541 section 4.2), and never over our limit (section 6.3). */
  function readTableSizes(): void {
    while (at < block.length && isTableSize(block[at] as number)) {
      const size = readInteger(readOctet(), TABLE_SIZE.bits);
      if (size > maxTableBytes) throw new HpackError(`a table of ${size} bytes`);
      table.resize(size);
    }
  }

  return {
    decode(given, onField) {
      block = given;
      at = 0;
      readTableSizes();
      let room = maxListBytes;
      while (at < block.length) {
        const first = readOctet();
        if (isTableSize(first)) throw new HpackError('a table size behind a field');
        const entry = readField(first);
        room -= entry.bytes;
        if (room < 0) throw new HpackError(`fields of more than ${maxListBytes} bytes`);
        onField(entry.name, entry.value);
      }
      // It may be a view of much more that the socket read.
      block = nothing;
    },
  };
}

const isTableSize = (first: number): boolean => first >= TABLE_SIZE.pattern && first < INSERTED.pattern;
