import type { Node } from 'libpg-query';
import type { DimensionFilter, FilterGroup, MetricFilter } from '../report/filters.ts';
import type { Dimension, Metric } from '../report/keys.ts';
import { MAX_FILTER_GROUPS } from '../report/limits.ts';
import { likeParts } from './compare.ts';
import { evaluate, itemsOf, type Scope, truthOf } from './evaluate.ts';
import { columnIn, columnsOf, conjuncts, hasAggregate, isAggregate, metricOf } from './query.ts';
import { lastName } from './sql.ts';
import { isDimension, isMetric, isTime } from './table.ts';
import { type Days, daysWithin, isTimeOnly } from './time-conditions.ts';
import { arrayOf, isList, numberOf, textOf, type Value } from './values.ts';
import { placed, unsupported, WireError } from './wire-error.ts';

/** Conditions as a report's filters. `never`: no row can match. */
export type Filters = readonly (DimensionFilter | MetricFilter)[] | 'never';

const dimensionFilter = (
  value: Dimension,
  comparator: DimensionFilter['comparator'],
  selectedValues: readonly string[],
): Filters => [{ value, type: 'dimension', comparator, selectedValues: [...selectedValues] }];

/** Of these, reports compare texts in any case, as they are stored in one. */
const caseless: ReadonlySet<string> = new Set(['domain', 'subdomain', 'country']);

/** `lower(domain)`, as tools search texts in any case; null: it is another expression. */
function folded(
  node: Node | undefined,
): { readonly column: Node; readonly fold: (text: string) => string } | null {
  if (node === undefined || !('FuncCall' in node)) return null;
  const name = lastName(node.FuncCall.funcname);
  const [column] = node.FuncCall.args ?? [];
  if (column === undefined || !caseless.has(columnIn(column) ?? '')) return null;
  if (name === 'lower') return { column, fold: (text) => text.toLowerCase() };
  return name === 'upper' ? { column, fold: (text) => text.toUpperCase() } : null;
}

const tooOdd = (what: string): WireError =>
  unsupported(
    `this condition on ${what} is not supported`,
    'Texts take =, <>, IN, NOT IN and LIKE, domain, subdomain and country ILIKE as well; metrics take =, <>, <, <=, >, >= and BETWEEN.',
  );

/**
 * Groups of a WHERE or HAVING without conditions on days at its top: ORs are spread out into groups, one of which must
 * hold, as in a report.
 */
export function filterGroupsOf(
  conditions: readonly Node[],
  scope: Scope,
  days: Days,
): FilterGroup[] | 'never' {
  let groups: (DimensionFilter | MetricFilter)[][] = [[]];
  for (const condition of conditions) {
    const alternatives = alternativesOf(condition, scope, days, false);
    groups = groups.flatMap((group) => alternatives.map((filters) => [...group, ...filters]));
    if (groups.length > MAX_FILTER_GROUPS)
      throw new WireError(
        '54001',
        `the conditions have more than ${MAX_FILTER_GROUPS} alternatives`,
        'Write column IN (…) in place of ORs.',
      );
  }
  if (groups.length === 0) return 'never';
  // One alternative that always holds.
  if (groups.some((group) => group.length === 0)) return [];
  if (groups.length > 1 && groups.flat().some(({ type }) => type === 'metric'))
    throw unsupported('OR beside conditions on metrics is not supported');
  return groups.map((filters) => ({ operator: 'or', filters }));
}

type Group = readonly (DimensionFilter | MetricFilter)[];

function alternativesOf(node: Node, scope: Scope, days: Days, negated: boolean): readonly Group[] {
  if ('BoolExpr' in node) {
    const { boolop, args = [] } = node.BoolExpr;
    if (boolop === 'NOT_EXPR')
      return args[0] === undefined ? [] : alternativesOf(args[0], scope, days, !negated);
    if ((boolop === 'OR_EXPR') !== negated)
      return merged(args.flatMap((arg) => alternativesOf(arg, scope, days, negated)));
    let groups: Group[] = [[]];
    for (const arg of args) {
      const next = alternativesOf(arg, scope, days, negated);
      groups = groups.flatMap((group) => next.map((filters) => [...group, ...filters]));
      if (groups.length > MAX_FILTER_GROUPS * 4)
        throw new WireError('54001', 'the conditions have too many alternatives');
    }
    return groups;
  }
  const filters = placed(node, () => filtersOf(node, scope, days, negated));
  return filters === 'never' ? [] : [filters];
}

