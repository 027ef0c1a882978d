import type { Node, SelectStmt } from 'libpg-query';
import { fromRows } from './catalogue-from.ts';
import {
  type Context,
  evaluateGroup,
  evaluateIn,
  isAggregate,
  type Joined,
  joinedRows,
  rowOf,
  scopeOf,
} from './catalogue-scope.ts';
import { catalogueType } from './catalogue-tables.ts';
import { compareValues } from './compare.ts';
import { constantOf, evaluate, type Scope, truthOf } from './evaluate.ts';
import { boundedColumns, partsOf, treeKey, walk } from './sql.ts';
import { TABLE } from './table.ts';
import { nameOf, type Rows, typeOf } from './types.ts';
import { numberOf, type Value } from './values.ts';
import { unsupported, WireError } from './wire-error.ts';
import type { Work } from './work.ts';

/**
 * Answers what tools ask of `pg_catalog` and `information_schema`: joins by trying all pairs, over the few rows that
 * describe one table. Nothing here reaches a database, and the number of steps of a statement is bounded.
 */

const MAX_STEPS = 150_000;

/** Whether a statement asks the table of reports, at any depth. */
export function asksReports(select: SelectStmt): boolean {
  let asks = false;
  walk(select, (node) => {
    if ('RangeVar' in node && node.RangeVar.relname === TABLE && node.RangeVar.schemaname !== 'pg_catalog')
      asks = true;
    return !asks;
  });
  return asks;
}

/** @throws WireError for what is outside the grammar. */
export function answerCatalogue(
  select: SelectStmt,
  parameter: (number: number) => Value,
  nowMs: number,
  work: Work,
): Rows {
  let steps = 0;
  const step = (count = 1): void => {
    steps += count;
    if (steps > MAX_STEPS)
      throw new WireError('54001', 'the question about the catalogue takes too many steps');
  };
  const outer: Scope = { valueOf: () => undefined, parameter, step, nowMs };
  work.add(0);
  try {
    return selectRows(select, { scope: outer, ctes: new Map(), outer: {}, select: selectRows });
  } finally {
    work.note(steps);
  }
}

function selectRows(select: SelectStmt, given: Context): Rows {
  const context = withCtes(select, given);
  if (select.larg !== undefined && select.rarg !== undefined) return unionOf(select, context);
  if (select.valuesLists !== undefined) return valuesOf(select.valuesLists, context);
  const all = (select.fromClause ?? []).reduce<readonly Joined[]>(
    (rows, from) =>
      joinedRows(rows, (row) =>
        fromRows(from, { ...context, outer: { ...context.outer, ...row } }).map((own) => ({
          ...row,
          ...own,
        })),
      ),
    [{}],
  );
  const kept =
    select.whereClause === undefined
      ? all
      : all.filter((row) => truthOf(evaluateIn(select.whereClause ?? nothing, row, context)) === true);
  const targets = targetsOf(select, all[0] ?? {}, context);
  const columns = targets.map(({ name, node }) => ({ name, type: typeOf(node, catalogueType) }));
  const groups = groupsOf(select, kept, context, targets);
  const made = groups.map((rows) => ({
    values: targets.map(({ node }) => evaluateGroup(node, rows, context)),
    rows,
  }));
  const held =
    select.havingClause === undefined
      ? made
      : made.filter(
          ({ rows }) => truthOf(evaluateGroup(select.havingClause ?? nothing, rows, context)) === true,
        );
  const distinct =
    select.distinctClause === undefined
      ? held
      : [...new Map(held.map((row) => [treeKey(row.values), row])).values()];
  const sorted = sortRows(select, distinct, targets, context).map(({ values }) => values);
  return { columns, rows: page(select, sorted, context) };
}

const nothing: Node = { A_Const: { isnull: true } };

function withCtes(select: SelectStmt, context: Context): Context {
  if (select.withClause === undefined) return context;
  if (select.withClause.recursive === true && !asksNothing(select))
    throw unsupported('WITH RECURSIVE is not supported');
  const ctes = new Map(context.ctes);
  for (const cte of select.withClause.ctes ?? []) {
    if (!('CommonTableExpr' in cte)) continue;
    const { ctename = '', ctequery } = cte.CommonTableExpr;
    if (ctequery !== undefined && 'SelectStmt' in ctequery)
      ctes.set(ctename, selectRows(ctequery.SelectStmt, { ...context, ctes }));
  }
  return { ...context, ctes };
}

const asksNothing = (select: SelectStmt): boolean => select.fromClause === undefined;

