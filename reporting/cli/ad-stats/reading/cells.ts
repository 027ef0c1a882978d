import { CliError } from '../../../../engine/kit/command-line/endings.ts';
import { MAX_RECORD_BYTES } from '../../../../engine/kit/command-line/file/split-records.ts';
import { serialDate } from '../values/date.ts';
import { isUnsure, withoutExponent } from '../values/number.ts';
import type { Archive, ArchiveEntry } from './archive.ts';
import { type Attributes, readXml, xmlPieces } from './xml.ts';

/**
 * What a cell is whose value nobody knows: a formula that was not calculated, which programs that write files leave to
 * the spreadsheet, or an error (`#DIV/0!`). No text of a file begins so.
 */
const NO_VALUE = '\0';
export const whyNoValue = (cell: string): string | null => (cell.startsWith(NO_VALUE) ? cell.slice(1) : null);
const NOT_CALCULATED = `${NO_VALUE}a formula without its value: open the file in a spreadsheet program, save it, and import that`;

/** A row of a sheet as texts: numbers as their digits, days as `YYYY-MM-DD`. */
export interface SheetRow {
  /** As the program numbers it, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly isTooLong: boolean;
}

/** Most text that cells may share, in characters: it is in memory. */
const MAX_SHARED = 64 * 1024 ** 2;
const MAX_SHARED_TEXTS = 2_000_000;
const MAX_STYLES = 65_536;
/** A report has a few dozen columns. */
const MAX_COLUMNS = 2_000;
const MAX_ROWS = 1_048_576;

/** The rows of a sheet, as they come out of the archive. @throws CliError. */
export async function* readCells(
  archive: Archive,
  entry: ArchiveEntry,
  is1904: boolean,
): AsyncGenerator<readonly SheetRow[]> {
  const shared = await readShared(archive);
  const formats = await readFormats(archive);
  const toText = createToText(shared, formats, is1904);
  let rows: SheetRow[] = [];
  let row: OpenRow | null = null;
  let cell: OpenCell | null = null;
  let isValue = false;
  let line = 0;
  for await (const _ of xmlPieces(archive, entry, {
    onOpen: (name, attributes) => {
      if (name === 'row') {
        line = rowNumber(attributes.r, line + 1);
        row = { cells: [], length: 0 };
      } else if (name === 'c' && row !== null) {
        cell = { at: columnOf(attributes.r, row.cells.length), attributes, text: '', isFormula: false };
      } else if (name === 'v' || name === 't') isValue = true;
      else if (name === 'f' && cell !== null) cell.isFormula = true;
    },
    onText: (text) => {
      if (!isValue || cell === null || row === null) return;
      row.length += text.length;
      // Of a row that is too long, no more is kept.
      if (row.length <= MAX_RECORD_BYTES) cell.text += text;
    },
    onClose: (name) => {
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'c' && cell !== null && row !== null) {
        if (cell.at >= MAX_COLUMNS)
          throw new CliError(`${archive.file} has more than ${MAX_COLUMNS} columns`);
        while (row.cells.length < cell.at) row.cells.push('');
        row.cells[cell.at] =
          cell.isFormula && isEmpty(cell) ? NOT_CALCULATED : toText(cell.text, cell.attributes);
        cell = null;
      } else if (name === 'row' && row !== null) {
        rows.push({ line, cells: row.cells, isTooLong: row.length > MAX_RECORD_BYTES });
        row = null;
      }
    },
  })) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
}

interface OpenCell {
  readonly at: number;
  readonly attributes: Attributes;
  text: string;
  isFormula: boolean;
}

/** A calculated text may be empty: then the cell says that it is one. */
const isEmpty = ({ text, attributes }: OpenCell): boolean => text === '' && attributes.t !== 'str';

interface OpenRow {
  readonly cells: string[];
  length: number;
}

/** Rows may be numbered, and their numbers only grow. */
function rowNumber(text: string | undefined, next: number): number {
  const number = text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : next;
  return number < next || number > MAX_ROWS ? next : number;
}

