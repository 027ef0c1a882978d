import { type FxRate, parseFxRate } from '../../../engine/contract/fx-rate.ts';
import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { parseExactly } from '../../../engine/kit/command-line/file/exact-json.ts';
import {
  type ImportFormat,
  type ImportRecord,
  readRecords,
} from '../../../engine/kit/command-line/file/records.ts';

/** A line's rates: one in the long layout, one a currency in the wide one. */
export interface RateLine {
  readonly line: number;
  readonly rates: readonly FxRate[];
  /** The parts of the line that are not a rate, and why. */
  readonly refusals: readonly string[];
  readonly raw: unknown;
}

/**
 * The layouts, the first two in CSV and NDJSON alike:
 *
 *     day,currency,per_eur          long: a line a rate
 *     Date,USD,JPY,…                wide, as the ECB's eurofxref.csv and eurofxref-hist.csv: a line a day; "N/A" or
 *                                   nothing: no rate
 *     KEY,FREQ,CURRENCY,…           long, as the ECB's data portal sends them (SDMX-CSV)
 *     DATE,TIME PERIOD,"US dollar/Euro (EXR.D.USD.EUR.SP00.A)"
 *                                   wide, as the pages of that portal save them
 *
 * `today` is `YYYY-MM-DD` in UTC: later days have no rate yet.
 */
export async function* readRates(
  bytes: AsyncIterable<Uint8Array>,
  format: ImportFormat,
  today: string,
): AsyncGenerator<RateLine[]> {
  for await (const records of readRecords(bytes, format, { headerOf, parseJson: parseExactly })) {
    yield records.map((record) => lineOf(record, today));
  }
}

const longNames = ['day', 'currency', 'per_eur'];
const dayNames: readonly string[] = ['day', 'date'];

/** @throws CliError: without them every line would be refused. */
function headerOf(names: string[]): string[] {
  // The ECB ends every line with a comma: a column without a name.
  const header = names.map(
    (name, index) => codeOfSeries(name) ?? (name.trim().toLowerCase() || `unnamed ${index}`),
  );
  if (portalNames.every((name) => header.includes(name))) return header;
  if (longNames.every((name) => header.includes(name) || (name === 'day' && header.includes('date'))))
    return header;
  if (header.some((name) => dayNames.includes(name)) && header.some(isCode)) return header;
  throw new CliError(
    'the first line must be "day,currency,per_eur", or "Date" and codes of currencies as the ECB publishes them',
  );
}

const portalNames = ['currency', 'time_period', 'obs_value'];

/** Of a series of the data portal: daily reference rates for one euro. */
const codeOfSeries = (name: string): string | undefined =>
  /\bexr\.d\.([a-z]{3})\.eur\.sp00\.a\b/.exec(name.toLowerCase())?.[1];

/** Why a line of the data portal is not a daily reference rate for one euro; null: it is. */
function otherSeries(textOf: (name: string) => string): string | null {
  const wanted = { freq: 'D', currency_denom: 'EUR', exr_type: 'SP00', exr_suffix: 'A' };
  const other = Object.entries(wanted).find(([name, value]) => !['', value].includes(textOf(name)));
  return other === undefined
    ? null
    : `is not a daily reference rate for 1 EUR: ${other[0].toUpperCase()} is ${textOf(other[0])}, not ${other[1]}`;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The ECB's daily file writes `4 March 2026`. */
function dayOf(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2}) ([A-Za-z]{3,9}) (\d{4})$/.exec(text) ?? [];
  const number = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return number === 0 ? text : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const isCode = (name: string): boolean => /^[a-z]{3}$/.test(name) && !dayNames.includes(name);

function lineOf(record: ImportRecord, today: string): RateLine {
  const { line, raw } = record;
  const none = (reason: string): RateLine => ({ line, rates: [], refusals: [reason], raw });
  if ('unreadable' in record) return none(record.unreadable);
  if (typeof record.value !== 'object' || record.value === null) return none('is not an object');
  const fields = Object.entries(record.value as Record<string, unknown>).map(
    ([name, value]) => [name.toLowerCase(), typeof value === 'string' ? value.trim() : ''] as const,
  );
  const textOf = (name: string): string => fields.find(([each]) => each === name)?.[1] ?? '';
  const other = otherSeries(textOf);
  if (other !== null) return none(other);
  const day = dayOf(textOf('day') || textOf('date') || textOf('time_period'));
  const pairs = pairsOf(fields, textOf);
  const parsed = pairs.map(([currency, perEur]) => parseFxRate({ day, currency, perEur }, today));
  // One wrong day makes the same complaint for every currency of its line.
  const refusals = new Set(parsed.filter((rate) => typeof rate === 'string'));
  const rates = parsed.filter((rate) => typeof rate !== 'string');
  return { line, rates, refusals: [...refusals], raw };
}

/** Codes with their rates: of a line of the long layouts one. */
function pairsOf(
  fields: readonly (readonly [name: string, value: string])[],
  textOf: (name: string) => string,
): readonly (readonly [code: string, rate: string])[] {
  if (fields.some(([name]) => name === 'per_eur')) return [[textOf('currency'), textOf('per_eur')]];
  const given = fields.filter(([, value]) => value !== '' && value !== 'N/A');
  if (fields.some(([name]) => name === 'obs_value'))
    return given.filter(([name]) => name === 'obs_value').map(([, rate]) => [textOf('currency'), rate]);
  return given.filter(([name]) => isCode(name));
}
