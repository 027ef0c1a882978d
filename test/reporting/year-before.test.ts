// tier: unit
import { describe, expect, it } from 'vitest';
import { periodOf } from '../../reporting/report/period.ts';

/** What a period is compared with: its ends, and what is special about 29 February. */
function yearBefore(start: string, end: string) {
  const { compared } = periodOf({ selectedDate: [start, end], compare_to: 'previous_year' }, 0);
  if (compared?.shift.kind !== 'year') throw new Error('there is no comparison with the year before');
  const { ontoLeapDay, leftOut } = compared.shift;
  return [compared.start, compared.end, { ontoLeapDay, leftOut }];
}

const plain = { ontoLeapDay: null, leftOut: null };

describe('the year before', () => {
  it.each([
    ['an ordinary month', '2026-03-01', '2026-03-31', ['2025-03-01', '2025-03-31', plain]],
    ['the turn of a year', '2025-12-15', '2026-02-10', ['2024-12-15', '2025-02-10', plain]],
  ])('is the same dates: %s', (_, start, end, expected) => expect(yearBefore(start, end)).toEqual(expected));

  it.each([
    [
      '29 February alone: the 28th, one day against one',
      '2024-02-29',
      '2024-02-29',
      ['2023-02-28', '2023-02-28'],
    ],
    ['a period that begins with it', '2024-02-29', '2024-03-10', ['2023-02-28', '2023-03-10']],
  ])('has the 28th beside %s', (_, start, end, [first, last]) =>
    expect(yearBefore(start, end)).toEqual([first, last, { ontoLeapDay: '2023-02-28', leftOut: null }]),
  );

  it.each([
    ['ends with it', '2024-02-28', '2024-02-29', ['2023-02-28', '2023-02-28']],
    ['contains it', '2024-02-01', '2024-03-31', ['2023-02-01', '2023-03-31']],
  ])(
    'has the 28th beside the 28th, and nothing beside the 29th, of a period that %s',
    (_, start, end, [first, last]) => expect(yearBefore(start, end)).toEqual([first, last, plain]),
  );

  it.each([
    ['28 February alone', '2025-02-28', '2025-02-28', ['2024-02-28', '2024-02-28', plain]],
    ['what ends with the 28th', '2025-02-01', '2025-02-28', ['2024-02-01', '2024-02-28', plain]],
    ['what begins with 1 March', '2025-03-01', '2025-03-31', ['2024-03-01', '2024-03-31', plain]],
    [
      'what holds both',
      '2025-02-27',
      '2025-03-02',
      ['2024-02-27', '2024-03-02', { ontoLeapDay: null, leftOut: '2024-02-29' }],
    ],
  ])('leaves its own 29 February out: %s', (_, start, end, expected) =>
    expect(yearBefore(start, end)).toEqual(expected),
  );
});
