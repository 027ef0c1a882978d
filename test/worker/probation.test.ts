// tier: unit
import { describe, expect, it } from 'vitest';
import { createChannelState } from '../../engine/contract/channel-state.ts';
import type { Outcome } from '../../engine/contract/outcome.ts';
import { createProbation } from '../../engine/worker/probation.ts';

const CHANNEL = 1;
const PLACE = 'bulk 1 1';

function setUp() {
  const state = createChannelState(1, 0);
  const probation = createProbation();
  const room = () => probation.room(state, CHANNEL, PLACE);
  const answer = (outcome: Outcome, times = 1): void => {
    for (let n = 0; n < times; n++) probation.answered(state, CHANNEL, outcome);
  };
  return { state, probation, room, answer };
}

describe('endpoints that never accepted', () => {
  it('may have eight requests at first, minus those in flight', () => {
    const { probation, room } = setUp();
    expect(room()).toBe(8);
    for (let n = 0; n < 8; n++) probation.take(PLACE);
    expect(room()).toBe(0);
    probation.give(PLACE);
    expect(room()).toBe(1);
  });

  it('gain one with each acceptance, up to more than any window holds', () => {
    const { room, answer } = setUp();
    answer('accepted', 100);
    expect(room()).toBe(108);
    answer('accepted', 10_000);
    expect(room()).toBe(4_096);
  });

  it.each(['rejected', 'throttled', 'unreachable'] as const)(
    'lose half with each that was %s, down to four',
    (outcome) => {
      const { room, answer } = setUp();
      answer('accepted', 24);
      answer(outcome);
      expect(room()).toBe(16);
      answer(outcome, 50);
      expect(room()).toBe(4);
    },
  );

  it('lose nothing with gone subscriptions: an old list has many of them', () => {
    const { state, probation, room, answer } = setUp();
    answer('accepted');
    answer('gone', 50);
    expect([room(), probation.isUnproven(state, CHANNEL)]).toEqual([9, false]);
  });

  it('share the limit of a channel over all threads, and take nothing from another channel', () => {
    const { state, answer } = setUp();
    answer('accepted', 8);
    const other = createProbation();
    expect(other.room(state, CHANNEL, PLACE)).toBe(16);
    expect(other.room(state, CHANNEL + 1, 'bulk 1 2')).toBe(8);
  });
});
