import type { A_Expr, FuncCall, Node } from 'libpg-query';
import { compareValues, likePattern } from './compare.ts';
import { callFunction } from './functions.ts';
import { kindOf, lastName } from './sql.ts';
import {
  arrayOf,
  castTo,
  exactOf,
  isInterval,
  isList,
  isMoment,
  type Moment,
  numberOf,
  textOf,
  typeNamed,
  type Value,
  weightOf,
} from './values.ts';
import { placed, unsupported, WireError } from './wire-error.ts';

/** What an expression may look up. */
export interface Scope {
  /** Whole expressions that have a value already: aggregates, columns. Undefined: it has none. */
  valueOf(node: Node): Value | undefined;
  /** @param number from 1. */
  parameter(number: number): Value;
  /** Rows of a sub-select; left out, there are none of them. */
  rowsOf?(select: Node): readonly (readonly Value[])[];
  /** Called for each node, and for what else takes time: throws where there were too many. */
  step(count?: number): void;
  readonly nowMs: number;
}

/** The value of an expression, with SQL's three-valued logic. @throws WireError for what is outside the grammar. */
export function evaluate(node: Node, scope: Scope): Value {
  return placed(node, () => {
    const value = evaluated(node, scope);
    scope.step(weightOf(value) >> FREE_BITS);
    return value;
  });
}

/** Values as they are in reports take no steps beside that of their node; larger ones one for each 64 characters. */
const FREE_BITS = 6;

function evaluated(node: Node, scope: Scope): Value {
  scope.step();
  const known = scope.valueOf(node);
  if (known !== undefined) return known;
  const at = (one: Node | undefined): Value => (one === undefined ? null : evaluate(one, scope));
  if ('A_Const' in node) return constantOf(node.A_Const);
  if ('ParamRef' in node) return scope.parameter(node.ParamRef.number ?? 0);
  if ('TypeCast' in node) return castOf(node.TypeCast.typeName?.names, at(node.TypeCast.arg));
  if ('BoolExpr' in node) return logicOf(node.BoolExpr.boolop ?? '', node.BoolExpr.args ?? [], scope);
  if ('NullTest' in node)
    return (at(node.NullTest.arg) === null) === (node.NullTest.nulltesttype === 'IS_NULL');
  if ('BooleanTest' in node)
    return booleanTest(node.BooleanTest.booltesttype ?? '', at(node.BooleanTest.arg));
  if ('CoalesceExpr' in node) {
    for (const arg of node.CoalesceExpr.args ?? []) {
      const value = at(arg);
      if (value !== null) return value;
    }
    return null;
  }
  if ('CaseExpr' in node) {
    const { arg, args = [], defresult } = node.CaseExpr;
    const subject = arg === undefined ? true : at(arg);
    for (const when of args) {
      if (!('CaseWhen' in when)) continue;
      const tested = at(when.CaseWhen.expr);
      if (subject !== null && tested !== null && compareValues(subject, tested) === 0)
        return at(when.CaseWhen.result);
    }
    return at(defresult);
  }
  if ('A_Expr' in node) return operatorOf(node.A_Expr, scope);
  if ('FuncCall' in node) return calledOf(node.FuncCall, scope);
  if ('SQLValueFunction' in node) return sqlValue(node.SQLValueFunction.op ?? '', scope.nowMs);
  if ('MinMaxExpr' in node) {
    const values = (node.MinMaxExpr.args ?? []).map(at).filter((value) => value !== null);
    values.sort(compareValues);
    return (node.MinMaxExpr.op === 'IS_LEAST' ? values[0] : values.at(-1)) ?? null;
  }
  if ('A_ArrayExpr' in node) return (node.A_ArrayExpr.elements ?? []).map(at);
  if ('RowExpr' in node) return (node.RowExpr.args ?? []).map(at);
  if ('CollateClause' in node) return at(node.CollateClause.arg);
  if ('A_Indirection' in node)
    return indexed(at(node.A_Indirection.arg), node.A_Indirection.indirection ?? [], scope);
  if ('SubLink' in node && scope.rowsOf !== undefined) {
    const rows = scope.rowsOf(node.SubLink.subselect ?? ({} as Node));
    switch (node.SubLink.subLinkType) {
      case 'EXISTS_SUBLINK':
        return rows.length > 0;
      case 'EXPR_SUBLINK':
        return rows[0]?.[0] ?? null;
      case 'ARRAY_SUBLINK':
        return rows.map((row) => row[0] ?? null);
      case 'ANY_SUBLINK':
        return isAmong(
          at(node.SubLink.testexpr),
          rows.map((row) => row[0] ?? null),
          scope,
        );
      default:
        throw unsupported('this form of sub-select is not supported');
    }
  }
  if ('ColumnRef' in node)
    throw new WireError('42703', `column "${lastName(node.ColumnRef.fields)}" does not exist`);
  throw unsupported(`the expression ${kindOf(node)} is not supported`);
}