/** `a = 'x' OR a = 'y'` is one filter, beside which conditions on metrics can stand. */
function merged(groups: readonly Group[]): readonly Group[] {
  const singles = groups.flatMap((group) => {
    const [filter] = group;
    return group.length === 1 && filter?.type === 'dimension' ? [filter] : [];
  });
  const [first] = singles;
  const isOne =
    first !== undefined &&
    singles.length === groups.length &&
    !/^n/.test(first.comparator) &&
    singles.every(({ value, comparator }) => value === first.value && comparator === first.comparator);
  return isOne ? [[{ ...first, selectedValues: singles.flatMap((one) => one.selectedValues) }]] : groups;
}

function filtersOf(node: Node, scope: Scope, days: Days, negated: boolean): Filters {
  const columns = [...columnsOf(node)];
  if (columns.length === 0 && !hasAggregate(node)) {
    const holds = truthOf(evaluate(node, scope));
    return holds !== null && holds !== negated ? [] : 'never';
  }
  if (isTimeOnly(node)) return timeFilter(node, scope, days, negated);
  if ('NullTest' in node) return (node.NullTest.nulltesttype === 'IS_NOT_NULL') === negated ? 'never' : [];
  if (!('A_Expr' in node)) throw tooOdd(columns.join(', '));
  const { lexpr, rexpr, name, kind } = node.A_Expr;
  const operator = lastName(name);
  const isSubject =
    columnIn(lexpr) !== null || folded(lexpr) !== null || (lexpr !== undefined && isAggregate(lexpr));
  const [subject, other, turned] = isSubject ? [lexpr, rexpr, false] : [rexpr, lexpr, true];
  if (subject !== undefined && isAggregate(subject))
    return metricFilter(
      metricOf(subject),
      { kind: kind ?? '', operator: turned ? (mirrored[operator] ?? operator) : operator, other, negated },
      scope,
    );
  const call = folded(subject);
  const column = columnIn(call?.column ?? subject) ?? '';
  if (other !== undefined && columnsOf(other).size > 0)
    throw unsupported('columns are compared with values, not with each other');
  if (isMetric(column))
    return metricFilter(
      column,
      { kind: kind ?? '', operator: turned ? (mirrored[operator] ?? operator) : operator, other, negated },
      scope,
    );
  if (!isDimension(column) || isTime(column)) throw tooOdd(column === '' ? 'several columns' : column);
  const comparison = { kind: kind ?? '', operator, other, negated };
  return textFilter(column, call === null ? comparison : { ...comparison, fold: call.fold }, scope);
}

