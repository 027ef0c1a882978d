import type { Node, SelectStmt } from 'libpg-query';
import { type CatalogueRow, catalogueRows } from './catalogue-tables.ts';
import { compareValues } from './compare.ts';
import { evaluate, type Scope } from './evaluate.ts';
import { lastName, partsOf } from './sql.ts';
import type { Rows } from './types.ts';
import { numberOf, textOf, type Value } from './values.ts';
import { WireError } from './wire-error.ts';

/** Expressions over rows of the catalogue, joined or grouped. */

export const MAX_ROWS = 5_000;

/** One row of each relation of a FROM, by its alias. */
export type Joined = Readonly<Record<string, CatalogueRow>>;

export interface Context {
  readonly scope: Scope;
  readonly ctes: ReadonlyMap<string, Rows>;
  /** Rows of the select around this one. */
  readonly outer: Joined;
  /** Answers a sub-select. */
  select(select: SelectStmt, context: Context): Rows;
}

export function bounded<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length > MAX_ROWS)
    throw new WireError('54001', 'the question about the catalogue joins too many rows');
  return rows;
}

/** The rows that each of some rows makes: no more of them are collected than may be joined. */
export function joinedRows<Left, Row>(
  lefts: readonly Left[],
  rowsOf: (left: Left) => readonly Row[],
): readonly Row[] {
  const all: Row[] = [];
  for (const left of lefts) {
    for (const row of rowsOf(left)) all.push(row);
    bounded(all);
  }
  return all;
}

export const rowOf = (columns: Rows['columns'], values: readonly Value[]): CatalogueRow =>
  Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]));

export const fieldOf = (row: Joined, name: string): Value =>
  Object.values(row).find((one) => Object.hasOwn(one, name))?.[name] ?? null;

export function scopeOf(row: Joined, context: Context): Scope {
  const all = { ...context.outer, ...row };
  return {
    ...context.scope,
    valueOf: (node) => {
      // Drivers number the columns of a table again, to leave out those that were dropped.
      if ('FuncCall' in node && lastName(node.FuncCall.funcname) === 'row_number')
        return fieldOf(all, 'attnum');
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
      'SelectStmt' in node ? context.select(node.SelectStmt, { ...context, outer: all }).rows : [],
  };
}

function describe(args: readonly Node[], row: Joined, context: Context): Value {
  const [oid = null, number = null] = args.map((arg) => evaluate(arg, scopeOf(row, context)));
  const found = catalogueRows('pg_catalog', 'pg_description')?.find(
    ({ objoid = null, objsubid = null }) => objoid === oid && objsubid === number,
  );
  return found?.description ?? null;
}

export const evaluateIn = (node: Node, row: Joined, context: Context): Value =>
  evaluate(node, scopeOf(row, context));

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
export const isAggregate = (node: Node): boolean =>
  'FuncCall' in node && aggregateNames.has(lastName(node.FuncCall.funcname));

export function evaluateGroup(node: Node, rows: readonly Joined[], context: Context): Value {
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
