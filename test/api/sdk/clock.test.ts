// tier: unit
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAskable, remember } from '../../../api/sdk/browser/app-prompts/memory.ts';
import { isYoung, limited, wait } from '../../../api/sdk/browser/clock.ts';
import { isDue } from '../../../api/sdk/browser/visit.ts';

const NOW = Date.UTC(2030, 0, 31, 12);
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

describe('a stamp that this device wrote', () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW });
    kept = new Map();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    vi.stubGlobal('localStorage', storage);
    vi.stubGlobal('sessionStorage', storage);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it.each([
    [0, true],
    [DAY_MS - 1, true],
    [DAY_MS, false],
    [-1, false],
    [-YEAR_MS, false],
    [Number.NaN, false],
  ])('%i ms ago is young for a day: %s', (age, young) => {
    expect(isYoung(NOW - age, DAY_MS)).toBe(young);
  });

  it('of a clock that was ahead stops no visit', () => {
    expect([isDue(), isDue()]).toEqual([true, false]);
    vi.setSystemTime(NOW - YEAR_MS);
    expect([isDue(), isDue()]).toEqual([true, false]);
  });

  it('of a clock that was ahead keeps no prompt away', () => {
    remember({ answeredAt: Date.now() });
    vi.setSystemTime(NOW - YEAR_MS);
    const answered = remember({});
    if (answered === null) throw new Error('this browser keeps nothing');
    expect(isAskable(answered, 30)).toBe(true);
    expect(isAskable(answered, null)).toBe(false);
  });
});

describe('work with a limit', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }));
  afterEach(() => void vi.useRealTimers());

  it('ends as the work does, and leaves no timer', async () => {
    expect(await limited(Promise.resolve('done'), 10, () => 'late')).toBe('done');
    await expect(limited(Promise.reject(new Error('no')), 10, () => 'late')).rejects.toThrow('no');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends after the time as it says itself', async () => {
    const value = limited(wait(20), 10, () => 'late');
    const failure = limited(wait(20), 10, () => {
      throw new Error('late');
    });
    const failed = expect(failure).rejects.toThrow('late');
    await vi.advanceTimersByTimeAsync(10);
    expect(await value).toBe('late');
    await failed;
  });
});
