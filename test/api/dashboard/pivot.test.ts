// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparedDays,
  comparedWith,
  daysWithout,
  laterDay,
} from '../../../api/dashboard/web/reports/compared.ts';
import {
  decimalOf,
  figureOf,
  metricOf,
  millionthsOf,
  parseExactly,
  percentOf,
  summedOf,
} from '../../../api/dashboard/web/reports/exact.ts';
import { moved } from '../../../api/dashboard/web/reports/periods.ts';
import { type Pivot, pivotOf } from '../../../api/dashboard/web/reports/pivot.ts';
import { type Metric, newFilter, newReport } from '../../../api/dashboard/web/reports/report.ts';
import {
  bodiesOf,
  earlierBody,
  lackingDays,
  movedRows,
} from '../../../api/dashboard/web/reports/requests.ts';
import type { Row } from '../../../api/dashboard/web/reports/rows.ts';
import { certaintyOf } from '../../../api/dashboard/web/reports/times.ts';
import { loadSeldomTexts } from '../../../api/dashboard/web/texts/t.ts';
import { periodOf } from '../../../reporting/report/period.ts';
import { cases } from '../../support/cases.ts';

const metrics: readonly Metric[] = ['impressions', 'earnings', 'ecpm'];
const summed = summedOf(metrics);

const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 6n), max: 10n ** 21n }), fc.constantFrom(0, 2, 6))
  .map(([value, places]) => decimalOf(places === 6 ? value : value - (value % 10n ** BigInt(6 - places))));
const row = fc.record({
  domain: fc.constantFrom('', 'a.example', 'b.example', 'ä.example', 'c.example', 'd.example'),
  country: fc.constantFrom('', 'DE', 'AT', 'FR', 'ES', 'IT', 'PT'),
  impressions: fc.integer({ min: 0, max: 10 ** 9 }),
  earnings: amount,
});
const rows: fc.Arbitrary<Row[]> = fc.array(row, { maxLength: 40 });

/** By another way than the pivot: a filter of all rows, and one sum each, in whole millionths. */
function oracle(data: readonly Row[], of: (row: Row) => boolean, metric: Metric): string {
  let [impressions, earnings] = [0n, 0n];
  for (const each of data.filter(of)) {
    impressions += BigInt(each.impressions ?? 0);
    const [whole = '0', places = ''] = String(each.earnings ?? 0)
      .replace('-', '')
      .split('.');
    const size = BigInt(whole + places.padEnd(6, '0'));
    earnings += String(each.earnings ?? 0).startsWith('-') ? -size : size;
  }
  if (metric === 'impressions') return String(impressions);
  if (metric === 'earnings') return decimalOf(earnings);
  if (impressions === 0n) return '0';
  const thousandfold = earnings * 1_000n;
  const size = thousandfold < 0n ? -thousandfold : thousandfold;
  const [cut, left] = [size / impressions, size % impressions];
  const rounded = left * 2n >= impressions ? cut + 1n : cut;
  return decimalOf(thousandfold < 0n ? -rounded : rounded);
}

const question = (
  data: readonly Row[],
  before: readonly Row[] | null,
  metric: Metric,
  mostColumns: number,
) => ({
  ...({ rows: 'domain', columns: 'country' } as const),
  ...{ metric, summed, mostColumns, data, before, whole: null },
  sort: { by: 'value', column: '', direction: 'desc' } as const,
});

/** The values that a column holds, from its place among the others. */
const holds = ({ columns }: Pivot, at: number) => {
  const own = columns.flatMap(({ value }) => (value === null ? [] : [value]));
  const value = columns[at]?.value ?? null;
  return (country: unknown): boolean =>
    value === null ? !own.includes(String(country ?? '')) : String(country ?? '') === value;
};

