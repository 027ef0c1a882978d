import type { JoinExpr, Node, SelectStmt } from 'libpg-query';
import { type CatalogueRow, catalogueRows, catalogueType } from './catalogue-tables.ts';
import { compareValues } from './compare.ts';
import { constantOf, evaluate, type Scope, truthOf } from './evaluate.ts';
import { lastName, partsOf, treeKey, walk } from './sql.ts';
import { TABLE } from './table.ts';
import { nameOf, type Rows, typeOf } from './types.ts';
import { numberOf, textOf, type Value } from './values.ts';
import { unsupported, WireError } from './wire-error.ts';

/**
 * Answers what tools ask of `pg_catalog` and `information_schema`: joins by trying all pairs, over the few rows that
 * describe one table. Nothing here reaches a database, and the number of steps of a statement is bounded.
 */

const MAX_STEPS = 150_000;
const MAX_ROWS = 5_000;

/** One row of each relation of a FROM, by its alias. */
type Joined = Readonly<Record<string, CatalogueRow>>;

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
): Rows {
  let steps = 0;
  const step = (): void => {
    if (++steps > MAX_STEPS)
      throw new WireError('54001', 'the question about the catalogue takes too many steps');
  };
  const outer: Scope = { valueOf: () => undefined, parameter, step, nowMs };
  return selectRows(select, { scope: outer, ctes: new Map(), outer: {} });
}

interface Context {
  readonly scope: Scope;
  readonly ctes: ReadonlyMap<string, Rows>;
  /** Rows of the select around this one. */
  readonly outer: Joined;
}

function selectRows(select: SelectStmt, given: Context): Rows {
  const context = withCtes(select, given);
  if (select.larg !== undefined && select.rarg !== undefined) return unionOf(select, context);
  if (select.valuesLists !== undefined) return valuesOf(select.valuesLists, context);
  const all = (select.fromClause ?? []).reduce<readonly Joined[]>(
    (rows, from) =>
      bounded(
        rows.flatMap((row) =>
          fromRows(from, { ...context, outer: { ...context.outer, ...row } }).map((own) => ({
            ...row,
            ...own,
          })),
        ),
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

function bounded<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length > MAX_ROWS)
    throw new WireError('54001', 'the question about the catalogue joins too many rows');
  return rows;
}

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

const rowOf = (columns: Rows['columns'], values: readonly Value[]): CatalogueRow =>
  Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]));

function valuesOf(lists: readonly Node[], context: Context): Rows {
  const rows = lists.map((list) =>
    'List' in list ? (list.List.items ?? []).map((item) => evaluate(item, scopeOf({}, context))) : [],
  );
  return { columns: (rows[0] ?? []).map((_, index) => ({ name: `column${index + 1}`, type: 'text' })), rows };
}

function fromRows(from: Node, context: Context): readonly Joined[] {
  if ('JoinExpr' in from) return joinRows(from.JoinExpr, context);
  if ('RangeVar' in from) {
    const { relname = '', schemaname, alias } = from.RangeVar;
    const cte = schemaname === undefined ? context.ctes.get(relname) : undefined;
    const rows = cte?.rows.map((values) => rowOf(cte.columns, values)) ?? catalogueRows(schemaname, relname);
    if (rows === null)
      throw new WireError(
        '42P01',
        `relation "${schemaname === undefined ? '' : `${schemaname}.`}${relname}" does not exist`,
        `The table is ${TABLE}.`,
      );
    return rows.map((row) => ({ [alias?.aliasname ?? relname]: row }));
  }
  if (
    'RangeSubselect' in from &&
    from.RangeSubselect.subquery !== undefined &&
    'SelectStmt' in from.RangeSubselect.subquery
  ) {
    const { columns, rows } = selectRows(from.RangeSubselect.subquery.SelectStmt, context);
    const names = aliasNames(from.RangeSubselect.alias?.colnames);
    const named = columns.map((column, index) => ({ ...column, name: names[index] ?? column.name }));
    return rows.map((values) => ({ [from.RangeSubselect.alias?.aliasname ?? '']: rowOf(named, values) }));
  }
  if ('RangeFunction' in from) return functionRows(from.RangeFunction, context);
  throw unsupported('this FROM is not supported');
}

const aliasNames = (nodes: readonly Node[] | undefined): string[] =>
  (nodes ?? []).map((node) => lastName([node]));

function functionRows(
  { functions = [], alias }: Extract<Node, { RangeFunction: unknown }>['RangeFunction'],
  context: Context,
): Joined[] {
  const [list] = functions;
  const call = list !== undefined && 'List' in list ? list.List.items?.[0] : undefined;
  if (call === undefined || !('FuncCall' in call))
    throw unsupported('this function is not supported in FROM');
  const name = lastName(call.FuncCall.funcname);
  const args = (call.FuncCall.args ?? []).map((arg) => evaluate(arg, scopeOf({}, context)));
  const column = aliasNames(alias?.colnames)[0] ?? alias?.aliasname ?? name;
  const own = alias?.aliasname ?? name;
  const rowsFrom = (values: readonly Value[]): Joined[] =>
    [...bounded(values)].map((value) => ({ [own]: { [column]: value } }));
  if (name === 'unnest') return rowsFrom(Array.isArray(args[0]) ? args[0] : []);
  if (name === 'generate_series') {
    const [first, last] = [numberOf(args[0] ?? 0), numberOf(args[1] ?? 0)];
    return rowsFrom(
      Array.from(
        { length: Math.min(MAX_ROWS + 1, Math.max(0, last - first + 1)) },
        (_, index) => first + index,
      ),
    );
  }
  if (
    /^pg_(get_keywords|show_all_settings|listening_channels|options_to_table|available_extensions)$/.test(
      name,
    )
  )
    return [];
  throw new WireError('42883', `function ${name} is not supported in FROM`);
}

