// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencies } from '../../engine/contract/currencies.ts';
import { dayText, knownDay } from '../../engine/contract/days.ts';
import { fixedRates } from '../../engine/contract/fixed-rates.ts';
import { createRateTable, OLD_DAYS, type Rate } from '../../engine/contract/rate-table.ts';

const rate = (currency: string, day: string, perEur = '2'): Rate => ({
  ...{ currency, day, perEur, source: 'ecb' },
});
const at = (currency: string, day: string) => ({ currency, day: knownDay(day) });

describe('a rate', () => {
  it('is old more than ten days after its own, of the currency that is converted to as well', () => {
    const table = createRateTable([rate('USD', '2026-01-01'), rate('GBP', '2026-01-20')], 'USD');
    expect(table.oldOf([at('EUR', '2026-01-11')])).toEqual([]);
    expect(table.oldOf([at('EUR', '2026-01-12'), at('GBP', '2026-01-31'), at('GBP', '2026-01-25')])).toEqual([
      { currency: 'GBP', rate_day: '2026-01-20', used_until: '2026-01-31' },
      { currency: 'USD', rate_day: '2026-01-01', used_until: '2026-01-31' },
    ]);
  });

  it('is named once a currency, by the day on which it was the oldest, and only where it is', () => {
    const days = fc.uniqueArray(fc.integer({ min: 20_000, max: 20_200 }), { minLength: 1, maxLength: 8 });
    const property = fc.property(days, days, (rated, used) => {
      const given = rated.map((day) => rate('USD', dayText(day)));
      const ages = used.flatMap((day) => {
        const last = Math.max(...rated.filter((one) => one <= day));
        return Number.isFinite(last) ? [{ day, last, age: day - last }] : [];
      });
      const oldest = ages.toSorted((one, other) => other.age - one.age)[0];
      const found = createRateTable(given, 'EUR').oldOf(used.map((day) => ({ currency: 'USD', day })));
      if (oldest === undefined || oldest.age <= OLD_DAYS) expect(found).toEqual([]);
      else {
        expect(found).toHaveLength(1);
        const [{ rate_day = '', used_until = '' } = {}] = found;
        expect(knownDay(used_until) - knownDay(rate_day)).toBe(oldest.age);
      }
    });
    fc.assert(property);
  });

  it('of a currency that became the euro is fixed from that day on, whatever was imported', () => {
    for (const { currency, day, perEur } of fixedRates) {
      expect(currencies.has(currency)).toBe(true);
      const [first, before] = [knownDay(day), dayText(knownDay(day) - 1)];
      const given = [rate(currency, before, '4'), rate(currency, dayText(first + 30), '5')];
      const table = createRateTable(given, 'EUR');
      expect(table.rate(currency, first - 1)).toBe('0.25');
      const fixed = createRateTable([rate('USD', day, perEur)], 'EUR').rate('USD', first);
      for (const later of [first, first + 30, first + 4_000]) expect(table.rate(currency, later)).toBe(fixed);
      expect(table.oldOf([{ currency, day: first + 4_000 }])).toEqual([]);
    }
  });

  it('of a source that is called as the fixed ones are is none of them', () => {
    const given: Rate[] = [{ currency: 'USD', day: '2026-01-01', perEur: '2', source: 'fixed' }];
    const table = createRateTable(given, 'EUR');
    expect(table.oldOf([at('USD', '2026-03-01')])).toHaveLength(1);
    expect(table.lack('GBP', knownDay('2026-03-01'))).toEqual({ of: 'one', currency: 'GBP' });
  });

  it('has its place in a table of two years of every currency, beside two of the year before', () => {
    const days = Array.from({ length: 4 * 366 }, (_, index) => dayText(19_000 + index));
    const given = [...currencies].flatMap((currency) => days.map((day) => rate(currency, day)));
    expect(createRateTable(given, 'EUR').rate('USD', 19_000)).toBe('0.5');
  });

  it('that is fixed does not hide that all others were forgotten', () => {
    const table = createRateTable([], 'EUR');
    expect(table.lack('BGN', knownDay('2026-02-01'))).toBeNull();
    expect(table.lack('BGN', knownDay('2025-12-31'))).toEqual({ of: 'all', currency: 'BGN' });
    expect(table.lack('USD', knownDay('2026-02-01'))).toEqual({ of: 'all', currency: 'USD' });
  });
});
