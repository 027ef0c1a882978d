import { oids, type SqlType, sizeOf } from './values.ts';
import type { WireError } from './wire-error.ts';

/** Messages to a client (Postgres' manual, "Message Formats"). */

export interface WireColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** @param tag one character. */
function message(tag: string, ...parts: readonly Buffer[]): Buffer {
  const bodyLength = parts.reduce((sum, part) => sum + part.length, 4);
  const head = Buffer.alloc(5);
  head.write(tag, 0, 'latin1');
  head.writeInt32BE(bodyLength, 1);
  return Buffer.concat([head, ...parts]);
}

const text = (value: string): Buffer => Buffer.from(`${value.replaceAll('\0', '')}\0`);
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};

export const askPassword = message('R', int32(3));
export const admitted = message('R', int32(0));
export const parseComplete = message('1');
export const bindComplete = message('2');
export const closeComplete = message('3');
export const noData = message('n');
export const emptyQuery = message('I');
export const portalSuspended = message('s');

export const parameterStatus = (name: string, value: string): Buffer => message('S', text(name), text(value));
export const backendKey = (pid: number, secret: number): Buffer => message('K', int32(pid), int32(secret));
/** Idle, in a transaction, or in a failed one. */
export const readyForQuery = (status: 'I' | 'T' | 'E'): Buffer => message('Z', Buffer.from(status));
export const commandComplete = (tag: string): Buffer => message('C', text(tag));

/** Newer protocol versions and options than ours: the client goes on with 3.0. */
export const negotiateVersion = (options: readonly string[]): Buffer =>
  message('v', int32(0), int32(options.length), ...options.map(text));

const fields = (entries: readonly (readonly [string, string | null])[]): Buffer =>
  Buffer.concat([
    ...entries.flatMap(([code, value]) => (value === null ? [] : [Buffer.from(code), text(value)])),
    Buffer.from([0]),
  ]);

export const errorResponse = (
  { state, message: words, hint }: WireError,
  severity: 'ERROR' | 'FATAL' = 'ERROR',
  /** In the statement, in characters from 1; null: nowhere in it. */
  position: number | null = null,
): Buffer =>
  message(
    'E',
    fields([
      ['S', severity],
      ['V', severity],
      ['C', state],
      ['M', words],
      ['H', hint],
      ['P', position === null ? null : String(position)],
    ]),
  );

export const noticeResponse = (words: string): Buffer =>
  message(
    'N',
    fields([
      ['S', 'WARNING'],
      ['V', 'WARNING'],
      ['C', '01000'],
      ['M', words],
    ]),
  );

export const parameterDescription = (types: readonly SqlType[]): Buffer =>
  message('t', int16(types.length), ...types.map((type) => int32(oids[type])));

/** @param formats 1 of a column in binary form. */
export const rowDescription = (columns: readonly WireColumn[], formats: readonly number[]): Buffer =>
  message(
    'T',
    int16(columns.length),
    ...columns.map(({ name, type }, index) =>
      Buffer.concat([
        text(name),
        int32(0),
        int16(0),
        int32(oids[type]),
        int16(sizeOf[type]),
        int32(-1),
        int16(formats[index] ?? 0),
      ]),
    ),
  );

/** A field of a row: a text, or the bytes of a binary form; null: there is no value. */
export type Field = string | Buffer | null;

const ROWS_BYTES = 65_536;
const FEW_BYTES = 1_024;
/** Of a character of UTF-16 in UTF-8. */
const MOST_BYTES = 3;

/** Rows as messages, gathered in one piece of memory that is reused. */
export class RowWriter {
  // Most answers are a row or two.
  #bytes = Buffer.allocUnsafeSlow(FEW_BYTES);
  #end = 0;

  get isFull(): boolean {
    return this.#end >= ROWS_BYTES;
  }

  add(fields: readonly Field[]): void {
    let most = 7;
    for (const field of fields) most += 4 + (field === null ? 0 : field.length * MOST_BYTES);
    if (this.#end + most > this.#bytes.length) this.#grow(most);
    const bytes = this.#bytes;
    const start = this.#end;
    let at = start + 7;
    for (const field of fields) {
      const from = at + 4;
      let length = -1;
      if (typeof field === 'string') length = bytes.write(field, from);
      else if (field !== null) length = field.copy(bytes, from);
      bytes.writeInt32BE(length, at);
      at = from + Math.max(0, length);
    }
    bytes[start] = DATA_ROW;
    bytes.writeInt32BE(at - start - 1, start + 1);
    bytes.writeInt16BE(fields.length, start + 5);
    this.#end = at;
  }

  /** All that was added, and the message after it; the writer is empty again. */
  take(last?: Buffer): Buffer {
    const taken = Buffer.concat([this.#bytes.subarray(0, this.#end), ...(last === undefined ? [] : [last])]);
    this.#end = 0;
    return taken;
  }

  #grow(more: number): void {
    const grown = Buffer.allocUnsafeSlow(this.#end + more + ROWS_BYTES);
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }
}

const DATA_ROW = 0x44;
