import { Readable } from 'node:stream';
import type { Provenance } from '../report/provenance.ts';
import { jsonAnswer } from './json.ts';
import type { ReportFormat } from './report-reader.ts';
import type { Column } from './sheet.ts';
import { withMetadata } from './sources/parquet.ts';
import { xlsxAnswer } from './xlsx.ts';
import { zipOf } from './zip.ts';

export interface AnswerFormat {
  /** The format requested from ClickHouse. */
  readonly clickhouse: ReportFormat;
  readonly contentType: string;
  /** Of the file; null where the answer is none. */
  readonly extension: string | null;
  /** ClickHouse's bytes as the client gets them. */
  write(rows: AsyncIterable<Buffer>, about: AboutRows): Readable;
  /** Of the rows a line is: each, each but the first, or none. */
  readonly lines: 'rows' | 'headed' | null;
}

interface AboutRows {
  readonly columns: readonly Column[];
  /** Null: nobody asked for it. */
  readonly provenance: Provenance | null;
  metaOf(count: number): string;
}

/** In the metadata of Parquet. */
const SOURCES_KEY = 'broadside.sources';

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
    write: (rows, { provenance }) =>
      asTheyAre(provenance === null ? rows : withMetadata(rows, SOURCES_KEY, JSON.stringify(provenance))),
  },
  xlsx: {
    clickhouse: 'JSONCompactEachRow',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    lines: 'rows',
    write: (rows, { columns, provenance }) => xlsxAnswer(columns, rows, provenance),
  },
} as const satisfies Record<string, AnswerFormat>;

export type FormatName = keyof typeof answerFormats;

/** What has no place for the sources inside: they are a file of their own. */
export const needsSideFile = (name: FormatName): boolean => name === 'csv' || name === 'ndjson';

/** Of the file with the sources beside the one of this name. */
export const sideFileOf = (name: string): string => `${name}.sources.json`;
export const sideText = (provenance: Provenance): string => `${JSON.stringify(provenance, null, 2)}\n`;

/**
 * The format of an answer that is one file, as the request has it: with sources, a file beside another one is in a ZIP with it.
 * @param name of the file, without its extension.
 */
export function singleFile(
  { format = 'json', include = [] }: { readonly format?: FormatName; readonly include?: readonly string[] },
  name: string,
): AnswerFormat {
  const inside: AnswerFormat = answerFormats[format];
  if (!needsSideFile(format) || !include.includes('sources')) return inside;
  const path = `${name}.${inside.extension}`;
  return {
    ...inside,
    contentType: 'application/zip',
    extension: 'zip',
    write: (rows, about) =>
      zipOf(about.provenance === null ? {} : { [sideFileOf(path)]: sideText(about.provenance) }, {
        [path]: inside.write(rows, about),
      }),
  };
}

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
