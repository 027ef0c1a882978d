// tier: unit
import { describe, expect, it } from 'vitest';
import type { AnswersInMinute, Judged, Limited } from '../../engine/contract/standing.ts';
import { judge, type Verdict } from '../../engine/standing/judge.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 0, 1);

const minute = (number: number, accepted: number, throttled: number): AnswersInMinute => ({
  minuteMs: START + number * MINUTE,
  accepted,
  throttled,
});
const judged = (minutes: readonly AnswersInMinute[], at: number, more: Partial<Judged> = {}): Judged => ({
  service: 'fcm',
  limited: null,
  earlier: 0,
  minutes,
  nowMs: START + at * MINUTE,
  ...more,
});
const nowOf = (verdict: Verdict): Limited => {
  if (verdict.kind !== 'began' && verdict.kind !== 'changed') throw new Error(verdict.kind);
  return verdict.now;
};
const limited: Limited = {
  limitedSinceMs: START,
  allowedPerMinute: 1_000,
  lowestPerMinute: 1_000,
  probableEndAtMs: START + DAY,
  throttledAtMs: START + 2 * MINUTE,
  growAtMs: START + 5 * MINUTE,
  growWaitMinutes: 1,
};

describe('an app that is not limited', () => {
  it('is limited once three of the last minutes were throttled, at the most that was taken in one of them', () => {
    const minutes = [minute(0, 4_000, 300), minute(1, 1_400, 80), minute(2, 1_200, 60)];
    expect(judge(judged(minutes.slice(0, 2), 2.5))).toEqual({ kind: 'unchanged' });
    expect(judge(judged(minutes, 2.5))).toMatchObject({
      kind: 'began',
      now: { limitedSinceMs: START, allowedPerMinute: 4_000, probableEndAtMs: START + DAY },
    });
  });

  it('stays so where a few endpoints are all that is left, and each is answered 429', () => {
    const tail = (count: number) => [0, 1, 2, 3, 4].map((number) => minute(number, 0, count));
    expect(judge(judged(tail(90), 4.5)).kind).toBe('unchanged');
    expect(judge(judged(tail(110), 4.5)).kind).toBe('began');
    const before = [minute(0, 80_000, 20), ...tail(90).slice(1, 4)];
    expect(judge(judged(before, 4.5)).kind).toBe('unchanged');
  });

  it('stays so where few answers in a hundred are 429, or few at all', () => {
    const few = [0, 1, 2].map((number) => minute(number, 10_000, 150));
    const tiny = [0, 1, 2].map((number) => minute(number, 2, 4));
    expect(judge(judged(few, 2.5)).kind).toBe('unchanged');
    expect(judge(judged(tiny, 2.5)).kind).toBe('unchanged');
  });

  it('has what Chrome promises at least, and elsewhere a message a second, where nothing was taken', () => {
    const nothing = [0, 1, 2].map((number) => minute(number, 0, 200));
    expect(nowOf(judge(judged(nothing, 2.5))).allowedPerMinute).toBe(1_000);
    expect(nowOf(judge(judged(nothing, 2.5, { service: 'mozilla' })))).toMatchObject({
      allowedPerMinute: 60,
      probableEndAtMs: null,
    });
  });

  it('is limited by Chrome for a day, then for seven, then for fourteen', () => {
    const minutes = [0, 1, 2].map((number) => minute(number, 1_000, 100));
    const ends = [0, 1, 2, 5].map(
      (earlier) => nowOf(judge(judged(minutes, 2.5, { earlier }))).probableEndAtMs ?? 0,
    );
    expect(ends.map((end) => (end - START) / DAY)).toEqual([1, 7, 14, 14]);
  });
});

describe('a limited app', () => {
  it('gets half as much again after a full minute without a 429, no sooner than that is due', () => {
    const full = (number: number) => [minute(number, 990, 0)];
    expect(judge(judged(full(3), 4.5, { limited })).kind).toBe('unchanged');
    const grown = nowOf(judge(judged(full(4), 5.1, { limited })));
    expect(grown).toMatchObject({ allowedPerMinute: 1_500, growAtMs: START + 7 * MINUTE });
    // Another engine that judges the same minute grows it no further.
    expect(judge(judged(full(4), 5.2, { limited: grown })).kind).toBe('unchanged');
  });

  it('gets no more where it did not use what it has', () => {
    expect(judge(judged([minute(6, 400, 0)], 7.1, { limited })).kind).toBe('unchanged');
    expect(judge(judged([], 7.1, { limited })).kind).toBe('unchanged');
  });

  it('goes back to what was taken, and waits twice as long each time before it asks for more', () => {
    let now = { ...limited, allowedPerMinute: 1_500 };
    const waits: number[] = [];
    for (let number = 10; number < 2_000; number += 100) {
      const verdict = judge(judged([minute(number, 1_000, 500)], number + 1, { limited: now }));
      const back = nowOf(verdict);
      expect(back.allowedPerMinute).toBe(1_000);
      waits.push((back.growAtMs - START) / MINUTE - number - 1);
      // The same minute again changes nothing.
      expect(judge(judged([minute(number, 1_000, 500)], number + 1.5, { limited: back })).kind).toBe(
        'unchanged',
      );
      now = { ...back, allowedPerMinute: 1_500 };
    }
    expect(waits.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  it('loses a third in a minute at most, however little was sent', () => {
    const back = nowOf(judge(judged([minute(10, 3, 5)], 11, { limited })));
    expect(back).toMatchObject({ allowedPerMinute: 666, lowestPerMinute: 666 });
  });

  it('keeps its budget where a few of a full minute were too many', () => {
    const noted = nowOf(judge(judged([minute(10, 990, 30)], 11, { limited })));
    expect(noted).toEqual({ ...limited, throttledAtMs: START + 10 * MINUTE });
  });

  it('is normal again after a short disturbance, within a quarter of an hour', () => {
    let now: Limited = limited;
    for (let number = 5; number < 30; number++) {
      const verdict = judge(judged([minute(number, now.allowedPerMinute, 0)], number + 1, { limited: now }));
      if (verdict.kind === 'ended') {
        expect(number).toBeLessThanOrEqual(20);
        return;
      }
      if (verdict.kind === 'changed') now = verdict.now;
    }
    throw new Error('it never ended');
  });

  it('is normal again after the probable end and an hour without a 429, also where nothing is sent', () => {
    const ends = (at: number, more: Partial<Limited> = {}) =>
      judge(judged([], at, { limited: { ...limited, ...more } })).kind;
    const day = DAY / MINUTE;
    expect(ends(day - 1)).toBe('unchanged');
    expect(ends(day + 1)).toBe('ended');
    expect(ends(day + 1, { throttledAtMs: START + (day - 30) * MINUTE })).toBe('unchanged');
    expect(ends(day - 1, { probableEndAtMs: null })).toBe('unchanged');
    expect(ends(day + 1, { probableEndAtMs: null })).toBe('ended');
  });
});
