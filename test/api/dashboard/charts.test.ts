// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, valueAxis } from '../../../api/dashboard/web/charts/axes.ts';
import { countUnit, moneyUnit, percentUnit, type Unit } from '../../../api/dashboard/web/charts/units.ts';
import { chartDataOf } from '../../../api/dashboard/web/reports/chart-data.ts';
import { daysOf, periods, todayIn } from '../../../api/dashboard/web/reports/periods.ts';
import { newReport } from '../../../api/dashboard/web/reports/report.ts';
import { type MadeReport, sorted } from '../../../api/dashboard/web/reports/result.ts';
import { isUnfinished, timesBetween } from '../../../api/dashboard/web/reports/times.ts';
import { cases } from '../../support/cases.ts';

const units: readonly (readonly [string, Unit])[] = [
  ['counts', countUnit],
  ['percent', percentUnit],
  ['euros', moneyUnit('EUR')],
  ['yen, which have no cents', moneyUnit('JPY')],
];
/** From a millionth to a quadrillion. */
const value = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -6, max: 14 }))
  .map(([digits, power]) => digits * 10 ** power);
const someValues = fc.array(fc.oneof(value, value.map(Math.round), fc.constant(0)), {
  minLength: 1,
  maxLength: 40,
});
const multipliers: Readonly<Record<string, number>> = {
  K: 1e3,
  M: 1e6,
  B: 1e9,
  BN: 1e9,
  T: 1e12,
  TN: 1e12,
  '': 1,
};

/** What a label says, as a number. */
function numberIn(label: string): number {
  const [, digits = '', letters = ''] = /([\d.,]+) ?([a-zA-Z]*)/.exec(label.replace(/[€¥]|JP/g, '')) ?? [];
  return Number(digits.replaceAll(',', '')) * (multipliers[letters.toUpperCase()] ?? Number.NaN);
}

describe.each(units)('an axis of %s', (name, unit) => {
  it('has no two equal labels, and each says exactly its tick', () => {
    let looked = 0;
    fc.assert(
      fc.property(someValues, (values) => {
        const { ticks } = valueAxis(values, [0, 100]);
        const labels = ticks.map(unit.tick);
        expect(new Set(labels).size).toBe(ticks.length);
        ticks.forEach((tick, at) => {
          expect(numberIn(labels[at] ?? '') / (tick || 1)).toBeCloseTo(tick === 0 ? 0 : 1, 9);
        });
        looked += ticks.length;
      }),
      { numRuns: cases(300, 5_000) },
    );
    expect([name, looked > 300]).toEqual([name, true]);
  });
});

describe('a name beside a bar', () => {
  it('is whole in two lines, or cut at the end of the second', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), fc.integer({ min: 40, max: 300 }), (name, room) => {
        const lines = linesOf(name, room);
        expect(lines.length).toBeLessThanOrEqual(2);
        const shown = lines.join('').replaceAll(/\s/g, '');
        const all = name.replaceAll(/\s/g, '');
        expect(
          shown.endsWith('…') && !all.endsWith('…') ? all.startsWith(shown.slice(0, -1)) : shown === all,
        ).toBe(true);
      }),
      { numRuns: cases(200, 2_000) },
    );
    expect(linesOf('Trains stop at noon: storm warning', 150)).toEqual([
      'Trains stop at noon:',
      'storm warning',
    ]);
  });
});

const report = (dimensions: readonly string[], data: readonly object[], meta: object = {}): MadeReport =>
  ({
    draft: { ...newReport(), dimensions, metrics: ['impressions'] },
    answer: {
      data,
      meta: {
        ...{ count: data.length, total_count: data.length, start_date: '2026-02-01', end_date: '2026-02-05' },
        ...{
          currency: 'EUR',
          timezone: 'UTC',
          complete_until: null,
          restated: false,
          rates: [],
          old_rates: [],
          left_out: [],
        },
        ...meta,
      },
    },
  }) as MadeReport;
const at = Date.parse('2026-02-05T12:00:00Z');

describe('the chart of a report', () => {
  it('has a gap where a day has no row, and marks the day that has not ended', () => {
    const rows = [
      { day: '2026-02-01', impressions: 5 },
      { day: '2026-02-04', impressions: 7 },
      { day: '2026-02-05', impressions: 1 },
    ];
    const data = chartDataOf(report(['day'], rows), 'impressions', at);
    expect(data?.kind === 'lines' && data.points).toEqual([
      { at: '2026-02-01', isUnfinished: false, series0: 5 },
      { at: '2026-02-02', isUnfinished: false },
      { at: '2026-02-03', isUnfinished: false },
      { at: '2026-02-04', isUnfinished: false, series0: 7 },
      { at: '2026-02-05', isUnfinished: true, series0: 1 },
    ]);
  });

  it('draws the names with the most as lines, and none where two times meet', () => {
    const rows = ['a', 'b'].flatMap((domain, index) => [
      { day: '2026-02-01', domain, impressions: index + 1 },
      { day: '2026-02-02', domain, impressions: index + 3 },
    ]);
    const data = chartDataOf(report(['domain', 'day'], rows), 'impressions', at);
    expect(data?.kind === 'lines' && data.series.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(chartDataOf(report(['day', 'month'], rows), 'impressions', at)).toBeNull();
    expect(chartDataOf(report(['domain', 'device'], rows), 'impressions', at)).toBeNull();
  });

  it('takes what the ad servers have not told all of for unfinished, by day, month and year', () => {
    const until = '2026-02-03T00:00:00+00:00';
    expect(
      ['2026-02-02', '2026-02-03', '2026-02', '2026', '2026-01'].map((each) =>
        isUnfinished(each, '2026-03-01', until),
      ),
    ).toEqual([false, true, true, true, false]);
    expect(timesBetween('month', '2025-12-30', '2026-02-01')).toEqual(['2025-12', '2026-01', '2026-02']);
    expect(timesBetween('year', '2025-12-30', '2026-02-01')).toEqual(['2025', '2026']);
  });
});

describe('the days of a report', () => {
  it('move with the calendar of its time zone', () => {
    const midnight = Date.parse('2026-03-01T03:00:00Z');
    expect([todayIn('UTC', midnight), todayIn('America/New_York', midnight)]).toEqual([
      ...['2026-03-01', '2026-02-28'],
    ]);
    expect(periods.map((each) => daysOf(each, 'America/New_York', midnight))).toEqual([
      { from: '2026-02-27', to: '2026-02-27' },
      { from: '2026-02-21', to: '2026-02-27' },
      { from: '2026-01-29', to: '2026-02-27' },
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2026-01-01', to: '2026-01-31' },
    ]);
  });
});

it('rows are sorted as the reporting API sorts them: texts by their letters, figures by their size', () => {
  const rows = [
    { domain: 'b', impressions: 10 },
    { domain: 'B', impressions: 9 },
    { domain: 'a', impressions: 100 },
  ];
  const order = (by: 'domain' | 'impressions', direction: 'asc' | 'desc') =>
    sorted(report(['domain'], rows), by, direction).answer.data.map(({ domain }) => domain);
  expect(order('domain', 'asc')).toEqual(['B', 'a', 'b']);
  expect(order('impressions', 'desc')).toEqual(['a', 'b', 'B']);
});
