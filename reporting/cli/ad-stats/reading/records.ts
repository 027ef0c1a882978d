import { parseExactly } from '../../../../engine/kit/command-line/file/exact-json.ts';
import { hasBareReturns, peek, withNewlines } from '../../../../engine/kit/command-line/file/peek.ts';
import {
  type ImportRecord,
  type ImportRecords,
  readRecords,
} from '../../../../engine/kit/command-line/file/records.ts';
import { type ColumnPlan, checkedColumns, knownColumns, namedColumns } from '../columns.ts';
import { isUnsure } from '../values/number.ts';
import { type SheetRow, whyNoValue } from './cells.ts';
import { fromUtf16, refuseOther, refuseUnmarked, utf16Of } from './decode.ts';
import { flat } from './flat.ts';
import { listAlone, listStart } from './json-list.ts';
import { type LayoutRules, layoutOf } from './layout.ts';
import { withoutHeaders, withoutMarks } from './parts.ts';
import type { Workbook } from './xlsx.ts';

/** The records of a file, and what its columns mean. */
export interface FileRecords extends ImportRecords {
  /** Of a file with a header, once it is read: its records are lists of fields. Null: each record names its fields. */
  header(): Header | null;
  /** Whether a point before three digits is one of decimals unless the file shows otherwise. */
  pointIsDecimal(): boolean;
}

export interface Header {
  readonly names: readonly string[];
  readonly plan: ColumnPlan;
}

/** `json` is one document: a list, also inside of an object; `ndjson` an object a line. */
export type TextFormat = 'csv' | 'ndjson' | 'json';

export interface TextRules extends Omit<LayoutRules, 'encoding'> {
  readonly encoding: 'utf-8' | 'latin1' | 'utf-16le' | 'utf-16be';
}

/** @throws CliError, from the records, where columns are unknown or no more of the file can be read. */
export function readTextFile(
  bytes: AsyncIterable<Uint8Array>,
  format: TextFormat,
  rules: TextRules,
): FileRecords {
  let header: Header | null = null;
  let pointIsDecimal = true;
  const counts = { lines: 0, passedOver: 0 };
  const headerOf = (names: string[]): string[] => {
    const named = namedColumns(names);
    header = { names: named, plan: checkedColumns(named, rules.columns) };
    return named;
  };
  const isRow = (names: readonly string[]): boolean => knownColumns(names, rules.columns) > 0;
  async function* read(): AsyncGenerator<ImportRecord[]> {
    const encoding = rules.encoding === 'latin1' ? 'latin1' : 'utf-8';
    const text = await asUtf8(bytes, rules.encoding);
    const layout = format === 'csv' ? layoutOf(text.head, { ...rules, encoding }) : undefined;
    pointIsDecimal = layout === undefined || layout.separator === ',';
    const start = format === 'json' ? listStart(text.head, isRow) : null;
    const own = start === null ? text.bytes : listAlone(text.bytes, start, isRow);
    const records = readRecords(
      own,
      format === 'csv' ? 'csv' : 'ndjson',
      {
        headerOf,
        parseJson,
        asFields: true,
        mayBeList: start !== null,
        ...(layout === undefined ? {} : { layout }),
      },
      encoding,
    );
    let repeated = 0;
    const count = (): void => {
      counts.lines = records.counts.lines;
      counts.passedOver = records.counts.passedOver + repeated;
    };
    for await (const some of records) {
      const rows =
        header === null
          ? some
          : withoutHeaders(some, header, rules.columns, (lines) => {
              repeated += lines;
            });
      count();
      if (rows.length > 0) yield rows;
    }
    count();
  }
  const records = read();
  return {
    counts,
    header: () => header,
    pointIsDecimal: () => pointIsDecimal,
    [Symbol.asyncIterator]: () => records,
  };
}

async function asUtf8(bytes: AsyncIterable<Uint8Array>, encoding: TextRules['encoding']) {
  const raw = await peek(bytes);
  refuseOther(raw.head);
  const stated = encoding === 'utf-16le' || encoding === 'utf-16be' ? encoding : null;
  const utf16 = utf16Of(raw.head) ?? stated;
  if (utf16 === null && encoding === 'utf-8') refuseUnmarked(raw.head);
  const text = utf16 === null ? raw : await peek(fromUtf16(raw.bytes, utf16));
  const lines = hasBareReturns(text.head) ? await peek(withNewlines(text.bytes)) : text;
  return encoding === 'latin1' ? lines : { ...lines, bytes: withoutMarks(lines.bytes) };
}

