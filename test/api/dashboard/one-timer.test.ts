// tier: unit
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOneTimer } from '../../../api/dashboard/web/data/http/one-timer.ts';

describe('the one timer of all queries', () => {
  let calls: string[];
  let timer: ReturnType<typeof createOneTimer>;
  const note = (name: string) => () => void calls.push(name);

  beforeEach(() => {
    vi.useFakeTimers();
    calls = [];
    timer = createOneTimer();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('calls each when it is due, whatever the order they were set in', () => {
    timer.setTimeout(note('late'), 900);
    timer.setTimeout(note('early'), 100);
    timer.setTimeout(note('between'), 500);
    vi.advanceTimersByTime(99);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual(['early']);
    vi.advanceTimersByTime(800);
    expect(calls).toEqual(['early', 'between', 'late']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('holds one timer of the browser, and sets it again only for what is due sooner', () => {
    const fake = globalThis.setTimeout;
    let sets = 0;
    // No spy: vitest restores one once more after the file, and would put the fake clock back in place.
    globalThis.setTimeout = ((fire: () => void, delayMs: number) => {
      sets += 1;
      return fake(fire, delayMs);
    }) as typeof setTimeout;
    try {
      for (let at = 0; at < 50; at++) timer.clearTimeout(timer.setTimeout(note('cleared'), 1_000 + at));
      timer.setTimeout(note('kept'), 2_000);
    } finally {
      globalThis.setTimeout = fake;
    }
    expect(vi.getTimerCount()).toBe(1);
    expect(sets).toBe(1);
    vi.advanceTimersByTime(2_000);
    expect(calls).toEqual(['kept']);
  });

  it('repeats until it is cleared, also by the call itself', () => {
    const id = timer.setInterval(note('always'), 100);
    const own = timer.setInterval(() => {
      calls.push('once');
      timer.clearInterval(own);
    }, 150);
    vi.advanceTimersByTime(310);
    expect(calls).toEqual(['always', 'once', 'always', 'always']);
    timer.clearInterval(id);
    vi.advanceTimersByTime(1_000);
    expect(calls).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not call what another one cleared that was due with it', () => {
    timer.setTimeout(() => timer.clearTimeout(second), 100);
    const second = timer.setTimeout(note('second'), 100);
    vi.advanceTimersByTime(200);
    expect(calls).toEqual([]);
  });

  it('goes on with the others after an error', () => {
    timer.setTimeout(() => {
      throw new Error('of a callback');
    }, 100);
    timer.setTimeout(note('other'), 100);
    expect(() => vi.advanceTimersByTime(100)).toThrow('of a callback');
    vi.advanceTimersByTime(1);
    expect(calls).toEqual(['other']);
  });
});
