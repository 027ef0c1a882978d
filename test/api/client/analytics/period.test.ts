// tier: unit
import { describe, expect, it } from 'vitest';
import { askedPeriod } from '../../../../api/client/analytics/period.ts';

/** Late in the evening: the day in UTC counts. */
const now = Date.parse('2026-03-10T23:30:00Z');
const asked = (query: Parameters<typeof askedPeriod>[0]) => {
  const period = askedPeriod(query, now);
  return 'errors' in period ? period.errors : [period.firstDay, period.days.at(-1), period.days.length];
};

describe('the period of a request', () => {
  it('is the last 30 days, as many as it says, or from one day to another', () => {
    expect(asked({})).toEqual(['2026-02-09', '2026-03-10', 30]);
    expect(asked({ days: 1 })).toEqual(['2026-03-10', '2026-03-10', 1]);
    expect(asked({ from: '2026-02-27', to: '2026-03-02' })).toEqual(['2026-02-27', '2026-03-02', 4]);
    expect(asked({ from: '2026-03-01' })).toEqual(['2026-03-01', '2026-03-10', 10]);
    expect(asked({ from: '2024-01-01', to: '2024-12-31' })).toEqual(['2024-01-01', '2024-12-31', 366]);
  });

  it.each([
    [{ days: 7, from: '2026-03-01' }, 'days', /either days, or from and to/],
    [{ to: '2026-03-01' }, 'from', /first day/],
    [{ from: '2026-03-05', to: '2026-03-04' }, 'to', /ends before it begins/],
    [{ from: '2026-03-11' }, 'from', /ends before it begins/],
    [{ from: '2026-03-01', to: '2026-03-11' }, 'to', /2026-03-10 in UTC/],
    [{ from: '2025-03-09' }, 'from', /366 days at most; this one has 367/],
  ])('%j is refused, naming %s', (query, field, message) => {
    const errors = asked(query);
    expect(Object.keys(errors)).toEqual([field]);
    expect((errors as Record<string, string[]>)[field]?.[0]).toMatch(message);
  });
});
