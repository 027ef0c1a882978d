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
 * The two layouts, in CSV and NDJSON alike:
 *
 *     day,currency,per_eur          long: a line a rate
 *     Date,USD,JPY,…                wide, as the ECB's eurofxref-hist.csv: a line a day; "N/A" or nothing: no rate
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
  const header = names.map((name, index) => name.trim().toLowerCase() || `unnamed ${index}`);
  if (longNames.every((name) => header.includes(name) || (name === 'day' && header.includes('date'))))
    return header;
  if (header.some((name) => dayNames.includes(name)) && header.some(isCode)) return header;
  throw new CliError(
    'the first line must be "day,currency,per_eur", or "Date" and codes of currencies as the ECB publishes them',
  );
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
  const day = textOf('day') || textOf('date');
  const pairs = fields.some(([name]) => name === 'per_eur')
    ? [[textOf('currency'), textOf('per_eur')] as const]
    : fields.filter(([name, value]) => isCode(name) && value !== '' && value !== 'N/A');
  const parsed = pairs.map(([currency, perEur]) => parseFxRate({ day, currency, perEur }, today));
  // One wrong day makes the same complaint for every currency of its line.
  const refusals = new Set(parsed.filter((rate) => typeof rate === 'string'));
  const rates = parsed.filter((rate) => typeof rate !== 'string');
  return { line, rates, refusals: [...refusals], raw };
}
