// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findScheduleFault, nextFiring, nextFirings } from '../../../engine/campaigns/rules/firings.ts';
import { cases } from '../../support/cases.ts';
import { DAY, firstShowing, HOUR, MINUTE, modelOf, shownAt, type ZoneModel } from './zone-model.ts';

const always = { from: null, until: null };
const firingsOf = (cron: string, zone: string, after: string, count: number): string[] =>
  nextFirings({ cron, zone, ...always }, new Date(after), count).map((firing) => firing.toISOString());
const faultOf = (cron: string) => findScheduleFault(cron, 'Europe/Berlin');

describe('a schedule', () => {
  it.each([
    '30 7 * * *',
    '*/15 * * * *',
    '0,15,30,45 * * * *',
    '5-50/15 8-18 * * MON-FRI',
    '0 9 * jan,JUL Sun',
    '0 9 * * 7',
    '0 9 * * 0-7',
    '00 09 01 01 *',
    '0 0 29 2 *',
    '0 0 31 1-12 *',
    '0 0 30 2 1',
    '0,50 8,10 * * *',
    '0 0,23 * * *',
    '  0\t9  * * 1 ',
    '*/45 */2 */3 */4 */5',
  ])('may be: %s', (cron) => {
    expect(faultOf(cron)).toBeNull();
    expect(nextFirings({ cron, zone: 'Asia/Tokyo', ...always }, new Date(0), 3)).toHaveLength(3);
  });

  it.each([
    ['', 'five fields'],
    ['30 7 * *', 'five fields'],
    ['0 30 7 * * *', 'five fields'],
    ['@daily', 'five fields'],
    ['60 7 * * *', 'minute'],
    ['-1 7 * * *', 'minute'],
    ['1.5 7 * * *', 'minute'],
    ['5/15 7 * * *', 'minute'],
    ['*/0 7 * * *', 'minute'],
    ['1,,2 7 * * *', 'minute'],
    ['0,30, 7 * * *', 'minute'],
    ['30-10 7 * * *', 'minute'],
    ['10-30/0 7 * * *', 'minute'],
    ['MON 7 * * *', 'minute'],
    ['0x1 7 * * *', 'minute'],
    ['٣ 7 * * *', 'minute'],
    ['? 7 * * *', 'minute'],
    ['30 24 * * *', 'hour'],
    ['30 7 0 * *', 'day of the month'],
    ['30 7 32 * *', 'day of the month'],
    ['30 7 L * *', 'day of the month'],
    ['30 7 15W * *', 'day of the month'],
    ['30 7 LW * *', 'day of the month'],
    ['30 7 ? * *', 'day of the month'],
    ['30 7 * 13 *', 'month'],
    ['30 7 * JANUARY *', 'month'],
    ['30 7 * * 8', 'day of the week'],
    ['30 7 * * 1#2', 'day of the week'],
    ['30 7 * * FRI#2', 'day of the week'],
    ['30 7 * * 5L', 'day of the week'],
    ['30 7 1 * +1', 'day of the week'],
    ['30 7 * * FRI-MON', 'day of the week'],
    ['* * * * *', '15 minutes'],
    ['*/14 * * * *', '15 minutes'],
    ['*/40 * * * *', null],
    ['*/50 * * * *', '15 minutes'],
    ['0,14 7 * * *', '15 minutes'],
    ['50 7 * * *', null],
    ['0,50 8,9 * * *', '15 minutes'],
    ['0,50 0,23 * * *', '15 minutes'],
    ['0,45 0,23 * * *', null],
    ['0 0 30 2 *', 'a day that one of its months has'],
    ['0 0 31 2,4,6,9,11 *', 'a day that one of its months has'],
    [`${'0,'.repeat(60)}0 7 * * *`, 'at most 100 characters'],
    [`0 7 * * *${' '.repeat(100)}`, 'at most 100 characters'],
  ])('%s: says what is wrong', (cron, fault) => {
    const found = faultOf(cron);
    if (fault === null) expect(found).toBeNull();
    else
      expect(`The schedule field ${found}.`).toMatch(new RegExp(`^The schedule field must .*${fault}.*\\.$`));
  });

  it('never makes one wait, or breaks, whatever strangers write', () => {
    const word = fc.stringMatching(/^[0-9A-Za-z*,/#?LW+@.-]{1,19}$/);
    const line = fc.array(word, { minLength: 4, maxLength: 6 }).map((words) => words.join(' '));
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(line, fc.string({ maxLength: 120 }), lines()), (cron) => {
        const fault = faultOf(cron);
        if (fault === null) expect(nextFiring({ cron, zone: 'UTC', ...always }, new Date())).not.toBeNull();
        if (fault === null) read++;
      }),
      { numRuns: cases(200, 5_000) },
    );
    expect(read).toBeGreaterThan(10);
  });
});

