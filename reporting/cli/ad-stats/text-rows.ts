import {
  type AdRowPosition,
  type AdRows,
  adRowText,
  adTextFields,
  unreadableRowText,
} from '../../../engine/contract/ad-stats.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { ImportRecord } from '../../../engine/kit/command-line/file/records.ts';
import { type ColumnPlan, type ColumnRules, checkedColumns, planColumns } from './columns.ts';
import type { FileField, FileTexts } from './fields.ts';
import type { FileRecords, Header } from './reading/records.ts';
import { type CleanRules, createCleaner, type StoredTexts } from './values/clean.ts';
import type { createStrangeValues } from './values/strange.ts';
import { createSurvey, type Style, type SurveyRules } from './values/survey.ts';

export interface TextRequest extends Omit<CleanRules, 'pointIsDecimal'> {
  readonly load: number;
  readonly source: string;
  readonly columns: ColumnRules;
  /** Rows as they will count, where somebody wants to see some. */
  readonly onRow?: ((line: number, stored: StoredTexts) => void) | undefined;
  /** Counts the texts that should be one of some words. */
  readonly strange?: ReturnType<typeof createStrangeValues>;
  /** Added to each line's number: files of one load have numbers of their own. */
  readonly rowsBefore: number;
}

const ROWS_PER_PIECE = 50_000;
const BYTES_PER_PIECE = 8 * 1024 ** 2;

/** The records of a file, in pieces that are the same whenever the file is read. @throws NeedsSurvey, HasHours. */
export async function* readTextRows(
  file: FileRecords,
  records: AsyncIterable<ImportRecord[]>,
  request: TextRequest,
): AsyncGenerator<AdRows> {
  let lines: string[] = [];
  let size = 0;
  const piece = (): AdRows => {
    const rows = lines.length;
    const text = lines.join('');
    lines = [];
    size = 0;
    return { rows, bytes: Buffer.from(text), format: 'TabSeparated' };
  };
  let rowText: ((record: ImportRecord) => string) | null = null;
  for await (const some of records) {
    // What the header says is known with the first record.
    rowText ??= createRowText(file, request);
    for (const record of some) {
      const text = rowText(record);
      lines.push(text);
      size += text.length;
      if (lines.length >= ROWS_PER_PIECE || size >= BYTES_PER_PIECE) yield piece();
    }
  }
  if (lines.length > 0) yield piece();
}

function createRowText(file: FileRecords, request: TextRequest): (record: ImportRecord) => string {
  const { load, source, columns, rowsBefore } = request;
  const readRecord = createReader(file, columns);
  const cleaners = new Map<ColumnPlan['scale'], ReturnType<typeof createCleaner>>();
  const cleanerOf = (plan: ColumnPlan): ReturnType<typeof createCleaner> => {
    const found = cleaners.get(plan.scale);
    if (found !== undefined) return found;
    const currency = currencyOf(plan, request.currency);
    const rules = { ...request, currency, pointIsDecimal: file.pointIsDecimal() };
    const clean = createCleaner({ ...rules, scale: { ...plan.scale, ...request.scale } });
    if (cleaners.size < MAX_PLANS) cleaners.set(plan.scale, clean);
    return clean;
  };
  return (record) => {
    const position: AdRowPosition = { load, source, row: rowsBefore + record.line };
    if ('unreadable' in record) return unreadableRowText(position, record.unreadable, record.raw);
    const read = readRecord(record.value);
    if (typeof read === 'string') return unreadableRowText(position, read, record.raw);
    const stored = cleanerOf(read.plan)(read.texts);
    if ('reason' in stored) return unreadableRowText(position, stored.reason, record.raw);
    request.strange?.add(stored);
    request.onRow?.(record.line, stored);
    return adRowText(position, stored);
  };
}

/** @throws CliError where the header says another currency than the operator, or may mean several. */
export function currencyOf({ currencies, fields }: ColumnPlan, stated: string | null): string | null {
  if (currencies.length === 0 || [...fields.values()].includes('currency')) return stated;
  if (stated === null && currencies.length === 1) return currencies[0] ?? null;
  if (stated !== null && currencies.includes(stated)) return stated;
  throw new CliError(
    stated === null
      ? `the sign in the name of the amounts may be of ${currencies.slice(0, 4).join(', ')}: add --currency ${currencies[0]}, or another one`
      : `the amounts are in ${currencies.slice(0, 4).join(' or ')} by the name of their column, and --currency says ${stated}`,
  );
}

