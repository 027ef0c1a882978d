import { decimalOf } from './decimal-value.ts';
import type { Comparison, MetricFilter } from './filters.ts';
import type { Metric, Summed } from './keys.ts';
import { METRIC_VALUE_PLACES } from './limits.ts';
import type { Parameters } from './parameters.ts';

/** The name of an exact sum in the statement. */
export type NameOf = (summed: Summed) => string;

/** The displayed value of a metric: amounts rounded once, half away from zero, to 6 places. */
export function shown(metric: Metric, of: NameOf): string {
  if (metric === 'earnings') return rounded(whole('earnings', of));
  if (metric !== 'ecpm') return of(metric);
  const impressions = of('impressions');
  const ecpm = rounded(`${whole('earnings', of)} * 1000`, `greatest(${impressions}, 1)`);
  return `if(${impressions} = 0, toDecimal128(0, 6), ${ecpm})`;
}

/** The displayed unit is a millionth, that of an exact sum 10^-26. */
const UNIT = `toInt256('1${'0'.repeat(20)}')`;
const HALF_UNIT = `toInt256('5${'0'.repeat(19)}')`;

/**
 * One division of whole numbers, half a unit further from zero since it cuts towards it. ClickHouse's `round`
 * of decimals this wide takes three, and half as long again. In a light report, analysis costs more than
 * computation: each function counts.
 */
function rounded(amount: string, divisor: string | null = null): string {
  const times = divisor === null ? '' : ` * ${divisor}`;
  const half = `${HALF_UNIT}${times} * sign(${amount})`;
  return `reinterpret(toInt128(intDiv(${amount} + ${half}, ${UNIT}${times})), 'Decimal(38, 6)')`;
}

/**
 * Two whole numbers of 256 bits whose ratio is that of the metric now and before: exact, and products of two
 * sums fit. For ecpm, a ratio itself, multiplied crosswise.
 */
export function comparable(
  metric: Metric,
  now: NameOf,
  before: NameOf,
): { readonly now: string; readonly before: string } {
  if (metric !== 'ecpm') return { now: whole(metric, now), before: whole(metric, before) };
  // Without impressions it is 0, whatever the earnings.
  const [served, servedBefore] = [now('impressions'), before('impressions')];
  return {
    now: `if(${served} = 0, toInt256(0), ${whole('earnings', now)} * ${servedBefore})`,
    before: `if(${servedBefore} = 0, toInt256(0), ${whole('earnings', before)} * greatest(${served}, 1))`,
  };
}

const whole = (summed: Summed, of: NameOf): string =>
  summed === 'earnings' ? `reinterpretAsInt256(${of(summed)})` : `toInt256(${of(summed)})`;

/** By how much it changed, in percent with two decimals; NULL where it was not above 0. Of columns of Int256. */
export function change(now: string, before: string): string {
  const rounded = `intDiv(abs(${now} - ${before}) * 20000 + ${before}, greatest(${before}, 1) * 2)`;
  return `if(${before} > 0, toNullable(toDecimal128(sign(${now} - ${before}) * ${rounded}, 0) * toDecimal128('0.01', 2)), NULL)`;
}

const operators: Readonly<Record<Exclude<Comparison, 'between'>, string>> = {
  gte: '>=',
  lte: '<=',
  gt: '>',
  lt: '<',
  eq: '=',
  neq: '!=',
};

/** Whether the metric filter holds on exact sums; ecpm without a division. */
export function metricCondition(filter: MetricFilter, of: NameOf, parameters: Parameters): string {
  const { comparison, selectedValue, secondValue } = filter;
  if (comparison !== 'between')
    return compared(filter.value, of, operators[comparison], selectedValue, parameters);
  const from = compared(filter.value, of, '>=', selectedValue, parameters);
  return `${from} AND ${compared(filter.value, of, '<=', secondValue ?? selectedValue, parameters)}`;
}

function compared(
  metric: Metric,
  of: NameOf,
  operator: string,
  value: number,
  parameters: Parameters,
): string {
  const wanted = `toDecimal256(${parameters.value(`Decimal(38, ${METRIC_VALUE_PLACES})`, decimalOf(value) ?? '0')}, ${METRIC_VALUE_PLACES})`;
  if (metric === 'earnings') return `${of('earnings')} ${operator} ${wanted}`;
  if (metric !== 'ecpm') return `toDecimal256(${of(metric)}, 0) ${operator} ${wanted}`;
  const impressions = of('impressions');
  const thousandfold = `if(${impressions} = 0, toDecimal256(0, 26), ${of('earnings')} * 1000)`;
  return `${thousandfold} ${operator} ${wanted} * greatest(${impressions}, 1)`;
}
