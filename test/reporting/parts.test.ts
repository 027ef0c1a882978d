// tier: unit
import { describe, expect, it } from 'vitest';
import { periodParts } from '../../reporting/generate/parts.ts';
import type { ReportPeriod } from '../../reporting/report/period.ts';
import type { ReportRequest } from '../../reporting/report/request.ts';

const quarter: ReportPeriod = { timezone: 'UTC', start: '2026-01-01', end: '2026-03-31', compared: null };
const request: ReportRequest = { dimensions: ['day', 'domain'], metrics: ['impressions'], currency: 'EUR' };
const parts = (changes: Partial<ReportRequest> = {}, period = quarter) =>
  periodParts({ ...request, ...changes }, period, 'unrestricted');
const daysOf = (changes: Partial<ReportRequest> = {}) =>
  parts(changes).map(({ period }) => [period.start, period.end]);

describe('the parts of a report', () => {
  it('are all of its days, each once, in the order of its rows', () => {
    expect(daysOf()).toEqual([
      ['2026-01-01', '2026-01-09'],
      ['2026-01-10', '2026-01-27'],
      ['2026-01-28', '2026-02-23'],
      ['2026-02-24', '2026-03-31'],
    ]);
    expect(daysOf({ sort: [{ by: 'day', direction: 'desc' }, { by: 'domain' }] })).toEqual([
      ['2026-03-23', '2026-03-31'],
      ['2026-03-05', '2026-03-22'],
      ['2026-02-06', '2026-03-04'],
      ['2026-01-01', '2026-02-05'],
    ]);
    for (const days of [20, 21, 28, 29, 31, 89, 90, 92]) {
      const end = new Date(Date.UTC(2026, 0, days)).toISOString().slice(0, 10);
      const made = parts({}, { ...quarter, end });
      expect(made.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
      for (const [index, { period }] of made.entries()) {
        const before = made[index - 1]?.period.end ?? '2025-12-31';
        expect(Date.parse(period.start) - Date.parse(before)).toBe(86_400_000);
      }
      expect(made.at(-1)?.period.end).toBe(end);
    }
  });

  it.each<[string, Partial<ReportRequest>]>([
    ['in another order', { sort: [{ by: 'impressions', direction: 'desc' }] }],
    ['by another dimension first', { dimensions: ['domain', 'day'] }],
    ['without days', { dimensions: ['month', 'domain'] }],
    ['of a page', { limit: 10 }],
    ['of later pages', { offset: 10 }],
    ['beside another period', { compare_to: 'previous_period' }],
    ['as Parquet', { format: 'parquet' }],
    ['of few values', { dimensions: ['day', 'device'] }],
    [
      'of some rows',
      {
        filter_groups: [
          {
            operator: 'or',
            filters: [{ value: 'domain', type: 'dimension', comparator: 'in', selectedValues: ['a'] }],
          },
        ],
      },
    ],
  ])('are one %s', (_case, changes) => {
    expect(parts(changes)).toEqual([{ period: quarter, share: 1 }]);
  });

  it('are one of a few days, and for a token of few domains', () => {
    expect(parts({}, { ...quarter, end: '2026-01-14' })).toHaveLength(1);
    const few = { domains: ['a.example'], wholesalers: [] };
    expect(periodParts(request, quarter, few)).toHaveLength(1);
    expect(periodParts(request, quarter, { domains: [], wholesalers: ['w'] })).toHaveLength(4);
  });
});
