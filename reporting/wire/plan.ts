import type { Node } from 'libpg-query';
import type { FilterGroup } from '../report/filters.ts';
import type { Dimension, Metric } from '../report/keys.ts';
import { metricKeys } from '../report/keys.ts';
import type { ReportRequest } from '../report/request.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { filterGroupsOf, splitConditions } from './filters.ts';
import type { WireColumn } from './messages.ts';
import {
  columnIn,
  columnNode,
  columnsOf,
  hasAggregate,
  isAggregate,
  isRowCount,
  metricOf,
  type Query,
  type Target,
} from './query.ts';
import { partsOf, sameTree, treeKey, walk } from './sql.ts';
import { columnType, isDimension, isMetric, isTime, rowDimensions } from './table.ts';
import { daysWhere, type Grain, grainOf, isConstantIn } from './time-conditions.ts';
import { typeOf } from './types.ts';
import { numberOf, type SqlType } from './values.ts';
import { placed, unsupported, WireError } from './wire-error.ts';

/** How a query's answer comes from a report. */
export interface Shape {
  readonly columns: readonly WireColumn[];
  /** `rows`: a row a row; `totals`: one row of the totals; `count`: one row with the number of rows. */
  readonly kind: 'rows' | 'totals' | 'count';
  readonly dimensions: readonly Dimension[];
  readonly metrics: readonly Metric[];
  readonly targets: readonly Target[];
  /** Of the day's expressions; null: days are not in it. */
  readonly grain: Grain | null;
}

export interface Plan {
  readonly shape: Shape;
  /** Null: no row can match, and nothing is asked. */
  readonly request: ReportRequest | null;
  /** The statement's own bound on its rows, which bounds its count as well. */
  readonly limit: number | null;
  readonly offset: number;
  /** For the client to know. */
  readonly notices: readonly string[];
}

export interface ReportSettings {
  readonly currency: 'EUR' | 'USD';
  readonly timezone: string;
  readonly sourceDays: boolean;
}

/** What a query's answer looks like, before its parameters are known. @throws WireError outside the grammar. */
export function shapeOf(query: Query, scope: Scope): Shape {
  const columns = query.targets.map(({ name, node }) => ({ name, type: outputType(node) }));
  const grouped = query.groups.length > 0;
  const aggregated = query.targets.some(({ node }) => hasAggregate(node)) || query.having.length > 0;
  if (!grouped && (query.distinct || !aggregated)) return rowShape(query, columns, scope);
  const groups = query.groups.filter((node) => columnsOf(node).size > 0);
  if (groups.length === 0) return totalShape(query, columns);
  const shape = groupShape(query, groups, columns, scope);
  for (const { node } of query.targets) placed(node, () => requireGrouped(node, query.groups, shape, scope));
  return counted(query, shape);
}

const outputType = (node: Node): SqlType => typeOf(node, columnType);

const counted = (query: Query, shape: Shape): Shape =>
  query.counted === null
    ? shape
    : { ...shape, kind: 'count', columns: [{ name: query.counted, type: 'int8' }] };

/** Rows of the table itself, or, of DISTINCT, the values of its dimensions. */
function rowShape(query: Query, columns: readonly WireColumn[], scope: Scope): Shape {
  if (query.distinct) {
    if (query.targets.some(({ node }) => hasAggregate(node) || [...columnsOf(node)].some(isMetric)))
      throw unsupported('DISTINCT of metrics is not supported');
    const shape = groupShape(
      query,
      query.targets.map(({ node }) => node).filter((node) => columnsOf(node).size > 0),
      columns,
      scope,
    );
    return counted(query, shape);
  }
  const metrics = metricKeys.filter((metric) =>
    [...query.targets, ...query.sort].some(({ node }) => columnsOf(node).has(metric)),
  );
  return counted(query, {
    columns,
    kind: 'rows',
    dimensions: rowDimensions,
    metrics: atLeastOne(metrics),
    targets: query.targets,
    grain: 'day',
  });
}

const atLeastOne = (metrics: readonly Metric[]): readonly Metric[] =>
  metrics.length === 0 ? ['impressions'] : metrics;

