// tier: unit
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { todayAhead, todayIn } from '../../engine/contract/days.ts';
import { timeZones } from '../../engine/contract/time-zone.ts';

it('is today wherever it is, and never later than the latest one', () => {
  const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
  fc.assert(
    fc.property(moments, fc.constantFrom(...timeZones), (ms, zone) => {
      expect(todayIn(zone, ms)).toBeLessThanOrEqual(todayAhead(ms));
      expect(todayIn('Pacific/Kiritimati', ms)).toBe(todayAhead(ms));
    }),
  );
});
