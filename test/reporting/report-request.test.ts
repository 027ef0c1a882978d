// tier: unit
import { describe, expect, it } from 'vitest';
import { reportRequest } from '../../reporting/report/request.ts';
import { dimensionFilter, errorsOf, errorsWith, inField, metricFilter, minimal } from './report-errors.ts';

describe('a report request', () => {
  it('is taken with the three required fields, and with everything', () => {
    expect(errorsOf(minimal)).toEqual({});
    const [example] = (reportRequest as { readonly examples?: readonly unknown[] }).examples ?? [];
    expect(errorsOf(example)).toEqual({});
    expect(
      errorsWith({
        selectedDate: ['2026-01-01', '2026-01-31'],
        filter_groups: [],
        timezone: 'Asia/Kolkata',
        sort: [{ by: 'impressions', direction: 'desc' }, { by: 'day' }],
        limit: 10,
        offset: 0,
        totals: true,
        compare_to: ['2025-01-01', '2025-01-31'],
        format: 'json',
      }),
    ).toEqual({});
  });

  it('gets all its errors at once, each at its path', () => {
    expect(
      Object.keys(
        errorsOf({
          dimensions: ['dey', 'day', 'day'],
          metrics: [],
          currency: 'GBP',
          selectedDate: ['2026-02-30', 'yesterday'],
          filter_groups: [
            { operator: 'and', filters: [dimensionFilter, { ...dimensionFilter, selectedValues: [] }] },
            { operator: 'or', filters: [{ ...metricFilter, comparison: 'in' }] },
          ],
          sort: [{ by: 'os' }],
          limit: 0,
          colour: 'red',
        }),
      ).toSorted(),
    ).toEqual([
      'colour',
      'currency',
      'dimensions.0',
      'dimensions.2',
      'filter_groups.0.filters.1.selectedValues',
      'filter_groups.0.operator',
      'filter_groups.1.filters.0.comparison',
      'limit',
      'metrics',
      'selectedDate.0',
      'selectedDate.1',
      'sort.0.by',
    ]);
  });

  it.each([
    ['no dimensions', { dimensions: undefined }, inField('dimensions', 'is required')],
    ['an empty list of dimensions', { dimensions: [] }, inField('dimensions', 'must not be empty')],
    ['a text for dimensions', { dimensions: 'day' }, inField('dimensions', 'must be an array')],
    [
      'a dimension twice',
      { dimensions: ['day', 'day'] },
      inField('dimensions.1', 'must not name a dimension again'),
    ],
    ['a metric twice', { metrics: ['ecpm', 'ecpm'] }, inField('metrics.1', 'must not name a metric again')],
    ['no metrics', { metrics: [] }, inField('metrics', 'must not be empty')],
    ['a currency in lower case', { currency: 'eur' }, inField('currency', 'must be one of EUR, USD')],
    [
      'an unknown key',
      { publisher: 'x' },
      { publisher: ['publisher is not a field of this request: leave it out.'] },
    ],
    [
      'a timezone that is none',
      { timezone: 'Mars/Base' },
      inField('timezone', 'must be a timezone such as Europe/Berlin'),
    ],
    [
      'an offset of hours as a timezone',
      { timezone: '+01:00' },
      inField('timezone', 'must be a timezone such as Europe/Berlin'),
    ],
    [
      'a format that is none',
      { format: 'pdf' },
      inField('format', 'must be one of json, csv, ndjson, parquet, xlsx'),
    ],
    [
      'totals without a place for them',
      { totals: true, format: 'csv' },
      inField('totals', 'needs format json: the other formats have no meta'),
    ],
    [
      'an order by what is not selected',
      { sort: [{ by: 'domain' }] },
      inField('sort.0.by', 'must be one of the selected dimensions and metrics'),
    ],
    [
      'an order by the same twice',
      { sort: [{ by: 'day' }, { by: 'day' }] },
      inField('sort.1.by', 'must not name a column again'),
    ],
  ])('refuses %s', (_, changes, errors) => expect(errorsWith(changes)).toEqual(errors));

  it('names the dimensions that there are', () => {
    expect(errorsWith({ dimensions: ['day', 'browser'] })['dimensions.1']?.[0]).toMatch(
      /^The dimensions\.1 field must be one of day, month, year, product, .*deal_type\.$/,
    );
  });
});

describe('selectedDate', () => {
  const dates = (start: unknown, end: unknown) => errorsWith({ selectedDate: [start, end] });

  it.each([
    ['2026-01-31', '2026-04-30'],
    ['2025-11-30', '2026-02-28'],
    ['2023-11-29', '2024-02-29'],
    ['2026-01-15', '2026-04-15'],
    ['2026-03-29', '2026-03-29'],
  ])('may go from %s to %s, three months by calendar', (start, end) => expect(dates(start, end)).toEqual({}));

  it.each([
    ['2026-01-31', '2026-05-01', '2026-04-30'],
    ['2025-11-30', '2026-03-01', '2026-02-28'],
    ['2026-01-15', '2026-04-16', '2026-04-15'],
    ['2020-01-01', '2026-01-01', '2020-04-01'],
  ])('may not go from %s to %s: three months end on %s', (start, end, last) =>
    expect(dates(start, end)).toEqual(
      inField(
        'selectedDate.1',
        `must be at most 3 months after the start: ${last}; POST /reports/jobs takes up to 24 months`,
      ),
    ),
  );

  it.each([
    ['2026-02-30', 'exist, in February'],
    ['2025-02-29', 'exist that year'],
    ['2026-13-01', 'exist as a month'],
    ['2026-1-1', 'have all digits'],
    ['2026-01-01T00:00:00Z', 'be a day'],
    ['', 'be empty'],
  ])('refuses %s, which does not %s', (day) =>
    expect(dates(day, '2026-03-01')).toEqual(
      inField('selectedDate.0', 'must be a date that exists, such as 2026-01-31'),
    ),
  );

  it('refuses a start after the end, one date, three, and values that are not text', () => {
    expect(dates('2026-02-02', '2026-02-01')).toEqual(
      inField('selectedDate.1', 'must not be before the start'),
    );
    expect(errorsWith({ selectedDate: ['2026-02-02'] })).toEqual(
      inField('selectedDate', 'must have at least 2 items'),
    );
    expect(Object.keys(errorsWith({ selectedDate: ['2026-02-01', '2026-02-01', '2026-02-01'] }))).toEqual([
      'selectedDate',
    ]);
    expect(dates(20_260_101, '2026-02-01')).toEqual(inField('selectedDate.0', 'must be a string'));
    expect(dates('1812-01-01', '1812-01-02')).toMatchObject(
      inField('selectedDate.0', 'must be between 2000-01-01 and 2099-12-31'),
    );
  });

  it('has as many days as its comparison', () => {
    const week = { selectedDate: ['2026-02-02', '2026-02-08'] };
    expect(errorsWith({ ...week, compare_to: ['2026-01-05', '2026-01-11'] })).toEqual({});
    const longer = { ...week, compare_to: ['2026-01-05', '2026-01-12'] };
    expect(errorsWith(longer)).toEqual(inField('compare_to', 'must be as many days as selectedDate'));
    expect(errorsWith({ compare_to: ['2026-01-05', '2026-02-30'] })).toEqual(
      inField('compare_to.1', 'must be a date that exists, such as 2026-01-31'),
    );
    expect(errorsWith({ compare_to: 'last_week' })).toEqual(
      inField('compare_to', 'must be previous_period, previous_year, or two dates [start, end]'),
    );
  });
});
