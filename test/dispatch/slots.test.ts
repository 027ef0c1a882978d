// tier: unit
import { describe, expect, it } from 'vitest';
import type { Lane } from '../../engine/contract/topics.ts';
import { createSlots, type Slots } from '../../engine/dispatch/slots.ts';

/** Asks for a slot and keeps what it gets, so that a test may give it back. */
function askers(slots: Slots) {
  const held: { lane: Lane; giveBack: () => void }[] = [];
  return {
    held,
    ask: (lane: Lane) => void slots.take(lane).then((giveBack) => held.push({ lane, giveBack })),
    /** Ends a block of the lane. */
    end: (lane: Lane) => {
      const at = held.findIndex((one) => one.lane === lane);
      held.splice(at, 1)[0]?.giveBack();
    },
    count: (lane: Lane) => held.filter((one) => one.lane === lane).length,
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('keep one for a breaking block, however many bulk ones there are and however long they take', async () => {
    const blocks = askers(createSlots(4, 1));
    for (let n = 0; n < 10; n++) blocks.ask('bulk');
    await settled();
    expect(blocks.count('bulk')).toBe(4);
    blocks.ask('breaking');
    await settled();
    expect(blocks.count('breaking')).toBe(1);
  });

  it('go to breaking blocks first as they become free, and keep one for bulk', async () => {
    const blocks = askers(createSlots(4, 1));
    for (let n = 0; n < 100; n++) blocks.ask('bulk');
    for (let n = 0; n < 100; n++) blocks.ask('breaking');
    await settled();
    expect([blocks.count('bulk'), blocks.count('breaking')]).toEqual([4, 1]);
    for (let n = 0; n < 3; n++) blocks.end('bulk');
    await settled();
    expect([blocks.count('bulk'), blocks.count('breaking')]).toEqual([1, 4]);
    // Bulk goes on beside breaking work that never ends.
    for (let n = 0; n < 20; n++) {
      blocks.end('bulk');
      blocks.end('breaking');
      await settled();
      expect([blocks.count('bulk'), blocks.count('breaking')]).toEqual([1, 4]);
    }
  });

  it('are all given back', async () => {
    const slots = createSlots(2);
    const blocks = askers(slots);
    for (let n = 0; n < 5; n++) blocks.ask(n % 2 === 0 ? 'bulk' : 'breaking');
    for (let n = 0; n < 5; n++) {
      await settled();
      blocks.end(blocks.held[0]?.lane ?? 'bulk');
    }
    expect(slots.inUse()).toBe(0);
  });
});
