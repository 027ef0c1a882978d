import type { Node } from 'libpg-query';
import type { DimensionFilter, FilterGroup, MetricFilter } from '../report/filters.ts';
import type { Dimension, Metric } from '../report/keys.ts';
import { MAX_FILTER_GROUPS } from '../report/limits.ts';
import { likeParts } from './compare.ts';
import { evaluate, itemsOf, type Scope, truthOf } from './evaluate.ts';
import { columnsOf, conjuncts, hasAggregate, isAggregate, metricOf } from './query.ts';
import { lastName, partsOf } from './sql.ts';
import { isDimension, isMetric, isTime } from './table.ts';
import { daysWhere, isTimeOnly } from './time-conditions.ts';
import { arrayOf, isList, numberOf, textOf, type Value } from './values.ts';
import { placed, unsupported, WireError } from './wire-error.ts';

/** Conditions as a report's filters. `never`: no row can match. */
export type Filters = readonly (DimensionFilter | MetricFilter)[] | 'never';

const dimensionFilter = (
  value: Dimension,
  comparator: DimensionFilter['comparator'],
  selectedValues: readonly string[],
): Filters => [{ value, type: 'dimension', comparator, selectedValues: [...selectedValues] }];

/** A column, also in a cast to a text. */
function columnIn(node: Node | undefined): string | null {
  if (node === undefined) return null;
  if ('TypeCast' in node) return columnIn(node.TypeCast.arg);
  return partsOf(node)?.at(-1) ?? null;
}

const tooOdd = (what: string): WireError =>
  unsupported(
    `this condition on ${what} is not supported`,
    'Texts take =, <>, IN, NOT IN and LIKE; metrics take =, <>, <, <=, >, >= and BETWEEN.',
  );

/**
 * Groups of a WHERE or HAVING without conditions on days at its top: ORs are spread out into groups, one of which must
 * hold, as in a report.
 */
export function filterGroupsOf(
  conditions: readonly Node[],
  scope: Scope,
  timezone: string,
): FilterGroup[] | 'never' {
  let groups: (DimensionFilter | MetricFilter)[][] = [[]];
  for (const condition of conditions) {
    const alternatives = alternativesOf(condition, scope, timezone, false);
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

function alternativesOf(node: Node, scope: Scope, timezone: string, negated: boolean): readonly Group[] {
  if ('BoolExpr' in node) {
    const { boolop, args = [] } = node.BoolExpr;
    if (boolop === 'NOT_EXPR')
      return args[0] === undefined ? [] : alternativesOf(args[0], scope, timezone, !negated);
    if ((boolop === 'OR_EXPR') !== negated)
      return merged(args.flatMap((arg) => alternativesOf(arg, scope, timezone, negated)));
    let groups: Group[] = [[]];
    for (const arg of args) {
      const next = alternativesOf(arg, scope, timezone, negated);
      groups = groups.flatMap((group) => next.map((filters) => [...group, ...filters]));
      if (groups.length > MAX_FILTER_GROUPS * 4)
        throw new WireError('54001', 'the conditions have too many alternatives');
    }
    return groups;
  }
  const filters = placed(node, () => filtersOf(node, scope, timezone, negated));
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

function filtersOf(node: Node, scope: Scope, timezone: string, negated: boolean): Filters {
  const columns = [...columnsOf(node)];
  if (columns.length === 0 && !hasAggregate(node)) {
    const holds = truthOf(evaluate(node, scope));
    return holds !== null && holds !== negated ? [] : 'never';
  }
  if (isTimeOnly(node)) return timeFilter(node, scope, timezone, negated);
  if ('NullTest' in node) return (node.NullTest.nulltesttype === 'IS_NOT_NULL') === negated ? 'never' : [];
  if (!('A_Expr' in node)) throw tooOdd(columns.join(', '));
  const { lexpr, rexpr, name, kind } = node.A_Expr;
  const operator = lastName(name);
  const [subject, other, turned] =
    columnIn(lexpr) === null && !(lexpr !== undefined && isAggregate(lexpr))
      ? [rexpr, lexpr, true]
      : [lexpr, rexpr, false];
  if (subject !== undefined && isAggregate(subject))
    return metricFilter(
      metricOf(subject),
      { kind: kind ?? '', operator: turned ? (mirrored[operator] ?? operator) : operator, other, negated },
      scope,
    );
  const column = columnIn(subject) ?? '';
  if (other !== undefined && columnsOf(other).size > 0)
    throw unsupported('columns are compared with values, not with each other');
  if (isMetric(column))
    return metricFilter(
      column,
      { kind: kind ?? '', operator: turned ? (mirrored[operator] ?? operator) : operator, other, negated },
      scope,
    );
  if (!isDimension(column) || isTime(column)) throw tooOdd(column === '' ? 'several columns' : column);
  return textFilter(column, { kind: kind ?? '', operator, other, negated }, scope);
}

interface Comparison {
  readonly kind: string;
  readonly operator: string;
  readonly other: Node | undefined;
  readonly negated: boolean;
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/** In an alternative, the days of the condition one by one. */
function timeFilter(node: Node, scope: Scope, timezone: string, negated: boolean): Filters {
  const condition: Node = negated ? { BoolExpr: { boolop: 'NOT_EXPR', args: [node] } } : node;
  const days = daysWhere([condition], scope, timezone);
  if (days === null) return 'never';
  if (days.only !== null) return dimensionFilter('day', 'in', days.only);
  const months = new Set<string>();
  for (let ms = Date.parse(days.start); ms <= Date.parse(days.end); ms += 86_400_000)
    months.add(new Date(ms).toISOString().slice(0, 10));
  return dimensionFilter('day', 'in', [...months]);
}

function valuesOf({ kind, other }: Comparison, scope: Scope): readonly Value[] {
  if (kind === 'AEXPR_IN') return itemsOf(other).map((item) => evaluate(item, scope));
  const value = other === undefined ? null : evaluate(other, scope);
  if (kind !== 'AEXPR_OP_ANY' && kind !== 'AEXPR_OP_ALL') return [value];
  return value === null ? [null] : isList(value) ? value : arrayOf(textOf(value));
}

function textFilter(column: Dimension, comparison: Comparison, scope: Scope): Filters {
  const { kind, operator, negated } = comparison;
  if (kind === 'AEXPR_LIKE') return likeFilter(column, comparison, scope);
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
  // NOT IN with a null among its values is never true.
  if (!positive && texts.length < values.length) return 'never';
  if (texts.length === 0) return positive ? 'never' : [];
  return dimensionFilter(column, positive ? 'in' : 'nin', texts);
}

function likeFilter(column: Dimension, comparison: Comparison, scope: Scope): Filters {
  const [pattern] = valuesOf(comparison, scope);
  if (pattern === undefined || pattern === null) return 'never';
  const positive = (comparison.operator === '~~') !== comparison.negated;
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