/**
 * Numbers of JSON are numbers in one language: one with three decimals gets another zero, so that nobody takes its point
 * for one of thousands.
 */
const parseJson = (text: string): unknown => {
  const whole = parseExactly(text);
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return whole;
  const value = flat(whole);
  // Only where the text of the number stands without quotes is it one.
  for (const [name, each] of Object.entries(value))
    if (typeof each === 'string' && isUnsure(each) && !text.includes(`"${each}"`))
      (value as Record<string, unknown>)[name] = `${each}0`;
  return value;
};

/** Rows before the header of a sheet: a report's name, its time, its filters. */
const MAX_PREAMBLE = 60;
const MAX_SHEETS_TRIED = 20;

/** The first sheet that has a header: others say what the report is about. Null: none has, or there is only one. */
export async function sheetOfRows(
  { sheets, rows }: Pick<Workbook, 'sheets' | 'rows'>,
  columns: TextRules['columns'],
): Promise<string | null> {
  for (const sheet of sheets.length < 2 ? [] : sheets.slice(0, MAX_SHEETS_TRIED)) {
    let seen = 0;
    for await (const some of rows(sheet)) {
      if (some.some(({ cells }) => knownColumns(withoutEnd(cells), columns) > 1)) return sheet;
      seen += some.length;
      if (seen > MAX_PREAMBLE) break;
    }
  }
  return null;
}

/** The rows of a sheet as records. @throws CliError, as above. */
export function readSheet(
  rows: AsyncIterable<readonly SheetRow[]>,
  rules: Pick<TextRules, 'columns'>,
): FileRecords {
  const counts = { lines: 0, passedOver: 0 };
  let header: Header | null = null;
  let waiting: SheetRow[] = [];

  function recordsOf(all: readonly SheetRow[]): ImportRecord[] {
    const found: ImportRecord[] = [];
    for (const row of all) {
      // Rows without a cell are not written; they are lines all the same.
      counts.passedOver += row.line - counts.lines - 1;
      counts.lines = row.line;
      if (row.cells.every((cell) => cell.trim() === '')) counts.passedOver++;
      else found.push(recordOf(row, header));
    }
    if (header === null) return found;
    return withoutHeaders(found, header, rules.columns, (lines) => {
      counts.passedOver += lines;
    });
  }

  function start(isLast: boolean): ImportRecord[] {
    const filled = waiting.findIndex(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    const known = waiting.findIndex(({ cells }) => knownColumns(withoutEnd(cells), rules.columns) > 1);
    if (known === -1 && waiting.length <= MAX_PREAMBLE && !isLast) return [];
    const at = known === -1 ? filled : known;
    const row = waiting[at];
    if (row === undefined) return [];
    const names = namedColumns(withoutEnd(row.cells));
    header = { names, plan: checkedColumns(names, rules.columns) };
    counts.lines = row.line;
    counts.passedOver = row.line;
    const rest = waiting.slice(at + 1);
    waiting = [];
    return recordsOf(rest);
  }

  async function* read(): AsyncGenerator<ImportRecord[]> {
    for await (const some of rows) {
      if (header === null) waiting.push(...some);
      const found = header === null ? start(false) : recordsOf(some);
      if (found.length > 0) yield found;
    }
    if (header === null) yield start(true);
  }
  const records = read();
  return { counts, header: () => header, pointIsDecimal: () => false, [Symbol.asyncIterator]: () => records };
}

function withoutEnd(cells: readonly string[]): readonly string[] {
  let end = cells.length;
  while (end > 0 && cells[end - 1]?.trim() === '') end--;
  return cells.slice(0, end);
}

function recordOf({ line, cells, isTooLong }: SheetRow, header: Header | null): ImportRecord {
  const own = withoutEnd(cells);
  const position = { line, lines: 1, raw: JSON.stringify(cells.slice(0, 100)).slice(0, 2_000) };
  if (isTooLong) return { ...position, unreadable: 'is too long' };
  if (own.length > (header?.names.length ?? 0))
    return { ...position, unreadable: 'has more cells than the header' };
  for (const [index, cell] of own.entries()) {
    const why = whyNoValue(cell);
    const field = header?.plan.fields.get(header.names[index] ?? '');
    if (why !== null && field !== undefined && field !== null)
      return { ...position, unreadable: `${field} is ${why}` };
  }
  return { ...position, value: own };
}
