import type { A_Expr, Node } from 'libpg-query';
import { dayText } from '../../engine/contract/days.ts';
import { compareValues } from './compare.ts';
import { evaluate, itemsOf, type Scope, truthOf } from './evaluate.ts';
import { columnsOf } from './query.ts';
import { lastName, partsOf } from './sql.ts';
import { isTime } from './table.ts';
import { dateOf, type Value } from './values.ts';
import { placed } from './wire-error.ts';

/** Of a condition on a day: no, unknown, yes. `AND` is the least of them, `OR` the most. */
const [NO, UNKNOWN, YES] = [0, 1, 2] as const;

/** Of what is done for all days at once, each step has so many. */
const DAYS_A_STEP_BITS = 6;

/**
 * Of these days, ascending, those on which all conditions hold. Where what is compared with a value rises with the days, the
 * places at which it reaches the value and passes it are searched, since forty dates in a row would take half a second one
 * day after the other. Whatever else there is, any expression, is tried on each day that is left.
 */
export function daysThat(conditions: readonly Node[], days: readonly number[], scope: Scope): number[] {
  let left = [...days];
  for (const condition of conditions) {
    const truths = truthsOf(condition, left, scope);
    left = left.filter((_, index) => truths[index] === YES);
  }
  return left;
}

function truthsOf(node: Node, days: readonly number[], scope: Scope): Uint8Array {
  if (days.length === 0) return new Uint8Array(0);
  scope.step(1 + (days.length >> DAYS_A_STEP_BITS));
  if ('BoolExpr' in node) {
    const { boolop, args = [] } = node.BoolExpr;
    const [first] = args;
    if (boolop !== 'NOT_EXPR') return joined(boolop === 'OR_EXPR', args, days, scope);
    if (first !== undefined) return truthsOf(first, days, scope).map((truth) => YES - truth);
  }
  const compared = 'A_Expr' in node ? placed(node, () => comparedWith(node.A_Expr, days, scope)) : null;
  return compared ?? tried(node, days, scope);
}

/** As of a single day, what decides ends it: the rest is read on the other days alone. */
function joined(isOr: boolean, args: readonly Node[], days: readonly number[], scope: Scope): Uint8Array {
  const decides = isOr ? YES : NO;
  const result = new Uint8Array(days.length).fill(isOr ? NO : YES);
  let open = days.map((_, index) => index);
  for (const arg of args) {
    const truths = truthsOf(
      arg,
      open.map((index) => days[index] ?? 0),
      scope,
    );
    for (const [at, index] of open.entries()) {
      const [before = UNKNOWN, now = UNKNOWN] = [result[index], truths[at]];
      result[index] = isOr ? Math.max(before, now) : Math.min(before, now);
    }
    open = open.filter((index) => result[index] !== decides);
  }
  return result;
}

const mirrored: Readonly<Record<string, string>> = {
  ...{ '=': '=', '<>': '<>', '<': '>', '>': '<', '<=': '>=', '>=': '<=' },
};

/** Null where it is not something that rises beside values. */
function comparedWith(
  { kind, name, lexpr, rexpr }: A_Expr,
  days: readonly number[],
  scope: Scope,
): Uint8Array | null {
  const operator = lastName(name);
  if (lexpr === undefined || rexpr === undefined) return null;
  const rangeOf = (rising: Node, node: Node): Range | null =>
    searched(rising, evaluate(node, scope), days, scope);
  if (kind === 'AEXPR_OP' && operator in mirrored) {
    if (isConstant(rexpr) && rises(lexpr)) return inRange(operator, rangeOf(lexpr, rexpr), days.length);
    if (isConstant(lexpr) && rises(rexpr))
      return inRange(mirrored[operator] ?? '', rangeOf(rexpr, lexpr), days.length);
    return null;
  }
  const items = itemsOf(rexpr);
  if (items.length === 0 || !items.every(isConstant) || !rises(lexpr)) return null;
  const ranges = () => items.map((item) => rangeOf(lexpr, item));
  if (kind === 'AEXPR_IN') return among(operator, ranges(), days.length);
  if (kind !== 'AEXPR_BETWEEN' && kind !== 'AEXPR_NOT_BETWEEN') return null;
  const [low = null, high = null] = ranges();
  const whole = { first: low?.first ?? 0, end: high?.end ?? 0 };
  const range = low === null || high === null ? null : { ...whole, end: Math.max(whole.first, whole.end) };
  return inRange(kind === 'AEXPR_BETWEEN' ? '=' : '<>', range, days.length);
}