describe('a firing', () => {
  it('comes once on the days of a change of clocks', () => {
    const berlin = (cron: string, after: string, count: number) =>
      firingsOf(cron, 'Europe/Berlin', after, count);
    expect(berlin('30 2 * * *', '2027-03-27T00:00:00Z', 3)).toEqual([
      '2027-03-27T01:30:00.000Z',
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:30:00.000Z',
    ]);
    expect(berlin('30 2 * * *', '2026-10-24T00:00:00Z', 3)).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    // Lists, ranges and steps as well.
    expect(berlin('0,30 2 * * *', '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:00:00.000Z',
      '2027-03-29T00:00:00.000Z',
    ]);
    expect(berlin('30 1-3 * * *', '2026-10-24T12:00:00Z', 4)).toEqual([
      '2026-10-24T23:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T02:30:00.000Z',
      '2026-10-26T00:30:00.000Z',
    ]);
    expect(berlin('*/15 * * * *', '2027-03-28T00:31:00Z', 3)).toEqual([
      '2027-03-28T00:45:00.000Z',
      '2027-03-28T01:00:00.000Z',
      '2027-03-28T01:15:00.000Z',
    ]);
    // Asked while clocks show the hour again.
    expect(berlin('30 2 * * *', '2026-10-25T01:10:00Z', 1)).toEqual(['2026-10-26T01:30:00.000Z']);
    expect(berlin('*/15 * * * *', '2026-10-25T01:10:00Z', 1)).toEqual(['2026-10-25T02:00:00.000Z']);
  });

  it('is on a day that has no midnight too, and on one of two', () => {
    expect(firingsOf('0 0 * * *', 'America/Santiago', '2026-09-05T12:00:00Z', 2)).toEqual([
      '2026-09-06T04:00:00.000Z',
      '2026-09-07T03:00:00.000Z',
    ]);
    expect(firingsOf('30 0 * * *', 'America/Havana', '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T04:30:00.000Z',
      '2026-11-02T05:30:00.000Z',
    ]);
  });

  it('is on the day of the month or on the day of the week, where both are given', () => {
    expect(firingsOf('0 9 1 * MON', 'UTC', '2026-11-23T12:00:00Z', 3)).toEqual([
      '2026-11-30T09:00:00.000Z',
      '2026-12-01T09:00:00.000Z',
      '2026-12-07T09:00:00.000Z',
    ]);
  });

  it('is after the instant, from the one bound to the other, both included', () => {
    const next = (after: string, from: string | null, until: string | null) =>
      nextFiring(
        {
          cron: '0 9 * * *',
          zone: 'UTC',
          from: from === null ? null : new Date(from),
          until: until === null ? null : new Date(until),
        },
        new Date(after),
      )?.toISOString() ?? null;
    expect(next('2026-11-23T08:59:59.999Z', null, null)).toBe('2026-11-23T09:00:00.000Z');
    expect(next('2026-11-23T09:00:00Z', null, null)).toBe('2026-11-24T09:00:00.000Z');
    expect(next('2026-11-20T00:00:00Z', '2026-11-23T09:00:00Z', null)).toBe('2026-11-23T09:00:00.000Z');
    expect(next('2026-11-20T00:00:00Z', '2026-11-23T09:00:00.001Z', null)).toBe('2026-11-24T09:00:00.000Z');
    expect(next('2026-11-23T09:00:00Z', '2026-11-23T09:00:00Z', null)).toBe('2026-11-24T09:00:00.000Z');
    expect(next('2026-11-23T00:00:00Z', null, '2026-11-23T09:00:00Z')).toBe('2026-11-23T09:00:00.000Z');
    expect(next('2026-11-23T00:00:00Z', null, '2026-11-23T08:59:59.999Z')).toBeNull();
    expect(next('2026-11-23T00:00:00Z', '2026-12-01T00:00:00Z', '2026-11-30T00:00:00Z')).toBeNull();
  });

  it('previews end where the schedule ends', () => {
    const schedule = { cron: '0 9 * * *', zone: 'UTC', from: null, until: new Date('2026-11-25T12:00:00Z') };
    expect(nextFirings(schedule, new Date('2026-11-23T12:00:00Z'), 5)).toHaveLength(2);
    expect(nextFirings(schedule, new Date('2026-11-23T12:00:00Z'), 0)).toEqual([]);
  });
});

