import type { JoinExpr, Node } from 'libpg-query';
import {
  bounded,
  type Context,
  evaluateIn,
  fieldOf,
  type Joined,
  joinedRows,
  MAX_ROWS,
  rowOf,
  scopeOf,
} from './catalogue-scope.ts';
import { catalogueRows } from './catalogue-tables.ts';
import { evaluate, truthOf } from './evaluate.ts';
import { callFunction } from './functions.ts';
import { lastName, treeKey } from './sql.ts';
import { TABLE } from './table.ts';
import { numberOf, type Value } from './values.ts';
import { placed, unsupported, WireError } from './wire-error.ts';

/** The rows of a FROM: relations of the catalogue, sub-selects, functions, and joins of them by trying all pairs. */

export function fromRows(from: Node, context: Context): readonly Joined[] {
  const rows = placed(from, () => rowsFrom(from, context));
  // Rows that nothing is computed of are made and tried all the same.
  context.scope.step(rows.length);
  return rows;
}

function rowsFrom(from: Node, context: Context): readonly Joined[] {
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
    const { columns, rows } = context.select(from.RangeSubselect.subquery.SelectStmt, context);
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
  // Of any other function, its value is the one row.
  return rowsFrom([callFunction(name, args, context.scope.nowMs)]);
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
  return joinedRows(fromRows(larg, context), (row) => {
    const found = fromRows(rarg, { ...context, outer: { ...context.outer, ...row } })
      .filter((own) => holds(row, own))
      .map((own) => ({ ...row, ...own }));
    return found.length === 0 && jointype === 'JOIN_LEFT' ? [{ ...row, ...missing }] : found;
  });
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