function unionOf(select: SelectStmt, context: Context): Rows {
  if (select.op !== 'SETOP_UNION' || select.larg === undefined || select.rarg === undefined)
    throw unsupported('INTERSECT and EXCEPT are not supported');
  const [left, right] = [selectRows(select.larg, context), selectRows(select.rarg, context)];
  const rows = [...left.rows, ...right.rows];
  context.scope.step(rows.length);
  const kept = select.all === true ? rows : [...new Map(rows.map((row) => [treeKey(row), row])).values()];
  const targets = left.columns.map(({ name }) => ({
    name,
    node: { ColumnRef: { fields: [{ String: { sval: name } }] } },
  }));
  const asJoined = kept.map((values) => ({ values, rows: [{ union: rowOf(left.columns, values) }] }));
  return {
    columns: left.columns,
    rows: page(
      select,
      sortRows(select, asJoined, targets, context).map(({ values }) => values),
      context,
    ),
  };
}

function valuesOf(lists: readonly Node[], context: Context): Rows {
  const rows = lists.map((list) =>
    'List' in list ? (list.List.items ?? []).map((item) => evaluate(item, scopeOf({}, context))) : [],
  );
  return { columns: (rows[0] ?? []).map((_, index) => ({ name: `column${index + 1}`, type: 'text' })), rows };
}

interface CatalogueTarget {
  readonly name: string;
  readonly node: Node;
}

function targetsOf(select: SelectStmt, sample: Joined, context: Context): readonly CatalogueTarget[] {
  const targets = (select.targetList ?? []).flatMap((target): CatalogueTarget[] => {
    if (!('ResTarget' in target) || target.ResTarget.val === undefined) return [];
    const { name, val } = target.ResTarget;
    const parts = partsOf(val);
    if (parts?.at(-1) !== '*') return [{ name: name ?? nameOf(val), node: val }];
    const aliases = parts.length > 1 ? parts.slice(-2, -1) : Object.keys(sample);
    return aliases.flatMap((alias) =>
      Object.keys({ ...context.outer, ...sample }[alias] ?? {}).map((column) => ({
        name: column,
        node: { ColumnRef: { fields: [{ String: { sval: alias } }, { String: { sval: column } }] } },
      })),
    );
  });
  return boundedColumns(targets);
}

function groupsOf(
  select: SelectStmt,
  rows: readonly Joined[],
  context: Context,
  targets: readonly CatalogueTarget[],
): readonly (readonly Joined[])[] {
  if (select.groupClause !== undefined) {
    const groups = new Map<string, Joined[]>();
    for (const row of rows) {
      const key = treeKey(
        select.groupClause.map((node) => evaluateIn(targetAt(node, targets), row, context)),
      );
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
    return [...groups.values()];
  }
  let aggregated = false;
  walk(
    targets.map(({ node }) => node),
    (node) => {
      aggregated ||= isAggregate(node);
      return !('SubLink' in node);
    },
  );
  return aggregated ? [rows] : rows.map((row) => [row]);
}

function targetAt(node: Node, targets: readonly CatalogueTarget[]): Node {
  if ('A_Const' in node) return targets[numberOf(constantOf(node.A_Const)) - 1]?.node ?? node;
  const parts = partsOf(node);
  return (parts?.length === 1 ? targets.find(({ name }) => name === parts[0])?.node : undefined) ?? node;
}

interface Made {
  readonly values: readonly Value[];
  readonly rows: readonly Joined[];
}

function sortRows(
  select: SelectStmt,
  made: readonly Made[],
  targets: readonly CatalogueTarget[],
  context: Context,
): readonly Made[] {
  if (select.sortClause === undefined) return made;
  const keys = select.sortClause.flatMap((sort) =>
    'SortBy' in sort && sort.SortBy.node !== undefined
      ? [
          {
            node: targetAt(sort.SortBy.node, targets),
            sign: sort.SortBy.sortby_dir === 'SORTBY_DESC' ? -1 : 1,
          },
        ]
      : [],
  );
  const keyed = made.map((row) => ({
    row,
    keys: keys.map(({ node }) => evaluateGroup(node, row.rows, context)),
  }));
  keyed.sort((one, other) => {
    for (const [index, { sign }] of keys.entries()) {
      const [left, right] = [one.keys[index] ?? null, other.keys[index] ?? null];
      if (left === null && right === null) continue;
      const order = left === null ? 1 : right === null ? -1 : compareValues(left, right);
      if (order !== 0) return sign * order;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

function page(
  select: SelectStmt,
  rows: readonly (readonly Value[])[],
  context: Context,
): readonly (readonly Value[])[] {
  const numberAt = (node: Node | undefined): number | null => {
    const value = node === undefined ? null : evaluate(node, scopeOf({}, context));
    return value === null ? null : numberOf(value);
  };
  const from = numberAt(select.limitOffset) ?? 0;
  const count = numberAt(select.limitCount);
  return rows.slice(from, count === null ? undefined : from + count);
}
