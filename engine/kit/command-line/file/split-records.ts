import { CliError } from '../endings.ts';

/** A record of a text file as its bytes, without the end of its last line. */
export interface RawRecord {
  /** Of its first line, from 1. */
  readonly line: number;
  /** Lines of the file that it spans: more than one where a quoted field holds line ends. */
  readonly lines: number;
  /** Of a record that is too long only the beginning. */
  readonly bytes: Buffer;
  readonly fault: RecordFault | null;
}

/** `quote`: a quote inside an unquoted field, or text after a closing quote. `fields`: see `fieldsExpected`. */
export type RecordFault = 'too-long' | 'quote' | 'fields';

/** A row of an import is some 400 bytes; a record that goes on and on is another kind of file. */
export const MAX_RECORD_BYTES = 65_536;
/** Most lines that one quoted field may hold; beyond, its quote counts as never closed. */
export const MAX_RECORD_LINES = 100;
/** Most that is held while a quote is open. */
const MAX_OPEN_BYTES = 1_048_576;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

export interface Splitter {
  /** The records that are complete in the bytes so far, in order, empty lines included. */
  push(chunk: Uint8Array): RawRecord[];
  /** The rest at the end of the file. */
  end(): RawRecord[];
  /**
   * Fields of a CSV's row. A record of several lines with another number was joined by a stray quote: its first
   * line alone is at fault, and the lines after it are records of their own.
   */
  expectFields(count: number): void;
}

export interface SplitterOptions {
  readonly quoted: boolean;
  /** Of fields: one ASCII character. */
  readonly separator?: string;
  /** The number of the line that the bytes begin with. */
  readonly firstLine?: number;
}

interface End {
  /** Where the record's bytes end, and where the next record begins. */
  readonly at: number;
  readonly next: number;
  readonly lines: number;
  readonly fault: RecordFault | null;
}

/**
 * Bytes → records, in bounded memory. Every line of the file is in exactly one record, whatever the bytes are, so
 * counts add up to the file's lines. `quoted`: line ends inside quoted fields (RFC 4180) belong to the record.
 *
 * @throws CliError from `push` and `end`, with the line, where a quote opens and does not close within
 *   `MAX_RECORD_LINES` lines or 1 MiB: everything after it could mean anything.
 */
export function createSplitter({ quoted, separator = ',', firstLine = 1 }: SplitterOptions): Splitter {
  let held: Buffer = Buffer.alloc(0);
  let line = firstLine;
  /** Set while a line is ignored that is longer than a record may be. */
  let tooLong: Buffer | null = null;
  let expected: number | null = null;

  function split(isLast: boolean): RawRecord[] {
    const records: RawRecord[] = [];
    const comma = separator.charCodeAt(0);
    const findEnd = createFindEnd(held, {
      quoted,
      comma,
      isLast,
      line: () => line,
      expected: () => expected,
    });
    let start = 0;
    while (start < held.length) {
      const end = findEnd(start);
      if (end === null) break;
      const bytes = held.subarray(start, end.at);
      const isLong = bytes.length > MAX_RECORD_BYTES;
      records.push({
        line,
        lines: end.lines,
        bytes: isLong ? bytes.subarray(0, MAX_RECORD_BYTES) : bytes,
        fault: end.fault ?? (isLong ? 'too-long' : null),
      });
      line += end.lines;
      start = end.next;
      // The first record decides the number of fields of the others: its reader must see it first.
      if (quoted && expected === null) break;
    }
    held = held.subarray(start);
    return records;
  }

  /** The end of a line that is too long, if the chunk has it. @returns the rest after it. */
  function passOver(chunk: Buffer, records: RawRecord[]): Buffer | null {
    if (tooLong === null) return chunk;
    const newline = chunk.indexOf(LF);
    if (newline === -1) return null;
    records.push({ line, lines: 1, bytes: tooLong, fault: 'too-long' });
    line++;
    tooLong = null;
    return chunk.subarray(newline + 1);
  }

  function holdLess(): void {
    const most = quoted && held.includes(QUOTE) ? 2 * MAX_OPEN_BYTES : MAX_RECORD_BYTES;
    if (held.length <= most || held.includes(LF)) return;
    tooLong = Buffer.from(held.subarray(0, MAX_RECORD_BYTES));
    held = Buffer.alloc(0);
  }

  return {
    push(chunk) {
      const records: RawRecord[] = [];
      const rest = passOver(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), records);
      if (rest === null) return records;
      held = held.length === 0 ? rest : rest.length === 0 ? held : Buffer.concat([held, rest]);
      records.push(...split(false));
      holdLess();
      return records;
    },
    end() {
      const records = split(true);
      if (tooLong !== null) records.push({ line: line++, lines: 1, bytes: tooLong, fault: 'too-long' });
      tooLong = null;
      return records;
    },
    expectFields(count) {
      expected = count;
    },
  };
}

