import type { Node } from 'libpg-query';
import { functions } from './functions.ts';
import { lastName, partsOf, walk } from './sql.ts';
import { type SqlType, typeNamed, type Value } from './values.ts';

/** The type of a column by its last name; null: there is none. */
export type TypeOfColumn = (name: string) => SqlType | null;

const booleanOperators = new Set([
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '~~',
  '!~~',
  '~~*',
  '!~~*',
  '~',
  '!~',
  '~*',
  '@>',
]);
const integers: ReadonlySet<SqlType> = new Set(['int2', 'int4', 'int8', 'oid']);

/** The type of an expression before it has a value: what a client reads its fields by. */
export function typeOf(node: Node | undefined, column: TypeOfColumn): SqlType {
  if (node === undefined) return 'text';
  if ('ColumnRef' in node) return column(partsOf(node)?.at(-1) ?? '') ?? 'text';
  if ('TypeCast' in node) return typeNamed(lastName(node.TypeCast.typeName?.names)) ?? 'text';
  if ('A_Const' in node) {
    const { ival, fval, boolval } = node.A_Const;
    return ival !== undefined
      ? 'int4'
      : fval !== undefined
        ? 'numeric'
        : boolval !== undefined
          ? 'bool'
          : 'text';
  }
  if ('BoolExpr' in node || 'NullTest' in node || 'BooleanTest' in node) return 'bool';
  if ('SubLink' in node) return node.SubLink.subLinkType === 'EXISTS_SUBLINK' ? 'bool' : 'text';
  if ('CoalesceExpr' in node) return typeOf(node.CoalesceExpr.args?.[0], column);
  if ('CaseExpr' in node) {
    const [first] = node.CaseExpr.args ?? [];
    return first !== undefined && 'CaseWhen' in first ? typeOf(first.CaseWhen.result, column) : 'text';
  }
  if ('CollateClause' in node) return typeOf(node.CollateClause.arg, column);
  if ('SQLValueFunction' in node)
    return node.SQLValueFunction.op === 'SVFOP_CURRENT_DATE'
      ? 'date'
      : /TIME/.test(node.SQLValueFunction.op ?? '')
        ? 'timestamptz'
        : 'name';
  if ('FuncCall' in node)
    return calledType(lastName(node.FuncCall.funcname), node.FuncCall.args?.[0], column);
  if ('A_Expr' in node) {
    const operator = lastName(node.A_Expr.name);
    const { kind, lexpr, rexpr } = node.A_Expr;
    if (kind === 'AEXPR_NULLIF') return typeOf(lexpr, column);
    if (kind !== 'AEXPR_OP' || booleanOperators.has(operator)) return 'bool';
    if (operator === '||') return 'text';
    // Each side once: asked twice at each of a row of signs, the innermost one would be asked 2ⁿ times.
    const right = typeOf(rexpr, column);
    return sumType(lexpr === undefined ? right : typeOf(lexpr, column), right, operator);
  }
  return 'text';
}

function sumType(left: SqlType, right: SqlType, operator: string): SqlType {
  const moment = [left, right].find((type) => type === 'date' || type.startsWith('timestamp'));
  if (moment !== undefined) {
    if (moment === 'date' && integers.has(right)) return left === right ? 'int4' : 'date';
    if (left === right) return moment === 'date' ? 'int4' : 'interval';
    return moment === 'date' ? 'timestamp' : moment;
  }
  if (left === 'interval' || right === 'interval') return 'interval';
  // Computed with doubles, and so it says.
  return integers.has(left) && integers.has(right) && operator !== '/' ? 'int8' : 'float8';
}

function calledType(name: string, arg: Node | undefined, column: TypeOfColumn): SqlType {
  if (name === 'count') return 'int8';
  if (name === 'sum' || name === 'avg') return 'numeric';
  if (name === 'min' || name === 'max') return typeOf(arg, column);
  return (Object.hasOwn(functions, name) ? functions[name]?.type : undefined) ?? 'text';
}

/** The types of a statement's parameters, each from what stands beside it; text where nothing says more. */
export function parameterTypes(
  statement: Node,
  declared: readonly (SqlType | null)[],
  column: TypeOfColumn,
): SqlType[] {
  const found: (SqlType | undefined)[] = declared.map((type) => type ?? undefined);
  /** The type is looked for only where it says something: it may be that of a long expression. */
  const note = (node: Node | undefined, type: () => SqlType): void => {
    if (node === undefined || !('ParamRef' in node)) return;
    const at = (node.ParamRef.number ?? 1) - 1;
    if (at < MAX_PARAMETERS) found[at] ??= type();
  };
  const besides: (readonly [Node | undefined, SqlType])[] = [];
  walk(statement, (node) => {
    if ('TypeCast' in node) note(node.TypeCast.arg, () => typeOf(node, column));
    if ('SelectStmt' in node) {
      note(node.SelectStmt.limitCount, () => 'int8');
      note(node.SelectStmt.limitOffset, () => 'int8');
    }
    if ('A_Expr' in node) {
      const { lexpr, rexpr } = node.A_Expr;
      const items = rexpr !== undefined && 'List' in rexpr ? (rexpr.List.items ?? []) : [rexpr];
      const isList = /^AEXPR_OP_(ANY|ALL)$/.test(node.A_Expr.kind ?? '');
      for (const item of items) note(item, () => (isList ? '_text' : typeOf(lexpr, column)));
      note(lexpr, () => typeOf(rexpr, column));
    }
    if ('ParamRef' in node) besides.push([node, 'text']);
    return true;
  });
  for (const [node, type] of besides) note(node, () => type);
  return Array.from(found, (type) => type ?? 'text');
}

const MAX_PARAMETERS = 1_000;

/** A result that is known before its statement runs. */
export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  readonly rows: readonly (readonly Value[])[];
}

/** The name of a column that has none of its own, as Postgres gives it. */
export function nameOf(node: Node | undefined): string {
  if (node === undefined) return '?column?';
  if ('ColumnRef' in node) return partsOf(node)?.at(-1) ?? '?column?';
  if ('FuncCall' in node) return lastName(node.FuncCall.funcname);
  if ('TypeCast' in node) {
    const name = nameOf(node.TypeCast.arg);
    return name === '?column?' ? lastName(node.TypeCast.typeName?.names) : name;
  }
  if ('CoalesceExpr' in node) return 'coalesce';
  if ('CaseExpr' in node) return 'case';
  if ('SQLValueFunction' in node) return (node.SQLValueFunction.op ?? '').replace('SVFOP_', '').toLowerCase();
  if ('A_ArrayExpr' in node || ('SubLink' in node && node.SubLink.subLinkType === 'ARRAY_SUBLINK'))
    return 'array';
  if ('SubLink' in node && node.SubLink.subLinkType === 'EXISTS_SUBLINK') return 'exists';
  return '?column?';
}