type Constant = Extract<Node, { A_Const: unknown }>['A_Const'];

export function constantOf({ ival, fval, sval, boolval, isnull }: Constant): Value {
  if (isnull === true) return null;
  if (ival !== undefined) return ival.ival ?? 0;
  if (fval !== undefined) return exactOf(fval.fval ?? '0');
  if (boolval !== undefined) return boolval.boolval ?? false;
  return sval?.sval ?? '';
}

function castOf(names: readonly Node[] | undefined, value: Value): Value {
  const type = typeNamed(lastName(names));
  if (type === null) return value;
  return castTo(type, value);
}

/** Null where it is unknown. */
export function truthOf(value: Value): boolean | null {
  return value === null ? null : castTo('bool', value) === true;
}

function logicOf(operator: string, args: readonly Node[], scope: Scope): Value {
  if (operator === 'NOT_EXPR') {
    const [arg] = args;
    const value = arg === undefined ? null : truthOf(evaluate(arg, scope));
    return value === null ? null : !value;
  }
  const decides = operator === 'OR_EXPR';
  let result: boolean | null = !decides;
  for (const arg of args) {
    const value = truthOf(evaluate(arg, scope));
    if (value === decides) return decides;
    if (value === null) result = null;
  }
  return result;
}

function booleanTest(test: string, value: Value): boolean {
  const truth = truthOf(value);
  const wanted = test.includes('TRUE') ? true : test.includes('FALSE') ? false : null;
  return (truth === wanted) !== test.includes('NOT');
}

export const itemsOf = (node: Node | undefined): readonly Node[] =>
  node !== undefined && 'List' in node ? (node.List.items ?? []) : [];

function isAmong(value: Value, list: readonly Value[], scope: Scope): boolean | null {
  if (value === null) return null;
  stepThrough(value, list, scope);
  if (list.some((one) => one !== null && compareValues(value, one) === 0)) return true;
  return list.includes(null) ? null : false;
}

function operatorOf({ kind, name, lexpr, rexpr }: A_Expr, scope: Scope): Value {
  const operator = lastName(name);
  const left = lexpr === undefined ? null : evaluate(lexpr, scope);
  if (kind === 'AEXPR_IN') {
    const found = isAmong(
      left,
      itemsOf(rexpr).map((item) => evaluate(item, scope)),
      scope,
    );
    return found === null ? null : found === (operator === '=');
  }
  if (kind?.includes('BETWEEN') === true) {
    const [low, high] = itemsOf(rexpr).map((item) => evaluate(item, scope));
    if (left === null || low === undefined || high === undefined || low === null || high === null)
      return null;
    const inside = compareValues(left, low) >= 0 && compareValues(left, high) <= 0;
    return inside !== kind.includes('NOT');
  }
  const right = rexpr === undefined ? null : evaluate(rexpr, scope);
  if (kind === 'AEXPR_NULLIF')
    return left !== null && right !== null && compareValues(left, right) === 0 ? null : left;
  if (kind === 'AEXPR_DISTINCT' || kind === 'AEXPR_NOT_DISTINCT') {
    const same = left === null || right === null ? left === right : compareValues(left, right) === 0;
    return same === (kind === 'AEXPR_NOT_DISTINCT');
  }
  if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL') return anyOrAll(kind, operator, left, right, scope);
  return applyOperator(operator, left, right, lexpr === undefined, scope);
}

/** A comparison reads both values, and that of a list its first one again and again. */
function stepThrough(value: Value, list: readonly Value[], scope: Scope): void {
  scope.step((list.length * (1 + (weightOf(value) >> FREE_BITS))) >> COMPARED_BITS);
}
/** To compare two small values takes this part of a step. */
const COMPARED_BITS = 4;

function anyOrAll(kind: string, operator: string, left: Value, right: Value, scope: Scope): Value {
  const list = right === null ? null : isList(right) ? right : arrayOf(textOf(right));
  if (left === null || list === null) return null;
  stepThrough(left, list, scope);
  const each = list.map((one) => applyOperator(operator, left, one, false, scope) === true);
  return kind === 'AEXPR_OP_ANY' ? each.includes(true) : !each.includes(false);
}

function applyOperator(operator: string, left: Value, right: Value, isPrefix: boolean, scope: Scope): Value {
  if (isPrefix && operator === '-') return right === null ? null : -numberOf(right);
  if (isPrefix && operator === '+') return right;
  if (left === null || right === null) return null;
  const comparison = comparisons[operator];
  if (comparison !== undefined) return comparison(compareValues(left, right));
  if (operator === '||')
    return isList(left) && isList(right) ? [...left, ...right] : textOf(left) + textOf(right);
  if (operator in patterns) return patterns[operator]?.(textOf(left), textOf(right)) ?? null;
  if (operator === '@>' && isList(left) && isList(right))
    return right.every((one) => isAmong(one, left, scope) === true);
  return arithmetic(operator, left, right);
}

