import { visibleRows } from '../../../engine/adapters/clickhouse/visible-rows.ts';
import type { ReportContext, Statement } from '../../report/compile.ts';
import { questionOf } from '../../report/compile.ts';
import { shownName } from '../../report/domain-names.ts';
import { exactRows } from '../../report/exact-rows.ts';
import { change, type NameOf, shown } from '../../report/metric-expressions.ts';
import { createParameters, type Parameters } from '../../report/parameters.ts';
import type { ReportRequest } from '../../report/request.ts';
import { DEFAULT_ROWS, type DiscrepancyRequest } from './schema.ts';

export interface DiscrepancyStatements {
  /** The rows to show, as lines of JSON; `stored` is the domain as it is stored. */
  readonly rows: Statement;
  /** One row: `compared`, `total_count`, and the figures over all of them. */
  readonly summary: Statement;
}

/** The report that the two are compared in. */
export const reportOf = ({
  currency,
  selectedDate,
  timezone,
  domains,
}: DiscrepancyRequest): ReportRequest => ({
  dimensions: ['day', 'domain'],
  metrics: ['impressions', 'earnings'],
  currency,
  // Days of two servers in two timezones are a reason of differences: named, never refused.
  source_days: true,
  ...(selectedDate === undefined ? {} : { selectedDate }),
  ...(timezone === undefined ? {} : { timezone }),
  ...(domains === undefined
    ? {}
    : {
        filter_groups: [
          {
            operator: 'or',
            filters: [{ value: 'domain', type: 'dimension', comparator: 'in', selectedValues: domains }],
          },
        ],
      }),
});

/** Each source is read as a report of its own, with the rights and the ledger of every report. */
export function compileDiscrepancies(
  asked: DiscrepancyRequest,
  request: ReportRequest,
  context: ReportContext,
): DiscrepancyStatements {
  const parameters = createParameters(visibleRows(context.ledger).params);
  const sides = asked.sources.map((source, side) => {
    const question = questionOf(request, { ...context, sources: [source] }, parameters);
    return `SELECT d_day, d_domain, x_impressions, x_earnings, ${side} AS side FROM (${exactRows(question)})`;
  });
  const sums = ['impressions', 'earnings'].flatMap((name) => [
    `sumIf(x_${name}, side = 0) AS a_${name}`,
    `sumIf(x_${name}, side = 1) AS b_${name}`,
  ]);
  const pairs = `SELECT d_day, d_domain, ${sums.join(', ')}, countIf(side = 0) AS in_first, countIf(side = 1) AS in_second
    FROM (${sides.join(' UNION ALL ')}) GROUP BY d_day, d_domain`;
  const domain = shownName('CAST(d_domain AS String)', context.names, parameters);
  const missing = `multiIf(in_first = 0, 'first', in_second = 0, 'second', NULL)`;
  const compared = `SELECT d_day AS day, ${domain} AS domain, CAST(d_domain AS String) AS stored, ${missing} AS missing, ${figures}
    FROM (SELECT *, ${changeColumns} FROM (${pairs}))`;
  const over = thresholds(asked, parameters);
  const most = parameters.value('UInt64', asked.limit ?? DEFAULT_ROWS);
  const skipped = parameters.value('UInt64', asked.offset ?? 0);
  const { params } = parameters;
  return {
    rows: {
      select: `SELECT * FROM (${compared}) WHERE ${over} ORDER BY abs(earnings_difference) DESC, day, domain LIMIT ${most} OFFSET ${skipped}`,
      params,
    },
    summary: { select: summaryOf(pairs, over), params },
  };
}

/** Names of exact sums: of the first source, of the second, and how far the second's is from the first's. */
const first: NameOf = (summed) => `a_${summed}`;
const second: NameOf = (summed) => `b_${summed}`;
const differing: NameOf = (summed) => `(b_${summed} - a_${summed})`;
const wholeEarnings = (name: string): string => `reinterpretAsInt256(${name})`;

/** The inputs of changes, as columns. */
const changeColumns = [
  `toInt256(b_impressions) AS n_impressions, toInt256(a_impressions) AS o_impressions`,
  `${wholeEarnings('b_earnings')} AS n_earnings, ${wholeEarnings('a_earnings')} AS o_earnings`,
].join(', ');

const figures = [
  `${shown('impressions', first)} AS first_impressions`,
  `${shown('earnings', first)} AS first_earnings`,
  `${shown('impressions', second)} AS second_impressions`,
  `${shown('earnings', second)} AS second_earnings`,
  `toInt64(b_impressions) - toInt64(a_impressions) AS impressions_difference`,
  `${change('n_impressions', 'o_impressions')} AS impressions_percent`,
  `${shown('earnings', differing)} AS earnings_difference`,
  `${change('n_earnings', 'o_earnings')} AS earnings_percent`,
].join(', ');

/** On the values that are shown. */
function thresholds({ min_amount = 0, min_percent = 0 }: DiscrepancyRequest, parameters: Parameters): string {
  const decimal = (value: number): string =>
    `toDecimal128(${parameters.value('Decimal(38, 10)', value.toFixed(10))}, 10)`;
  const amount = `abs(toDecimal256(earnings_difference, 10)) >= ${decimal(min_amount)}`;
  if (min_percent === 0) return amount;
  return `${amount} AND if(isNull(earnings_percent), earnings_difference != 0, abs(toDecimal256(assumeNotNull(earnings_percent), 10)) >= ${decimal(min_percent)})`;
}

/** From exact sums: every value is rounded once. */
function summaryOf(pairs: string, over: string): string {
  const sums = ['impressions', 'earnings'].flatMap((name) => [`a_${name}`, `b_${name}`]);
  const all = `SELECT ${sums.map((name) => `sum(${name}) AS t_${name}`).join(', ')}, count() AS compared, countIf(${over}) AS total_count
    FROM (SELECT *, ${figures} FROM (SELECT *, ${changeColumns} FROM (${pairs})))`;
  const named = `SELECT compared, total_count, ${sums.map((name) => `t_${name} AS ${name}`).join(', ')} FROM (${all})`;
  return `SELECT compared, total_count, ${figures} FROM (SELECT *, ${changeColumns} FROM (${named}))`;
}
