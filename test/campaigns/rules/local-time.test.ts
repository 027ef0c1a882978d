// tier: unit
import { describe, expect, it } from 'vitest';
import {
  instantIn,
  instantsOf,
  type QuietHours,
  quietUntil,
  wallClockIn,
} from '../../../engine/campaigns/rules/local-time.ts';
import { timeZones } from '../../../engine/contract/time-zone.ts';
import { cases, isThorough, someOf } from '../../support/cases.ts';
import {
  DAY,
  firstShowing,
  HOUR,
  lastShowing,
  MINUTE,
  modelOf,
  QUARTER,
  shownAt,
  toWallClock,
  type ZoneModel,
} from './zone-model.ts';

const START = Date.UTC(2026, 0, 1);
const END = Date.UTC(2028, 0, 1);
const days = Array.from({ length: (END - START) / DAY }, (_, day) => START + day * DAY);
/** No zone changes its clocks twice within nine days. */
const models = timeZones.map((zone) => modelOf(zone, START - 9 * DAY, END, cases(9, 1) * DAY));
/** Many zones share their clocks: one zone of each history. */
const distinct = [...new Map(models.map((model) => [JSON.stringify(model.spans), model])).values()];
const changes = models.flatMap((model) =>
  model.spans.flatMap(({ from, offset }, place) => {
    const before = model.spans[place - 1]?.offset;
    return before === undefined ? [] : [{ model, from, before, after: offset }];
  }),
);

const at = (zone: string, date: string, time: string) => instantIn(zone, { date, time }).toISOString();
const shown = (zone: string, instant: string) => wallClockIn(zone, new Date(instant));

/** What is wrong with the instant of a wall clock, as a line. */
function faultOf(model: ZoneModel, wall: number): string | null {
  const { zone } = model;
  const asked = toWallClock(wall);
  const instant = instantIn(zone, asked);
  const expected = new Date(firstShowing(model, wall));
  const line = `${zone} ${asked.date} ${asked.time}: ${instant.toISOString()}`;
  if (instant.getTime() !== expected.getTime()) return `${line}, not ${expected.toISOString()}`;
  const back = wallClockIn(zone, instant);
  const expectedBack = toWallClock(shownAt(model, expected.getTime()));
  return back.date === expectedBack.date && back.time === expectedBack.time
    ? null
    : `${line} shows ${back.date} ${back.time}`;
}

describe('the model of the clocks', () => {
  it('shows what Intl shows at every quarter of the days around a change', () => {
    let looks = 0;
    for (const { model, from } of someOf(changes, 53)) {
      const fine = modelOf(model.zone, from - 2 * DAY, from + 2 * DAY, QUARTER);
      for (let instant = from - 2 * DAY; instant < from + 2 * DAY; instant += QUARTER, looks++)
        expect(shownAt(model, instant)).toBe(shownAt(fine, instant));
    }
    expect(looks).toBeGreaterThan(1_500);
  });
});

