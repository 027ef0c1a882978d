import type { ReportRequest } from '../../../reporting/report/request.ts';
import { compareFractions, type Fraction, fraction, plus, readNumber, written } from './fractions.ts';
import type { Filter } from './matching.ts';
import { type CountKey, countKeys, type OracleRow } from './world.ts';

export type Cell = string | null;

/** A base row with what the request makes of it: its day on the report's calendar and its worth. */
export interface Seen {
  readonly row: OracleRow;
  readonly day: string;
  readonly side: 'now' | 'before';
  readonly money: Fraction;
}

export function holds(filter: Extract<Filter, { type: 'metric' }>, parts: readonly Seen[]): boolean {
  const difference = (value: number): number =>
    compareFractions(exactMetric(filter.value, sums(parts, 'now')), readNumber(value));
  const order = difference(filter.selectedValue);
  switch (filter.comparison) {
    case 'gte':
      return order >= 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'lt':
      return order < 0;
    case 'eq':
      return order === 0;
    case 'neq':
      return order !== 0;
    case 'between':
      return order >= 0 && difference(filter.secondValue ?? Number.NaN) <= 0;
  }
}

interface Sums {
  readonly counts: Readonly<Record<CountKey, bigint>>;
  readonly money: Fraction;
}

function sums(parts: readonly Seen[], wanted: Seen['side']): Sums {
  const own = parts.filter(({ side }) => side === wanted);
  const countOf = (key: CountKey): bigint => own.reduce((sum, { row }) => sum + row.counts[key], 0n);
  return {
    counts: Object.fromEntries(countKeys.map((key) => [key, countOf(key)])) as Record<CountKey, bigint>,
    money: own.reduce((sum, { money }) => plus(sum, money), fraction(0n, 10n ** 26n)),
  };
}

function exactMetric(metric: ReportRequest['metrics'][number], { counts, money }: Sums): Fraction {
  if (metric === 'earnings') return money;
  if (metric !== 'ecpm') return fraction(counts[metric]);
  if (counts.impressions === 0n) return fraction(0n);
  return { top: money.top * 1000n, bottom: money.bottom * counts.impressions };
}

export function metricsOf(
  { metrics, compare_to }: ReportRequest,
  parts: readonly Seen[],
): Record<string, Cell> {
  const [now, before] = [sums(parts, 'now'), sums(parts, 'before')];
  const cells = metrics.flatMap((metric): [string, Cell][] => {
    const places = metric === 'earnings' || metric === 'ecpm' ? 6 : 0;
    const [value, earlier] = [exactMetric(metric, now), exactMetric(metric, before)];
    if (compare_to === undefined) return [[metric, written(value, places)]];
    return [
      [metric, written(value, places)],
      [`${metric}_previous`, written(earlier, places)],
      [`${metric}_change`, changeOf(value, earlier)],
    ];
  });
  return Object.fromEntries(cells);
}

function changeOf(value: Fraction, earlier: Fraction): string | null {
  if (earlier.top <= 0n) return null;
  const difference = plus(value, { top: -earlier.top, bottom: earlier.bottom });
  return written({ top: difference.top * 100n * earlier.bottom, bottom: difference.bottom * earlier.top }, 2);
}
