import fc from 'fast-check';
import type { Access } from '../../../reporting/report/access.ts';
import { comparators, comparisons } from '../../../reporting/report/filters.ts';
import { dimensionKeys, metricKeys } from '../../../reporting/report/keys.ts';
import type { ReportRequest } from '../../../reporting/report/request.ts';
import { daysFrom, plusDays } from './calendar.ts';
import { namesOf } from './matching.ts';
import { words } from './worlds.ts';

type Group = NonNullable<ReportRequest['filter_groups']>[number];
type Filter = Group['filters'][number];

const timezones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

/** Half of the requests group by few dimensions, so that many rows meet. */
const dimensions = fc.uniqueArray(fc.constantFrom(...dimensionKeys), { minLength: 1, maxLength: 4 });
const metrics = fc.uniqueArray(fc.constantFrom(...metricKeys), { minLength: 1, maxLength: 4 });

const valuesOf = (key: (typeof dimensionKeys)[number], day: string): readonly string[] => {
  if (key === 'day') return [-2, -1, 0, 1].map((days) => plusDays(day, days));
  if (key === 'month') return [day.slice(0, 7), plusDays(day, 5).slice(0, 7)];
  if (key === 'year') return [day.slice(0, 4), plusDays(day, 5).slice(0, 4)];
  if (key === 'domain') return [...words.domain, 'bücher.example', 'BÜCHER.example'];
  if (key === 'subdomain') return [...words.subdomain, 'm.bücher.example'];
  return words[key];
};

const partOf = (text: string) =>
  fc
    .tuple(fc.nat({ max: text.length }), fc.nat({ max: text.length }))
    .map(([from, to]) => [...text].slice(Math.min(from, to), Math.max(from, to)).join(''));

const dimensionFilter = (day: string): fc.Arbitrary<Filter> =>
  fc.constantFrom(...dimensionKeys).chain((value) => {
    const known = fc.constantFrom(...valuesOf(value, day));
    return fc.constantFrom(...comparators).chain((comparator) => {
      const isList = /^(n?in|is_)/.test(comparator);
      const text = isList
        ? fc.oneof(
            { weight: 4, arbitrary: known },
            fc.constantFrom('', 'DE', 'de', 'A.example', 'unknown', ...namesOf(value)),
          )
        : fc.oneof(
            { weight: 4, arbitrary: known.chain(partOf).filter((part) => part !== '') },
            ...namesOf(value).map((name) => fc.constant(name)),
          );
      return fc
        .array(
          text.filter((one) => isList || one !== ''),
          { minLength: 1, maxLength: 3 },
        )
        .map((selectedValues) => ({
          type: 'dimension' as const,
          value,
          comparator,
          selectedValues,
        }));
    });
  });

const number = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 1, 2, 3, 5, 10, -1, 0.5, 1e-6, 0.000_000_05, 1.5) },
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.integer({ min: -1_000, max: 100_000 }).map((cents) => cents / 100),
);

const metricFilter: fc.Arbitrary<Filter> = fc
  .record({
    value: fc.constantFrom(...metricKeys),
    comparison: fc.constantFrom(...comparisons),
    one: number,
    other: number,
  })
  .map(({ value, comparison, one, other }) => ({
    type: 'metric' as const,
    value,
    comparison,
    selectedValue: comparison === 'between' ? Math.min(one, other) : one,
    ...(comparison === 'between' ? { secondValue: Math.max(one, other) } : {}),
  }));

const oneFilter = (day: string): fc.Arbitrary<Filter> => fc.oneof(dimensionFilter(day), metricFilter);

const group = (day: string): fc.Arbitrary<Group> =>
  fc.record({
    operator: fc.constant('or' as const),
    // Mostly few: of many at once nothing passes.
    filters: fc.oneof(
      { weight: 3, arbitrary: fc.array(oneFilter(day), { minLength: 1, maxLength: 1 }) },
      fc.array(oneFilter(day), { minLength: 2, maxLength: 3 }),
    ),
  });

const span = (day: string): fc.Arbitrary<[string, string]> =>
  fc
    .tuple(fc.integer({ min: -5, max: 1 }), fc.constantFrom(0, 2, 4, 6, 6, 40))
    .map(([from, days]) => [plusDays(day, from), plusDays(day, from + days)]);

/** Over the words and days of `worldAround(day)`. */
export const requestAround = (day: string): fc.Arbitrary<ReportRequest> =>
  fc
    .record(
      {
        dimensions,
        metrics,
        currency: fc.constantFrom('EUR' as const, 'USD' as const),
        selectedDate: span(day),
        filter_groups: fc.array(group(day), { maxLength: 4 }),
        timezone: fc.constantFrom('UTC', ...timezones),
        limit: fc.integer({ min: 1, max: 5 }),
        offset: fc.integer({ min: 0, max: 2 }),
        totals: fc.boolean(),
        compare: fc.constantFrom('previous_period', 'previous_year', 'pair'),
        back: fc.integer({ min: -2, max: 9 }),
        sorting: fc.array(
          fc.record({ place: fc.nat(), direction: fc.constantFrom('asc' as const, 'desc' as const) }),
          {
            minLength: 1,
            maxLength: 2,
          },
        ),
      },
      { requiredKeys: ['dimensions', 'metrics', 'currency', 'selectedDate'] },
    )
    .map(({ compare, back = 1, sorting, ...request }) => ({
      ...request,
      ...comparison(compare, request.selectedDate, back),
      ...sortBy(sorting, [...request.dimensions, ...request.metrics]),
    }));

function comparison(
  compare: string | undefined,
  [start, end]: readonly [string, string],
  back: number,
): Pick<ReportRequest, 'compare_to'> {
  if (compare === undefined) return {};
  if (compare === 'previous_period' || compare === 'previous_year') return { compare_to: compare };
  const first = plusDays(start, -back);
  return { compare_to: [first, plusDays(first, daysFrom(start, end))] };
}

function sortBy(
  sorting: readonly { readonly place: number; readonly direction: 'asc' | 'desc' }[] | undefined,
  keys: readonly NonNullable<ReportRequest['sort']>[number]['by'][],
): Pick<ReportRequest, 'sort'> {
  if (sorting === undefined) return {};
  const found = sorting.flatMap(({ place, direction }) => {
    const by = keys[place % keys.length];
    return by === undefined ? [] : [{ by, direction }];
  });
  return { sort: found.filter(({ by }, index) => found.findIndex((one) => one.by === by) === index) };
}

/** A token's access; rows of every kind lie outside of it. */
export const restricted: fc.Arbitrary<Exclude<Access, 'unrestricted'>> = fc.record({
  domains: fc.uniqueArray(fc.constantFrom(...words.domain), { maxLength: 2 }),
  wholesalers: fc.uniqueArray(fc.constantFrom(...words.wholesaler.filter((one) => one !== '')), {
    maxLength: 1,
  }),
});
export const anyAccess: fc.Arbitrary<Access> = fc.oneof(
  { weight: 2, arbitrary: fc.constant('unrestricted' as const) },
  { weight: 1, arbitrary: restricted },
);
