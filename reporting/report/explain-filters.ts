import { type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { explainWith, say } from '../../engine/kit/http/explain-with.ts';
import type { FieldErrors } from '../../engine/kit/http/problem.ts';
import type { Explain } from '../../engine/kit/http/rules.ts';
import { decimalOf } from './decimal-value.ts';
import { dimensionFilter, filterGroup, metricFilter } from './filters.ts';
import {
  MAX_ALL_CHARACTERS,
  MAX_FILTER_GROUPS,
  MAX_FILTERS,
  MAX_TEXT_PARTS,
  METRIC_VALUE_PLACES,
} from './limits.ts';

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const list = Compile(Type.Array(Type.Unknown(), { maxItems: MAX_FILTER_GROUPS }) as TSchema);
/** A group without its filters, which report their own errors by their `type`. */
const groupAlone = Compile(
  Type.Object(
    {
      operator: filterGroup.properties.operator,
      filters: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_FILTERS }),
    },
    { additionalProperties: false },
  ) as TSchema,
);
const filterAlone = Compile(
  Type.Object({ type: Type.Enum(['dimension', 'metric'], { type: 'string' }) }) as TSchema,
);
const dimension = Compile(dimensionFilter as TSchema);
const metric = Compile(metricFilter as TSchema);

/** A union answers with the errors of all its members: here each filter answers for the type that it names. */
export const explainFilterGroups: Explain = (value) => {
  const path = '/filter_groups';
  const groups = Array.isArray(value) ? value.slice(0, MAX_FILTER_GROUPS) : [];
  return Object.assign(
    {},
    explainWith(list, value, path),
    charactersOf(groups) > MAX_ALL_CHARACTERS
      ? say(path, `must not hold more than ${MAX_ALL_CHARACTERS} characters in its selectedValues`)
      : {},
    ...groups.map((group: unknown, index) => explainGroup(group, `${path}/${index}`)),
  );
};

const filtersOf = (group: unknown): readonly unknown[] =>
  isObject(group) && Array.isArray(group.filters) ? group.filters.slice(0, MAX_FILTERS) : [];

const explainGroup = (group: unknown, path: string): FieldErrors =>
  Object.assign(
    {},
    explainWith(groupAlone, group, path),
    ...filtersOf(group).map((filter, index) => explainFilter(filter, `${path}/filters/${index}`)),
  );

function explainFilter(filter: unknown, path: string): FieldErrors {
  if (!isObject(filter)) return explainWith(filterAlone, filter, path);
  if (filter.type === 'dimension')
    return { ...explainParts(filter, path), ...explainWith(dimension, filter, path) };
  if (filter.type === 'metric')
    return { ...explainNumbers(filter, path), ...explainWith(metric, filter, path) };
  return explainWith(filterAlone, filter, path);
}

const partComparators: readonly unknown[] = ['contains', 'not_contains', 'starts_with', 'ends_with'];

/** Every text contains the empty one, and a scan for as many parts as `in` allows would be one by one. */
function explainParts({ comparator, selectedValues }: Json, path: string): FieldErrors {
  if (!partComparators.includes(comparator) || !Array.isArray(selectedValues)) return {};
  if (selectedValues.length > MAX_TEXT_PARTS) {
    return say(
      `${path}/selectedValues`,
      `must not have more than ${MAX_TEXT_PARTS} items with ${comparator}`,
    );
  }
  const empty = selectedValues.flatMap((text, index) =>
    text === '' ? [say(`${path}/selectedValues/${index}`, `must not be empty with ${comparator}`)] : [],
  );
  return Object.assign({}, ...empty);
}

function explainNumbers({ comparison, selectedValue, secondValue }: Json, path: string): FieldErrors {
  return {
    ...explainDecimals(selectedValue, `${path}/selectedValue`),
    ...explainDecimals(secondValue, `${path}/secondValue`),
    ...explainSecond(`${path}/secondValue`, comparison, selectedValue, secondValue),
  };
}

const explainDecimals = (value: unknown, path: string): FieldErrors =>
  typeof value === 'number' && decimalOf(value) === null
    ? say(path, `must not have more than ${METRIC_VALUE_PLACES} decimals`)
    : {};

function explainSecond(path: string, comparison: unknown, from: unknown, to: unknown): FieldErrors {
  if (comparison !== 'between')
    return to === undefined || to === null ? {} : say(path, 'is only for the comparison between');
  if (to === undefined || to === null) return say(path, 'is required when comparison is between');
  if (typeof from !== 'number' || typeof to !== 'number' || from <= to) return {};
  return say(path, 'must not be less than selectedValue');
}

function charactersOf(groups: readonly unknown[]): number {
  const texts = groups
    .flatMap(filtersOf)
    .flatMap((filter) =>
      isObject(filter) && Array.isArray(filter.selectedValues) ? (filter.selectedValues as unknown[]) : [],
    );
  return texts.reduce<number>(
    (sum, text) => sum + (typeof text === 'string' || typeof text === 'number' ? String(text).length : 0),
    0,
  );
}