const MAX_PLANS = 100;

interface Read {
  readonly texts: FileTexts;
  readonly plan: ColumnPlan;
}

/** What a record has in which field; a text: why it has none. */
type Reader = (value: unknown) => Read | string;

const createReader = (file: FileRecords, columns: ColumnRules): Reader => {
  const header = file.header();
  return header === null ? createNamedReader(columns) : createFieldsReader(header);
};

/** Where each field stands is found once. */
function createFieldsReader({ names, plan }: Header): Reader {
  const places = names.flatMap((name, index) => {
    const field = plan.fields.get(name);
    return field === undefined || field === null ? [] : [{ field, index }];
  });
  const nameless = names.flatMap((name, index) => (plan.fields.has(name) ? [] : [index]));
  return (value) => {
    const fields = value as readonly string[];
    // The last comma of a line is not a value; anything else there may be a figure that a name is missing for.
    for (const index of nameless)
      if ((fields[index] ?? '') !== '') return `holds an unknown field "${names[index]}"`;
    const texts: FileTexts = {};
    for (const { field, index } of places) texts[field] = unguarded(field, fields[index] ?? '');
    return { texts, plan };
  };
}

const textFields: ReadonlySet<string> = new Set(adTextFields);

/**
 * Without the apostrophe that keeps a spreadsheet from running a cell as a formula, as our own CSV has it, or from reading
 * a number or a date as one.
 */
const unguarded = (field: FileField, text: string): string =>
  text.startsWith("'") && (!textFields.has(field) || /^'[=+\-@\t\r\n]/.test(text)) ? text.slice(1) : text;

/** Most records name the same fields as the one before. */
function createNamedReader(columns: ColumnRules): Reader {
  const known = new Map<string, ColumnPlan>();
  const planOf = (names: readonly string[]): ColumnPlan => {
    const key = names.join('\u0000');
    const found = known.get(key);
    if (found !== undefined) return found;
    // A network's file that lacks its figures is one of another kind.
    const plan =
      known.size === 0 && columns.profile ? checkedColumns(names, columns) : planColumns(names, columns);
    if (known.size < MAX_PLANS) known.set(key, plan);
    return plan;
  };
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not an object';
    const texts: FileTexts = {};
    const plan = planOf(Object.keys(value));
    for (const [name, each] of Object.entries(value)) {
      const field = plan.fields.get(name);
      if (field === null) continue;
      if (field === undefined) return `holds an unknown field "${name.slice(0, 64)}"`;
      if (texts[field] !== undefined) return `holds "${field}" twice`;
      if (each !== null && typeof each !== 'string') return `${field} is neither a text nor a number`;
      texts[field] = unguarded(field, each ?? '');
    }
    return { texts, plan };
  };
}

export interface SurveyRequest extends Omit<SurveyRules, 'pointIsDecimal'> {
  readonly columns: ColumnRules;
  readonly currency: string | null;
  readonly onLines: (lines: number) => void;
}

/** Reads a file to its end for how it writes its values. @throws CliError where they can be read in several ways. */
export async function surveyFile(
  file: FileRecords,
  records: AsyncIterable<ImportRecord[]>,
  request: SurveyRequest,
): Promise<Style> {
  const survey = { current: null as ReturnType<typeof createSurvey> | null };
  let readRecord: Reader | null = null;
  for await (const some of records) {
    survey.current ??= createSurvey({ ...request, pointIsDecimal: file.pointIsDecimal() });
    readRecord ??= createReader(file, request.columns);
    for (const record of some) {
      if ('unreadable' in record) continue;
      const read = readRecord(record.value);
      if (typeof read !== 'string')
        survey.current.addRow(read.texts, record.line, request.currency ?? read.plan.currencies[0] ?? null);
    }
    request.onLines(file.counts.lines);
  }
  return (survey.current ?? createSurvey({ ...request, pointIsDecimal: true })).style();
}
