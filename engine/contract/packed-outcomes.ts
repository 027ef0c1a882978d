import { BLOCK_SIZE } from './bitmap.ts';
import { failures, outcomeCode, outcomes } from './outcome.ts';
import { pushServices } from './push-service.ts';

/**
 * What one attempt at a block came to, packed to travel: from the block's transaction through the outbox
 * and the log to ClickHouse. Little-endian:
 *
 *     u8  version = 1        u32 app       f64 delivery    u32 block
 *     u16 attempt            f64 at, whole milliseconds since 1970
 *     u16 rows               u16 kinds     kinds × { u8 outcome, u8 failure, u8 push service, u16 status }
 *     128 bytes: bit i set where target `block * 1,024 + i` has a row
 *     rows × u8 (up to 256 kinds) or u16: the row's kind
 *     rows × u16: latency in ms
 *
 * Rows are in the order of `seq`: two packings of the same outcomes are the same bytes, on which the
 * deduplication of inserts rests. 1,024 rows with the usual few kinds take 3.3 KB.
 */
export interface BlockOutcomes {
  readonly appId: number;
  readonly deliveryId: number;
  readonly block: number;
  /** 1 the first time. Kept up to 65,535. */
  readonly attempt: number;
  /** When the attempt ended. Kept to the whole millisecond. */
  readonly atMs: number;
  /** Within the block, each once. Unpacked: ascending. */
  readonly seqs: Uint32Array;
  /** `outcomeCode`. Packing leaves out `unsent`: nothing was tried, so nothing is to be recorded. */
  readonly outcomes: Uint8Array;
  /** `failureCode`. */
  readonly failures: Uint8Array;
  /** HTTP status, 0 where no answer came. */
  readonly statuses: Uint16Array;
  /** Index into `pushServices`. */
  readonly services: Uint8Array;
  readonly latenciesMs: Uint16Array;
  /** Of a welcome, which an app's figures leave out. Not packed: the batch names such blocks. Left out: of none. */
  readonly welcome?: true;
}

const VERSION = 1;
const HEADER_BYTES = 1 + 4 + 8 + 4 + 2 + 8 + 2 + 2;
const KIND_BYTES = 5;
const MAP_BYTES = BLOCK_SIZE / 8;
const WIDE_KINDS_ABOVE = 256;
const MAX_ATTEMPT = 0xffff;

/** @throws RangeError when a seq lies outside the block or comes twice: a bug of the caller. */
export function packBlockOutcomes(block: BlockOutcomes): Uint8Array<ArrayBuffer> {
  const rows = rowsBySlot(block);
  const kinds = new Map<number, number>();
  const rowKinds = rows.map((row) => indexOfKind(kinds, kindOf(block, row)));
  const kindWidth = kinds.size > WIDE_KINDS_ABOVE ? 2 : 1;
  const rowsAt = HEADER_BYTES + kinds.size * KIND_BYTES + MAP_BYTES;
  const bytes = new Uint8Array(rowsAt + rows.length * (kindWidth + 2));
  const view = new DataView(bytes.buffer);
  writeHeader(view, block, rows.length, kinds.size);
  let offset = HEADER_BYTES;
  for (const kind of kinds.keys()) offset = writeKind(view, offset, kind);
  for (const [index, row] of rows.entries()) {
    const slot = (block.seqs[row] as number) % BLOCK_SIZE;
    bytes[offset + (slot >> 3)] = (bytes[offset + (slot >> 3)] as number) | (1 << (slot & 7));
    const kind = rowKinds[index] as number;
    if (kindWidth === 1) view.setUint8(rowsAt + index, kind);
    else view.setUint16(rowsAt + index * 2, kind, true);
    view.setUint16(rowsAt + rows.length * kindWidth + index * 2, block.latenciesMs[row] as number, true);
  }
  return bytes;
}

