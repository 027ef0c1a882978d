import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { CliError } from '../endings.ts';
import { peek, withLineEnds } from './peek.ts';
import { createListSplitter } from './split-list.ts';
import {
  createSplitter,
  MAX_RECORD_BYTES,
  type RawRecord,
  type RecordFault,
  type Splitter,
} from './split-records.ts';

/** A record of the file as it was read, or why it cannot be read. */
export type ImportRecord = RecordPosition & ({ readonly value: unknown } | { readonly unreadable: string });

interface RecordPosition {
  /** Of its first line, from 1. */
  readonly line: number;
  /** Lines that it spans: more than one only in CSV. */
  readonly lines: number;
  /** As written in the file, at most `MAX_RECORD_BYTES` of it. */
  readonly raw: string;
}

export type ImportFormat = 'ndjson' | 'csv';

export const importEncodings = ['utf-8', 'latin1'] as const;
export type ImportEncoding = (typeof importEncodings)[number];

export interface RecordRules {
  /** The names of a CSV's columns, from its first line. @throws CliError where they cannot be used. */
  readonly headerOf: (names: string[]) => string[];
  /** @throws Error where the text of a line is not JSON. */
  readonly parseJson: (text: string) => unknown;
  /** How a CSV is laid out; without it, by commas, with the header first. */
  readonly layout?: CsvLayout;
  /** Whether a row of CSV is given as its fields alone, in the order of the header. */
  readonly asFields?: boolean;
  /** A file of JSON may be one list (`[{…}, {…}]`) instead of a line each; its items count as lines then. */
  readonly mayBeList?: boolean;
}

export interface CsvLayout {
  /** Of fields: one ASCII character. */
  readonly separator: string;
  /** Lines before the header. */
  readonly preamble: number;
}

/**
 * The records of a file, in pieces. At the end every line of the file is in one of them or was ignored:
 * the sum of their `lines` and `passedOver` is `lines`.
 */
export interface ImportRecords extends AsyncIterable<ImportRecord[]> {
  /** Counts so far. */
  readonly counts: { readonly lines: number; readonly passedOver: number };
}

/**
 * Can be read once. In chunks, as the file comes: an await a record would cost as much as its parsing.
 * @throws CliError while it is read: where a quote never closes, and the errors of `headerOf`.
 */
export function readRecords(
  bytes: AsyncIterable<Uint8Array>,
  format: ImportFormat,
  rules: RecordRules,
  encoding: ImportEncoding = 'utf-8',
): ImportRecords {
  const counts = { lines: 0, passedOver: 0 };
  const parts: ReadParts = {
    bytes: withoutMark(withLineEnds(bytes)),
    rules,
    decode: createDecoder(encoding),
    counts,
  };
  const read = format === 'csv' ? readCsv(parts) : readNdjson(parts);
  return { counts, [Symbol.asyncIterator]: () => read };
}

interface ReadParts {
  readonly bytes: AsyncIterable<Buffer>;
  readonly rules: RecordRules;
  readonly decode: Decode;
  readonly counts: { lines: number; passedOver: number };
}

/** Blank lines are ignored. */
function decodeAll(raws: readonly RawRecord[], { decode, counts }: ReadParts): Decoded[] {
  const found: Decoded[] = [];
  for (const raw of raws) {
    counts.lines += raw.lines;
    const decoded = decode(raw);
    if (decoded.raw.trim() === '') counts.passedOver += raw.lines;
    else found.push(decoded);
  }
  return found;
}

