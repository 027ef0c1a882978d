import { visibleRows } from '../../engine/adapters/clickhouse/visible-rows.ts';
import type { Ledger } from '../../engine/adapters/postgres/ad-ledger.ts';
import type { RateTable } from '../../engine/contract/rate-table.ts';
import type { Access } from './access.ts';
import type { LeftOut } from './base-rows.ts';
import { type IdnName, isDomainName, shownName } from './domain-names.ts';
import { current, type ExactQuestion, exactRows, previous } from './exact-rows.ts';
import { branchesOf, metricFiltersOf, needsMask } from './groups.ts';
import { type Dimension, isTimeDimension, type Metric, type Summed, summedOf } from './keys.ts';
import { change, comparable, shown } from './metric-expressions.ts';
import { createParameters, type Parameters } from './parameters.ts';
import type { ReportPeriod } from './period.ts';
import type { ReportRequest } from './request.ts';

export interface ReportContext {
  readonly access: Access;
  readonly ledger: Pick<Ledger, 'maxLoad' | 'hidden' | 'superseded'>;
  readonly rates: RateTable;
  readonly period: ReportPeriod;
  /** Names in other scripts that the statistics hold: any other name is shown as stored. */
  readonly names: readonly IdnName[];
  /** The result of `readSourceDays`. */
  readonly wholeDays: string | null;
  /** The result of `readMoney`; empty for a report without money. */
  readonly leftOut: readonly LeftOut[];
  /** Only rows of these; left out: of all. */
  readonly sources?: readonly string[];
  /** Put around each text in the answer; grouping, filtering and sorting use the stored one. */
  readonly text?: (expression: string) => string;
}