describe('the instant of a wall clock', () => {
  it('is the first at which the clocks of any zone show it, on every day of two years', () => {
    const times = [0, 2.5, 8, 13.25, 23.75].map((hours) => hours * HOUR);
    const faultsOf = (tried: readonly ZoneModel[], on: readonly number[]) =>
      tried.flatMap((model) => on.flatMap((day) => times.map((time) => faultOf(model, day + time))));
    const someDays = days.filter((_, day) => day % 61 === 0);
    const faults = [...faultsOf(models, someDays), ...(isThorough ? faultsOf(distinct, days) : [])];
    expect(faults.length).toBeGreaterThan(20_000);
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it('comes once around every change of clocks: behind a gap, and first where they are put back', () => {
    expect(changes.filter(({ before, after }) => after > before).length).toBeGreaterThan(200);
    expect(changes.filter(({ before, after }) => after < before).length).toBeGreaterThan(200);
    expect(changes.some(({ before, after }) => after - before === HOUR / 2)).toBe(true);
    const faults = changes.flatMap(({ model, from, before, after }) => {
      const [low, high] = [from + Math.min(before, after), from + Math.max(before, after)];
      const inside = Array.from({ length: (high - low) / QUARTER }, (_, place) => low + place * QUARTER);
      const walls = [low - HOUR, low - MINUTE, ...inside, high - MINUTE, high, high + MINUTE, high + HOUR];
      return walls.map((wall) => faultOf(model, wall));
    });
    expect(faults.length).toBeGreaterThan(4_000);
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it('is behind the gap for a skipped time', () => {
    expect(at('Europe/Berlin', '2027-03-28', '01:59')).toBe('2027-03-28T00:59:00.000Z');
    expect(at('Europe/Berlin', '2027-03-28', '02:00')).toBe('2027-03-28T01:00:00.000Z');
    expect(at('Europe/Berlin', '2027-03-28', '02:30')).toBe('2027-03-28T01:00:00.000Z');
    expect(at('Europe/Berlin', '2027-03-28', '03:00')).toBe('2027-03-28T01:00:00.000Z');
    expect(shown('Europe/Berlin', '2027-03-28T01:00:00Z')).toEqual({ date: '2027-03-28', time: '03:00' });
    // A change of half an hour, from 02:00 to 02:30.
    expect(at('Australia/Lord_Howe', '2026-10-04', '02:15')).toBe('2026-10-03T15:30:00.000Z');
    expect(at('Australia/Lord_Howe', '2026-10-04', '02:45')).toBe('2026-10-03T15:45:00.000Z');
    // One of two hours.
    expect(at('Antarctica/Troll', '2026-03-29', '02:59')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('is the first of two', () => {
    expect(at('Europe/Berlin', '2026-10-25', '02:30')).toBe('2026-10-25T00:30:00.000Z');
    expect(at('Europe/Berlin', '2026-10-25', '03:00')).toBe('2026-10-25T02:00:00.000Z');
    expect(at('Australia/Lord_Howe', '2027-04-04', '01:45')).toBe('2027-04-03T14:45:00.000Z');
  });

  it('exists on days that have no midnight, and once on days that have two', () => {
    const withoutMidnight = [
      ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
      ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
      ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
      ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    ] as const;
    for (const [zone, date, instant] of withoutMidnight) {
      expect(at(zone, date, '00:00'), zone).toBe(instant);
      expect(at(zone, date, '00:30'), zone).toBe(instant);
      expect(shown(zone, instant), zone).toEqual({ date, time: '01:00' });
    }
    expect(at('America/Havana', '2026-11-01', '00:30')).toBe('2026-11-01T04:30:00.000Z');
    // Put back from midnight to 23:00 of the day before.
    expect(at('America/Santiago', '2026-04-04', '23:30')).toBe('2026-04-05T02:30:00.000Z');
    expect(at('America/Santiago', '2026-04-05', '00:00')).toBe('2026-04-05T04:00:00.000Z');
  });

  it('is behind a day that a zone left out', () => {
    for (const time of ['00:00', '08:00', '23:59'])
      expect(at('Pacific/Apia', '2011-12-30', time)).toBe('2011-12-30T10:00:00.000Z');
    expect(at('Pacific/Apia', '2011-12-29', '23:59')).toBe('2011-12-30T09:59:00.000Z');
    expect(shown('Pacific/Apia', '2011-12-30T10:00:00Z')).toEqual({ date: '2011-12-31', time: '00:00' });
  });

  it('takes real days, times of a day, and known zones', () => {
    for (const [date, time] of [
      ['2026-02-29', '08:00'],
      ['2026-11-23', '24:00'],
      ['2026-11-23', '8:00'],
      ['2026-11-23', '08:00:30'],
      ['2026-11-23', '08:00[UTC]'],
      ['23.11.2026', '08:00'],
      ['', ''],
    ] as const)
      expect(() => instantIn('Europe/Berlin', { date, time }), `${date} ${time}`).toThrow(RangeError);
    expect(() => at('Mars/Phobos', '2026-11-23', '08:00')).toThrow(RangeError);
    expect(() => wallClockIn('Mars/Phobos', new Date())).toThrow(RangeError);
    expect(() => wallClockIn('UTC', new Date(Number.NaN))).toThrow(RangeError);
  });
});

describe('a wall clock', () => {
  it('is cut to the minute', () => {
    expect(shown('Asia/Kathmandu', '2026-11-23T08:00:59.999Z')).toEqual({
      date: '2026-11-23',
      time: '13:45',
    });
    expect(shown('UTC', '2026-01-01T00:00:00Z')).toEqual({ date: '2026-01-01', time: '00:00' });
  });
});

describe('the instants of zones', () => {
  it('come earliest first, with the zones that share each', () => {
    expect(
      instantsOf(['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Europe/Paris', 'Europe/Berlin'], {
        date: '2026-11-23',
        time: '08:00',
      }),
    ).toEqual([
      { at: new Date('2026-11-22T23:00:00Z'), zones: ['Asia/Tokyo'] },
      { at: new Date('2026-11-23T07:00:00Z'), zones: ['Europe/Berlin', 'Europe/Paris'] },
      { at: new Date('2026-11-23T13:00:00Z'), zones: ['America/New_York'] },
    ]);
    expect(instantsOf([], { date: '2026-11-23', time: '08:00' })).toEqual([]);
    expect(() => instantsOf([], { date: '2026-11-23', time: '25:00' })).toThrow(RangeError);
  });

  it('are those of each zone, for all zones', () => {
    const wall = { date: '2026-11-23', time: '08:00' };
    const groups = instantsOf(timeZones, wall);
    expect(groups.flatMap(({ zones }) => zones).toSorted()).toEqual(timeZones);
    expect(groups.length).toBeGreaterThan(30);
    for (const [place, { at: instant, zones }] of groups.entries()) {
      expect(instant.getTime()).toBeGreaterThan(groups[place - 1]?.at.getTime() ?? 0);
      for (const zone of zones) expect(wallClockIn(zone, instant)).toEqual(wall);
    }
  });
});

const timeOf = (time: number) => toWallClock(((time % DAY) + DAY) % DAY).time;
const fixedHours = [
  [22, 7],
  [9, 17],
  [23.5, 0.5],
].map((pair) => pair.map((hours) => hours * HOUR));
/** From the time at which the clocks change. */
const nearHours = [
  [-0.5, 0.25],
  [0.25, 0.5],
  [0.5, 0.25],
  [0.25, 5],
  [-3, -0.25],
  [0, 1],
  [-1, 0],
].map((pair) => pair.map((hours) => hours * HOUR));

/** The end of the stretch around an instant, of nights that are each from one wall clock to another. */
function stretchEnd(model: ZoneModel, instant: number, { from, to }: QuietHours): number | null {
  const midnight = Math.floor(shownAt(model, instant) / DAY) * DAY;
  const millisecondsOf = (time: string) => Date.parse(`1970-01-01T${time}Z`);
  let end: number | null = null;
  for (let day = midnight - 2 * DAY; day <= midnight + 3 * DAY; day += DAY) {
    const begins = firstShowing(model, day + millisecondsOf(from));
    const ends = lastShowing(model, day + millisecondsOf(to) + (to < from ? DAY : 0));
    const now: number = end ?? instant;
    if (begins <= now && now < ends) end = ends;
  }
  return end;
}

const until = (zone: string, instant: string, from: string, to: string) =>
  quietUntil(zone, new Date(instant), { from, to })?.toISOString() ?? null;

describe('quiet hours', () => {
  it('end at the next showing of their end, and begin at their beginning', () => {
    const berlin = (instant: string) => until('Europe/Berlin', instant, '22:00', '07:00');
    expect(berlin('2026-11-23T20:59:59.999Z')).toBeNull();
    expect(berlin('2026-11-23T21:00:00Z')).toBe('2026-11-24T06:00:00.000Z');
    expect(berlin('2026-11-24T05:59:59.999Z')).toBe('2026-11-24T06:00:00.000Z');
    expect(berlin('2026-11-24T06:00:00Z')).toBeNull();
    expect(until('Europe/Berlin', '2026-11-23T12:00:00Z', '12:00', '14:00')).toBe('2026-11-23T13:00:00.000Z');
    expect(until('Europe/Berlin', '2026-11-23T13:00:00Z', '12:00', '14:00')).toBeNull();
    expect(until('Europe/Berlin', '2026-11-23T22:59:00Z', '00:00', '23:59')).toBeNull();
  });

  it('end behind the gap if the clocks skip their end', () => {
    expect(until('Europe/Berlin', '2027-03-27T23:00:00Z', '22:00', '02:30')).toBe('2027-03-28T01:00:00.000Z');
    expect(until('Europe/Berlin', '2027-03-28T00:59:00Z', '02:15', '02:45')).toBeNull();
    expect(until('Europe/Berlin', '2027-03-28T01:00:00Z', '02:15', '02:45')).toBeNull();
  });

  it('go on until the last showing of their end if clocks are put back', () => {
    expect(until('Europe/Berlin', '2026-10-24T23:00:00Z', '22:00', '02:30')).toBe('2026-10-25T01:30:00.000Z');
    expect(until('Europe/Berlin', '2026-10-25T00:45:00Z', '22:00', '02:30')).toBe('2026-10-25T01:30:00.000Z');
    // Begun at the first 02:40, and it is 02:10 again.
    expect(until('Europe/Berlin', '2026-10-25T01:10:00Z', '02:40', '07:00')).toBe('2026-10-25T06:00:00.000Z');
    // The day's begin before the night's end: one stretch.
    expect(until('Europe/Berlin', '2026-10-24T12:00:00Z', '02:40', '02:10')).toBe('2026-10-26T01:10:00.000Z');
  });

  it('that began tomorrow hold today, if clocks are put back from 00:01 to 23:01', () => {
    const stJohns = (instant: string) => until('America/St_Johns', instant, '00:00', '00:30');
    expect(shown('America/St_Johns', '2010-11-07T02:30:00Z')).toEqual({ date: '2010-11-07', time: '00:00' });
    expect(shown('America/St_Johns', '2010-11-07T03:00:00Z')).toEqual({ date: '2010-11-06', time: '23:30' });
    expect(stJohns('2010-11-07T02:29:00Z')).toBeNull();
    expect(stJohns('2010-11-07T03:00:00Z')).toBe('2010-11-07T04:00:00.000Z');
  });

  it('are one stretch a night around every change of clocks', () => {
    let [looks, quiet] = [0, 0];
    const faults: string[] = [];
    const tried = isThorough ? changes.filter(({ model }) => distinct.includes(model)) : someOf(changes, 53);
    for (const { model, from, before } of tried) {
      // Some around any change, and some that begin or end within the time that is skipped or repeated.
      const shift = (from + before) % DAY;
      for (const [begin, end] of [
        ...fixedHours,
        ...nearHours.map((pair) => pair.map((each) => each + shift)),
      ]) {
        const hours = { from: timeOf(begin ?? 0), to: timeOf(end ?? 0) };
        for (let instant = from - 8 * HOUR; instant < from + 26 * HOUR; instant += cases(45, 15) * MINUTE) {
          const expected = stretchEnd(model, instant, hours);
          const actual = quietUntil(model.zone, new Date(instant), hours)?.getTime() ?? null;
          looks++;
          if (expected !== null) quiet++;
          if (actual !== expected)
            faults.push(`${model.zone} ${new Date(instant).toISOString()} ${hours.from}`);
        }
      }
    }
    expect(looks).toBeGreaterThan(4_000);
    expect(quiet).toBeGreaterThan(looks / 5);
    expect(faults).toEqual([]);
  });

  it('never let a clock show one of them when it is not quiet', () => {
    let looks = 0;
    for (const { model, from, before } of someOf(changes, 53)) {
      const shift = (from + before) % DAY;
      for (const [begin = 0, end = 0] of nearHours.map((pair) => pair.map((each) => each + shift))) {
        const hours = { from: timeOf(begin), to: timeOf(end) };
        for (let instant = from - 3 * HOUR; instant < from + 3 * HOUR; instant += QUARTER) {
          const { time } = wallClockIn(model.zone, new Date(instant));
          const shows =
            hours.from < hours.to
              ? hours.from <= time && time < hours.to
              : hours.from <= time || time < hours.to;
          if (!shows) continue;
          looks++;
          const end = quietUntil(model.zone, new Date(instant), hours);
          expect(end?.getTime(), `${model.zone} ${time}`).toBeGreaterThan(instant);
          expect(end === null ? null : quietUntil(model.zone, end, hours)).toBeNull();
        }
      }
    }
    expect(looks).toBeGreaterThan(200);
  });

  it('refuse to end when they begin, which may mean never or always', () => {
    expect(() => until('UTC', '2026-11-23T12:00:00Z', '22:00', '22:00')).toThrow(RangeError);
    expect(() => until('UTC', '2026-11-23T12:00:00Z', '22:00', '7:00')).toThrow(RangeError);
    expect(() => until('UTC', '2026-11-23T12:00:00Z', '22', '07:00')).toThrow(RangeError);
  });
});
