// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, addAmounts, noAmount } from '../../../../../api/client/analytics/convert-earnings.ts';
import {
  placeOf,
  type Share,
  shareEarnings,
} from '../../../../../api/client/analytics/delivery-revenue/share.ts';
import type { Visits } from '../../../../../engine/adapters/clickhouse/reactions.ts';
import { toId } from '../../../../../engine/contract/ids.ts';
import { cases } from '../../../../support/cases.ts';

const DAY = '2026-01-31';
const visit = (id: number, hour: number | null, visits: number, date = DAY): Visits => ({
  ...{ id: toId(id), date, hour, visits },
});
const amount = (impressions: number, units: number): Amount => ({
  impressions: BigInt(impressions),
  units: BigInt(units),
});
const share = async (
  earned: Readonly<Record<string, Amount>>,
  visits: readonly Visits[],
  perVisit: number | null = null,
): Promise<Record<number, Share>> =>
  Object.fromEntries(await shareEarnings({ earned: new Map(Object.entries(earned)), visits, perVisit }));

describe('what an hour earned', () => {
  it('falls to the deliveries by which readers came then, by their visits', async () => {
    const earned = { [placeOf(DAY, 7)]: amount(400, 1_000), [placeOf(DAY, 8)]: amount(100, 50) };
    expect(await share(earned, [visit(1, 7, 3), visit(2, 7, 1), visit(2, 8, 9)])).toMatchObject({
      1: { visits: 3, impressions: 300n, units: 750n, hourUnits: 750n, grain: 'hour' },
      2: { visits: 10, impressions: 200n, units: 300n, hourUnits: 300n, grain: 'hour' },
    });
  });

  it('falls to nobody where nobody came, and a visit without earnings is a visit', async () => {
    expect(await share({ [placeOf(DAY, 7)]: amount(400, 1_000) }, [visit(1, 9, 3)])).toMatchObject({
      1: { visits: 3, impressions: 0n, units: 0n, grain: null },
    });
  });

  it('is shared by the day where there are no hours, and the figures say so', async () => {
    const visits = [visit(1, 7, 3), visit(2, 20, 1)];
    expect(await share({ [placeOf(DAY, null)]: amount(400, 1_000) }, visits)).toMatchObject({
      1: { units: 750n, hourUnits: 0n, grain: 'day' },
      2: { units: 250n, hourUnits: 0n, grain: 'day' },
    });
    const both = { [placeOf(DAY, null)]: amount(400, 1_000), [placeOf(DAY, 7)]: amount(10, 60) };
    expect(await share(both, visits)).toMatchObject({
      1: { units: 810n, hourUnits: 60n, grain: 'mixed' },
      2: { units: 250n, grain: 'day' },
    });
  });

  it('is bounded by what visits can have seen, where that is known', async () => {
    const earned = { [placeOf(DAY, 7)]: amount(400, 1_000), [placeOf(DAY, 8)]: amount(4, 10) };
    const visits = [visit(1, 7, 3), visit(2, 7, 1), visit(1, 8, 5)];
    // 4 visits of 10 impressions: a tenth of the hour. At 8 there were fewer impressions than that.
    expect(await share(earned, visits, 10)).toMatchObject({
      1: { impressions: 34n, units: 85n },
      2: { impressions: 10n, units: 25n },
    });
    expect(await share({ [placeOf(DAY, 7)]: amount(0, 1_000) }, visits, 10)).toMatchObject({
      1: { units: 0n },
    });
  });

  it('is never shared out twice, for any hours, visits and bounds', async () => {
    const hour = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });
    const date = fc.constantFrom('2026-01-30', DAY);
    const place = fc.tuple(date, hour).map(([on, at]) => placeOf(on, at));
    const money = fc.record({
      impressions: fc.bigInt({ min: 0n, max: 1_000n }),
      units: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 24n }),
    });
    const came = fc.record({
      id: fc.integer({ min: 1, max: 4 }).map((id) => toId<Visits['id']>(id)),
      ...{ date, hour, visits: fc.integer({ min: 1, max: 50 }) },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, money), { maxLength: 8 }),
        fc.array(came, { maxLength: 12 }),
        fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
        async (pairs, visits, perVisit) => {
          const earned = new Map(pairs);
          for (const [at, total] of earned) {
            const ofPlace = await shareEarnings({ earned: new Map([[at, total]]), visits, perVisit });
            const all = [...ofPlace.values()].reduce<Amount>(addAmounts, noAmount);
            expect(all.impressions).toBeLessThanOrEqual(total.impressions);
            if (total.units >= 0n) expect(all.units).toBeLessThanOrEqual(total.units);
            // Rounding takes less than one unit of each delivery.
            const someCame = visits.some((each) => [each.date, placeOf(each.date, each.hour)].includes(at));
            if (perVisit === null && someCame)
              expect(total.units - all.units).toBeLessThan(BigInt(ofPlace.size));
          }
          const whole = await shareEarnings({ earned, visits, perVisit });
          for (const one of whole.values())
            expect(one.hourUnits === one.units || one.grain !== 'hour').toBe(true);
        },
      ),
      { numRuns: cases(200, 5_000) },
    );
  });
});
