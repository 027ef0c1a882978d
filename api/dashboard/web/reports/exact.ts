import { isMoney, type Metric } from './report.ts';
import type { Row } from './rows.ts';

/** Metrics that may be added up. An eCPM may not: it is computed from the sums of these. */
export type Summed = Exclude<Metric, 'ecpm'>;

/** Exact sums: of earnings in millionths of the currency, of counts as they are. A metric that was not asked is absent. */
export type Sums = Readonly<Partial<Record<Summed, bigint>>>;

/** The API states amounts with six decimals. */
const MILLION = 1_000_000n;
const PLACES = 6;

/** What has to be asked so that these metrics may be added up. */
export const summedOf = (metrics: readonly Metric[]): Summed[] => [
  ...new Set(
    metrics.flatMap((metric): Summed[] => (metric === 'ecpm' ? ['impressions', 'earnings'] : [metric])),
  ),
];

/** `-12.5` → −12500000. @throws RangeError where it is not a decimal of six places at most. */
export function millionthsOf(text: string): bigint {
  const [, sign, whole, places = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined || places.length > PLACES) throw new RangeError(`${text} is not an amount`);
  const value = BigInt(whole) * MILLION + BigInt(places.padEnd(PLACES, '0'));
  return sign === '-' ? -value : value;
}

/** −12500000 → `-12.5`: all digits that count. */
export function decimalOf(millionths: bigint): string {
  const size = millionths < 0n ? -millionths : millionths;
  const places = String(size % MILLION)
    .padStart(PLACES, '0')
    .replace(/0{1,6}$/, '');
  return `${millionths < 0n ? '-' : ''}${size / MILLION}${places === '' ? '' : `.${places}`}`;
}

/** The sums that a row states. */
export const sumsOf = (row: Row, summed: readonly Summed[]): Sums =>
  Object.fromEntries(
    summed.map((metric) => {
      const text = String(row[metric] ?? 0);
      return [metric, metric === 'earnings' ? millionthsOf(text) : BigInt(text)];
    }),
  );

export const added = (one: Sums, other: Sums): Sums => joined(one, other, 1n);
export const taken = (one: Sums, other: Sums): Sums => joined(one, other, -1n);

function joined(one: Sums, other: Sums, sign: 1n | -1n): Sums {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<Summed>;
  return Object.fromEntries([...keys].map((key) => [key, (one[key] ?? 0n) + sign * (other[key] ?? 0n)]));
}

/** A metric of sums: money in millionths, rounded half away from zero as the API does; counts as they are. */
export function metricOf(sums: Sums, metric: Metric): bigint {
  if (metric !== 'ecpm') return sums[metric] ?? 0n;
  const { impressions = 0n, earnings = 0n } = sums;
  return impressions === 0n ? 0n : divided(earnings * 1_000n, impressions);
}

/** To the nearest whole number, halves away from zero. @param by above 0. */
function divided(amount: bigint, by: bigint): bigint {
  const half = amount < 0n ? -by : by;
  return (amount * 2n + half) / (by * 2n);
}

/** By how much it changed, in percent with two decimals; null where it was not above 0: as the API says it. */
export const percentOf = (now: bigint, before: bigint): number | null =>
  before > 0n ? Number(divided((now - before) * 10_000n, before)) / 100 : null;

/** As files have it. */
export const figureOf = (value: bigint, metric: Metric): string =>
  isMoney(metric) ? decimalOf(value) : String(value);

/** For people, and for drawing: not to be added up. */
export const shownOf = (value: bigint, metric: Metric): number => Number(figureOf(value, metric));

const amounts: ReadonlySet<string> = new Set(['earnings', 'earnings_previous', 'ecpm', 'ecpm_previous']);

/** The answer's JSON, in which amounts stay the text that the API wrote: as doubles, large ones would lose digits. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (key: string, value: unknown, context?: { readonly source?: string }) =>
    amounts.has(key) && typeof value === 'number' ? (context?.source ?? String(value)) : value,
  );
