import type { Node, SelectStmt } from 'libpg-query';
import { boundedColumns, checkSize, lastName, partsOf, replaceColumns, walk } from './sql.ts';
import { columnType, isMetric, TABLE, tableColumns } from './table.ts';
import { nameOf } from './types.ts';
import { placed, unsupported, WireError } from './wire-error.ts';

/** A SELECT of the table, its sub-selects folded into it. */
export interface Query {
  readonly targets: readonly Target[];
  readonly where: readonly Node[];
  readonly groups: readonly Node[];
  readonly having: readonly Node[];
  readonly sort: readonly Sort[];
  readonly limit: Node | null;
  readonly offset: Node | null;
  readonly distinct: boolean;
  /** Asked for the number of its rows alone: the name of that column. */
  readonly counted: string | null;
}

export interface Target {
  readonly name: string;
  readonly node: Node;
}

export interface Sort {
  readonly node: Node;
  readonly descending: boolean;
}

const MAX_DEPTH = 5;

/** @throws WireError where it is outside the grammar. */
export function queryOf(select: SelectStmt, depth = 0): Query {
  if (depth > MAX_DEPTH) throw new WireError('54001', 'the sub-selects are nested too deeply');
  refuseClauses(select);
  const ctes = new Map<string, SelectStmt>(
    (select.withClause?.ctes ?? []).flatMap((cte) =>
      'CommonTableExpr' in cte &&
      cte.CommonTableExpr.ctequery !== undefined &&
      'SelectStmt' in cte.CommonTableExpr.ctequery
        ? [[cte.CommonTableExpr.ctename ?? '', cte.CommonTableExpr.ctequery.SelectStmt] as const]
        : [],
    ),
  );
  const [from, ...others] = select.fromClause ?? [];
  if (from === undefined || others.length > 0)
    return placed(others, () => {
      throw unsupported('joins are not supported: there is one table');
    });
  if (
    'RangeSubselect' in from &&
    from.RangeSubselect.subquery !== undefined &&
    'SelectStmt' in from.RangeSubselect.subquery
  )
    return folded(select, queryOf(from.RangeSubselect.subquery.SelectStmt, depth + 1));
  if (!('RangeVar' in from))
    return placed(from, () => {
      throw unsupported('joins are not supported: there is one table');
    });
  const { relname = '', schemaname } = from.RangeVar;
  const cte = schemaname === undefined ? ctes.get(relname) : undefined;
  if (cte !== undefined) return folded(select, queryOf(cte, depth + 1));
  if (relname !== TABLE || (schemaname !== undefined && schemaname !== 'public'))
    return placed(from, () => {
      throw new WireError('42P01', `relation "${relname}" does not exist`, `The table is ${TABLE}.`);
    });
  return checked(walkable(plain(select, tableTargets)));
}

/** Each of them is looked for among all others, and days are tried with each. */
const MAX_KEYS = 50;

function walkable(query: Query): Query {
  if (query.groups.length > MAX_KEYS || query.sort.length > MAX_KEYS)
    throw new WireError('54011', `GROUP BY and ORDER BY take at most ${MAX_KEYS} entries here`);
  checkSize([query.targets, query.where, query.groups, query.having, query.sort]);
  return query;
}

const tableTargets: readonly Target[] = tableColumns.map(({ name }) => ({ name, node: columnNode(name) }));

export function columnNode(name: string): Node {
  return { ColumnRef: { fields: [{ String: { sval: name } }] } };
}

function refuseClauses(select: SelectStmt): void {
  if (select.op !== undefined && select.op !== 'SETOP_NONE')
    throw unsupported('UNION, INTERSECT and EXCEPT are not supported');
  if (select.valuesLists !== undefined) throw unsupported('VALUES is not supported');
  const set = select.groupClause?.find((node) => 'GroupingSet' in node);
  if (set !== undefined)
    placed(set, () => {
      throw unsupported('ROLLUP, CUBE and GROUPING SETS are not supported', 'Ask for each of the groupings.');
    });
  if (select.windowClause !== undefined) throw unsupported('windows are not supported');
  if (select.intoClause !== undefined)
    throw new WireError('25006', 'cannot execute SELECT INTO: reports are read-only');
  if (select.lockingClause !== undefined)
    throw new WireError('25006', 'rows cannot be locked: reports are read-only');
  if (select.withClause?.recursive === true) throw unsupported('WITH RECURSIVE is not supported');
  if (select.limitOption === 'LIMIT_OPTION_WITH_TIES') throw unsupported('WITH TIES is not supported');
}

