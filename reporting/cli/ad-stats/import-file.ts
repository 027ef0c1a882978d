import type { AdField, AdRows } from '../../../engine/contract/ad-stats.ts';
import type { StrangeValue } from '../../../engine/contract/ad-values/coded-values.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { ImportRecords } from '../../../engine/kit/command-line/file/records.ts';
import { HasHours, type Times } from '../../ingest/grain.ts';
import { openParquet, type ParquetFile } from '../../ingest/read-parquet.ts';
import { type ColumnPlan, checkedColumns } from './columns.ts';
import type { ReadingOptions } from './options.ts';
import {
  type FileRecords,
  readSheet,
  readTextFile,
  sheetOfRows,
  type TextFormat,
} from './reading/records.ts';
import { openWorkbook } from './reading/xlsx.ts';
import { contentOf, type FileKind, openText } from './source.ts';
import { currencyOf, readTextRows, surveyFile, type TextRequest } from './text-rows.ts';
import { withoutTotals } from './totals.ts';
import { DEFAULT_CURRENCY } from './values/clean.ts';
import { createStrangeValues } from './values/strange.ts';
import { NeedsSurvey, type Style } from './values/survey.ts';

/** A file of ad statistics, open to be read. */
export interface AdStatsFile {
  rows(load: number, rowsBefore: number): AsyncIterable<AdRows>;
  /** Instead of its rows: how it writes its values. @throws CliError where they can be read in several ways. */
  survey(onLines: (lines: number) => void): Promise<Style>;
  /** After the last row: the hash of the bytes that were read. */
  contentRead(): Promise<string>;
  /** How much there is to read: bytes of the file, rows of Parquet. */
  readonly total: number;
  read(): number;
  /** Lines read from the file, and those of them that are not rows; null: it has no lines. */
  readonly lines: ImportRecords['counts'] | null;
  /** After the last row. */
  said(): FileSaid;
  close(): Promise<void>;
}

/** What a file has beside its rows. */
export interface FileSaid {
  /** Whether it has as much as a header: without one, it is not an answer of a network. */
  readonly isAnswer: boolean;
  /** Its rows of totals, as they are written. */
  readonly totals: readonly string[];
  /** Columns that the profile has no field for. */
  readonly leftOut: readonly string[];
  /** What is kept as it is written, though it should be one of some words. */
  readonly strange: readonly StrangeValue[];
  /** Sheets beside the one that was read, where nobody named it. */
  readonly unread: readonly string[];
}

export interface FileRules extends ReadingOptions {
  readonly source: string;
  readonly engineFolder: string | null;
  readonly times: Times;
  /** How the file writes its values; null: not known yet. */
  readonly style: Style | null;
  readonly onRow?: TextRequest['onRow'];
}

/** @throws CliError where it is missing, in another format, or has unknown columns. */
export function openFile(file: string, kind: FileKind, rules: FileRules): Promise<AdStatsFile> {
  if (kind.format === 'parquet') return openColumns(file, rules);
  return kind.format === 'xlsx' ? openSheet(file, rules) : openLines(file, kind.format, kind, rules);
}

async function openLines(
  file: string,
  format: TextFormat,
  { compression }: FileKind,
  rules: FileRules,
): Promise<AdStatsFile> {
  const text = await openText(file, compression);
  return fileOf(file, readTextFile(text.bytes, format, rules), rules, {
    isAnswer: (header) => (format === 'csv' ? header !== null : text.totalBytes > 0),
    contentRead: async () => text.contentRead(),
    total: text.totalBytes,
    read: () => text.readBytes(),
    close: async () => {},
  });
}

async function openSheet(file: string, rules: FileRules): Promise<AdStatsFile> {
  const book = await openWorkbook(file);
  const sheet = rules.sheet ?? (await sheetOfRows(book, rules.columns)) ?? book.sheets[0] ?? null;
  return fileOf(file, readSheet(book.rows(sheet), rules), rules, {
    unread: rules.sheet === null ? book.sheets.filter((name) => name !== sheet) : [],
    isAnswer: (header) => header !== null,
    contentRead: () => contentOf(file),
    total: book.totalBytes,
    read: () => book.readBytes(),
    close: () => book.close(),
  });
}

interface OwnParts extends Pick<AdStatsFile, 'contentRead' | 'total' | 'read' | 'close'> {
  readonly unread?: readonly string[];
  readonly isAnswer: (header: ReturnType<FileRecords['header']>) => boolean;
}

