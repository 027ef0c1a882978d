// tier: unit
// People report pages that do nothing for as long as the clock was ahead when they wrote their last time:
// https://github.com/WorldLanguagesArchive/isOnlinev2/issues/32, https://github.com/jamezrin/lurkloot/issues/168
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAskable, remember } from '../../api/sdk/browser/app-prompts/memory.ts';
import { isYoung } from '../../api/sdk/browser/clock.ts';
import { isDue } from '../../api/sdk/browser/visit.ts';

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
