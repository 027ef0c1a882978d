// tier: unit
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startKeeper } from '../../../engine/worker/http/keeper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @returns what the keeper did, in order. */
function keep(unusedSince: () => number | null, answers: boolean) {
  const done: string[] = [];
  const keeper = startKeeper({
    unusedSince,
    ping: () => {
      done.push('ping');
      if (answers) setTimeout(keeper.ponged, 1_000);
    },
    onSilent: () => void done.push('silent'),
    onIdle: () => void done.push('idle'),
  });
  return { done, stop: keeper.stop };
}

describe('a connection’s keeper', () => {
  it('pings each half minute, and declares a peer dead that has not answered by the next ping', () => {
    const there = keep(() => null, true);
    const gone = keep(() => null, false);
    vi.advanceTimersByTime(90_000);
    expect(there.done).toEqual(['ping', 'ping', 'ping']);
    expect(gone.done.slice(0, 2)).toEqual(['ping', 'silent']);
  });

  it('closes connections that were idle for five minutes, and none in use', () => {
    const since = performance.now();
    const unused = keep(() => since, true);
    const used = keep(() => null, true);
    vi.advanceTimersByTime(300_000);
    expect(unused.done).not.toContain('idle');
    vi.advanceTimersByTime(30_000);
    expect(unused.done.at(-1)).toBe('idle');
    expect(used.done).not.toContain('idle');
  });

  it('does nothing once it is stopped', () => {
    const { done, stop } = keep(() => null, true);
    stop();
    vi.advanceTimersByTime(90_000);
    expect(done).toEqual([]);
  });
});
