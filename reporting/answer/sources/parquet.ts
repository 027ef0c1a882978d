import { inPieces } from '../pieces.ts';

/** Of FileMetaData in parquet.thrift. */
const KEY_VALUE_METADATA = 5;
const MAGIC = 'PAR1';
/** The length of the footer, and the magic bytes. */
const END_BYTES = 8;
/** More than any footer of a report: it grows with groups of a million rows and with columns, 22 at most. */
const MOST_FOOTER_BYTES = 8 * 1024 * 1024;

/**
 * The same file with a key and value in its metadata. Footers are read from the end, so the one that ClickHouse wrote
 * stays where it was, and a copy with one field more follows it: nothing before it moves.
 * @throws where the bytes do not end as a file of Parquet: then none comes to its end.
 */
export async function* withMetadata(
  bytes: AsyncIterable<unknown>,
  key: string,
  value: string,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of inPieces(bytes)) {
    held.push(piece);
    size += piece.length;
    // What cannot belong to the footer goes on.
    for (
      let first = held[0];
      first !== undefined && size - first.length >= MOST_FOOTER_BYTES;
      first = held[0]
    ) {
      yield first;
      size -= first.length;
      held = held.slice(1);
    }
  }
  const end = Buffer.concat(held);
  const footer = footerOf(end);
  const more = Buffer.concat([footer.subarray(0, -1), keyValueField(key, value)]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(more.length);
  yield end.subarray(0, -END_BYTES);
  yield Buffer.concat([more, length, Buffer.from(MAGIC)]);
}

function footerOf(end: Buffer): Buffer {
  const length = end.length < END_BYTES ? 0 : end.readUInt32LE(end.length - END_BYTES);
  const isWhole = end.toString('latin1', end.length - MAGIC.length) === MAGIC;
  if (!isWhole || length === 0 || length > end.length - END_BYTES || end.at(-END_BYTES - 1) !== STOP)
    throw new Error('the answer does not end as a file of Parquet');
  return end.subarray(-END_BYTES - length, -END_BYTES);
}

/** Thrift's compact protocol: types of fields, and the end of a struct. */
const STRING = 8;
const LIST = 9;
const STRUCT = 12;
const STOP = 0;

/** Field 5 in the long form, which may follow any other: a list of one pair; then the end of the footer. */
const keyValueField = (key: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.of(LIST, KEY_VALUE_METADATA * 2, (1 << 4) | STRUCT),
    ...[key, value].flatMap((text) => [Buffer.of((1 << 4) | STRING), lengthOf(text), Buffer.from(text)]),
    Buffer.of(STOP, STOP),
  ]);

function lengthOf(text: string): Buffer {
  const bytes: number[] = [];
  let rest = Buffer.byteLength(text);
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.of(...bytes, rest);
}