/** A select over rows whose columns are `columns`. */
function plain(select: SelectStmt, columns: readonly Target[]): Query {
  const targets = (select.targetList ?? []).flatMap((target): Target[] => {
    if (!('ResTarget' in target) || target.ResTarget.val === undefined) return [];
    const { val, name } = target.ResTarget;
    if (partsOf(val)?.at(-1) === '*') return [...columns];
    return [{ name: name ?? nameOf(val), node: val }];
  });
  if (targets.length === 0) throw unsupported('a SELECT without columns is not supported');
  const byName = (node: Node): Node => {
    if ('A_Const' in node && node.A_Const.ival !== undefined) {
      const target = targets[(node.A_Const.ival.ival ?? 0) - 1];
      if (target === undefined) throw new WireError('42P10', 'a position is not in the select list');
      return target.node;
    }
    const parts = partsOf(node);
    const own = parts?.length === 1 ? targets.filter(({ name }) => name === parts[0]) : [];
    return own[0]?.node ?? node;
  };
  // In GROUP BY the table's column comes before an alias of the same name.
  const ofGroup = (node: Node): Node => {
    const parts = partsOf(node);
    return parts?.length === 1 && columns.some(({ name }) => name === parts[0]) ? node : byName(node);
  };
  const [distinct] = select.distinctClause ?? [];
  if (distinct !== undefined && Object.keys(distinct).length > 0)
    throw unsupported('DISTINCT ON is not supported');
  return {
    targets: boundedColumns(targets),
    where: conjuncts(select.whereClause),
    groups: (select.groupClause ?? []).map(ofGroup),
    having: conjuncts(select.havingClause),
    sort: (select.sortClause ?? []).flatMap((sort) =>
      'SortBy' in sort && sort.SortBy.node !== undefined
        ? [{ node: byName(sort.SortBy.node), descending: sort.SortBy.sortby_dir === 'SORTBY_DESC' }]
        : [],
    ),
    limit: limitOf(select.limitCount),
    offset: select.limitOffset ?? null,
    distinct: select.distinctClause !== undefined,
    counted: null,
  };
}

/** LIMIT ALL is a null. */
const limitOf = (node: Node | undefined): Node | null =>
  node === undefined || ('A_Const' in node && node.A_Const.isnull === true) ? null : node;

export function conjuncts(node: Node | undefined): Node[] {
  if (node === undefined) return [];
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR')
    return (node.BoolExpr.args ?? []).flatMap(conjuncts);
  return [node];
}

const isCountOfRows = (node: Node): boolean =>
  'FuncCall' in node && lastName(node.FuncCall.funcname) === 'count' && node.FuncCall.agg_star === true;

function folded(select: SelectStmt, inner: Query): Query {
  const outer = plain(select, inner.targets);
  const ends = inner.limit !== null || inner.offset !== null;
  const grouped =
    inner.groups.length > 0 || inner.distinct || inner.targets.some(({ node }) => hasAggregate(node));
  const inside = walkable(throughTargets(outer, inner.targets));
  const counts = outer.targets.length === 1 && outer.targets.every(({ node }) => isCountOfRows(node));
  const filters = outer.where.length + outer.groups.length + outer.having.length > 0 || outer.distinct;
  if (counts && !filters && inner.counted === null)
    return { ...inner, counted: outer.targets[0]?.name ?? 'count' };
  if (inner.counted !== null) throw unsupported('this sub-select is not supported');
  if (!grouped && !ends) return { ...inside, where: [...inner.where, ...inside.where] };
  const isInner = (node: Node): boolean => inner.targets.some((target) => target.node === node);
  if (filters || outer.targets.some(({ node }) => !isInner(node) && hasAggregate(node)))
    throw unsupported(
      'a SELECT of a grouped or limited sub-select can only choose its columns, order and limit',
    );
  if (ends && outer.sort.length > 0)
    throw unsupported('the rows of a limited sub-select cannot be sorted again');
  if (ends && (outer.limit !== null || outer.offset !== null))
    throw unsupported('two limits are not supported: write one');
  return {
    ...inner,
    targets: inside.targets,
    sort: inside.sort.length > 0 ? inside.sort : inner.sort,
    limit: outer.limit ?? inner.limit,
    offset: outer.offset ?? inner.offset,
  };
}

