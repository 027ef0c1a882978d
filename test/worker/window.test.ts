// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWindow, type Window } from '../../engine/worker/window.ts';

const LIMIT = 200;

/** Takes whatever the channel may have. */
function fill(window: Window, channel: string, limit = LIMIT): number {
  let taken = 0;
  for (let room = window.room(channel, limit); room > 0; room = window.room(channel, limit)) {
    for (let place = 0; place < room; place++) window.take(channel);
    taken += room;
  }
  return taken;
}

/** Channels as if each of them hung. */
function fillAll(window: Window, name: string): void {
  for (let at = 0; at < 100; at++) fill(window, `${name} ${at}`);
}

describe('the window of requests in flight', () => {
  it('keeps an eighth for breaking blocks, however many services hang under bulk ones', () => {
    const windows = createWindow(512);
    fillAll(windows.of('bulk'), 'hangs');
    expect(windows.inFlight()).toBe(512 - 64);
    expect(fill(windows.of('breaking'), 'one')).toBe(32);
    expect(fill(windows.of('breaking'), 'two')).toBe(32);
    expect(windows.inFlight()).toBe(512);
    expect(windows.of('bulk').room('another', LIMIT)).toBe(0);
  });

  it('keeps a quarter for bulk ones, however many services hang under breaking ones', () => {
    const windows = createWindow(512);
    fillAll(windows.of('breaking'), 'hangs');
    expect(windows.inFlight()).toBe(512 - 128);
    expect(fill(windows.of('bulk'), 'one')).toBe(64);
  });

  it('lets a breaking block have a quarter of a limit that bulk ones of its app have used up', () => {
    const windows = createWindow(512);
    expect(fill(windows.of('bulk'), 'fcm', 32)).toBe(32);
    expect(fill(windows.of('breaking'), 'fcm', 32)).toBe(8);
    expect(fill(windows.of('bulk'), 'fcm', 32)).toBe(0);
  });

  it('lets a breaking block have the whole limit where no other is at it', () => {
    const windows = createWindow(512);
    expect(fill(windows.of('breaking'), 'fcm')).toBe(LIMIT);
  });

  it('wakes a breaking block that has nothing in flight as soon as any request ends', async () => {
    const windows = createWindow(16);
    fillAll(windows.of('breaking'), 'hangs');
    fillAll(windows.of('bulk'), 'hangs');
    expect(windows.of('breaking').room('waits', LIMIT)).toBe(0);
    const changed = windows.of('breaking').changed(['waits']);
    windows.of('breaking').give('hangs 0');
    await changed;
    expect(windows.of('breaking').room('waits', LIMIT)).toBe(1);
  });

  it('never holds more than its size, never less than a share, and always one for a new channel', () => {
    const step = fc.record({
      lane: fc.constantFrom('breaking' as const, 'bulk' as const),
      channel: fc.constantFrom('a', 'b', 'c', 'd'),
      limit: fc.integer({ min: 1, max: 64 }),
      takes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 96 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
        const windows = createWindow(size);
        const held: { lane: 'breaking' | 'bulk'; channel: string }[] = [];
        for (const { lane, channel, limit, takes } of steps) {
          const window = windows.of(lane);
          const room = window.room(channel, limit);
          if (held.length === 0) expect(room).toBeGreaterThan(0);
          for (let place = 0; takes && place < room; place++) {
            window.take(channel);
            held.push({ lane, channel });
          }
          const last = takes ? undefined : held.pop();
          if (last !== undefined) windows.of(last.lane).give(last.channel);
          expect(windows.inFlight()).toBe(held.length);
          expect(held.length).toBeLessThanOrEqual(size);
          // Nothing of breaking in flight: it gets a permit, whatever bulk holds.
          const breaking = held.some((one) => one.lane === 'breaking');
          if (size > 1 && !breaking) expect(windows.of('breaking').room('new', 1)).toBe(1);
        }
      }),
    );
  });
});
