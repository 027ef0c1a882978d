// tier: unit
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Loop, startLoop } from '../../../engine/kit/roles/loop.ts';
import { createManualClock } from '../../support/manual-clock.ts';

describe('a loop', () => {
  const clock = createManualClock();
  let loop: Loop;
  let steps = 0;
  let fails = false;
  beforeEach(async () => {
    steps = 0;
    fails = false;
    loop = startLoop({
      step: async () => {
        steps++;
        if (fails) throw new Error('away');
        return 0;
      },
      ...{ idleMs: 60_000, firstBackoffMs: 1_000, maxBackoffMs: 4_000, clock },
      onError: () => {},
    });
    await turns();
  });
  afterEach(() => loop.close());
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  /** @returns how many steps it takes then. */
  const stepsOf = async (act: () => unknown): Promise<number> => {
    const before = steps;
    await act();
    await turns();
    return steps - before;
  };

  it('that rests is woken by a nudge as by a wake', async () => {
    expect([await stepsOf(loop.nudge), await stepsOf(loop.wake)]).toEqual([1, 1]);
  });

  it('that fails keeps its growing pauses under a nudge, and goes on at once when woken', async () => {
    fails = true;
    expect(await stepsOf(loop.wake)).toBe(1);
    expect(await stepsOf(loop.nudge)).toBe(0);
    expect(await stepsOf(() => clock.advance(1_000))).toBe(1);
    expect(await stepsOf(() => clock.advance(1_000))).toBe(0);
    expect(await stepsOf(() => clock.advance(1_000))).toBe(1);
    fails = false;
    expect(await stepsOf(loop.wake)).toBe(1);
    expect(await stepsOf(loop.nudge)).toBe(1);
  });
});

describe('a loop with a longer pause for quiet times', () => {
  const clock = createManualClock();
  let finds: number | 'rest' = 0;
  let steps = 0;
  const loop = startLoop({
    step: async () => {
      steps++;
      return finds;
    },
    ...{ idleMs: 500, quietMs: 2_500, maxBackoffMs: 500, clock, onError: () => {} },
  });
  afterAll(() => loop.close());
  /** Half-second by half-second. @returns how many steps it takes then. */
  const stepsWithin = async (ms: number): Promise<number> => {
    const before = steps;
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(500);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
    return steps - before;
  };

  it('looks less often after 5 s in which nothing happened, and often again after a wake', async () => {
    expect(await stepsWithin(5_000)).toBe(10);
    expect(await stepsWithin(10_000)).toBe(4);
    loop.wake();
    expect(await stepsWithin(5_000)).toBeGreaterThanOrEqual(10);
    expect(await stepsWithin(10_000)).toBe(4);
  });

  it('finds by itself within the longer pause what nobody woke it for, and then rests between steps without work', async () => {
    finds = 'rest';
    expect(await stepsWithin(2_500)).toBeGreaterThanOrEqual(1);
    expect(await stepsWithin(10_000)).toBe(20);
    finds = 0;
  });
});