/** `BC12` is in the column 54. */
function columnOf(reference: string | undefined, next: number): number {
  const letters = /^[A-Za-z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return next;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Texts that cells name by their number. */
async function readShared(archive: Archive): Promise<readonly string[]> {
  const texts: string[] = [];
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === 'xl/sharedstrings.xml');
  if (entry === undefined) return texts;
  let size = 0;
  let text: string | null = null;
  let isText = false;
  let isReading = false;
  await readXml(archive, entry, {
    onOpen: (name) => {
      if (name === 'si') text = '';
      // How Chinese and Japanese texts are pronounced is not part of them.
      else if (name === 'rPh') isReading = true;
      else if (name === 't') isText = true;
    },
    onText: (part) => {
      if (text === null || !isText || isReading) return;
      size += part.length;
      if (size > MAX_SHARED)
        throw new CliError(`${archive.file} has more than 64 MB of texts: save it as CSV, and import that`);
      if (text.length < MAX_RECORD_BYTES) text += part;
    },
    onClose: (name) => {
      if (name === 't') isText = false;
      else if (name === 'rPh') isReading = false;
      else if (name === 'si' && text !== null) {
        if (texts.length >= MAX_SHARED_TEXTS)
          throw new CliError(
            `${archive.file} has more than 2 million texts: save it as CSV, and import that`,
          );
        texts.push(text);
        text = null;
      }
    },
  });
  return texts;
}

type CellKind = 'number' | 'date' | 'percent';

/** What the numbers of each style are. */
async function readFormats(archive: Archive): Promise<readonly CellKind[]> {
  const kinds: CellKind[] = [];
  const entry = archive.entries.find(({ name }) => name.toLowerCase() === 'xl/styles.xml');
  if (entry === undefined) return kinds;
  const codes = new Map<string, string>();
  let isCells = false;
  await readXml(archive, entry, {
    onOpen: (name, attributes) => {
      if (name === 'numFmt' && codes.size < MAX_STYLES)
        codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
      else if (name === 'cellXfs') isCells = true;
      else if (name === 'xf' && isCells && kinds.length < MAX_STYLES)
        kinds.push(kindOf(Number(attributes.numFmtId), codes.get(attributes.numFmtId ?? '')));
    },
    onClose: (name) => {
      if (name === 'cellXfs') isCells = false;
    },
  });
  return kinds;
}

/** Formats that every program knows by their number: ECMA-376, part 1, 18.8.30. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

function kindOf(id: number, code: string | undefined): CellKind {
  if (code === undefined) return isBuiltInDate(id) ? 'date' : id === 9 || id === 10 ? 'percent' : 'number';
  // Without texts, colours and characters that stand for themselves.
  const bare = withoutQuoted(code);
  if (/[ymdhs]/i.test(bare) && !/^general$/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'number';
}

/** In one go: quotes and brackets do not nest. */
function withoutQuoted(code: string): string {
  let bare = '';
  let end = '';
  for (let at = 0; at < code.length; at++) {
    const character = code[at] as string;
    if (end !== '') end = character === end ? '' : end;
    else if (character === '"') end = '"';
    else if (character === '[') end = ']';
    else if (character === '\\') at++;
    else bare += character;
  }
  return bare;
}

/** Days between the two beginnings of time that spreadsheets have. */
const DAYS_TO_1904 = 1_462;

function createToText(
  shared: readonly string[],
  formats: readonly CellKind[],
  is1904: boolean,
): (text: string, attributes: Attributes) => string {
  return (text, { t: type = 'n', s: style = '' }) => {
    if (type === 's') return restored(shared[Number(text)] ?? '');
    if (type === 'e') return `${NO_VALUE}the error ${text.slice(0, 20)}`;
    if (type !== 'n') return restored(text);
    if (text === '') return '';
    const value = Number(text);
    if (!Number.isFinite(value)) return text;
    const kind = formats[Number(style)] ?? 'number';
    if (kind === 'date') return dateOf(value + (is1904 ? DAYS_TO_1904 : 0)) ?? digitsOf(value);
    return kind === 'percent' ? `${digitsOf(value * 100)}%` : digitsOf(value);
  };
}

/** A double as its shortest text. One more zero, so that nobody takes a point before three digits for thousands. */
function digitsOf(value: number): string {
  const text = String(value);
  const plain = withoutExponent(text) ?? text;
  return isUnsure(plain) ? `${plain}0` : plain;
}

/** Null: it is not a day of this century. */
function dateOf(serial: number): string | null {
  const date = serialDate(Number.isInteger(serial) ? String(serial) : serial.toFixed(9));
  if (date !== null)
    return date.time === null ? (date.days.certain ?? null) : `${date.days.certain}T${date.time}`;
  // Below one day it is a time alone.
  return serial >= 0 && serial < 1
    ? new Date(Math.round(serial * 86_400) * 1_000).toISOString().slice(11, 19)
    : null;
}

/** A cell's text may name a character by its number: ECMA-376, ST_Xstring. */
const restored = (text: string): string =>
  text.replaceAll(/_x([0-9a-fA-F]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
