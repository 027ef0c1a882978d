// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codedFields, codedSpellings } from '../../engine/contract/ad-values/coded-values.ts';
import { allOf } from '../../reporting/report/conditions.ts';
import { filterValuesOf } from '../../reporting/report/filter-values.ts';
import type { DimensionFilter } from '../../reporting/report/filters.ts';
import { createParameters } from '../../reporting/report/parameters.ts';
import { dimensionFilter, errorsWith, filtered, inField, inFilter, metricFilter } from './report-errors.ts';

describe('a filter', () => {
  const comparatorList = 'in, nin, is_any_of, is_none_of, contains, not_contains, starts_with, ends_with';

  it.each([
    ['no type', { ...dimensionFilter, type: undefined }, inFilter('type', 'is required')],
    [
      'a type that is none',
      { ...dimensionFilter, type: 'text' },
      inFilter('type', 'must be one of dimension, metric'),
    ],
    ['what is not an object', 'country', inFilter('', 'must be an object')],
    [
      'a comparator that is none',
      { ...dimensionFilter, comparator: 'like' },
      inFilter('comparator', `must be one of ${comparatorList}`),
    ],
    [
      'no values',
      { ...dimensionFilter, selectedValues: [] },
      inFilter('selectedValues', 'must not be empty'),
    ],
    [
      'values that are not a list',
      { ...dimensionFilter, selectedValues: 'DE' },
      inFilter('selectedValues', 'must be an array'),
    ],
    [
      'a value that is neither a text nor a number',
      { ...dimensionFilter, selectedValues: [true] },
      inFilter('selectedValues.0', 'must be a string or a number'),
    ],
    [
      'an empty part',
      { ...dimensionFilter, comparator: 'contains', selectedValues: [''] },
      inFilter('selectedValues.0', 'must not be empty with contains'),
    ],
    [
      'more parts than are looked for',
      { ...dimensionFilter, comparator: 'ends_with', selectedValues: Array(101).fill('x') },
      inFilter('selectedValues', 'must not have more than 100 items with ends_with'),
    ],
    [
      'more values than are taken',
      { ...dimensionFilter, selectedValues: Array(1_001).fill('x') },
      inFilter('selectedValues', 'must not have more than 1000 items'),
    ],
    [
      'a key that is not known',
      { ...dimensionFilter, not: true },
      {
        'filter_groups.0.filters.0.not': [
          'filter_groups.0.filters.0.not is not a field of this request: leave it out.',
        ],
      },
    ],
    [
      'a number that is text',
      { ...metricFilter, selectedValue: '1' },
      inFilter('selectedValue', 'must be a number'),
    ],
    [
      'a number that is too large',
      { ...metricFilter, selectedValue: 1e16 },
      inFilter('selectedValue', 'must not be greater than 1000000000000000'),
    ],
    [
      'too many decimals',
      { ...metricFilter, selectedValue: 1e-11 },
      inFilter('selectedValue', 'must not have more than 10 decimals'),
    ],
    [
      'between without an upper value',
      { ...metricFilter, comparison: 'between' },
      inFilter('secondValue', 'is required when comparison is between'),
    ],
    [
      'between upside down',
      { ...metricFilter, comparison: 'between', secondValue: 0 },
      inFilter('secondValue', 'must not be less than selectedValue'),
    ],
    [
      'an upper value without between',
      { ...metricFilter, secondValue: 2 },
      inFilter('secondValue', 'is only for the comparison between'),
    ],
    [
      'a metric as a dimension',
      { ...dimensionFilter, value: 'ecpm' },
      inFilter('value', expect.stringContaining('day, month') as unknown as string),
    ],
  ])('is refused with %s', (_, filter, errors) => {
    const found = errorsWith(filtered(filter));
    expect(Object.keys(found)).toEqual(Object.keys(errors));
    for (const [path, messages] of Object.entries(errors)) {
      if (!String(messages).includes('StringContaining')) expect(found[path]).toEqual(messages);
    }
  });

  it('of a metric is refused with the words of a dimension', () => {
    const found = errorsWith(
      filtered({ ...metricFilter, comparison: undefined, comparator: 'in', selectedValues: ['1'] }),
    );
    expect(Object.keys(found).toSorted()).toEqual([
      'filter_groups.0.filters.0.comparator',
      'filter_groups.0.filters.0.comparison',
      'filter_groups.0.filters.0.selectedValues',
    ]);
  });

  it('is in a group with `or` and at least one filter, of a bounded number', () => {
    expect(errorsWith({ filter_groups: [{ operator: 'and', filters: [dimensionFilter] }] })).toEqual(
      inField('filter_groups.0.operator', 'must be one of or'),
    );
    expect(errorsWith({ filter_groups: [{ operator: 'or', filters: [] }] })).toEqual(
      inField('filter_groups.0.filters', 'must not be empty'),
    );
    expect(errorsWith({ filter_groups: Array(17).fill(filtered(metricFilter).filter_groups[0]) })).toEqual(
      inField('filter_groups', 'must not have more than 16 items'),
    );
    const long = { ...dimensionFilter, selectedValues: Array(500).fill('x'.repeat(255)) };
    expect(errorsWith(filtered(long))).toEqual(
      inField('filter_groups', 'must not hold more than 100000 characters in its selectedValues'),
    );
  });
});