function metricsIn(nodes: readonly Node[]): Metric[] {
  const found = new Set<string>();
  walk(nodes, (node) => {
    if (isAggregate(node)) {
      if (!isRowCount(node)) found.add(placed(node, () => metricOf(node)));
      return false;
    }
    const name = partsOf(node)?.at(-1);
    if (name === 'ecpm') found.add(name);
    return true;
  });
  return metricKeys.filter((metric) => found.has(metric));
}

/** One row over everything. */
function totalShape(query: Query, columns: readonly WireColumn[]): Shape {
  if (query.having.length > 0) throw unsupported('HAVING needs GROUP BY here');
  for (const { node } of query.targets) {
    const stray = [...columnsOf(node)].filter((name) => name !== 'ecpm');
    placed(node, () => {
      if (stray.length > 0) throw notGrouped(stray[0] ?? '');
    });
  }
  const nodes = query.targets.map(({ node }) => node);
  let counts = false;
  walk(nodes, (node) => {
    counts ||= isRowCount(node);
    return true;
  });
  return counted(query, {
    columns,
    kind: 'totals',
    dimensions: counts ? rowDimensions : ['year'],
    metrics: atLeastOne(metricsIn(nodes)),
    targets: query.targets,
    grain: null,
  });
}

function groupShape(
  query: Query,
  groups: readonly Node[],
  columns: readonly WireColumn[],
  scope: Scope,
): Shape {
  const dimensions = new Set<Dimension>();
  let grain: Grain | null = null;
  for (const node of groups) {
    const own = placed(node, () => groupedBy(node, scope));
    dimensions.add(own);
    if (isTime(own)) grain = grain === null || order[own as Grain] < order[grain] ? (own as Grain) : grain;
  }
  const sorted = new Set(query.sort.map(({ node }) => columnIn(node)));
  // The finest one says the others; one that rows are sorted by does not say their order.
  const kept = [...dimensions].filter(
    (dimension) => !isTime(dimension) || dimension === grain || sorted.has(dimension),
  );
  const nodes = [...query.targets, ...query.sort].map(({ node }) => node);
  return {
    columns,
    kind: 'rows',
    dimensions: kept,
    metrics: atLeastOne(metricsIn([...nodes, ...query.having])),
    targets: query.targets,
    grain,
  };
}

function groupedBy(node: Node, scope: Scope): Dimension {
  const names = [...columnsOf(node)];
  const [name = ''] = names;
  if (names.every(isTime)) return grainOf(node, scope);
  if (isDimension(name) && names.length === 1 && columnIn(node) === name) return name;
  if (names.some(isMetric)) throw unsupported('rows cannot be grouped by a metric');
  throw unsupported(
    'rows are grouped by dimensions and expressions of the day',
    'Group by the column itself.',
  );
}

const order: Readonly<Record<Grain, number>> = { day: 0, month: 1, year: 2 };