const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
};

const patterns: Readonly<Record<string, (text: string, pattern: string) => boolean>> = {
  '~~': (text, pattern) => likePattern(pattern, false)(text),
  '!~~': (text, pattern) => !likePattern(pattern, false)(text),
  '~~*': (text, pattern) => likePattern(pattern, true)(text),
  '!~~*': (text, pattern) => !likePattern(pattern, true)(text),
  '~': (text, pattern) => regexOf(pattern)(text),
  '!~': (text, pattern) => !regexOf(pattern)(text),
  '~*': (text, pattern) => regexOf(pattern.toLowerCase())(text.toLowerCase()),
};

/**
 * Only names between anchors, as tools ask the catalogue with: a pattern that a client writes freely could take
 * for ever to match.
 */
function regexOf(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN) throw unsupported('this regular expression is too long');
  const [isStart, isEnd] = [pattern.startsWith('^'), pattern.endsWith('$')];
  const inner = pattern.slice(isStart ? 1 : 0, isEnd ? -1 : undefined);
  const names = (inner.startsWith('(') && inner.endsWith(')') ? inner.slice(1, -1) : inner).split('|');
  return (text) =>
    names.some((name) => {
      const isOpen = name.endsWith('.*') || !isEnd;
      const plain = name.endsWith('.*') ? name.slice(0, -2) : name;
      if (!/^[\w.$ ]*$/.test(plain)) throw unsupported('this regular expression is not supported');
      if (isStart) return isOpen ? text.startsWith(plain) : text === plain;
      return isOpen ? text.includes(plain) : text.endsWith(plain);
    });
}

const MAX_PATTERN = 1_000;
const MONTH_LIMIT = 100_000;

function shifted(moment: Moment, months: number, ms: number): Moment {
  if (Math.abs(months) > MONTH_LIMIT) throw new WireError('22008', 'the interval is out of range');
  const date = new Date(moment.ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return { kind: moment.kind === 'date' ? 'timestamp' : moment.kind, ms: date.getTime() + ms };
}

function arithmetic(operator: string, left: Exclude<Value, null>, right: Exclude<Value, null>): Value {
  const sign = operator === '-' ? -1 : 1;
  const isSum = operator === '+' || operator === '-';
  if (isSum && isMoment(left) && isInterval(right))
    return shifted(left, sign * right.months, sign * right.ms);
  if (operator === '+' && isInterval(left) && isMoment(right)) return shifted(right, left.months, left.ms);
  if (isSum && isMoment(left) && isMoment(right))
    return left.kind === 'date' && right.kind === 'date' && operator === '-'
      ? (left.ms - right.ms) / 86_400_000
      : { kind: 'interval', months: 0, ms: left.ms + sign * right.ms };
  if (isSum && isMoment(left)) return { ...left, ms: left.ms + sign * numberOf(right) * 86_400_000 };
  if (operator === '*' && (isInterval(left) || isInterval(right))) {
    const [interval, times] = isInterval(left) ? [left, right] : [right, left];
    if (!isInterval(interval)) throw unsupported('this product is not supported');
    return { kind: 'interval', months: interval.months * numberOf(times), ms: interval.ms * numberOf(times) };
  }
  const [a, b] = [numberOf(left), numberOf(right)];
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
    case '%':
      if (b === 0) throw new WireError('22012', 'division by zero');
      return operator === '%' ? a % b : a / b;
    default:
      throw unsupported(`the operator ${operator} is not supported`);
  }
}

function indexed(value: Value, path: readonly Node[], scope: Scope): Value {
  let at = value;
  for (const step of path) {
    if (!('A_Indices' in step) || step.A_Indices.uidx === undefined)
      throw unsupported('this index is not supported');
    const index = numberOf(evaluate(step.A_Indices.uidx, scope));
    at = at !== null && isList(at) ? (at[index - 1] ?? null) : null;
  }
  return at;
}

function sqlValue(operator: string, nowMs: number): Value {
  const now: Moment = { kind: 'timestamptz', ms: nowMs };
  if (operator === 'SVFOP_CURRENT_DATE') return castTo('date', now);
  if (operator.startsWith('SVFOP_CURRENT_TIMESTAMP')) return now;
  if (operator.startsWith('SVFOP_LOCALTIMESTAMP')) return castTo('timestamp', now);
  if (operator === 'SVFOP_CURRENT_CATALOG') return 'broadside';
  if (operator === 'SVFOP_CURRENT_SCHEMA') return 'public';
  return 'reports';
}

function calledOf(call: FuncCall, scope: Scope): Value {
  const args = (call.args ?? []).map((arg) => evaluate(arg, scope));
  return callFunction(lastName(call.funcname), args, scope.nowMs);
}
