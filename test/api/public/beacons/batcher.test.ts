// tier: unit
import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../../../api/public/beacons/batcher.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** Entries are numbers and their own size; flushes end when the test says so. */
function setUp(limits: { maxSize?: number; maxHeld?: number; maxFlushes?: number } = {}) {
  const clock = createManualClock();
  const flushes: { readonly entries: readonly number[]; readonly end: PromiseWithResolvers<void> }[] = [];
  const away: number[] = [];
  const batcher = createBatcher<number>({
    sizeOf: (entry) => entry,
    maxSize: limits.maxSize ?? 10,
    maxHeld: limits.maxHeld ?? 100,
    maxFlushes: limits.maxFlushes ?? 2,
    delayMs: 200,
    clock,
    isOfEntries: (error) => (error as Error).message === 'refused',
    onAway: (_error, entries) => away.push(entries),
    flush: (entries) => {
      const end = Promise.withResolvers<void>();
      flushes.push({ entries, end });
      return end.promise;
    },
  });
  return { clock, flushes, away, submit: batcher.submit };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the batcher of beacons', () => {
  it('waits from the first entry on, and gives each its batch’s result', async () => {
    const { clock, flushes, submit, away } = setUp();
    const stored = [submit(1), submit(2)];
    clock.advance(199);
    expect(flushes).toEqual([]);
    clock.advance(1);
    expect(flushes.map(({ entries }) => entries)).toEqual([[1, 2]]);
    flushes[0]?.end.resolve();
    expect(await Promise.all(stored)).toEqual(['stored', 'stored']);
    const lost = submit(3);
    clock.advance(200);
    flushes[1]?.end.reject(new Error('away'));
    expect([await lost, away]).toEqual(['away', [1]]);
    expect(clock.pending()).toBe(0);
  });

  it('flushes the others of a batch of which one is refused, and gives that one alone back', async () => {
    const { clock, flushes, submit, away } = setUp();
    const all = [1, 2, 3, 1, 1].map(submit);
    clock.advance(200);
    for (let flush = 0; flush < flushes.length; flush++) {
      const { entries, end } = flushes[flush] ?? { entries: [], end: Promise.withResolvers<void>() };
      if (entries.includes(3)) end.reject(new Error('refused'));
      else end.resolve();
      await settle();
    }
    expect(await Promise.all(all)).toEqual(['stored', 'stored', 'away', 'stored', 'stored']);
    expect([away, flushes.map(({ entries }) => entries.length)]).toEqual([[1], [5, 2, 3, 1, 2]]);
  });

  it('never makes a batch larger than its bound, nor waits with a full one', async () => {
    const { clock, flushes, submit } = setUp({ maxFlushes: 9 });
    for (const size of [6, 4, 7, 4, 10]) void submit(size);
    expect(flushes.map(({ entries }) => entries)).toEqual([[6, 4], [7], [4], [10]]);
    expect(clock.pending()).toBe(0);
  });

  it('flushes a bounded number at a time, and the oldest waiting one as soon as one ended', async () => {
    const { flushes, submit } = setUp({ maxFlushes: 1 });
    for (const size of [10, 9, 10]) void submit(size);
    expect(flushes.length).toBe(1);
    flushes[0]?.end.reject(new Error('away'));
    await settle();
    expect(flushes.map(({ entries }) => entries)).toEqual([[10], [9]]);
  });

  it('is full at its bound, including batches being flushed, until one has ended', async () => {
    const { clock, flushes, submit } = setUp({ maxHeld: 2 });
    const first = submit(10);
    void submit(1);
    expect(await submit(1)).toBe('full');
    flushes[0]?.end.resolve();
    expect(await first).toBe('stored');
    const second = submit(1);
    clock.advance(200);
    flushes[1]?.end.resolve();
    expect(await second).toBe('stored');
  });
});
