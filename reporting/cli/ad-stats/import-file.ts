import type { AdField, AdRows } from '../../../engine/contract/ad-stats.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import type { ImportEncoding, ImportRecords } from '../../../engine/kit/command-line/file/records.ts';
import { HasHours, type Times } from '../../ingest/grain.ts';
import { openParquet } from '../../ingest/read-parquet.ts';
import { type ColumnRules, fieldsOf } from './columns.ts';
import { contentOf, type FileKind, openText } from './source.ts';
import { readTextRecords, readTextRows } from './text-rows.ts';

/** A file of ad statistics, open to be read. */
export interface AdStatsFile {
  rows(load: number, rowsBefore: number): AsyncIterable<AdRows>;
  /** After the last row: the hash of the bytes that were read. */
  contentRead(): Promise<string>;
  /** How much there is to read: bytes of the file, rows of Parquet. */
  readonly total: number;
  read(): number;
  /** Lines read from the file, and those of them that are not rows; null: it has no lines. */
  readonly lines: ImportRecords['counts'] | null;
  close(): Promise<void>;
}

export interface FileRules {
  readonly source: string;
  /** Of rows that name none. */
  readonly currency: string;
  readonly columns: ColumnRules;
  /** Of text. */
  readonly encoding: ImportEncoding;
  readonly engineFolder: string | null;
  readonly times: Times;
}

/** @throws CliError where it is missing, in another format, or has unknown columns. */
export function openFile(file: string, kind: FileKind, rules: FileRules): Promise<AdStatsFile> {
  return kind.format === 'parquet' ? openColumns(file, rules) : openLines(file, kind.format, kind, rules);
}

async function openLines(
  file: string,
  format: 'csv' | 'ndjson',
  { compression }: FileKind,
  { source, currency, columns, encoding, times }: FileRules,
): Promise<AdStatsFile> {
  const text = await openText(file, compression);
  const records = readTextRecords(text.bytes, format, { columns, encoding });
  return {
    rows: (load, rowsBefore) =>
      untilBroken(file, readTextRows(records, { load, source, currency, columns, times, rowsBefore })),
    contentRead: async () => text.contentRead(),
    lines: records.counts,
    total: text.totalBytes,
    read: () => text.readBytes(),
    close: async () => {},
  };
}

/** The message names the line where no more of the file can be read; here, that nothing of it counts. */
async function* untilBroken(file: string, rows: AsyncIterable<AdRows>): AsyncGenerator<AdRows> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(`nothing of ${file} was taken: ${error.message}`);
  }
}

async function openColumns(file: string, rules: FileRules): Promise<AdStatsFile> {
  const parquet = await openParquet(file, rules.engineFolder).catch((error: unknown) => {
    throw new CliError(`${file} cannot be read as Parquet: ${firstLine(error)}`);
  });
  try {
    const fields = fieldsOf(parquet.columns, rules.columns);
    const columnOf: Partial<Record<AdField, string>> = {};
    for (const [index, field] of fields.entries()) {
      const column = parquet.columns[index];
      if (field !== null && column !== undefined) columnOf[field] = column;
    }
    const { source, currency, times } = rules;
    let read = 0;
    const count = (rows: number): void => {
      read += rows;
    };
    return {
      rows: (load, rowsBefore) =>
        readAll(file, parquet.rows({ load, source, columnOf, currency, times, rowsBefore }), count),
      // The engine reads it here and there: what it is now, it was.
      contentRead: () => contentOf(file),
      lines: null,
      total: parquet.totalRows,
      read: () => read,
      close: () => parquet.close(),
    };
  } catch (error) {
    await parquet.close();
    throw error;
  }
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
    if (error instanceof HasHours) throw error;
    throw new CliError(`${file} is damaged: ${firstLine(error)}`);
  }
}

const MAX_MESSAGE = 300;
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, MAX_MESSAGE) ?? '';
