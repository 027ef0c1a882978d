import { type Static, Type } from 'typebox';
import { dimensionKeys, metricKeys } from './keys.ts';
import {
  MAX_FILTER_GROUPS,
  MAX_FILTERS,
  MAX_METRIC_VALUE,
  MAX_SELECTED_VALUES,
  MAX_VALUE_CHARACTERS,
} from './limits.ts';

export const comparators = [
  'in',
  'nin',
  'is_any_of',
  'is_none_of',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
] as const;
export type Comparator = (typeof comparators)[number];

export const comparisons = ['gte', 'lte', 'gt', 'lt', 'eq', 'neq', 'between'] as const;
export type Comparison = (typeof comparisons)[number];

/** A field of the other type of filter, as clients that fill in all of them send it: it is ignored. */
const notOfThis = (schema: { readonly type: string; readonly maxItems?: number }) =>
  Type.Optional(
    Type.Unsafe<unknown>({
      ...schema,
      type: schema.type === 'null' ? 'null' : [schema.type, 'null'],
      description: 'Does not apply to this type: null, or left out.',
    }),
  );
const absent = notOfThis({ type: 'null' });

const number = (description: string) =>
  Type.Number({ minimum: -MAX_METRIC_VALUE, maximum: MAX_METRIC_VALUE, description });

export const dimensionFilter = Type.Object(
  {
    value: Type.Enum(dimensionKeys, { type: 'string', description: 'A dimension, selected or not.' }),
    type: Type.Enum(['dimension'], { type: 'string' }),
    comparator: Type.Enum(comparators, {
      type: 'string',
      description:
        '`in`, `is_any_of`: one of the values; `nin`, `is_none_of`: none of them. `contains`, `starts_with`, ' +
        '`ends_with`: one of the values is such a part of it; `not_contains`: none is. Upper and lower case ' +
        'differ, except for `domain`, `subdomain` and `country`.',
    }),
    selectedValues: Type.Array(
      Type.Unsafe<string | number>({ type: ['string', 'number'], maxLength: MAX_VALUE_CHARACTERS }),
      {
        minItems: 1,
        maxItems: MAX_SELECTED_VALUES,
        description:
          'Days, months and years as rows write them: `2026-01-31`, `2026-01`, `2026`. A number is compared as text. ' +
          'Countries, devices, media types and kinds of deals by their code or any name that imports read (`DE`, ' +
          '`Germany`); `meta.filter_values` says what they were read as.',
      },
    ),
    comparison: absent,
    selectedValue: absent,
    secondValue: absent,
  },
  {
    title: 'DimensionFilter',
    additionalProperties: false,
    description: 'Filters base rows, before they are summed.',
  },
);
export type DimensionFilter = Static<typeof dimensionFilter>;

export const metricFilter = Type.Object(
  {
    value: Type.Enum(metricKeys, { type: 'string', description: 'A metric, selected or not.' }),
    type: Type.Enum(['metric'], { type: 'string' }),
    comparison: Type.Enum(comparisons, {
      type: 'string',
      description:
        '>=, <=, >, <, ==, !=, and `between`: from `selectedValue` to `secondValue`, both included.',
    }),
    selectedValue: number('Compared with the exact value, before it is rounded. At most 10 decimals.'),
    secondValue: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['number', 'null'],
        minimum: -MAX_METRIC_VALUE,
        maximum: MAX_METRIC_VALUE,
        description: 'With `between` only: the upper value.',
      }),
    ),
    comparator: absent,
    selectedValues: notOfThis({ type: 'array', maxItems: 0 }),
  },
  {
    title: 'MetricFilter',
    additionalProperties: false,
    description:
      'Filters report rows by their totals over the base rows that match the dimension filters of its group.',
  },
);
export type MetricFilter = Static<typeof metricFilter>;

export const filterGroup = Type.Object(
  {
    operator: Type.Enum(['or'], {
      type: 'string',
      description: 'Between groups; filters inside one combine with AND.',
    }),
    filters: Type.Array(Type.Union([dimensionFilter, metricFilter]), { minItems: 1, maxItems: MAX_FILTERS }),
  },
  { title: 'FilterGroup', additionalProperties: false },
);
export type FilterGroup = Static<typeof filterGroup>;

export const filterGroups = Type.Array(filterGroup, {
  maxItems: MAX_FILTER_GROUPS,
  description: 'A base row counts if at least one group matches it; an empty list matches everything.',
});