/** Without FORMAT and SETTINGS. Every value is in `params`. */
export interface Statement {
  readonly select: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type ColumnKind = 'text' | 'count' | 'decimal' | 'day' | 'percent';

export interface ReportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface CompiledReport extends Statement {
  /** In the order of the answer. `percent` may be null. */
  readonly columns: readonly ReportColumn[];
  /** One row: `count` of all rows. Null without `limit` and `offset`, where the rows themselves show it. */
  readonly count: Statement | null;
  /** One row: the metrics over all rows, named as in a row. Null where they are not asked. */
  readonly totals: Statement | null;
}

/** The request must have passed `reportRequest`. Access and ledger are in every one of the statements. */
export function compileReport(request: ReportRequest, context: ReportContext): CompiledReport {
  const parameters = createParameters(visibleRows(context.ledger).params);
  const question = questionOf(request, context, parameters);
  const { params } = parameters;
  const rows = exactRows(question);
  const compared = context.period.compared !== null;
  const outputs = [
    ...request.dimensions.map((dimension) =>
      dimensionOutput(dimension, textOf(context, parameters, dimension)),
    ),
    ...metricOutputs(request.metrics, compared),
  ];
  const paged = request.limit !== undefined || request.offset !== undefined;
  return {
    select: `SELECT ${listed(outputs)} FROM (${withComparables(asTexts(rows, request.dimensions), request.metrics, compared)}) ORDER BY ${orderOf(request, context, parameters)}${pageOf(request, parameters)}`,
    params,
    columns: outputs.map(({ name, kind }) => ({ name, kind })),
    count: paged ? { select: `SELECT count() AS count FROM (${countable(question, rows)})`, params } : null,
    totals:
      request.totals === true
        ? { select: totalsOf(request.metrics, question, rows, compared), params }
        : null,
  };
}

/** As many rows, without their sums where none decides which rows there are: a third of what the rows take. */
const countable = (question: ExactQuestion, rows: string): string =>
  metricFiltersOf(question.branches).length > 0 ? rows : exactRows({ ...question, summed: [] });

export function questionOf(
  request: ReportRequest,
  context: ReportContext,
  parameters: Parameters,
): ExactQuestion {
  const branches = branchesOf(request.filter_groups);
  const asked = [...request.metrics, ...metricFiltersOf(branches).map(({ value }) => value)];
  return {
    ...context,
    parameters,
    branches,
    masked: needsMask(branches),
    dimensions: request.dimensions,
    summed: [...new Set<Summed>(asked.flatMap(summedOf))],
    currency: request.currency,
  };
}

interface Output extends ReportColumn {
  readonly expression: string;
}

const itself = (expression: string): string => expression;
const listed = (outputs: readonly Output[]): string =>
  outputs.map(({ expression, name }) => `${expression} AS ${name}`).join(', ');

/** The final form of a text. */
function textOf(
  { names, text = itself }: ReportContext,
  parameters: Parameters,
  dimension: Dimension,
): (expression: string) => string {
  if (!isDomainName(dimension)) return text;
  return (expression) => text(shownName(expression, names, parameters));
}

function dimensionOutput(name: Dimension, text: (expression: string) => string): Output {
  const column = `d_${name}`;
  if (name === 'day') return { name, kind: 'day', expression: column };
  if (name === 'month') return { name, kind: 'text', expression: `formatDateTime(${column}, '%Y-%m')` };
  if (name === 'year') return { name, kind: 'text', expression: `toString(${column})` };
  return { name, kind: 'text', expression: text(column) };
}

function metricOutputs(metrics: readonly Metric[], compared: boolean): Output[] {
  return metrics.flatMap((name) => {
    const kind = name === 'earnings' || name === 'ecpm' ? 'decimal' : 'count';
    const value: Output = { name, kind, expression: shown(name, current) };
    if (!compared) return [value];
    return [
      value,
      { name: `${name}_previous`, kind, expression: shown(name, previous) },
      { name: `${name}_change`, kind: 'percent', expression: change(`n_${name}`, `b_${name}`) },
    ];
  });
}

/** Blocks with dictionaries of their own take four times as long to sort as texts. */
function asTexts(rows: string, dimensions: readonly Dimension[]): string {
  const texts = dimensions.filter((dimension) => !isTimeDimension(dimension)).map((name) => `d_${name}`);
  if (texts.length === 0) return rows;
  // Not toString: ClickHouse would sort by its argument.
  const replaced = texts.map((name) => `CAST(${name} AS String) AS ${name}`);
  return `SELECT * REPLACE (${replaced.join(', ')}) FROM (${rows})`;
}

/** The inputs of changes, as columns: an expression inside others would be analyzed again for each of them. */
function withComparables(rows: string, metrics: readonly Metric[], compared: boolean): string {
  if (!compared) return rows;
  const columns = metrics.map((name) => {
    const { now, before } = comparable(name, current, previous);
    return `${now} AS n_${name}, ${before} AS b_${name}`;
  });
  return `SELECT *, ${columns.join(', ')} FROM (${rows})`;
}

/** As asked, then by all dimensions: no two rows are equal in these, so pages neither overlap nor leave out. */
function orderOf(
  { sort = [], dimensions }: ReportRequest,
  { names }: ReportContext,
  parameters: Parameters,
): string {
  const isDimension = (key: string): boolean => dimensions.some((dimension) => dimension === key);
  const keyOf = (by: string): string => {
    if (!isDimension(by)) return by;
    // As the rows show them: readers see no `xn--`.
    return by === 'domain' || by === 'subdomain' ? shownName(`d_${by}`, names, parameters) : `d_${by}`;
  };
  const asked = sort.map(({ by, direction = 'asc' }) => `${keyOf(by)} ${direction.toUpperCase()}`);
  const rest = dimensions.filter((dimension) => !sort.some(({ by }) => by === dimension));
  return [...asked, ...rest.map((dimension) => `d_${dimension}`)].join(', ');
}

function pageOf({ limit, offset }: ReportRequest, parameters: Parameters): string {
  const most = limit === undefined ? '' : ` LIMIT ${parameters.value('UInt64', limit)}`;
  return offset === undefined ? most : `${most} OFFSET ${parameters.value('UInt64', offset)}`;
}

/** From exact sums: the eCPM of all rows is not a sum of theirs, and every value is rounded once. */
function totalsOf(
  metrics: readonly Metric[],
  { summed }: ExactQuestion,
  rows: string,
  compared: boolean,
): string {
  const sums = summed.flatMap((name) => [
    `sum(${current(name)}) AS t_${current(name)}`,
    ...(compared ? [`sum(${previous(name)}) AS t_${previous(name)}`] : []),
  ]);
  const names = summed.flatMap((name) => [
    `t_${current(name)} AS ${current(name)}`,
    ...(compared ? [`t_${previous(name)} AS ${previous(name)}`] : []),
  ]);
  const outputs = metricOutputs(metrics, compared);
  const exact = `SELECT ${names.join(', ')} FROM (SELECT ${sums.join(', ')} FROM (${rows}))`;
  return `SELECT ${listed(outputs)} FROM (${withComparables(exact, metrics, compared)})`;
}