function fileOf(file: string, records: FileRecords, rules: FileRules, own: OwnParts): AdStatsFile {
  const rows = withoutTotals(records);
  const strange = createStrangeValues();
  return {
    rows: (load, rowsBefore) =>
      untilBroken(file, readTextRows(records, rows.records, { ...rules, strange, load, rowsBefore })),
    survey: (onLines) =>
      told(
        file,
        surveyFile(records, rows.records, { ...rules, mark: rules.decimal, order: rules.dates, onLines }),
      ),
    lines: records.counts,
    said: () => {
      const header = records.header();
      return {
        ...{ isAnswer: own.isAnswer(header), totals: rows.totals, leftOut: header?.plan.leftOut ?? [] },
        ...{ strange: strange.values(), unread: own.unread ?? [] },
      };
    },
    ...{ contentRead: own.contentRead, total: own.total, read: own.read, close: own.close },
  };
}

/** The message names the line where no more of the file can be read; here, that nothing of it counts. */
async function* untilBroken(file: string, rows: AsyncIterable<AdRows>): AsyncGenerator<AdRows> {
  try {
    yield* rows;
  } catch (error) {
    throw notTaken(file, error);
  }
}

const told = <Result>(file: string, work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw notTaken(file, error);
  });

const notTaken = (file: string, error: unknown): unknown =>
  error instanceof CliError ? new CliError(`nothing of ${file} was taken: ${error.message}`) : error;

async function openColumns(file: string, rules: FileRules): Promise<AdStatsFile> {
  const parquet = await openParquet(file, rules.engineFolder).catch((error: unknown) => {
    throw new CliError(`${file} cannot be read as Parquet: ${firstLine(error)}`);
  });
  try {
    return await columnsOf(file, parquet, rules);
  } catch (error) {
    await parquet.close();
    throw error;
  }
}

async function columnsOf(file: string, parquet: ParquetFile, rules: FileRules): Promise<AdStatsFile> {
  const plan = checkedColumns(parquet.columns, rules.columns);
  const columnOf: Partial<Record<AdField, string>> = {};
  for (const [column, field] of plan.fields) if (field !== null && field !== 'hour') columnOf[field] = column;
  refuseUnread(plan, rules);
  const { source, times } = rules;
  const currency = currencyOf(plan, rules.currency) ?? DEFAULT_CURRENCY;
  let read = 0;
  let strange: readonly StrangeValue[] = [];
  const onStrange = (values: readonly StrangeValue[]): void => {
    strange = values;
  };
  const count = (rows: number): void => {
    read += rows;
  };
  return {
    rows: (load, rowsBefore) =>
      readAll(file, parquet.rows({ load, source, columnOf, currency, times, rowsBefore, onStrange }), count),
    survey: async () => ({ mark: '.', order: null }),
    // The engine reads it here and there: what it is now, it was.
    contentRead: () => contentOf(file),
    lines: null,
    total: parquet.totalRows,
    read: () => read,
    said: () => ({ isAnswer: true, totals: [], leftOut: plan.leftOut, strange, unread: [] }),
    close: () => parquet.close(),
  };
}

const ofTexts: readonly string[] = ['zone', 'decimal', 'dates'];

/**
 * @throws CliError for what this import says of texts: Parquet has numbers and times of its own, and nothing is said in
 *   vain. What a source remembers of its texts does not stop its Parquet, unless its figures would be wrong without.
 */
function refuseUnread({ fields, scale }: ColumnPlan, rules: FileRules): void {
  const names = rules.asked.filter((name) => ofTexts.includes(name)).map((name) => `--${name}`);
  if (Object.keys({ ...rules.scale, ...scale }).length > 0) names.push('--scale');
  if ([...fields.values()].includes('hour')) names.push('a column of hours');
  if (names.length > 0)
    throw new CliError(
      `${names.join(', ')} cannot be used for Parquet, which is read as it is: save the file as CSV`,
    );
}

async function* readAll(
  file: string,
  pieces: AsyncIterable<AdRows>,
  count: (rows: number) => void,
): AsyncGenerator<AdRows> {
  try {
    for await (const piece of pieces) {
      count(piece.rows);
      yield piece;
    }
  } catch (error) {
    if (error instanceof HasHours || error instanceof NeedsSurvey) throw error;
    throw new CliError(`${file} is damaged: ${firstLine(error)}`);
  }
}

const MAX_MESSAGE = 300;
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, MAX_MESSAGE) ?? '';
