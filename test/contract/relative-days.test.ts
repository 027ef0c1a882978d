// tier: unit
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { knownDay, todayIn } from '../../engine/contract/days.ts';
import { isOverBefore, relativeDays, relativePeriods } from '../../engine/contract/relative-days.ts';
import { timeZones } from '../../engine/contract/time-zone.ts';

/** The same words by Temporal's calendar, which the product's code does not use. */
function oracle(period: string, today: Temporal.PlainDate): readonly [string, string] {
  const ofDays = /^last_(\d+)_days$/.exec(period);
  const yesterday = today.subtract({ days: 1 });
  if (ofDays !== null) return [`${today.subtract({ days: Number(ofDays[1]) })}`, `${yesterday}`];
  const week = today.subtract({ days: today.dayOfWeek - 1 });
  const month = today.with({ day: 1 });
  const quarter = month.subtract({ months: (today.month - 1) % 3 });
  const year = month.with({ month: 1 });
  const before = (first: Temporal.PlainDate, span: Temporal.DurationLike): readonly [string, string] => [
    `${first.subtract(span)}`,
    `${first.subtract({ days: 1 })}`,
  ];
  const spans: Readonly<Record<string, readonly [string, string]>> = {
    today: [`${today}`, `${today}`],
    yesterday: [`${yesterday}`, `${yesterday}`],
    week_to_date: [`${week}`, `${today}`],
    last_week: before(week, { weeks: 1 }),
    month_to_date: [`${month}`, `${today}`],
    last_month: before(month, { months: 1 }),
    quarter_to_date: [`${quarter}`, `${today}`],
    previous_quarter: before(quarter, { months: 3 }),
    year_to_date: [`${year}`, `${today}`],
    last_year: before(year, { years: 1 }),
  };
  const span = spans[period];
  if (span === undefined) throw new Error(`no oracle for ${period}`);
  return span;
}

it('are the days that another calendar finds, at any moment in any zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...relativePeriods),
      fc.constantFrom(...timeZones),
      fc.integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2098, 0, 1) }),
      (period, zone, nowMs) => {
        const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
        const expected = oracle(period, today);
        expect(relativeDays(period, todayIn(zone, nowMs))).toEqual(expected);
        expect(isOverBefore(period, knownDay(`${today}`))).toBe(expected[1] < `${today}`);
      },
    ),
    { numRuns: 5_000 },
  );
});
