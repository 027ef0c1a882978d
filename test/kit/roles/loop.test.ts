// tier: unit
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