const notGrouped = (name: string): WireError =>
  new WireError(
    '42803',
    `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
  );

/** What is neither grouped nor summed has no one value. */
function requireGrouped(node: Node, groups: readonly Node[], shape: Shape, scope: Scope): void {
  if (groups.some((group) => sameTree(group, node))) return;
  for (const name of columnsOf(node)) {
    if (name === 'ecpm') continue;
    if (isTime(name)) continue;
    if (!isDimension(name) || !shape.dimensions.includes(name)) throw notGrouped(name);
  }
  const times = [...columnsOf(node)].filter(isTime);
  if (times.length === 0) return;
  const column = columnNode(times[0] ?? '');
  if (shape.grain === null) throw notGrouped(times[0] ?? '');
  const tested = [...columnsOf(node)].every(isTime) && !hasAggregate(node) ? node : column;
  if (!isConstantIn(tested, shape.grain, scope)) throw notGrouped(times[0] ?? '');
}

/** The report that answers a query. The request still has to be validated as any other. */
export function planOf(query: Query, shape: Shape, settings: ReportSettings, scope: Scope): Plan {
  const limit = boundOf(query.limit, 'LIMIT', scope);
  const offset = boundOf(query.offset, 'OFFSET', scope) ?? 0;
  const none: Plan = { shape, request: null, limit, offset, notices: [] };
  if (limit === 0 && shape.kind === 'rows') return none;
  const { days: dayConditions, others } = splitConditions(query.where);
  const days = daysWhere(dayConditions, scope, settings.timezone);
  if (days === null) return none;
  refuseMetrics(others, shape);
  const groups = filterGroupsOf([...others, ...query.having], scope, days);
  if (groups === 'never') return none;
  const filters = withDays(groups, days.only);
  const single = shape.kind !== 'rows';
  const sort = single ? [] : sortOf(query, shape);
  const request: ReportRequest = {
    dimensions: [...shape.dimensions],
    metrics: [...shape.metrics],
    currency: settings.currency,
    selectedDate: [days.start, days.end],
    timezone: settings.timezone,
    ...(settings.sourceDays ? { source_days: true } : {}),
    ...(filters.length === 0 ? {} : { filter_groups: filters }),
    ...(sort.length === 0 ? {} : { sort }),
    ...(single ? { limit: 1, totals: shape.kind === 'totals' } : { format: LISTS, ...paged(limit, offset) }),
  };
  const notices = days.assumed
    ? [`the statement does not say where its days begin: ${days.start} to ${days.end} were read`]
    : [];
  return { shape, request, limit, offset, notices };
}

/** Rows as lists of texts, from which a sheet is made as well; nothing of `meta` is read for it. */
const LISTS = 'xlsx';
const MOST_ROWS = 1_000_000;
const paged = (limit: number | null, offset: number) => ({
  ...(limit === null ? {} : { limit: Math.min(limit, MOST_ROWS) }),
  ...(offset === 0 ? {} : { offset }),
});

/** A metric of a single row can be compared where rows are read, and that of a group in HAVING. */
function refuseMetrics(conditions: readonly Node[], shape: Shape): void {
  if (shape.dimensions === rowDimensions && shape.kind !== 'totals') return;
  for (const node of conditions)
    for (const name of columnsOf(node))
      if (isMetric(name))
        placed(node, () => {
          throw unsupported(`rows cannot be filtered by ${name} before they are grouped`, 'Use HAVING.');
        });
}

function withDays(groups: readonly FilterGroup[], only: readonly string[] | null): FilterGroup[] {
  if (only === null) return [...groups];
  const filter: FilterGroup['filters'][number] = {
    value: 'day',
    type: 'dimension',
    comparator: 'in',
    selectedValues: [...only],
  };
  const given = groups.length === 0 ? [{ operator: 'or' as const, filters: [] }] : groups;
  return given.map(({ operator, filters }) => ({ operator, filters: [filter, ...filters] }));
}

function boundOf(node: Node | null, what: string, scope: Scope): number | null {
  if (node === null) return null;
  const value = evaluate(node, scope);
  if (value === null) return null;
  const number = Math.trunc(numberOf(value));
  if (number < 0) throw new WireError(what === 'LIMIT' ? '2201W' : '2201X', `${what} must not be negative`);
  return number;
}

function sortOf(query: Query, shape: Shape): NonNullable<ReportRequest['sort']> {
  const sort = query.sort.flatMap(({ node, descending }) => {
    const by = placed(node, () => sortKey(node, query, shape));
    return by === null ? [] : [{ by, direction: descending ? ('desc' as const) : ('asc' as const) }];
  });
  // A second time the same key says nothing.
  return sort.filter((entry, index) => sort.findIndex(({ by }) => by === entry.by) === index);
}

function sortKey(node: Node, query: Query, shape: Shape): Dimension | Metric | null {
  if (columnsOf(node).size === 0 && !hasAggregate(node)) return null;
  if (isAggregate(node)) return metricOf(node) as Metric;
  const name = columnIn(node);
  if (name !== null && isMetric(name)) return name;
  if (name !== null && shape.dimensions.some((dimension) => dimension === name)) return name as Dimension;
  const own = [...query.groups, ...shape.targets.map((target) => target.node)];
  const isOwn = own.some((one) => treeKey(one) === treeKey(node));
  if ([...columnsOf(node)].every(isTime) && shape.grain !== null && (isOwn || name !== null))
    return shape.grain;
  throw unsupported(
    'rows are sorted by their dimensions and metrics',
    'Sort by a column of the SELECT that is not computed.',
  );
}