describe('a pivot', () => {
  it('has the exact sum of its rows in each cell, column, line and total; a ratio is computed from sums', () => {
    let cells = 0;
    const property = fc.property(
      rows,
      fc.option(rows),
      fc.constantFrom(...metrics),
      fc.integer({ min: 1, max: 8 }),
      (data, before, metric, most) => {
        const pivot = pivotOf(question(data, before, metric, most));
        const expectFigure = (
          cell: Pivot['totals']['total'] | null | undefined,
          of: (row: Row) => boolean,
        ) => {
          if (cell === null || cell === undefined) {
            expect([...data, ...(before ?? [])].some(of)).toBe(false);
            return;
          }
          cells += 1;
          expect(figureOf(metricOf(cell.now, metric), metric)).toBe(oracle(data, of, metric));
          if (before === null) expect(cell.before).toBeNull();
          else expect(figureOf(metricOf(cell.before ?? {}, metric), metric)).toBe(oracle(before, of, metric));
        };
        for (const line of pivot.lines) {
          const own = (each: Row): boolean => each.domain === line.value;
          expectFigure(line.total, own);
          line.cells.forEach((cell, at) => {
            expectFigure(cell, (each) => own(each) && holds(pivot, at)(each.country));
          });
        }
        pivot.totals.cells.forEach((cell, at) => {
          expectFigure(cell, (each) => holds(pivot, at)(each.country));
        });
        expectFigure(pivot.totals.total, () => true);
        expect(pivot.columns.length).toBeLessThanOrEqual(most + 1);
        const values = pivot.lines.map(({ total }) => metricOf(total.now, metric));
        expect(values).toEqual(values.toSorted((a, b) => (a === b ? 0 : a < b ? 1 : -1)));
      },
    );
    fc.assert(property, { numRuns: cases(200, 3_000) });
    expect(cells).toBeGreaterThan(500);
  });

  it('keeps money that a double cannot hold, from the answer to the total', () => {
    const answer = parseExactly(
      '{"data":[{"domain":"a","country":"DE","earnings":90071992547409.930001,"impressions":1},{"domain":"a","country":"AT","earnings":0.000002,"impressions":1}]}',
    ) as { data: Row[] };
    const { totals } = pivotOf(question(answer.data, null, 'earnings', 5));
    expect(figureOf(metricOf(totals.total.now, 'earnings'), 'earnings')).toBe('90071992547409.930003');
    expect(() => millionthsOf('1e-7')).toThrow('not an amount');
  });

  it('names what was not loaded, so that the total is the report’s own', () => {
    const data = [{ domain: 'a', country: 'DE', earnings: '1.5', impressions: 10 }];
    const whole = { earnings: '4', impressions: 30 };
    const pivot = pivotOf({ ...question(data, null, 'ecpm', 5), whole });
    expect([pivot.rest?.now, pivot.totals.total.now]).toEqual([
      { impressions: 20n, earnings: 2_500_000n },
      { impressions: 30n, earnings: 4_000_000n },
    ]);
    expect(figureOf(metricOf(pivot.totals.total.now, 'ecpm'), 'ecpm')).toBe('133.333333');
  });

  it('has times in their order, as many as there are, and sorts by a column or by name', () => {
    const data = ['2026-02-03', '2026-02-01', '2026-02-02'].flatMap((day, at) => [
      { day, domain: 'a', impressions: at, earnings: 0 },
      { day, domain: 'b', impressions: 2 - at, earnings: 0 },
    ]);
    const of = (column: string, by: 'name' | 'value') =>
      pivotOf({
        ...question(data, null, 'impressions', 1),
        columns: 'day',
        sort: { by, column, direction: 'desc' },
      });
    expect(of('', 'name').columns.map(({ value }) => value)).toEqual([
      ...['2026-02-01', '2026-02-02', '2026-02-03'],
    ]);
    const names = (pivot: Pivot): string[] => pivot.lines.map(({ value }) => value);
    expect(names(of('2026-02-03', 'value'))).toEqual(['b', 'a']);
    expect(names(of('2026-02-02', 'value'))).toEqual(['a', 'b']);
    expect(names(of('', 'name'))).toEqual(['b', 'a']);
  });

  it('says a change as the API does: two decimals, halves away from zero, none from nothing', () => {
    expect([percentOf(2n, 3n), percentOf(3n, 2n), percentOf(1n, 0n), percentOf(0n, 8n)]).toEqual([
      ...[-33.33, 50, null, -100],
    ]);
    expect(percentOf(100_005n, 100_000n)).toBe(0.01);
  });
});

