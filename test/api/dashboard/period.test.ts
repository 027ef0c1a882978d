// tier: unit
import { describe, expect, it } from 'vitest';
import {
  isRange,
  rangeBefore,
  rangeOf,
  readSearch,
} from '../../../api/dashboard/web/data/analytics/period.ts';

const now = Date.parse('2026-03-10T23:30:00Z');
const range = (from: string, to: string) => ({ from, to });

describe('the period of the analytics page', () => {
  it('is a number of days, a part of the calendar, or two days', () => {
    expect(rangeOf({}, now)).toEqual(range('2026-02-09', '2026-03-10'));
    expect(rangeOf({ days: 1 }, now)).toEqual(range('2026-03-10', '2026-03-10'));
    expect(rangeOf({ period: 'month' }, now)).toEqual(range('2026-03-01', '2026-03-10'));
    expect(rangeOf({ period: 'last-month' }, now)).toEqual(range('2026-02-01', '2026-02-28'));
    expect(rangeOf({ period: 'last-month' }, Date.parse('2026-01-05'))).toEqual(
      range('2025-12-01', '2025-12-31'),
    );
    expect(rangeOf({ period: 'year' }, now)).toEqual(range('2026-01-01', '2026-03-10'));
    expect(rangeOf({ from: '2026-03-01', to: '2026-04-01' }, now)).toEqual(range('2026-03-01', '2026-03-10'));
  });

  it('is compared with as many days before, or with the same days of the year before', () => {
    expect(rangeBefore(range('2026-03-01', '2026-03-10'), 'previous')).toEqual(
      range('2026-02-19', '2026-02-28'),
    );
    expect(rangeBefore(range('2026-03-01', '2026-03-10'), 'year-before')).toEqual(
      range('2025-03-01', '2025-03-10'),
    );
    expect(rangeBefore(range('2024-02-29', '2024-02-29'), 'year-before')).toEqual(
      range('2023-02-28', '2023-02-28'),
    );
  });

  it('takes from an address what makes sense, and nothing else', () => {
    expect(readSearch({ days: 7, compare: 'previous', currency: 'USD' })).toEqual({
      days: 7,
      compare: 'previous',
      currency: 'USD',
    });
    expect(readSearch({ from: '2026-01-01', to: '2026-01-31', days: 7 })).toEqual(
      range('2026-01-01', '2026-01-31'),
    );
    for (const days of [30, 0, 91, 'x', null]) expect(readSearch({ days })).toEqual({});
    expect(readSearch({ period: 'decade', compare: 'x', from: '2026-01-31', to: '2026-01-01' })).toEqual({});
    expect(isRange('2026-02-30', '2026-03-01')).toBe(false);
    expect(isRange('2025-01-01', '2026-01-01')).toBe(true);
    expect(isRange('2025-01-01', '2026-01-02')).toBe(false);
    expect(isRange(['2025-01-01'], '2025-01-02')).toBe(false);
  });
});