/** @throws RangeError on another version, a length that does not fit, or codes this version does not know. */
export function unpackBlockOutcomes(bytes: Uint8Array): BlockOutcomes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 1 || view.getUint8(0) !== VERSION) {
    throw new RangeError(`packed outcomes of version ${bytes[0] ?? 'none'}, this one reads ${VERSION}`);
  }
  if (bytes.length < HEADER_BYTES) throw new RangeError('packed outcomes are cut off');
  const rows = view.getUint16(27, true);
  const kinds = view.getUint16(29, true);
  const kindWidth = kinds > WIDE_KINDS_ABOVE ? 2 : 1;
  const mapAt = HEADER_BYTES + kinds * KIND_BYTES;
  const rowsAt = mapAt + MAP_BYTES;
  if (bytes.length !== rowsAt + rows * (kindWidth + 2)) throw new RangeError('packed outcomes are cut off');

  const head = readHeader(view);
  const result = { ...head, ...emptyRows(rows) };
  let index = 0;
  for (let slot = 0; slot < BLOCK_SIZE; slot++) {
    if (((bytes[mapAt + (slot >> 3)] as number) & (1 << (slot & 7))) === 0) continue;
    if (index === rows) throw new RangeError('packed outcomes name more targets than they have rows');
    result.seqs[index++] = head.block * BLOCK_SIZE + slot;
  }
  if (index !== rows) throw new RangeError('packed outcomes name fewer targets than they have rows');
  for (let row = 0; row < rows; row++) {
    const kind = kindWidth === 1 ? view.getUint8(rowsAt + row) : view.getUint16(rowsAt + row * 2, true);
    if (kind >= kinds) throw new RangeError('packed outcomes name a kind they do not have');
    readKind(view, HEADER_BYTES + kind * KIND_BYTES, result, row);
    result.latenciesMs[row] = view.getUint16(rowsAt + rows * kindWidth + row * 2, true);
  }
  return result;
}

/** Indexes of the entries that were sent, in the order of their seq. */
function rowsBySlot({ block, seqs, outcomes: codes }: BlockOutcomes): number[] {
  const rowOfSlot = new Int32Array(BLOCK_SIZE).fill(-1);
  for (let row = 0; row < seqs.length; row++) {
    if (codes[row] === outcomeCode.unsent) continue;
    const slot = (seqs[row] as number) - block * BLOCK_SIZE;
    if (slot < 0 || slot >= BLOCK_SIZE) throw new RangeError(`seq ${seqs[row]} is not in block ${block}`);
    if (rowOfSlot[slot] !== -1) throw new RangeError(`seq ${seqs[row]} comes twice`);
    rowOfSlot[slot] = row;
  }
  return Array.from(rowOfSlot.filter((row) => row !== -1));
}

/** The four small values of a row as one number below 2^40, so that a Map can count their combinations. */
function kindOf(block: BlockOutcomes, row: number): number {
  const status = block.statuses[row] as number;
  const service = block.services[row] as number;
  const failure = block.failures[row] as number;
  return ((status * 256 + service) * 256 + failure) * 256 + (block.outcomes[row] as number);
}

function indexOfKind(kinds: Map<number, number>, kind: number): number {
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  kinds.set(kind, kinds.size);
  return kinds.size - 1;
}

function writeKind(view: DataView, offset: number, kind: number): number {
  view.setUint8(offset, kind % 256);
  view.setUint8(offset + 1, Math.floor(kind / 256) % 256);
  view.setUint8(offset + 2, Math.floor(kind / 65_536) % 256);
  view.setUint16(offset + 3, Math.floor(kind / 16_777_216), true);
  return offset + KIND_BYTES;
}

type Rows = ReturnType<typeof emptyRows>;

function readKind(view: DataView, offset: number, into: Rows, row: number): void {
  const [outcome, failure, service] = [0, 1, 2].map((at) => view.getUint8(offset + at)) as [
    number,
    number,
    number,
  ];
  if (outcome >= outcomes.length || failure >= failures.length || service >= pushServices.length) {
    throw new RangeError(
      `packed outcomes hold codes of a newer version (${outcome}, ${failure}, ${service})`,
    );
  }
  into.outcomes[row] = outcome;
  into.failures[row] = failure;
  into.services[row] = service;
  into.statuses[row] = view.getUint16(offset + 3, true);
}

function writeHeader(view: DataView, block: BlockOutcomes, rows: number, kinds: number): void {
  view.setUint8(0, VERSION);
  view.setUint32(1, block.appId, true);
  view.setFloat64(5, block.deliveryId, true);
  view.setUint32(13, block.block, true);
  view.setUint16(17, Math.min(block.attempt, MAX_ATTEMPT), true);
  view.setFloat64(19, Math.floor(block.atMs), true);
  view.setUint16(27, rows, true);
  view.setUint16(29, kinds, true);
}

function readHeader(view: DataView) {
  return {
    appId: view.getUint32(1, true),
    deliveryId: view.getFloat64(5, true),
    block: view.getUint32(13, true),
    attempt: view.getUint16(17, true),
    atMs: view.getFloat64(19, true),
  };
}

function emptyRows(rows: number) {
  return {
    seqs: new Uint32Array(rows),
    outcomes: new Uint8Array(rows),
    failures: new Uint8Array(rows),
    statuses: new Uint16Array(rows),
    services: new Uint8Array(rows),
    latenciesMs: new Uint16Array(rows),
  };
}