/** Lines that can be read, each field as its text. */
function lines(): fc.Arbitrary<string> {
  const field = (low: number, high: number) => {
    const value = fc.integer({ min: low, max: high });
    const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
    const step = fc.integer({ min: 1, max: high });
    const stepped = fc.tuple(fc.oneof(range, fc.constant('*')), step).map(([of, by]) => `${of}/${by}`);
    const one = fc.oneof(value.map(String), value.map(String), range, stepped);
    return fc.oneof(
      fc.constant('*'),
      one,
      fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join(',')),
    );
  };
  const minute = fc.oneof(
    fc.integer({ min: 0, max: 59 }).map(String),
    fc.integer({ min: 0, max: 29 }).map((first) => `${first},${first + 30}`),
    fc.constantFrom('*/15', '*/20', '*/30', '0,45', '5-59/18'),
  );
  return fc.tuple(minute, field(0, 23), field(1, 31), field(1, 12), field(0, 7)).map((all) => all.join(' '));
}

/** The numbers that a field names, by the words of the manual alone. */
function numbersOf(field: string, low: number, high: number): Set<number> {
  const numbers = new Set<number>();
  for (const each of field.split(',')) {
    const [range = '', by = '1'] = each.split('/');
    const [first = '', last = first] = range === '*' ? [String(low), String(high)] : range.split('-');
    for (let number = Number(first); number <= Number(last); number += Number(by)) numbers.add(number);
  }
  return numbers;
}

/** Walks the days, and on each that fires the minutes. */
function modelFirings(model: ZoneModel, cron: string, after: number, count: number): number[] {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = cron.split(' ');
  const minutes = numbersOf(minute, 0, 59);
  const hours = numbersOf(hour, 0, 23);
  const days = numbersOf(day, 1, 31);
  const months = numbersOf(month, 1, 12);
  const weekdays = numbersOf(weekday, 0, 7);
  if (weekdays.has(7)) weekdays.add(0);
  const fires = (date: Date): boolean => {
    const [inDays, inWeek] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    const inEither = day === '*' ? inWeek : weekday === '*' ? inDays : inDays || inWeek;
    return months.has(date.getUTCMonth() + 1) && inEither;
  };
  const found = new Set<number>();
  const today = Math.floor(shownAt(model, after) / DAY) * DAY;
  for (let date = today - DAY; found.size < count; date += DAY) {
    if (!fires(new Date(date))) continue;
    for (let wall = date; wall < date + DAY && found.size < count; wall += MINUTE) {
      if (!hours.has(Math.floor((wall - date) / HOUR)) || !minutes.has(((wall - date) / MINUTE) % 60))
        continue;
      const instant = firstShowing(model, wall);
      if (instant > after) found.add(instant);
    }
  }
  return [...found];
}

describe('the firings of any schedule', () => {
  const zones = [
    'Europe/Berlin',
    'America/Santiago',
    'Australia/Lord_Howe',
    'America/Havana',
    'Antarctica/Troll',
  ];
  const start = Date.UTC(2026, 0, 1);
  const models = zones.map((zone) => modelOf(zone, start, start + 15 * 365 * DAY, 9 * DAY));

  it('are those of a walk over the days and minutes', () => {
    let [read, near] = [0, 0];
    const instants = fc.oneof(
      fc.integer({ min: 0, max: 700 * 24 * 60 }).map((minutes) => start + minutes * MINUTE),
      // Close to a change of clocks.
      fc
        .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -300, max: 300 }))
        .map(([place, minutes]) => ({ place, minutes })),
    );
    fc.assert(
      fc.property(lines(), fc.constantFrom(...models), instants, (cron, model, instant) => {
        if (faultOf(cron) !== null) return;
        const after =
          typeof instant === 'number'
            ? instant
            : (model.spans[instant.place]?.from ?? start) + instant.minutes * MINUTE;
        read++;
        if (typeof instant !== 'number') near++;
        const actual = nextFirings({ cron, zone: model.zone, ...always }, new Date(after), 6);
        expect(actual.map((each) => each.toISOString())).toEqual(
          modelFirings(model, cron, after, 6).map((each) => new Date(each).toISOString()),
        );
      }),
      { numRuns: cases(150, 4_000) },
    );
    expect(read).toBeGreaterThan(60);
    expect(near).toBeGreaterThan(20);
  });
});
