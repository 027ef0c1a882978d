import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { CliError } from '../endings.ts';

/** A line of the file as it was read, or why it cannot be read. */
export type ImportRecord =
  | { readonly line: number; readonly value: unknown; readonly raw: unknown }
  | { readonly line: number; readonly unreadable: string; readonly raw: unknown };

export type ImportFormat = 'ndjson' | 'csv';

/** A line of an import is some 400 bytes; one that goes on and on is another kind of file. */
const MAX_LINE_CHARACTERS = 65_536;

export interface RecordRules {
  /** The names of a CSV's columns, from its first line. @throws CliError where they cannot be used. */
  readonly headerOf: (names: string[]) => string[];
  /** @throws Error where the text of a line is no JSON. */
  readonly parseJson: (text: string) => unknown;
}

export const readRecords = (
  bytes: AsyncIterable<Uint8Array>,
  format: ImportFormat,
  rules: RecordRules = subscriptionRules,
): AsyncIterable<ImportRecord[]> => (format === 'csv' ? readCsv(bytes, rules) : readNdjson(bytes, rules));

/** In pieces, as the file comes: an await a line would cost as much as its parsing. */
async function* readNdjson(
  bytes: AsyncIterable<Uint8Array>,
  rules: RecordRules,
): AsyncGenerator<ImportRecord[]> {
  let line = 0;
  for await (const texts of readLines(bytes)) {
    const records: ImportRecord[] = [];
    for (const text of texts) {
      line++;
      if (text.trim() !== '') records.push(parseLine(line, text, rules));
    }
    if (records.length > 0) yield records;
  }
}

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  // Drops a byte order mark, and makes U+FFFD of what is no UTF-8.
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    // Of a line without an end only so much is kept as shows that it is too long.
    if (rest.length > MAX_LINE_CHARACTERS) rest = rest.slice(0, MAX_LINE_CHARACTERS + 1);
    if (lines.length > 0) yield lines;
  }
  const last = rest + decoder.decode();
  if (last !== '') yield [last];
}

function parseLine(line: number, text: string, { parseJson }: RecordRules): ImportRecord {
  if (text.length > MAX_LINE_CHARACTERS) return { line, unreadable: 'is too long', raw: text.slice(0, 200) };
  try {
    return { line, value: parseJson(text), raw: text };
  } catch {
    return { line, unreadable: 'is not valid JSON', raw: text };
  }
}

const CSV_RECORDS_PER_PIECE = 500;

/** With a header line that names the fields, in any order; fields of other names are passed over. */
async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { headerOf }: RecordRules,
): AsyncGenerator<ImportRecord[]> {
  let unreadable: ImportRecord[] = [];
  const parser = parse({
    bom: true,
    columns: headerOf,
    info: true,
    max_record_size: MAX_LINE_CHARACTERS,
    relax_column_count: false,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error === undefined) return;
      const line = Number((error as { lines?: number }).lines ?? 0);
      unreadable.push({ line, unreadable: csvReason(error.code), raw: null });
      return undefined;
    },
  });
  // Whoever of the two fails takes the other along; the loop below is told.
  pipeline(Readable.from(bytes), parser, () => {});
  let records: ImportRecord[] = [];
  for await (const { record, info } of parser as AsyncIterable<{ record: object; info: { lines: number } }>) {
    records.push({ line: info.lines, value: record, raw: record });
    if (records.length < CSV_RECORDS_PER_PIECE) continue;
    yield [...unreadable, ...records];
    records = [];
    unreadable = [];
  }
  if (records.length + unreadable.length > 0) yield [...unreadable, ...records];
}

const required = ['endpoint', 'p256dh', 'auth'];

/** @throws CliError: without these columns every line would be refused. */
function subscriptionHeader(names: string[]): string[] {
  const header = names.map((name) => name.trim());
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length === 0) return header;
  throw new CliError(`the first line of the CSV names no ${missing.join(', ')}: it must name the fields`);
}

const subscriptionRules: RecordRules = { headerOf: subscriptionHeader, parseJson: JSON.parse };

const csvReason = (code: string): string =>
  code.startsWith('CSV_RECORD_INCONSISTENT')
    ? 'does not have as many fields as the header'
    : 'is not valid CSV';