interface FindEndOptions {
  readonly quoted: boolean;
  /** The byte between fields. */
  readonly comma: number;
  readonly isLast: boolean;
  readonly line: () => number;
  readonly expected: () => number | null;
}

/** Looks for record ends in one buffer, from its start to its end. Null: more bytes are needed. */
function createFindEnd(bytes: Buffer, options: FindEndOptions): (start: number) => End | null {
  const { comma } = options;
  // Files mostly have no quotes: the next one is looked for once, not once a line.
  let nextQuote = -1;
  const quoteFrom = (at: number): number => {
    if (nextQuote < at) {
      const found = options.quoted ? bytes.indexOf(QUOTE, at) : -1;
      nextQuote = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    return nextQuote;
  };
  return (start) => {
    let at = start;
    let lines = 1;
    let commas = 0;
    for (;;) {
      const newline = bytes.indexOf(LF, at);
      const quote = quoteFrom(at);
      if (newline === -1 && quote === Number.POSITIVE_INFINITY) {
        return options.isLast ? ending(bytes.length, bytes.length) : null;
      }
      const lineEnd = newline === -1 ? bytes.length : newline;
      if (quote > lineEnd) {
        if (newline === -1 && !options.isLast) return null;
        return ending(lineEnd, Math.min(lineEnd + 1, bytes.length));
      }
      if (quote > start && bytes[quote - 1] !== comma) return firstLine('quote');
      commas += countOf(bytes, comma, at, quote);
      const opensAt = options.line() + lines - 1;
      const close = closingQuote(bytes, quote + 1);
      if (close === null) {
        if (isUnclosed(quote, bytes.length)) throw unclosed(opensAt);
        return null;
      }
      lines += countOf(bytes, LF, quote, close);
      if (lines > MAX_RECORD_LINES) throw unclosed(opensAt);
      // The next character decides whether the quote closed the field: it may be in the next chunk.
      if (close + 2 >= bytes.length && !options.isLast) return null;
      if (!endsField(bytes, close + 1, comma)) return firstLine('quote');
      at = close + 1;
    }

    function ending(end: number, next: number): End | null {
      const expected = options.expected();
      if (lines > 1 && expected !== null && commas + countOf(bytes, comma, at, end) + 1 !== expected) {
        return firstLine('fields');
      }
      return { at: end > start && bytes[end - 1] === CR ? end - 1 : end, next, lines, fault: null };
    }
    function firstLine(fault: RecordFault): End | null {
      const newline = bytes.indexOf(LF, start);
      if (newline === -1 && !options.isLast) return null;
      const end = newline === -1 ? bytes.length : newline;
      nextQuote = -1;
      return { at: end, next: Math.min(end + 1, bytes.length), lines: 1, fault };
    }
  };

  function isUnclosed(quote: number, end: number): boolean {
    if (options.isLast || end - quote > MAX_OPEN_BYTES) return true;
    return countOf(bytes, LF, quote, end) > MAX_RECORD_LINES;
  }
}

/** Two quotes in a row mean one. Null: it is not among these bytes. */
function closingQuote(bytes: Buffer, from: number): number | null {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(QUOTE, at);
    if (at === -1) return null;
    if (bytes[at + 1] !== QUOTE) return at;
  }
}

const endsField = (bytes: Buffer, at: number, comma: number): boolean =>
  at >= bytes.length ||
  bytes[at] === comma ||
  bytes[at] === LF ||
  (bytes[at] === CR && (at + 1 >= bytes.length || bytes[at + 1] === LF));

function countOf(bytes: Buffer, byte: number, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte, from); at !== -1 && at < to; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

const unclosed = (line: number): CliError =>
  new CliError(
    `line ${line}: a quote opens there and does not close within ${MAX_RECORD_LINES} lines or 1 MiB, so no line after it ` +
      'can be trusted. Remove the quote, or write two where the text has one',
  );
