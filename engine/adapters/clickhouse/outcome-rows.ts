import type { BlockOutcomes } from '../../contract/packed-outcomes.ts';

/** The columns `encodeOutcomes` writes, in its order. */
export const outcomeColumns =
  'app_id, delivery_id, seq, outcome, failure, status, push_service, latency_ms, attempt, at, welcome';

/** `seq` 10 digits, outcome and failure and push service 3 each, status and latency 5 each, 6 separators. */
const MAX_ROW_BYTES = 10 + 3 * 3 + 2 * 5 + 6;
const MAX_ATTEMPT = 255;
const ZERO = 48;
const TAB = 9;

/**
 * Rows as TabSeparated, Enums by number, written digit by digit into one buffer. Measured on the embedded
 * engine, CPU of everything a row: 1.6 µs so, 2.2 µs by building a string, 2.3 µs as JSONCompactEachRow,
 * 5.0 µs as objects through `client.insert`. Text, because chdb reads an insert as UTF-8: RowBinary would
 * arrive broken. ASCII only, so that any cut between chunks is a good one.
 */
export function encodeOutcomes(blocks: readonly BlockOutcomes[]): Buffer {
  const bytes = Buffer.allocUnsafe(sizeAtMost(blocks));
  let end = 0;
  for (const block of blocks) end = writeBlock(bytes, end, block);
  return bytes.subarray(0, end);
}

function sizeAtMost(blocks: readonly BlockOutcomes[]): number {
  let size = 0;
  for (const block of blocks) {
    size += block.seqs.length * (headOf(block).length + MAX_ROW_BYTES + tailOf(block).length);
  }
  return size;
}

const headOf = (block: BlockOutcomes): string => `${block.appId}\t${block.deliveryId}\t`;
const tailOf = (block: BlockOutcomes): string =>
  `${Math.min(block.attempt, MAX_ATTEMPT)}\t${(block.atMs / 1_000).toFixed(3)}\t${block.welcome ? 1 : 0}\n`;

function writeBlock(bytes: Buffer, start: number, block: BlockOutcomes): number {
  const head = Buffer.from(headOf(block), 'latin1');
  const tail = Buffer.from(tailOf(block), 'latin1');
  let at = start;
  for (let row = 0; row < block.seqs.length; row++) {
    bytes.set(head, at);
    at = writeNumber(bytes, at + head.length, block.seqs[row] as number);
    at = writeNumber(bytes, at, block.outcomes[row] as number);
    at = writeNumber(bytes, at, block.failures[row] as number);
    at = writeNumber(bytes, at, block.statuses[row] as number);
    at = writeNumber(bytes, at, block.services[row] as number);
    at = writeNumber(bytes, at, block.latenciesMs[row] as number);
    bytes.set(tail, at);
    at += tail.length;
  }
  return at;
}

/** A number below 2^32 and a tab after it. @returns where the next field starts. */
function writeNumber(bytes: Buffer, start: number, value: number): number {
  const end = start + digitsOf(value);
  let rest = value;
  for (let at = end - 1; at >= start; at--) {
    const tens = Math.floor(rest / 10);
    bytes[at] = ZERO + (rest - tens * 10);
    rest = tens;
  }
  bytes[end] = TAB;
  return end + 1;
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits++;
  return digits;
}
