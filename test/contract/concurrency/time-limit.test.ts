// tier: unit
import { describe, expect, it } from 'vitest';
import { resultOr, resultWithin, within } from '../../../engine/contract/concurrency/time-limit.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const never = new Promise<never>(() => {});

describe('a time limit', () => {
  it('says whether the work settled in time, and leaves no timer behind', async () => {
    const clock = createManualClock();
    expect(await within(clock, 100, Promise.resolve('done'))).toBe(true);
    const late = within(clock, 100, never);
    clock.advance(99);
    expect(await Promise.race([late, Promise.resolve('not yet')])).toBe('not yet');
    clock.advance(1);
    expect(await late).toBe(false);
    await expect(within(clock, 100, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('gives the result, or says what was late', async () => {
    const clock = createManualClock();
    expect(await resultWithin(clock, 100, Promise.resolve(7), 'too late')).toBe(7);
    await expect(resultWithin(clock, 100, Promise.reject(new Error('broken')), '')).rejects.toThrow('broken');
    const late = resultWithin(clock, 100, never, 'too late');
    clock.advance(100);
    await expect(late).rejects.toThrow('too late');
  });

  it('ignores a rejection that comes after the limit', async () => {
    const clock = createManualClock();
    const { promise, reject } = Promise.withResolvers<never>();
    const late = within(clock, 100, promise);
    clock.advance(100);
    expect(await late).toBe(false);
    // An unhandled one would fail the run.
    reject(new Error('after the limit'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('gives the fallback in place of a late or failing result, also where the work throws at once', async () => {
    expect(await resultOr('none', 10_000, async () => 'done')).toBe('done');
    expect(await resultOr('none', 1, () => never)).toBe('none');
    expect(await resultOr('none', 10_000, () => Promise.reject(new Error('broken')))).toBe('none');
    const throws = (): Promise<string> => {
      throw new Error('broken');
    };
    expect(await resultOr('none', 10_000, throws)).toBe('none');
  });
});