async function* readNdjson(parts: ReadParts): AsyncGenerator<ImportRecord[]> {
  const { parseJson } = parts.rules;
  // As far as the first character that is not a blank.
  const { head, bytes } = await peek(parts.bytes, MAX_RECORD_BYTES, (chunk) =>
    /\S/.test(chunk.toString('latin1')),
  );
  const isList = parts.rules.mayBeList === true && /^\s*\[/.test(head.toString('latin1'));
  const splitter = isList ? createListSplitter() : createSplitter({ quoted: false });
  for await (const raws of splitAll(bytes, splitter)) {
    const found = decodeAll(raws, parts);
    if (found.length > 0)
      yield found.map((each) => ('unreadable' in each ? each : jsonRecord(each, parseJson)));
  }
}

function jsonRecord(read: RecordPosition, parseJson: RecordRules['parseJson']): ImportRecord {
  try {
    return { ...read, value: parseJson(read.raw) };
  } catch {
    return { ...read, unreadable: 'is not valid JSON' };
  }
}

/** With a header line that names the fields, in any order. */
async function* readCsv(parts: ReadParts): AsyncGenerator<ImportRecord[]> {
  const { separator, preamble } = parts.rules.layout ?? { separator: ',', preamble: 0 };
  const splitter = createSplitter({ quoted: true, separator, firstLine: preamble + 1 });
  let header: string[] | null = null;
  for await (const raws of splitAll(withoutLines(parts, preamble), splitter)) {
    const [first, ...rest] = decodeAll(raws, parts);
    if (first === undefined) continue;
    if (header !== null) {
      yield csvRecords([first, ...rest], header, { separator, asFields: parts.rules.asFields === true });
      continue;
    }
    // The splitter gives the first record alone.
    const names = headerNames(first, separator);
    splitter.expectFields(names.length);
    header = parts.rules.headerOf(withoutEmptyEnd(names));
    parts.counts.passedOver += first.lines;
  }
}

/** What is left of the bytes after some lines, which are counted as ignored. */
async function* withoutLines({ bytes, counts }: ReadParts, lines: number): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    let from = 0;
    while (counts.lines < lines && from < chunk.length) {
      const end = chunk.indexOf('\n', from);
      if (end === -1) from = chunk.length;
      else {
        from = end + 1;
        counts.lines++;
        counts.passedOver++;
      }
    }
    if (from < chunk.length) yield chunk.subarray(from);
  }
}

/** Some exports have empty columns at the end, in the header, in the rows, or in both. */
function withoutEmptyEnd(names: string[], atLeast = 1): string[] {
  let end = names.length;
  while (end > atLeast && names[end - 1]?.trim() === '') end--;
  return end === names.length ? names : names.slice(0, end);
}

/** @throws CliError where the first line is none that could name columns. */
function headerNames(first: Decoded, separator: string): string[] {
  const names = 'unreadable' in first ? null : fieldsOf([first], separator);
  const reason = 'unreadable' in first ? first.unreadable : csvFault.quote;
  if (names?.[0] === undefined)
    throw new CliError(`the first line of the CSV ${reason}: it must name the fields`);
  return names[0];
}

/**
 * Reads a CSV to its end and keeps nothing: whether one quote in it never closes shows before its first row is taken.
 * @throws CliError where one does, with its line.
 */
export async function checkQuotes(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const splitter = createSplitter({ quoted: true });
  let fields: number | null = null;
  for await (const raws of splitAll(withoutMark(withLineEnds(bytes)), splitter)) {
    const [first] = raws;
    if (fields !== null || first === undefined || first.bytes.length === 0) continue;
    const { line, lines } = first;
    fields = fieldsOf([{ line, lines, raw: first.bytes.toString() }], ',')?.[0]?.length ?? 1;
    splitter.expectFields(fields);
  }
}

/** One call of the parser for all; each alone only where one of them is wrong. */
function csvRecords(
  reads: readonly Decoded[],
  header: readonly string[],
  { separator, asFields }: { readonly separator: string; readonly asFields: boolean },
): ImportRecord[] {
  const readable = reads.filter((read) => !('unreadable' in read));
  const rows = fieldsOf(readable, separator);
  let next = 0;
  return reads.map((read) => {
    if ('unreadable' in read) return read;
    const found = rows === null ? fieldsOf([read], separator)?.[0] : rows[next++];
    if (found === undefined) return { ...read, unreadable: csvFault.quote };
    const fields = withoutEmptyEnd(found, header.length);
    if (fields.length !== header.length) return { ...read, unreadable: csvFault.fields };
    const { line, lines, raw } = read;
    const value = asFields ? fields : Object.fromEntries(header.map((name, index) => [name, fields[index]]));
    return { line, lines, raw, value };
  });
}