/** The outer select with the inner one's expressions in place of their names. */
function throughTargets(outer: Query, inner: readonly Target[]): Query {
  const replace = (parts: readonly string[]): Node => {
    const name = parts.at(-1) ?? '';
    const found = inner.find((target) => target.name === name);
    if (found === undefined) throw new WireError('42703', `column "${name}" does not exist`);
    return found.node;
  };
  const through = <Tree>(tree: Tree): Tree => replaceColumns(tree, replace);
  return {
    ...outer,
    targets: outer.targets.map(({ name, node }) => ({
      name,
      node: inner.some((target) => target.node === node) ? node : through(node),
    })),
    where: through(outer.where),
    groups: through(outer.groups),
    having: through(outer.having),
    sort: outer.sort.map(({ node, descending }) => ({
      descending,
      node: inner.some((target) => target.node === node) ? node : through(node),
    })),
  };
}

/** A column, also in a cast to a text. */
export function columnIn(node: Node | undefined): string | null {
  if (node === undefined) return null;
  if ('TypeCast' in node) return columnIn(node.TypeCast.arg);
  return partsOf(node)?.at(-1) ?? null;
}

const aggregates = new Set(['sum', 'avg', 'count', 'min', 'max']);
export const isAggregate = (node: Node): boolean =>
  'FuncCall' in node && aggregates.has(lastName(node.FuncCall.funcname));

/** `count(*)`, or of a column: none is ever null. */
export const isRowCount = (node: Node): boolean =>
  'FuncCall' in node &&
  lastName(node.FuncCall.funcname) === 'count' &&
  (node.FuncCall.agg_star === true ||
    (node.FuncCall.agg_distinct !== true && node.FuncCall.args?.length === 1));

export function hasAggregate(node: Node): boolean {
  let has = false;
  walk(node, (one) => {
    has ||= isAggregate(one);
    return !has;
  });
  return has;
}

/** Columns that an expression names outside of aggregates. */
export function columnsOf(node: Node): ReadonlySet<string> {
  const names = new Set<string>();
  walk(node, (one) => {
    if (isAggregate(one)) return false;
    const name = partsOf(one)?.at(-1);
    if (name !== undefined) names.add(name);
    return true;
  });
  return names;
}

/** Every column exists. */
function checked(query: Query): Query {
  walk(query, (node) => {
    const name = partsOf(node)?.at(-1);
    if (name !== undefined && name !== '*' && columnType(name) === null)
      placed(node, () => {
        throw new WireError(
          '42703',
          `column "${name.slice(0, 63)}" does not exist`,
          `The columns are ${tableColumns.map((column) => column.name).join(', ')}.`,
        );
      });
    return true;
  });
  return query;
}

/** `sum` of a metric that is summed, or the eCPM of the sums. */
export function metricOf(node: Node): string {
  if (!('FuncCall' in node)) return '';
  const name = lastName(node.FuncCall.funcname);
  const [arg] = node.FuncCall.args ?? [];
  const metric = columnIn(arg) ?? '';
  if (
    node.FuncCall.agg_distinct === true ||
    node.FuncCall.agg_filter !== undefined ||
    node.FuncCall.over !== undefined
  )
    throw unsupported(`${name} with DISTINCT, FILTER or OVER is not supported`);
  if (name === 'sum' && isMetric(metric) && metric !== 'ecpm') return metric;
  if (name === 'avg' && metric === 'ecpm') return metric;
  throw unsupported(
    `${name}(${metric === '' ? (node.FuncCall.agg_star === true ? '*' : '…') : metric}) is not supported here`,
    'Sums are sum(impressions) and so on; avg(ecpm) is the eCPM of the sums; count(*) counts rows where nothing is grouped.',
  );
}