/** Whether the value of a later day is never below that of an earlier one. */
function rises(node: Node): boolean {
  if (timeColumn(node) !== null) return true;
  if ('TypeCast' in node) {
    const { arg, typeName } = node.TypeCast;
    return arg !== undefined && timeColumn(arg) === 'day' && risingTypes.has(lastName(typeName?.names));
  }
  if (!('FuncCall' in node)) return false;
  const [unit, arg, ...more] = node.FuncCall.args ?? [];
  if (unit === undefined || arg === undefined || more.length > 0 || !isDay(arg)) return false;
  const name = lastName(node.FuncCall.funcname);
  const text = 'A_Const' in unit ? (unit.A_Const.sval?.sval ?? '') : '';
  return (name === 'date_trunc' && text !== '') || (/^(extract|date_part)$/.test(name) && text === 'year');
}

const risingTypes: ReadonlySet<string> = new Set(['date', 'timestamp', 'timestamptz']);
const isDay = (node: Node): boolean => timeColumn(node) === 'day' || ('TypeCast' in node && rises(node));

const isConstant = (node: Node): boolean => columnsOf(node).size === 0;

function timeColumn(node: Node): string | null {
  const name = partsOf(node)?.at(-1);
  return name !== undefined && isTime(name) ? name : null;
}

/** Places of the days that are a value. */
interface Range {
  readonly first: number;
  readonly end: number;
}

/** @returns null where the value is. What rises has a value on each day. */
function searched(rising: Node, value: Value, days: readonly number[], scope: Scope): Range | null {
  if (value === null) return null;
  let at = 0;
  const daily: Scope = { ...scope, valueOf: (one) => timeValue(one, at) ?? scope.valueOf(one) };
  const search = (isBehind: (order: number) => boolean): number => {
    let [from, end] = [0, days.length];
    while (from < end) {
      scope.step();
      const middle = (from + end) >> 1;
      at = days[middle] ?? 0;
      const own = evaluate(rising, daily);
      if (own === null || isBehind(compareValues(own, value))) end = middle;
      else from = middle + 1;
    }
    return from;
  };
  return { first: search((order) => order >= 0), end: search((order) => order > 0) };
}

function inRange(operator: string, range: Range | null, length: number): Uint8Array {
  if (range === null) return new Uint8Array(length).fill(UNKNOWN);
  const { first, end } = range;
  const isBefore = operator === '<' || operator === '<=' || operator === '<>';
  const isIn = operator === '=' || operator === '<=' || operator === '>=';
  const isAfter = operator === '>' || operator === '>=' || operator === '<>';
  return new Uint8Array(length)
    .fill(isBefore ? YES : NO, 0, first)
    .fill(isIn ? YES : NO, first, end)
    .fill(isAfter ? YES : NO, end);
}

function among(operator: string, ranges: readonly (Range | null)[], length: number): Uint8Array {
  const result = new Uint8Array(length).fill(ranges.includes(null) ? UNKNOWN : NO);
  for (const range of ranges) if (range !== null) result.fill(YES, range.first, range.end);
  return operator === '=' ? result : result.map((truth) => YES - truth);
}

/** Parts without columns are computed once. */
function tried(node: Node, days: readonly number[], scope: Scope): Uint8Array {
  const constants = new Map<Node, Value>();
  foldConstants(node, scope, constants);
  let at = 0;
  const daily: Scope = {
    ...scope,
    valueOf: (one) => {
      const known = constants.get(one);
      if (known !== undefined) return known;
      return timeValue(one, at) ?? scope.valueOf(one);
    },
  };
  return Uint8Array.from(days, (day) => {
    at = day;
    const truth = truthOf(evaluate(node, daily));
    return truth === null ? UNKNOWN : truth ? YES : NO;
  });
}

/** A text beside a day stays a text: it is read as a date at each comparison, so it is read once here. */
function foldConstants(node: Node, scope: Scope, constants: Map<Node, Value>): void {
  if (columnsOf(node).size === 0) {
    if ('List' in node) {
      for (const item of node.List.items ?? []) foldConstants(item, scope, constants);
      return;
    }
    if (
      'A_Const' in node ||
      'FuncCall' in node ||
      'TypeCast' in node ||
      'A_Expr' in node ||
      'ParamRef' in node ||
      'SQLValueFunction' in node
    )
      constants.set(node, evaluate(node, scope));
    return;
  }
  if ('A_Expr' in node) {
    for (const side of [node.A_Expr.lexpr, node.A_Expr.rexpr])
      if (side !== undefined) foldConstants(side, scope, constants);
  } else if ('BoolExpr' in node) {
    for (const arg of node.BoolExpr.args ?? []) foldConstants(arg, scope, constants);
  } else if ('FuncCall' in node) {
    for (const arg of node.FuncCall.args ?? []) foldConstants(arg, scope, constants);
  }
}

/** The day's columns, for expressions of them. */
export function timeValue(node: Node, day: number): Value | undefined {
  const name = timeColumn(node);
  return name === null ? undefined : columnValue(name, day);
}

function columnValue(name: string, day: number): Exclude<Value, null> {
  if (name === 'day') return dateOf(day);
  return dayText(day).slice(0, name === 'month' ? 7 : 4);
}