function joinRows(
  { jointype, larg, rarg, quals, usingClause }: JoinExpr,
  context: Context,
): readonly Joined[] {
  if (larg === undefined || rarg === undefined) throw unsupported('this join is not supported');
  if (jointype === 'JOIN_RIGHT')
    return joinRows(
      { jointype: 'JOIN_LEFT', larg: rarg, rarg: larg, ...(quals === undefined ? {} : { quals }) },
      context,
    );
  if (jointype !== 'JOIN_INNER' && jointype !== 'JOIN_LEFT') throw unsupported('this join is not supported');
  const names = aliasNames(usingClause);
  const holds = (row: Joined, own: Joined): boolean => {
    if (names.length > 0)
      return names.every((name) => treeKey(fieldOf(row, name)) === treeKey(fieldOf(own, name)));
    return quals === undefined || truthOf(evaluateIn(quals, { ...row, ...own }, context)) === true;
  };
  const missing = Object.fromEntries(aliasesOf(rarg).map((alias) => [alias, {}]));
  return bounded(
    fromRows(larg, context).flatMap((row) => {
      const found = fromRows(rarg, { ...context, outer: { ...context.outer, ...row } })
        .filter((own) => holds(row, own))
        .map((own) => ({ ...row, ...own }));
      return found.length === 0 && jointype === 'JOIN_LEFT' ? [{ ...row, ...missing }] : found;
    }),
  );
}

function aliasesOf(from: Node): string[] {
  if ('JoinExpr' in from)
    return [from.JoinExpr.larg, from.JoinExpr.rarg].flatMap((side) =>
      side === undefined ? [] : aliasesOf(side),
    );
  if ('RangeVar' in from) return [from.RangeVar.alias?.aliasname ?? from.RangeVar.relname ?? ''];
  if ('RangeSubselect' in from) return [from.RangeSubselect.alias?.aliasname ?? ''];
  return [];
}

const fieldOf = (row: Joined, name: string): Value =>
  Object.values(row).find((one) => Object.hasOwn(one, name))?.[name] ?? null;

function scopeOf(row: Joined, context: Context): Scope {
  const all = { ...context.outer, ...row };
  return {
    ...context.scope,
    valueOf: (node) => {
      if ('FuncCall' in node && lastName(node.FuncCall.funcname) === 'col_description')
        return describe(node.FuncCall.args ?? [], row, context);
      const parts = partsOf(node);
      if (parts === null) return undefined;
      const name = parts.at(-1) ?? '';
      const alias = parts.at(-2);
      if (alias !== undefined)
        return Object.hasOwn(all, alias)
          ? (all[alias]?.[name] ?? (name === 'tableoid' ? 0 : null))
          : undefined;
      if (Object.keys(all).length === 0) return undefined;
      // A whole row by its alias is not supported; a column that no row has is null, as of an empty relation.
      return fieldOf(row, name) ?? fieldOf(context.outer, name);
    },
    rowsOf: (node) =>
      'SelectStmt' in node ? selectRows(node.SelectStmt, { ...context, outer: all }).rows : [],
  };
}

function describe(args: readonly Node[], row: Joined, context: Context): Value {
  const [oid = null, number = null] = args.map((arg) => evaluate(arg, scopeOf(row, context)));
  const found = catalogueRows('pg_catalog', 'pg_description')?.find(
    ({ objoid = null, objsubid = null }) => objoid === oid && objsubid === number,
  );
  return found?.description ?? null;
}

const evaluateIn = (node: Node, row: Joined, context: Context): Value =>
  evaluate(node, scopeOf(row, context));

interface CatalogueTarget {
  readonly name: string;
  readonly node: Node;
}

function targetsOf(select: SelectStmt, sample: Joined, context: Context): CatalogueTarget[] {
  return (select.targetList ?? []).flatMap((target): CatalogueTarget[] => {
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
}

const aggregateNames = new Set([
  'count',
  'max',
  'min',
  'sum',
  'array_agg',
  'string_agg',
  'bool_or',
  'bool_and',
]);
const isAggregate = (node: Node): boolean =>
  'FuncCall' in node && aggregateNames.has(lastName(node.FuncCall.funcname));

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
      groups.set(key, [...(groups.get(key) ?? []), row]);
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

function evaluateGroup(node: Node, rows: readonly Joined[], context: Context): Value {
  const scope = scopeOf(rows[0] ?? {}, context);
  return evaluate(node, {
    ...scope,
    valueOf: (one) =>
      'FuncCall' in one && isAggregate(one) ? aggregate(one, rows, context) : scope.valueOf(one),
  });
}

function aggregate(
  node: Extract<Node, { FuncCall: unknown }>,
  rows: readonly Joined[],
  context: Context,
): Value {
  const [arg, by] = node.FuncCall.args ?? [];
  const name = lastName(node.FuncCall.funcname);
  if (arg === undefined) return rows.length;
  const values = rows.map((row) => evaluateIn(arg, row, context));
  const some = values.filter((value) => value !== null);
  switch (name) {
    case 'count':
      return some.length;
    case 'sum':
      return some.length === 0 ? null : some.reduce<number>((sum, value) => sum + numberOf(value), 0);
    case 'array_agg':
      return values.length === 0 ? null : values;
    case 'string_agg':
      return some.length === 0
        ? null
        : some
            .map(textOf)
            .join(textOf((by === undefined ? null : evaluateIn(by, rows[0] ?? {}, context)) ?? ''));
    case 'bool_or':
      return some.includes(true);
    case 'bool_and':
      return !some.includes(false);
    default:
      return some.toSorted(compareValues).at(name === 'min' ? 0 : -1) ?? null;
  }
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
