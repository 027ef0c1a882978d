import type { ReportRequest } from '../../../reporting/report/request.ts';

/** A report's request as somebody writes it in SQL. */

type Filter = NonNullable<ReportRequest['filter_groups']>[number]['filters'][number];
type DimensionFilter = Extract<Filter, { type: 'dimension' }>;
type MetricFilter = Extract<Filter, { type: 'metric' }>;

export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

const sumOf = (metric: string): string => (metric === 'ecpm' ? 'avg(ecpm)' : `sum(${metric})`);

function dimensionCondition({ value, comparator, selectedValues }: DimensionFilter): string {
  const texts = selectedValues.map(String);
  const column = value === 'day' ? 'day::text' : value;
  switch (comparator) {
    case 'in':
    case 'is_any_of':
      return `${column} IN (${texts.map(literal).join(', ')})`;
    case 'nin':
    case 'is_none_of':
      return `${column} NOT IN (${texts.map(literal).join(', ')})`;
    case 'not_contains':
      return texts.map((text) => `${column} NOT LIKE ${literal(`%${escaped(text)}%`)}`).join(' AND ');
    default: {
      const [before, after] = { contains: ['%', '%'], starts_with: ['', '%'], ends_with: ['%', ''] }[
        comparator
      ];
      const each = texts.map((text) => `${column} LIKE ${literal(`${before}${escaped(text)}${after}`)}`);
      return `(${each.join(' OR ')})`;
    }
  }
}

const operators = { gte: '>=', lte: '<=', gt: '>', lt: '<', eq: '=', neq: '<>' } as const;
const plain = (value: number): string => value.toFixed(10).replace(/\.?0+$/, '') || '0';

function metricCondition({ value, comparison, selectedValue, secondValue }: MetricFilter): string {
  return comparison === 'between'
    ? `${sumOf(value)} BETWEEN ${plain(selectedValue)} AND ${plain(secondValue ?? 0)}`
    : `${sumOf(value)} ${operators[comparison]} ${plain(selectedValue)}`;
}

/** Whether it has a form in SQL: groups of conditions on metrics have none beside others. */
export const hasForm = ({ filter_groups: groups = [], compare_to }: ReportRequest): boolean =>
  compare_to === undefined &&
  (groups.length < 2 || groups.flatMap(({ filters }) => filters).every(({ type }) => type === 'dimension'));

/** The rows without order and bounds, and the whole statement. */
export function asSql(request: ReportRequest): {
  readonly rows: string;
  readonly page: string;
  readonly where: string;
} {
  const {
    dimensions,
    metrics,
    selectedDate = [],
    filter_groups: groups = [],
    sort = [],
    limit,
    offset,
  } = request;
  const [start = '', end = ''] = selectedDate;
  const ofDimensions = groups.map(({ filters }) =>
    filters.flatMap((filter) => (filter.type === 'dimension' ? [dimensionCondition(filter)] : [])),
  );
  const either = ofDimensions.map(
    (conditions) => `(${conditions.length === 0 ? 'true' : conditions.join(' AND ')})`,
  );
  const having = groups
    .flatMap(({ filters }) => filters)
    .flatMap((filter) => (filter.type === 'metric' ? [metricCondition(filter)] : []));
  const where = [
    `day BETWEEN ${literal(start)} AND ${literal(end)}`,
    ...(either.length === 0 ? [] : [`(${either.join(' OR ')})`]),
  ].join(' AND ');
  const rows = [
    `SELECT ${[...dimensions, ...metrics.map((metric) => `${sumOf(metric)} AS ${metric}`)].join(', ')}`,
    `FROM ad_statistics WHERE ${where} GROUP BY ${dimensions.join(', ')}`,
    having.length === 0 ? '' : `HAVING ${having.join(' AND ')}`,
  ].join(' ');
  const order = sort.map(({ by, direction = 'asc' }) => {
    const isMetric = metrics.some((metric) => metric === by);
    return `${isMetric ? sumOf(by) : by} ${direction}`;
  });
  const page = [
    rows,
    order.length === 0 ? '' : `ORDER BY ${order.join(', ')}`,
    limit === undefined ? '' : `LIMIT ${limit}`,
    offset === undefined ? '' : `OFFSET ${offset}`,
  ].join(' ');
  return { rows, page, where };
}
