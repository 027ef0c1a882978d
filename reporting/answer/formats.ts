import { Readable } from 'node:stream';
import { jsonAnswer } from './json.ts';
import type { ReportFormat } from './report-reader.ts';
import type { Column } from './sheet.ts';
import { xlsxAnswer } from './xlsx.ts';

export interface AnswerFormat {
  /** The format requested from ClickHouse. */
  readonly clickhouse: ReportFormat;
  readonly contentType: string;
  /** Of the file; null where the answer is none. */
  readonly extension: string | null;
  /** ClickHouse's bytes as the client gets them. */
  write(
    rows: AsyncIterable<Buffer>,
    about: { readonly columns: readonly Column[]; metaOf(count: number): string },
  ): Readable;
  /** Of the rows a line is: each, each but the first, or none. */
  readonly lines: 'rows' | 'headed' | null;
}

const asTheyAre = (rows: AsyncIterable<Buffer>): Readable => Readable.from(rows, { objectMode: false });

export const answerFormats = {
  json: {
    clickhouse: 'JSONEachRow',
    contentType: 'application/json; charset=utf-8',
    extension: null,
    lines: 'rows',
    write: (rows, { metaOf }) => Readable.from(jsonAnswer(rows, metaOf), { objectMode: false }),
  },
  csv: {
    clickhouse: 'CSVWithNames',
    contentType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    lines: 'headed',
    write: asTheyAre,
  },
  ndjson: {
    clickhouse: 'JSONEachRow',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    lines: 'rows',
    write: asTheyAre,
  },
  parquet: {
    clickhouse: 'Parquet',
    contentType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    lines: null,
    write: asTheyAre,
  },
  xlsx: {
    clickhouse: 'JSONCompactEachRow',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    lines: 'rows',
    write: (rows, { columns }) => xlsxAnswer(columns, rows),
  },
} as const satisfies Record<string, AnswerFormat>;

/**
 * Whether `Accept` allows an answer of the type. `application/json` allows every format: the specification has
 * clients always send it, and the body names the format.
 */
export function accepts(header: string | undefined, contentType: string): boolean {
  if (header === undefined || header.trim() === '') return true;
  const type = contentType.split(';')[0] ?? '';
  const wanted = new Set([type, `${type.split('/')[0]}/*`, '*/*', 'application/json', 'application/*']);
  return header
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([range = '', ...parameters]) => wanted.has(range) && !parameters.some(isZero));
}

const isZero = (parameter: string): boolean => /^q=0(\.0{0,3})?$/.test(parameter);
