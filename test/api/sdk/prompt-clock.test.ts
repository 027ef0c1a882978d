// tier: unit
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isAskable, remember } from '../../../api/sdk/browser/app-prompts/memory.ts';
import { helpAfterSilence } from '../../../api/sdk/browser/app-prompts/silence.ts';

const DAY_MS = 86_400_000;

/** What prompts do after seconds and after days, on a virtual clock. */
describe('a prompt, by the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 31, 12) });
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  const isAskedAfter = (againAfterDays: number | null): boolean => {
    const kept = remember({});
    if (kept === null) throw new Error('this browser keeps nothing');
    return isAskable(kept, againAfterDays);
  };

  it('is shown to a reader who never answered, whatever the settings', () => {
    for (const days of [3, 7, 30, null]) expect(isAskedAfter(days)).toBe(true);
  });

  it.each([3, 30])('comes again %i days after an answer, and not a moment before', (days) => {
    remember({ answeredAt: Date.now() });
    expect(isAskedAfter(days)).toBe(false);
    vi.advanceTimersByTime(days * DAY_MS - 1);
    expect(isAskedAfter(days)).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isAskedAfter(days)).toBe(true);
    // The next answer begins the days anew.
    remember({ answeredAt: Date.now() });
    expect(isAskedAfter(days)).toBe(false);
  });

  it('never comes again where the app asks once', () => {
    remember({ answeredAt: Date.now() });
    vi.advanceTimersByTime(3_650 * DAY_MS);
    expect(isAskedAfter(null)).toBe(false);
    expect(isAskedAfter(30)).toBe(true);
  });

  it('helps after eight seconds in which the browser’s question had no answer', () => {
    const offer = vi.fn();
    helpAfterSilence(() => true, offer);
    vi.advanceTimersByTime(7_999);
    expect(offer).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(offer).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60_000);
    expect(offer).toHaveBeenCalledOnce();
  });

  it('does not help once there was an answer, nor where the question was answered elsewhere', () => {
    const offer = vi.fn();
    const heard = helpAfterSilence(() => true, offer);
    vi.advanceTimersByTime(7_999);
    heard();
    helpAfterSilence(() => false, offer);
    vi.advanceTimersByTime(60_000);
    expect(offer).not.toHaveBeenCalled();
  });
});