/** The fields of each record; null where the parser takes one of them for anything else than one record. */
function fieldsOf(reads: readonly RecordPosition[], separator: string): string[][] | null {
  const text = reads.map(({ raw }) => raw).join('\n');
  try {
    const rows = parse(text, {
      delimiter: separator,
      record_delimiter: '\n',
      relax_column_count: true,
    }) as string[][];
    return rows.length === reads.length ? rows : null;
  } catch {
    return null;
  }
}

const csvFault: Readonly<Record<RecordFault, string>> = {
  'too-long': 'is too long',
  quote: 'is not valid CSV: a quote in the wrong position',
  fields: 'does not have as many fields as the header',
};

type Decoded = RecordPosition | (RecordPosition & { readonly unreadable: string });
type Decode = (raw: RawRecord) => Decoded;

/** Invalid UTF-8 is reported, not replaced: a name with U+FFFD in it would be another name. */
function createDecoder(encoding: ImportEncoding): Decode {
  // As in browsers, "latin1" is Windows-1252: the two differ in control characters that no text has.
  const latin = new TextDecoder('windows-1252');
  return ({ line, lines, bytes, fault }) => {
    const isText = encoding === 'latin1' || isUtf8(bytes);
    const raw =
      encoding === 'utf-8' && (isText || fault === 'too-long') ? bytes.toString() : latin.decode(bytes);
    if (fault !== null) return { line, lines, raw, unreadable: csvFault[fault] };
    return isText ? { line, lines, raw } : { line, lines, raw, unreadable: NO_UTF8 };
  };
}

const NO_UTF8 = 'is not UTF-8 (--encoding latin1 reads files of older systems)';

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** How files begin that hold others, by what makes and unpacks them. */
const PACKED_MARKS = [
  [Buffer.from([0x1f, 0x8b]), 'gzip', 'gunzip -c'],
  [Buffer.from([0x28, 0xb5, 0x2f]), 'zstd', 'zstd -dc'],
  [Buffer.from([0xfd, 0x37, 0x7a]), 'xz', 'xz -dc'],
  [Buffer.from([0x50, 0x4b, 0x03]), 'zip', 'unzip -p'],
] as const;
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

/** Drops a byte order mark. @throws CliError for that of UTF-16 and for packed files, of which no line could be read. */
async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const piece: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (start === null) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < UTF8_MARK.length) continue;
    yield markless(start);
    start = null;
  }
  if (start !== null && start.length > 0) yield markless(start);
}

function markless(start: Buffer): Buffer {
  if (UTF16_MARKS.some((mark) => start.subarray(0, mark.length).equals(mark)))
    throw new CliError('the file is in UTF-16: save it as UTF-8');
  const packed = PACKED_MARKS.find(([mark]) => start.subarray(0, mark.length).equals(mark));
  if (packed !== undefined)
    throw new CliError(
      `what is read is packed (${packed[1]}): give what is in it on standard input, with ${packed[2]} FILE | broadside … -`,
    );
  return start.subarray(0, UTF8_MARK.length).equals(UTF8_MARK) ? start.subarray(UTF8_MARK.length) : start;
}

async function* splitAll(bytes: AsyncIterable<Buffer>, splitter: Splitter): AsyncGenerator<RawRecord[]> {
  const nothing = Buffer.alloc(0);
  for await (const chunk of bytes) {
    // A CSV's first record comes alone, because it decides how the others are split.
    for (let records = splitter.push(chunk); records.length > 0; records = splitter.push(nothing))
      yield records;
  }
  for (let records = splitter.end(); records.length > 0; records = splitter.end()) yield records;
}
