import { type CodedField, isCodedField } from '../../engine/contract/ad-values/coded-values.ts';
import { daysBetween, dayText, knownDay } from '../../engine/contract/days.ts';
import { storedDomain } from '../../engine/contract/domain-names.ts';
import { type IdnName, isDomainName, namesWithPart } from './domain-names.ts';
import { asWritten, isWhole, namedBy, wholeValues } from './filter-values.ts';
import type { Comparator, DimensionFilter } from './filters.ts';
import { type Dimension, isTimeDimension, type TimeDimension } from './keys.ts';
import { type Parameters, textArray } from './parameters.ts';
import type { ReportPeriod } from './period.ts';

/** The inputs of a filter on base rows beside itself. */
export interface RowContext {
  readonly parameters: Parameters;
  readonly period: ReportPeriod;
  /** The row's day on the calendar of the report, as an expression of a Date. */
  readonly day: string;
  /** Names of other scripts that the statistics hold. */
  readonly names: readonly IdnName[];
}

/** All of them hold for a row: an expression that is 0 or 1. */
export const allOf = (filters: readonly DimensionFilter[], context: RowContext): string =>
  filters.length === 0 ? '1' : filters.map((filter) => `(${conditionOf(filter, context)})`).join(' AND ');

function conditionOf(filter: DimensionFilter, context: RowContext): string {
  const { value: dimension, comparator } = filter;
  if (isTimeDimension(dimension)) return timeCondition(dimension, filter, context);
  if (isDomainName(dimension) && !isWhole(comparator))
    return partOfName(dimension, comparator, filter, context);
  if (isCodedField(dimension)) return codedCondition(dimension, filter, context.parameters);
  const texts = isDomainName(dimension) ? textsOf(filter).map(storedDomain) : textsOf(filter);
  return textConditions[comparator](dimension, texts, context.parameters);
}

/** By the names that imports read as well: `Germany` is DE. A part that is such a name stands for its value, too. */
function codedCondition(dimension: CodedField, filter: DimensionFilter, parameters: Parameters): string {
  const { comparator } = filter;
  const texts = textsOf(filter);
  if (isWhole(comparator)) {
    const values = new Set(texts.flatMap((text) => wholeValues(dimension, text)));
    return textConditions[comparator](dimension, [...values], parameters);
  }
  const has = textConditions[comparator](
    dimension,
    texts.map((text) => asWritten(dimension, text)),
    parameters,
  );
  const named = [...new Set(texts.flatMap((text) => namedBy(dimension, text) ?? []))];
  if (named.length === 0) return has;
  return comparator === 'not_contains'
    ? `${has} AND ${isNone(dimension, named, parameters)}`
    : `(${has}) OR ${isAny(dimension, named, parameters)}`;
}

/** Parts match the displayed name, and ClickHouse does not know the displayed form of names in other scripts. */
function partOfName(
  dimension: Dimension,
  comparator: 'contains' | 'not_contains' | 'starts_with' | 'ends_with',
  filter: DimensionFilter,
  { parameters, names }: RowContext,
): string {
  const parts = textsOf(filter).map((part) => part.toLowerCase().normalize('NFC'));
  if (names.length === 0) return textConditions[comparator](dimension, parts, parameters);
  const positive = comparator === 'not_contains' ? 'contains' : comparator;
  const found = namesWithPart(names, comparator, parts);
  const stored = textArray(
    parameters,
    names.map((name) => name.stored),
  );
  const has = `if(${dimension} IN ${stored}, ${isAny(dimension, found, parameters)}, ${textConditions[positive](dimension, parts, parameters)})`;
  return comparator === 'not_contains' ? `NOT ${has}` : has;
}

const textsOf = ({ selectedValues }: DimensionFilter): string[] => selectedValues.map(String);

type TextCondition = (column: string, texts: readonly string[], parameters: Parameters) => string;

const isAny: TextCondition = (column, texts, parameters) => `${column} IN ${textArray(parameters, texts)}`;
const isNone: TextCondition = (column, texts, parameters) =>
  `${column} NOT IN ${textArray(parameters, texts)}`;
const containsAny: TextCondition = (column, texts, parameters) =>
  `multiSearchAny(${column}, ${textArray(parameters, texts)})`;
const eachWith =
  (check: string): TextCondition =>
  (column, texts, parameters) =>
    texts.map((text) => `${check}(${column}, ${parameters.value('String', text)})`).join(' OR ');

const textConditions: Readonly<Record<Comparator, TextCondition>> = {
  in: isAny,
  is_any_of: isAny,
  nin: isNone,
  is_none_of: isNone,
  contains: containsAny,
  not_contains: (...given) => `NOT ${containsAny(...given)}`,
  starts_with: eachWith('startsWith'),
  ends_with: eachWith('endsWith'),
};

/**
 * A report has at most some 93 days, so which of them a filter lets through is found out here: the same for
 * all comparators, and one lookup of a number a row instead of writing out its date.
 */
function timeCondition(dimension: TimeDimension, filter: DimensionFilter, context: RowContext): string {
  const { start, end } = context.period;
  const selected = textsOf(filter);
  const texts = daysBetween(knownDay(start), knownDay(end)).map(dayText);
  const matching = texts.filter((text) =>
    textMatches(filter.comparator, selected, text.slice(0, timeLengths[dimension])),
  );
  if (matching.length === texts.length) return '1';
  return matching.length === 0
    ? '0'
    : `${context.day} IN ${context.parameters.value('Array(Date)', matching)}`;
}

/** `2026-01-31`, `2026-01`, `2026`. */
const timeLengths: Readonly<Record<TimeDimension, number>> = { day: 10, month: 7, year: 4 };

function textMatches(comparator: Comparator, selectedValues: readonly string[], text: string): boolean {
  switch (comparator) {
    case 'in':
    case 'is_any_of':
      return selectedValues.includes(text);
    case 'nin':
    case 'is_none_of':
      return !selectedValues.includes(text);
    case 'contains':
      return selectedValues.some((part) => text.includes(part));
    case 'not_contains':
      return !selectedValues.some((part) => text.includes(part));
    case 'starts_with':
      return selectedValues.some((part) => text.startsWith(part));
    case 'ends_with':
      return selectedValues.some((part) => text.endsWith(part));
  }
}
