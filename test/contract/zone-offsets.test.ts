// tier: unit
import { expect, it } from 'vitest';
import { timeZones, zoneOffsets } from '../../engine/contract/time-zone.ts';
import { cases } from '../support/cases.ts';
import { wallDay } from '../support/report-oracle/calendar.ts';

const HOUR_MS = 3_600_000;
const from = Date.parse('2025-01-01T00:00:00Z');
const until = Date.parse('2028-01-01T00:00:00Z');

it('days by offsets are those on the wall, in every timezone over three years', () => {
  let compared = 0;
  for (const zone of timeZones) {
    const offsets = zoneOffsets(zone, from, until);
    const dayAt = (ms: number): string => {
      const { seconds } = offsets.findLast(({ fromMs }) => fromMs <= ms) ?? { seconds: 0 };
      return new Date(ms + seconds * 1_000).toISOString().slice(0, 10);
    };
    for (const { fromMs, seconds } of offsets) {
      // Around each change, and the midnights of the days after it.
      const midnight = Math.ceil(fromMs / (24 * HOUR_MS)) * 24 * HOUR_MS - seconds * 1_000;
      for (const ms of [
        fromMs,
        fromMs + 1_000,
        midnight - 1_000,
        midnight,
        midnight + 24 * HOUR_MS - 1_000,
      ]) {
        if (ms < from || ms >= until) continue;
        expect([zone, ms, dayAt(ms)]).toEqual([zone, ms, wallDay(ms, zone)]);
        compared++;
      }
      if (fromMs > from) expect([zone, dayAt(fromMs - 1_000)]).toEqual([zone, wallDay(fromMs - 1_000, zone)]);
    }
    for (let ms = from + 3 * HOUR_MS; ms < until; ms += cases(900, 150) * HOUR_MS) {
      expect([zone, ms, dayAt(ms)]).toEqual([zone, ms, wallDay(ms, zone)]);
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(timeZones.length * cases(30, 170));
});
