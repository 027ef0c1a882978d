// tier: unit
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limited, wait } from '../../../api/sdk/browser/clock.ts';

describe('work with a limit', () => {
  beforeEach(() => void vi.useFakeTimers());
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
