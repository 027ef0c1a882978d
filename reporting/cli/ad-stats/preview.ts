import type { ClickHouse } from '../../../engine/adapters/clickhouse/clickhouse.ts';
import { adCountFields, adFields, storedText } from '../../../engine/contract/ad-stats.ts';
import { counted } from '../../../engine/contract/counted.ts';
import { amount, number } from '../../../engine/kit/command-line/numbers.ts';
import { print, printJson } from '../../../engine/kit/command-line/terminal.ts';
import type { LoadEnding } from './import-load.ts';
import type { ImportOptions, Part } from './part.ts';
import type { StoredTexts } from './values/clean.ts';

const DAYS_SHOWN = 40;

type Imported = Extract<LoadEnding, { kind: 'imported' }>;
export type Preview = (ending: Imported, parts: readonly Part[], options: ImportOptions) => Promise<void>;

interface Sums {
  readonly day: string;
  readonly currency: string;
  readonly rows: string;
  readonly impressions: string;
  readonly viewable: string;
  readonly first_quartile: string;
  readonly midpoint: string;
  readonly third_quartile: string;
  readonly complete: string;
  readonly earnings: string;
}

/**
 * Tells all that an import would do, of rows that are in a ClickHouse of their own.
 * @param hasRows which of these days have rows of the source already; null: nobody can say.
 */
export function createPreview(
  { client }: ClickHouse,
  hasRows: ((source: string, days: readonly string[]) => Promise<readonly string[]>) | null,
): Preview {
  async function sumsOf(load: number, by: string): Promise<Sums[]> {
    const counts = adCountFields.map((field) => `toString(sum(${field})) AS ${field}`).join(', ');
    const query = `SELECT ${by === 'day' ? 'toString(toDate(at))' : `''`} AS day, toString(currency) AS currency,
        toString(count()) AS rows, ${counts}, toString(sum(ad_stats.earnings)) AS earnings
      FROM ad_stats WHERE load = {load:UInt64} GROUP BY day, currency ORDER BY day, currency`;
    return (await client.query({ query, query_params: { load }, format: 'JSONEachRow' })).json<Sums>();
  }

  return async (ending, parts, options) => {
    const days = [...new Set([...ending.days, ...(options.onlyDays ?? [])])].toSorted();
    const there = hasRows === null ? null : await hasRows(options.source, days);
    const [totals, daily] = [await sumsOf(ending.load, ''), await sumsOf(ending.load, 'day')];
    if (options.json) printJson(asJson(parts, totals, daily, there));
    else
      print([
        ...firstRows(parts),
        ...sumLines(totals, daily),
        ...dayLines(days, there, options),
        ...totalsLines(parts),
      ]);
  };
}

const asJson = (
  parts: readonly Part[],
  totals: readonly Sums[],
  daily: readonly Sums[],
  there: readonly string[] | null,
): object => ({
  preview: {
    first_rows: parts.flatMap(({ input, first }) =>
      first.map(({ line, stored }) => ({ file: input.name, line, ...asStored(stored) })),
    ),
    sums: totals.map(({ day: _, ...rest }) => rest),
    days: daily,
    days_with_rows: there,
    totals_rows: parts.flatMap(({ input, said }) =>
      (said?.totals ?? []).map((row) => ({ file: input.name, row })),
    ),
  },
});

function firstRows(parts: readonly Part[]): string[] {
  const shown = parts.flatMap(({ input, first }) => {
    if (first.length === 0) return [];
    return [
      `First rows of ${input.name}:`,
      ...first.map(({ line, stored }) => `  line ${line}: ${told(stored)}`),
    ];
  });
  return shown;
}

const asStored = (stored: StoredTexts): StoredTexts =>
  Object.fromEntries(adFields.map((field) => [field, storedText(field, stored[field] ?? '')]));

const told = (stored: StoredTexts): string =>
  Object.entries(asStored(stored))
    .flatMap(([field, text]) => (text === '' ? [] : [`${field}=${text}`]))
    .join(', ');

function sumLines(totals: readonly Sums[], daily: readonly Sums[]): string[] {
  if (totals.length === 0) return [];
  const lines = totals.map((sums) => `  all in ${sums.currency}: ${figures(sums)}`);
  const shown = daily.slice(0, DAYS_SHOWN).map((sums) => `  ${sums.day}: ${figures(sums)} ${sums.currency}`);
  const more = daily.length > DAYS_SHOWN ? [`  … and ${daily.length - DAYS_SHOWN} more days`] : [];
  return ['Sums, to compare with those of the network:', ...lines, ...shown, ...more];
}

function figures(sums: Sums): string {
  const counts = adCountFields
    .filter((field) => field === 'impressions' || sums[field] !== '0')
    .map((field) => `${number(Number(sums[field]))} ${field.replace('_', ' ')}`);
  return `${counted(Number(sums.rows), 'row')}, ${counts.join(', ')}, ${amount(sums.earnings)} earnings`;
}

function dayLines(
  days: readonly string[],
  there: readonly string[] | null,
  { kind, source }: ImportOptions,
): string[] {
  if (there === null) return ['No database answers: which of the days have rows already is not known.'];
  if (there.length === 0) return [`No day of them has rows of ${source} yet.`];
  const does = kind === 'restate' ? 'It replaces rows' : 'It adds to rows';
  const shown = there.slice(0, DAYS_SHOWN).join(', ');
  const more = there.length > DAYS_SHOWN ? ` and ${there.length - DAYS_SHOWN} more` : '';
  return [`${does} of ${source} on ${there.length} of ${counted(days.length, 'day')}: ${shown}${more}.`];
}

const totalsLines = (parts: readonly Part[]): string[] =>
  parts.flatMap(({ input, said }) =>
    (said?.totals ?? []).map((row) => `Left out of ${input.name} as its totals: ${row.slice(0, 300)}`),
  );