interface Comparison {
  readonly kind: string;
  readonly operator: string;
  readonly other: Node | undefined;
  readonly negated: boolean;
  /** The case that the column is compared in: a text in another one equals nothing. */
  readonly fold?: (text: string) => string;
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/** In an alternative, of the statement's days those of the condition one by one. */
function timeFilter(node: Node, scope: Scope, days: Days, negated: boolean): Filters {
  const condition: Node = negated ? { BoolExpr: { boolop: 'NOT_EXPR', args: [node] } } : node;
  const only = daysWithin(days, condition, scope);
  if (only === null) return [];
  return only.length === 0 ? 'never' : dimensionFilter('day', 'in', only);
}

function valuesOf({ kind, other }: Comparison, scope: Scope): readonly Value[] {
  if (kind === 'AEXPR_IN') return itemsOf(other).map((item) => evaluate(item, scope));
  const value = other === undefined ? null : evaluate(other, scope);
  if (kind !== 'AEXPR_OP_ANY' && kind !== 'AEXPR_OP_ALL') return [value];
  return value === null ? [null] : isList(value) ? value : arrayOf(textOf(value));
}

function textFilter(column: Dimension, comparison: Comparison, scope: Scope): Filters {
  const { kind, operator, negated, fold } = comparison;
  if (kind === 'AEXPR_LIKE') return likeFilter(column, comparison, scope);
  if (kind === 'AEXPR_ILIKE' && caseless.has(column)) {
    const { fold: _fold, ...anyCase } = comparison;
    return likeFilter(column, { ...anyCase, operator: operator.replace('*', '') }, scope);
  }
  const isEqual = operator === '=';
  const allowed =
    kind === 'AEXPR_OP' ||
    kind === 'AEXPR_IN' ||
    (kind === 'AEXPR_OP_ANY' && isEqual) ||
    (kind === 'AEXPR_OP_ALL' && operator === '<>');
  if (!allowed || (!isEqual && operator !== '<>')) throw tooOdd(column);
  const values = valuesOf(comparison, scope);
  const texts = values.filter((value) => value !== null).map(textOf);
  const positive = isEqual !== negated;
  const possible = fold === undefined ? texts : texts.filter((text) => fold(text) === text);
  // NOT IN with a null among its values is never true.
  if (!positive && texts.length < values.length) return 'never';
  if (possible.length === 0) return positive ? 'never' : [];
  return dimensionFilter(column, positive ? 'in' : 'nin', possible);
}

function likeFilter(column: Dimension, comparison: Comparison, scope: Scope): Filters {
  const [pattern] = valuesOf(comparison, scope);
  if (pattern === undefined || pattern === null) return 'never';
  const positive = (comparison.operator === '~~') !== comparison.negated;
  const { fold } = comparison;
  if (fold !== undefined && fold(textOf(pattern)) !== textOf(pattern)) return positive ? 'never' : [];
  const parts = likeParts(textOf(pattern));
  if (parts === null) throw unsupported('LIKE takes % at its ends alone', 'Write \\_ for an underscore.');
  const [first = '', second, third] = parts;
  if (second === undefined) return dimensionFilter(column, positive ? 'in' : 'nin', [first]);
  if (parts.length === 3 && first === '' && third === '' && second !== '')
    return dimensionFilter(column, positive ? 'contains' : 'not_contains', [second]);
  if (parts.every((part) => part === '')) return positive ? [] : 'never';
  if (parts.length === 2 && positive && (first === '' || second === ''))
    return dimensionFilter(column, first === '' ? 'ends_with' : 'starts_with', [first + second]);
  throw unsupported(
    'this pattern of LIKE is not supported',
    "LIKE takes 'x%', '%x' and '%x%'; NOT LIKE takes '%x%'.",
  );
}

const comparisons: Readonly<Record<string, MetricFilter['comparison']>> = {
  '=': 'eq',
  '<>': 'neq',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
};
const opposite: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

function metricFilter(metric: string, { kind, operator, other, negated }: Comparison, scope: Scope): Filters {
  if (!isMetric(metric)) throw tooOdd(metric);
  const numbers = (kind === 'AEXPR_BETWEEN' ? itemsOf(other) : other === undefined ? [] : [other]).map(
    (item) => evaluate(item, scope),
  );
  if (numbers.includes(null)) return 'never';
  const [first = 0, second] = numbers.map((value) => numberOf(value));
  if (kind === 'AEXPR_BETWEEN' && !negated) return filterOn(metric, 'between', first, second);
  const comparison = comparisons[negated ? (opposite[operator] ?? '') : operator];
  if (kind !== 'AEXPR_OP' || comparison === undefined) throw tooOdd(metric);
  return filterOn(metric, comparison, first);
}

const filterOn = (
  value: Metric,
  comparison: MetricFilter['comparison'],
  selectedValue: number,
  secondValue?: number,
): Filters => [
  { value, type: 'metric', comparison, selectedValue, ...(secondValue === undefined ? {} : { secondValue }) },
];

/** Conditions on days, and all others. */
export function splitConditions(conditions: readonly Node[]): {
  readonly days: Node[];
  readonly others: Node[];
} {
  const all = conditions.flatMap(conjuncts);
  return { days: all.filter(isTimeOnly), others: all.filter((node) => !isTimeOnly(node)) };
}
