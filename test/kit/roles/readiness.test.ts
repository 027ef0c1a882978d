// tier: unit
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReadiness } from '../../../engine/kit/roles/readiness.ts';

const hangs = () => new Promise<boolean>(() => {});

describe('readiness', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    expect(vi.getTimerCount(), 'timers left behind').toBe(0);
    vi.useRealTimers();
  });

  it('reports for each dependency whether it answers, and takes a failed check for a no', async () => {
    const readiness = createReadiness({
      postgres: async () => true,
      log: async () => false,
      clickhouse: () => Promise.reject(new Error('away')),
      broken: () => {
        throw new Error('thrown before the first await');
      },
    });
    const no = { log: false, clickhouse: false, broken: false };
    expect(await readiness()).toEqual({ postgres: true, ...no });
    expect(await readiness()).toEqual({ postgres: true, ...no });
  });

  it('takes a check that is silent past the time limit for a no, and waits for no other', async () => {
    const answer = createReadiness({ postgres: hangs, log: async () => true }, 500)();
    await vi.advanceTimersByTimeAsync(500);
    expect(await answer).toEqual({ postgres: false, log: true });
  });

  it('checks a dependency once at a time, however often it is called itself', async () => {
    const check = vi.fn(hangs);
    const readiness = createReadiness({ postgres: check }, 500);
    for (let round = 0; round < 3; round++) {
      const answers = Promise.all([readiness(), readiness()]);
      await vi.advanceTimersByTimeAsync(500);
      await answers;
    }
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('asks anew once a check has ended', async () => {
    const check = vi.fn(async () => true).mockResolvedValueOnce(false);
    const readiness = createReadiness({ postgres: check });
    expect(await readiness()).toEqual({ postgres: false });
    expect(await readiness()).toEqual({ postgres: true });
  });
});