describe('the earlier period', () => {
  const day = fc.integer({ min: 0, max: 3_000 }).map((days) => moved('2020-01-01', days));

  it('is the one of the reporting API, and each of its days is set against the day that the API moves it onto', () => {
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 0, max: 88 }),
        fc.constantFrom(...comparedWith),
        (from, more, kind) => {
          const days = { from, to: moved(from, more) };
          const earlier = comparedDays(days, kind);
          const compare_to =
            kind === 'same_weekdays' ? ([earlier.from, earlier.to] as [string, string]) : kind;
          const { compared } = periodOf({ selectedDate: [days.from, days.to], compare_to }, 0);
          expect([earlier.from, earlier.to]).toEqual([compared?.start, compared?.end]);
          const all = daysWithout(earlier, new Set());
          const later = all.map((each) => laterDay(each, days, kind));
          if (compared?.shift.kind === 'days') {
            const shift = compared.shift.days;
            expect(later).toEqual(all.map((each) => moved(each, shift)));
            if (kind === 'same_weekdays') expect([shift % 7, shift > more]).toEqual([0, true]);
          } else {
            const leftOut = compared?.shift.kind === 'year' ? compared.shift.leftOut : null;
            expect(all.filter((_each, at) => later[at] === null)).toEqual(leftOut === null ? [] : [leftOut]);
            const met = later.filter((each) => each !== null);
            expect(new Set(met).size).toBe(met.length);
            expect(met.every((each) => each >= days.from && each <= days.to)).toBe(true);
          }
        },
      ),
      { numRuns: cases(500, 5_000) },
    );
  });

  const draft = {
    ...newReport(),
    ...({
      dimensions: ['month', 'domain'],
      columns: 'month',
      compare: 'previous_period',
      period: '',
    } as const),
    ...{ from: '2026-03-01', to: '2026-03-31' },
  };

  it('is asked by day where months are shown, and its days are moved before they are months', () => {
    expect(earlierBody(draft)).toMatchObject({
      ...{ dimensions: ['day', 'domain'], selectedDate: ['2026-01-29', '2026-02-28'] },
      metrics: ['impressions', 'earnings'],
    });
    const earlier = [
      { day: '2026-01-29', domain: 'a', impressions: 1 },
      { day: '2026-02-28', domain: 'a', impressions: 2 },
    ];
    expect(movedRows(draft, earlier, []).map(({ month }) => month)).toEqual(['2026-03', '2026-03']);
  });

  it('leaves which rows a metric’s filter holds to the period itself', () => {
    const filtered = {
      ...draft,
      groups: [{ id: '1', filters: [{ ...newFilter(), value: 'impressions' as const, selectedValue: 5 }] }],
    };
    expect(earlierBody(filtered)).not.toHaveProperty('filter_groups');
    const earlier = ['a', 'b'].map((domain) => ({ day: '2026-02-28', domain, impressions: 2 }));
    const now = [{ month: '2026-03', domain: 'b', impressions: 9 }];
    expect(movedRows(filtered, earlier, now).map(({ domain }) => domain)).toEqual(['b']);
  });

  it('has its days without data named, as the period has', () => {
    const short = { ...draft, from: '2026-03-03', to: '2026-03-05' };
    const said = [
      { day: '2026-03-03', impressions: 4, impressions_previous: 0 },
      { day: '2026-03-05', impressions: 4, impressions_previous: 2 },
    ];
    expect(lackingDays(short, said)).toEqual({ now: ['2026-03-04'], before: ['2026-02-28'] });
  });

  it('is a second request of a pivot, and none of a list, whose answer has both', () => {
    expect(bodiesOf(draft)).toHaveLength(2);
    const { columns: _columns, ...list } = draft;
    const bodies = bodiesOf({ ...list, columns: '', compare: 'same_weekdays' });
    expect(bodies).toMatchObject([{ compare_to: ['2026-01-25', '2026-02-24'] }]);
  });
});

it('a report says how certain its days are, whoever said it', async () => {
  await loadSeldomTexts();
  const said = (
    states: readonly ('open' | 'complete' | 'final' | null)[],
    complete_until: string | null = null,
  ) => certaintyOf({ days: states.map((state) => ({ state })), complete_until });
  expect(said(['final', 'final'])).toBe('All days are final.');
  expect(said(['final', 'complete'])).toBe('All days are complete.');
  for (const states of [[], [null], ['final', 'open'], ['complete', null]] as const) {
    expect(said(states)).toContain('have not stated');
    expect(said(states, '2026-03-05T00:00:00+00:00')).toContain('Complete until');
  }
});
