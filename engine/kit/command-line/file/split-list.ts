import { CliError } from '../endings.ts';
import { MAX_RECORD_BYTES, type RawRecord, type Splitter } from './split-records.ts';

const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === LF || byte === 0x0d;

/**
 * The items of one JSON list as records, in bounded memory: of an item that is too long only the beginning is kept. Each
 * counts as one line, whatever it spans; `line` is where it begins.
 * @throws CliError where something follows the list, or it does not end.
 */
export function createListSplitter(): Splitter {
  /** 0: outside of the list; 1: between its items or in a plain one. */
  let depth = 0;
  let line = 1;
  let isText = false;
  let isEscaped = false;
  let isOver = false;
  let item: { readonly line: number; readonly parts: Buffer[]; length: number } | null = null;

  const keep = (chunk: Buffer, from: number, to: number): void => {
    if (item === null || to <= from) return;
    const room = MAX_RECORD_BYTES - item.length;
    if (room > 0) item.parts.push(Buffer.from(chunk.subarray(from, Math.min(to, from + room))));
    item.length += to - from;
  };
  const take = (records: RawRecord[]): void => {
    if (item === null) return;
    const fault = item.length > MAX_RECORD_BYTES ? 'too-long' : null;
    records.push({ line: item.line, lines: 1, bytes: Buffer.concat(item.parts), fault });
    item = null;
  };

  function push(given: Uint8Array): RawRecord[] {
    const chunk = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    const records: RawRecord[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LF) line++;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        continue;
      }
      if (isBlank(byte) && item === null) continue;
      if (depth === 0) {
        if (isOver || byte !== OPEN_LIST) throw new CliError(`line ${line}: something follows the list`);
        depth = 1;
        continue;
      }
      if (depth === 1 && (byte === COMMA || byte === CLOSE_LIST)) {
        keep(chunk, from, at);
        take(records);
        if (byte === CLOSE_LIST) [depth, isOver] = [0, true];
        continue;
      }
      if (item === null) {
        item = { line, parts: [], length: 0 };
        from = at;
      }
      if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
      // Of an object that closes once too often: the list's end is looked for further on.
      if (depth < 1) depth = 1;
    }
    keep(chunk, from, chunk.length);
    return records;
  }

  return {
    push,
    end: () => {
      if (!isOver)
        throw new CliError(
          `line ${line}: the list of the file does not end, so the file is truncated. The items before it are read`,
        );
      return [];
    },
    expectFields: () => {},
  };
}