describe('a value of a filter', () => {
  const period = { start: '2026-01-01', end: '2026-01-01', timezone: 'UTC', compared: null };
  /** The lists and the texts that a condition compares with. */
  const comparedWith = (filter: DimensionFilter): unknown[] => {
    const parameters = createParameters();
    allOf([filter], { parameters, period, day: 'day', names: [] });
    return Object.values(parameters.params).flat();
  };
  const filterOf = (
    value: DimensionFilter['value'],
    comparator: DimensionFilter['comparator'],
    text: string,
  ) => ({ value, type: 'dimension' as const, comparator, selectedValues: [text] });
  const saidOf = (filter: DimensionFilter) => filterValuesOf([{ operator: 'or', filters: [filter] }]);

  it('is the code that imports store, in every spelling that they read, and the text itself', () => {
    const spelled = fc.constantFrom(
      ...codedFields.flatMap((field) => codedSpellings(field).map((each) => ({ field, ...each }))),
    );
    const written = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => ` ${text.toLowerCase()}\u00a0`,
    );
    fc.assert(
      fc.property(spelled, written, ({ field, code, text }, write) => {
        const own = write(text);
        for (const comparator of ['in', 'nin', 'is_any_of', 'is_none_of'] as const) {
          expect(comparedWith(filterOf(field, comparator, own))).toEqual(
            expect.arrayContaining([code, field === 'country' ? own.toUpperCase() : own]),
          );
        }
        const said = saidOf(filterOf(field, 'in', own));
        const isAsStored = code === (field === 'country' ? own.toUpperCase() : own);
        expect(said).toEqual(isAsStored ? [] : [{ dimension: field, value: own, read_as: code }]);
        if (code !== '' && own.trim() !== '')
          expect(comparedWith(filterOf(field, 'contains', own))).toContain(code);
      }),
      { numRuns: process.env.THOROUGH === '1' ? 20_000 : 2_000 },
    );
  });

  it('that names nothing known is compared as it is written, and said', () => {
    const unknown = filterOf('country', 'in', 'Atlantis');
    expect(comparedWith(unknown)).toEqual(['ATLANTIS']);
    expect(saidOf(filterOf('country', 'in', 'Atlantis'))).toEqual([
      { dimension: 'country', value: 'Atlantis', read_as: null },
    ]);
    // Parts are mostly not names, and a part of signs alone names nothing.
    expect(saidOf(filterOf('device', 'contains', 'esk'))).toEqual([]);
    expect(comparedWith(filterOf('device', 'contains', '-'))).toEqual(['-']);
    expect(saidOf(filterOf('os', 'in', 'Germany'))).toEqual([]);
  });

  it('is said for a hundred at most', () => {
    const filter = {
      ...filterOf('country', 'in', ''),
      selectedValues: Array.from({ length: 900 }, (_, n) => `x${n}`),
    };
    expect(filterValuesOf([{ operator: 'or', filters: [filter] }])).toHaveLength(100);
  });
});
