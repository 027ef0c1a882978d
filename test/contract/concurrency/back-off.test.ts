// tier: unit
import { describe, expect, it } from 'vitest';
import { backOffMs, createBackOff } from '../../../engine/contract/concurrency/back-off.ts';

describe('a back-off', () => {
  it('doubles with each failure in a row up to its ceiling, however many there are', () => {
    expect([0, 1, 2, 3, 4].map((failures) => backOffMs(100, 700, failures))).toEqual([
      100, 200, 400, 700, 700,
    ]);
    expect(backOffMs(100, 700, 5_000)).toBe(700);
    expect(backOffMs(1_000, 700, 0)).toBe(700);
  });

  it('starts over after a success, and says whether there was anything to recover from', () => {
    const backOff = createBackOff(100, 300);
    expect(backOff.reset()).toBe(false);
    expect([backOff.next(), backOff.next(), backOff.next()]).toEqual([100, 200, 300]);
    expect([backOff.reset(), backOff.reset()]).toEqual([true, false]);
    expect(backOff.next()).toBe(100);
  });
});
