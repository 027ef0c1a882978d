import { codedValue, isCodedField } from './ad-values/coded-values.ts';
import { storedDomain } from './domain-names.ts';
import { trimmed } from './trimmed.ts';

/**
 * A row of ad statistics as texts, as it comes from files and the log. The rules are in ClickHouse
 * (`ad_stats_check` in its migrations), once for all sources: a bad row is set aside with a reason.
 */
export const adTextFields = [
  'product',
  'domain',
  'subdomain',
  'media_type',
  'device',
  'os',
  'ad_unit',
  'country',
  'deal_id',
  'deal_name',
  'deal_type',
  'wholesaler',
] as const;

export const adCountFields = [
  'impressions',
  'viewable',
  'first_quartile',
  'midpoint',
  'third_quartile',
  'complete',
] as const;

/** `at`: a day or a time, ISO 8601. `earnings`: a decimal of `currency`. */
export const adFields = ['at', ...adTextFields, ...adCountFields, 'earnings', 'currency'] as const;
export type AdField = (typeof adFields)[number];

/** Other names of fields that files may use. */
export const adFieldAliases: Readonly<Record<string, AdField>> = Object.freeze({ day: 'at', date: 'at' });

/** Which ad server reported: goes into tab-separated text and names of inserts as it is. */
export const AD_SOURCE_PATTERN = '^[A-Za-z0-9._-]{1,64}$';

/** Rows of one message: at most about 3.5 KB each where every text is as long as it may be, some 300 bytes mostly. */
export const MAX_AD_ROWS_PER_BATCH = 2_000;

/** A piece of a load on its way into ClickHouse. */
export interface AdRows {
  readonly rows: number;
  readonly bytes: Uint8Array;
  /** `TabSeparated`: as `adRowText` writes them. `Native`: the same columns in ClickHouse's own format. */
  readonly format: AdRowsFormat;
}

export const adRowsFormats = ['TabSeparated', 'Native'] as const;
export type AdRowsFormat = (typeof adRowsFormats)[number];

/** Identifies a row before its fields are read. */
export interface AdRowPosition {
  readonly load: number;
  readonly source: string;
  /** Line of the file, number in the batch: from 1. */
  readonly row: number;
}

/** The columns of `adRowText`, in order. */
export const adRowColumns = ['load', 'source', 'row', 'unreadable', 'raw', ...adFields] as const;

/** One line of tab-separated text. */
export function adRowText(
  position: AdRowPosition,
  texts: Readonly<Partial<Record<AdField, string>>>,
): string {
  const fields = adFields.map((field) => escaped(storedText(field, texts[field] ?? '')));
  return `${position.load}\t${position.source}\t${position.row}\t\t\t${fields.join('\t')}\n`;
}

/** Here, on all ways in but Parquet: ClickHouse knows neither other scripts' lower case nor `xn--`, and no country's name. */
export function storedText(field: AdField, text: string): string {
  if (field === 'domain' || field === 'subdomain') return storedDomain(text);
  return (isCodedField(field) ? codedValue(field, text) : null) ?? trimmed(text);
}

const NO_FIELDS = '\t'.repeat(adFields.length - 1);
const MAX_RAW = 2_000;

/** The line of something of which no fields could be made: it is set aside for this reason. */
export const unreadableRowText = (position: AdRowPosition, reason: string, raw: string): string =>
  `${position.load}\t${position.source}\t${position.row}\t${escaped(reason)}\t${escaped(raw.slice(0, MAX_RAW))}\t${NO_FIELDS}\n`;

const special: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
};
const needsEscape = /[\\\t\n\r\0]/;
const escapes = /[\\\t\n\r\0]/g;
const escaped = (text: string): string =>
  needsEscape.test(text) ? text.replaceAll(escapes, (found) => special[found] ?? found) : text;
