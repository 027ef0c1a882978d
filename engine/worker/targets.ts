import { type Bitmap, hasBit } from '../contract/bitmap.ts';

/**
 * Reads the targets of one block out of a whole binary COPY, as Postgres wrote it
 * (https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format"): seq int4, endpoint text,
 * p256dh bytea, auth bytea, and mostly vapid_key_number int2. Where texts differ by reader, language text and tag_values
 * text follow. Rows stay bytes until they are sent: an object per row would cost more than the whole walk.
 */
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FLAGS_BYTES = 4;
const FIELDS = 4;
const FIELDS_WITH_KEY = 5;
const FIELDS_OF_READER = 7;
const END_OF_ROWS = -1;

/** A cursor over the selected rows. The fields are those of the row that the last `next` reached. */
export interface TargetCursor {
  /** @returns false when no selected row is left. */
  next(): boolean;
  seq(): number;
  endpoint(): string;
  /** Views into the given bytes: valid as long as those are. */
  p256dh(): Uint8Array;
  auth(): Uint8Array;
  /** The app's key pair that the subscription is bound to; null where the rows do not say. */
  vapidKeyNumber(): number | null;
  /** Empty where it is not known, or the rows do not say. */
  language(): string;
  /** JSON; empty where the rows do not say. A view, as above. */
  tagValues(): Buffer;
}

/**
 * Walks the whole input once, so that damage shows before the first message is sent.
 * @returns the `seq` of every row whose bit is set in `wanted`, in the order of the input.
 * @throws Error on input that is not a complete COPY of that shape: a bug, never a subscriber's mistake.
 */
export function selectedSeqs(bytes: Uint8Array, wanted: Bitmap): Uint32Array<ArrayBuffer> {
  const seqs: number[] = [];
  const cursor = createTargetCursor(bytes, wanted);
  while (cursor.next()) seqs.push(cursor.seq());
  return Uint32Array.from(seqs);
}

/** @throws Error as `selectedSeqs` does, from here or from `next`. */
export function createTargetCursor(bytes: Uint8Array, wanted: Bitmap): TargetCursor {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Where each field's value begins and ends, in the cursor's row. */
  const starts = new Uint32Array(FIELDS_OF_READER);
  const ends = new Uint32Array(FIELDS_OF_READER);
  let position = afterHeader(input);
  let seq = -1;
  let hasKey = false;

  function readRow(): boolean {
    need(input, position, 2);
    const fields = input.readInt16BE(position);
    position += 2;
    if (fields === END_OF_ROWS) {
      if (position !== input.length) throw malformed('bytes after its end', position);
      position -= 2;
      return false;
    }
    hasKey = fields === FIELDS_WITH_KEY || fields === FIELDS_OF_READER;
    if (fields !== FIELDS && !hasKey) throw malformed(`a row of ${fields} fields`, position);
    for (let field = 0; field < fields; field++) readField(field);
    if (hasKey && ends[4] !== (starts[4] as number) + 2)
      throw malformed('a key number that is not an int2', position);
    if (ends[0] !== (starts[0] as number) + 4) throw malformed('a seq that is not an int4', position);
    seq = input.readInt32BE(starts[0]);
    if (seq < 0) throw malformed('a negative seq', position);
    return true;
  }

  function readField(field: number): void {
    need(input, position, 4);
    const length = input.readInt32BE(position);
    position += 4;
    if (length < 0) throw malformed('a NULL', position);
    need(input, position, length);
    starts[field] = position;
    position += length;
    ends[field] = position;
  }

  return {
    next() {
      while (readRow()) if (hasBit(wanted, seq)) return true;
      return false;
    },
    seq: () => seq,
    endpoint: () => input.toString('utf8', starts[1], ends[1]),
    p256dh: () => input.subarray(starts[2], ends[2]),
    auth: () => input.subarray(starts[3], ends[3]),
    vapidKeyNumber: () => (hasKey ? input.readInt16BE(starts[4]) : null),
    language: () => input.toString('utf8', starts[5], ends[5]),
    tagValues: () => input.subarray(starts[6], ends[6]),
  };
}

function afterHeader(input: Buffer): number {
  need(input, 0, signature.length + FLAGS_BYTES + 4);
  if (!input.subarray(0, signature.length).equals(signature)) throw malformed('another signature', 0);
  const extension = input.readInt32BE(signature.length + FLAGS_BYTES);
  const start = signature.length + FLAGS_BYTES + 4;
  if (extension < 0) throw malformed('a negative header extension', start);
  need(input, start, extension);
  return start + extension;
}

function need(input: Buffer, position: number, length: number): void {
  if (position + length > input.length) throw malformed('its end missing', position);
}

const malformed = (what: string, position: number): Error =>
  new Error(`targets are not binary COPY of (seq, endpoint, p256dh, auth): ${what}, at byte ${position}`);
