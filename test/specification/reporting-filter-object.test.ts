// tier: system, clickhouse
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  inJanuary,
  january,
  januaryRates,
  type ReportListener,
  startReportListener,
} from './reporting-support.ts';

/** The document's table "Filter object", row by row, and every comparator and comparison. */
let listener: ReportListener;
beforeAll(async () => {
  listener = await startReportListener('embedded');
  await listener.world.addRows(january);
  await listener.world.addRates(januaryRates);
});
afterAll(() => listener.close());

const base = { dimensions: ['domain'], metrics: ['impressions'], ...inJanuary };
const withFilters = (...filters: object[]) => ({ ...base, filter_groups: [{ operator: 'or', filters }] });
const domains = async (filter: object) =>
  (await listener.ask(withFilters(filter))).body.data.map(({ domain }) => domain);
const paths = async (filter: object) =>
  Object.keys((await listener.ask(withFilters(filter))).body.errors ?? {}).map((path) =>
    path.replace('filter_groups.0.filters.0.', ''),
  );

const dimension = { value: 'domain', type: 'dimension', comparator: 'in', selectedValues: ['news.example'] };
const metric = { value: 'impressions', type: 'metric', comparison: 'gte', selectedValue: 300 };

describe('Filter object', () => {
  it('value | string | both | the dimension key or metric key to filter on', async () => {
    expect(await domains(dimension)).toEqual(['news.example']);
    expect(await domains(metric)).toEqual(['news.example']);
    expect(await paths({ ...dimension, value: 'planet' })).toEqual(['value']);
    expect(await paths({ ...dimension, value: 'impressions' })).toEqual(['value']);
    expect(await paths({ ...metric, value: 'domain' })).toEqual(['value']);
  });

  it('type | string | both | `dimension` or `metric`', async () => {
    expect(await paths({ ...dimension, type: 'other' })).toEqual(['type']);
    expect(await paths({ ...dimension, type: undefined })).toEqual(['type']);
  });

  it.each([
    ['in', ['news.example'], ['news.example']],
    ['nin', ['news.example'], ['sport.example']],
    ['is_any_of', ['news.example', 'sport.example'], ['news.example', 'sport.example']],
    ['is_none_of', ['news.example', 'sport.example'], []],
    ['contains', ['port'], ['sport.example']],
    ['not_contains', ['port'], ['news.example']],
    ['starts_with', ['news'], ['news.example']],
    ['ends_with', ['.example'], ['news.example', 'sport.example']],
  ])('comparator | string | dimension | %s', async (comparator, selectedValues, expected) => {
    expect(await domains({ ...dimension, comparator, selectedValues })).toEqual(expected);
  });

  it('comparator | string | dimension | no other', async () => {
    expect(await paths({ ...dimension, comparator: 'like' })).toEqual(['comparator']);
    expect(await paths({ ...dimension, comparator: undefined })).toEqual(['comparator']);
  });

  it('selectedValues | array | dimension | non-empty', async () => {
    expect(await paths({ ...dimension, selectedValues: [] })).toEqual(['selectedValues']);
    expect(await paths({ ...dimension, selectedValues: undefined })).toEqual(['selectedValues']);
    expect(await paths({ ...dimension, selectedValues: 'news.example' })).toEqual(['selectedValues']);
    for (const value of [null, true, ['news.example'], {}]) {
      expect(await paths({ ...dimension, selectedValues: [value] })).toEqual(['selectedValues.0']);
    }
  });

  it('fields of the other type may be null or empty: clients fill in all of them', async () => {
    const none = { comparison: null, selectedValue: null, secondValue: null };
    expect(await domains({ ...dimension, ...none })).toEqual(['news.example']);
    expect(await domains({ ...metric, comparator: null, selectedValues: [], secondValue: null })).toEqual([
      'news.example',
    ]);
    expect(await domains({ ...metric, selectedValues: null })).toEqual(['news.example']);
  });

  it('fields of the other type with a value are refused, each at its path', async () => {
    expect(await paths({ ...dimension, comparison: 'gte', selectedValue: 0, secondValue: 1 })).toEqual([
      'comparison',
      'selectedValue',
      'secondValue',
    ]);
    expect(await paths({ ...metric, comparator: 'in', selectedValues: ['a'] })).toEqual([
      'comparator',
      'selectedValues',
    ]);
  });

  it('numbers in selectedValues are compared as text', async () => {
    const year = { ...dimension, value: 'year', selectedValues: [2026] };
    expect(await domains(year)).toEqual(['news.example', 'sport.example']);
    expect(await domains({ ...year, selectedValues: [1999] })).toEqual([]);
    expect(await domains({ ...dimension, selectedValues: [1, 'news.example'] })).toEqual(['news.example']);
    expect(await domains({ ...dimension, comparator: 'not_contains', selectedValues: [7] })).toEqual([
      'news.example',
      'sport.example',
    ]);
  });

  it.each([
    ['gte', 200, undefined, ['news.example', 'sport.example']],
    ['lte', 200, undefined, ['sport.example']],
    ['gt', 200, undefined, ['news.example']],
    ['lt', 200, undefined, []],
    ['eq', 1_500, undefined, ['news.example']],
    ['neq', 1_500, undefined, ['sport.example']],
    ['between', 100, 200, ['sport.example']],
  ])('comparison | string | metric | %s', async (comparison, selectedValue, secondValue, expected) => {
    expect(await domains({ ...metric, comparison, selectedValue, secondValue })).toEqual(expected);
  });

  it('comparison | string | metric | no other', async () => {
    expect(await paths({ ...metric, comparison: '>=' })).toEqual(['comparison']);
    expect(await paths({ ...metric, comparison: undefined })).toEqual(['comparison']);
  });

  it('selectedValue | number | metric | value to compare against', async () => {
    expect(await domains({ ...metric, value: 'earnings', selectedValue: 3.5 })).toEqual([
      'news.example',
      'sport.example',
    ]);
    expect(await paths({ ...metric, selectedValue: '300' })).toEqual(['selectedValue']);
    expect(await paths({ ...metric, selectedValue: undefined })).toEqual(['selectedValue']);
  });

  it('secondValue | number | metric | upper value, for `between`', async () => {
    const between = { ...metric, comparison: 'between', selectedValue: 200 };
    expect(await domains({ ...between, secondValue: 1_500 })).toEqual(['news.example', 'sport.example']);
    expect(await paths(between)).toEqual(['secondValue']);
    expect(await paths({ ...between, secondValue: 100 })).toEqual(['secondValue']);
    expect(await paths({ ...between, secondValue: null })).toEqual(['secondValue']);
    expect(await paths({ ...metric, secondValue: 500 })).toEqual(['secondValue']);
  });
});
