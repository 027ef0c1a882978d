// tier: unit
import { describe, expect, it, vi } from 'vitest';
import {
  CHANNELS,
  type ChannelState,
  channelOfOrigin,
  createChannelState,
  NAMED_CHANNELS,
  readWord,
  word,
} from '../../engine/contract/channel-state.ts';
import { type DeliveryId, toId } from '../../engine/contract/ids.ts';
import { failureCode, type Outcome } from '../../engine/contract/outcome.ts';
import { pushServices } from '../../engine/contract/push-service.ts';
import { createGovernors } from '../../engine/dispatch/governor.ts';
import { createDeliveryBooks, RETRY_CONSTANT } from '../../engine/dispatch/governor-books.ts';
import { createGovernor, FAILURES_TO_OPEN, PROBES } from '../../engine/worker/governor.ts';
import { blockSent } from '../support/engine-harness.ts';

const FCM = 1;
const START = 32;
const MAX = 200;

function govern() {
  let nowMs = 1_000_000;
  const options = { startLimit: START, maxLimit: MAX, answerTimeoutMs: 10_000 };
  const governor = createGovernor(
    options,
    () => nowMs,
    () => 0.5,
  );
  const state = createChannelState(1, nowMs);
  const answer = (outcome: Outcome, times = 1, given: { retryAfterMs?: number; latencyMs?: number } = {}) => {
    for (let n = 0; n < times; n++) {
      governor.answered(state, FCM, { outcome, latencyMs: 20, retryAfterMs: null, ...given });
    }
  };
  return {
    state,
    answer,
    allowance: () => governor.allowance(state, FCM),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

describe('a governor', () => {
  it('doubles the requests in flight with each window until its bound, while all goes well', () => {
    const { answer, allowance } = govern();
    expect(allowance()).toEqual({ kind: 'open', limit: START });
    answer('accepted', START);
    expect(allowance()).toEqual({ kind: 'open', limit: 2 * START });
    answer('accepted', 1_000);
    expect(allowance()).toEqual({ kind: 'open', limit: MAX });
  });

  it('tolerates a throttled answer in ten, and pauses with half as much in flight where most are throttled', () => {
    const { answer, allowance, pass } = govern();
    for (let n = 0; n < 100; n++) {
      answer('throttled');
      answer('accepted', 9);
    }
    expect(allowance()).toEqual({ kind: 'open', limit: MAX });
    answer('throttled', 20);
    expect(allowance()).toMatchObject({ kind: 'held' });
    pass(1_000);
    expect(allowance()).toEqual({ kind: 'open', limit: MAX / 2 });
  });

  it('waits as long as Retry-After says, and longer where a request in flight gets a longer one', () => {
    const { answer, allowance, pass } = govern();
    answer('throttled', 8, { retryAfterMs: 30_000 });
    answer('throttled', 1, { retryAfterMs: 60_000 });
    pass(59_900);
    expect(allowance()).toMatchObject({ kind: 'held' });
    pass(300);
    expect(allowance()).toMatchObject({ kind: 'open' });
  });

  it('waits twice as long each time that a pause did not help', () => {
    const { answer, allowance, pass } = govern();
    const waits = [1, 2, 3].map(() => {
      answer('throttled', 8);
      const held = allowance();
      pass(60_000);
      return held.kind === 'held' ? Math.round(held.waitMs / 750) : 0;
    });
    expect(waits).toEqual([1, 2, 4]);
  });

  it('leaves WNS alone for hours where it does not say how long, and other push services for a minute', () => {
    const longestOf = (channel: number): number => {
      let nowMs = 1_000_000;
      const options = { startLimit: START, maxLimit: MAX, answerTimeoutMs: 10_000 };
      const governor = createGovernor(
        options,
        () => nowMs,
        () => 1,
      );
      const state = createChannelState(1, nowMs);
      let longest = 0;
      for (let n = 0; n < 200; n++) {
        const said = governor.allowance(state, channel);
        if (said.kind === 'held') {
          longest = Math.max(longest, said.waitMs);
          nowMs += said.waitMs;
        } else governor.answered(state, channel, { outcome: 'throttled', latencyMs: 20, retryAfterMs: null });
      }
      return longest;
    };
    const WNS = pushServices.indexOf('wns');
    expect(longestOf(WNS) / 3_600_000).toBeCloseTo(4, 2);
    expect(longestOf(FCM) / 1_000).toBeCloseTo(60, 0);
  });

  it('grows by one a window once it was too much', () => {
    const { answer, allowance, pass } = govern();
    answer('throttled', 8);
    pass(60_000);
    expect(allowance()).toEqual({ kind: 'open', limit: START / 2 });
    // A random number of a half raises it with no answer of a window over two.
    answer('accepted', 100);
    expect(allowance()).toEqual({ kind: 'open', limit: START / 2 });
  });

  it('lowers the requests in flight where answers are slow, but never below its floor', () => {
    const { answer, allowance, pass } = govern();
    answer('accepted', 1_000);
    for (let n = 0; n < 10; n++) {
      answer('accepted', 5, { latencyMs: 6_000 });
      pass(1_100);
    }
    expect(allowance()).toEqual({ kind: 'open', limit: 16 });
  });

  it('opens its breaker after failures in a row, probes when it has waited, and closes with one answer', () => {
    const { answer, allowance, pass, state } = govern();
    answer('unreachable', FAILURES_TO_OPEN - 1);
    expect(allowance().kind).toBe('open');
    answer('unreachable');
    expect(allowance().kind).toBe('held');
    expect(readWord(state, FCM, word.breaker)).toBe(1);
    pass(1_000);
    expect(allowance()).toEqual({ kind: 'probe', limit: PROBES });
    // Another thread, and this one again: the probes decide first.
    expect(allowance().kind).toBe('held');
    answer('gone');
    expect(allowance().kind).toBe('open');
    expect(readWord(state, FCM, word.breaker)).toBe(0);
  });

  it('opens again, for twice as long, where no probe is answered', () => {
    const { answer, allowance, pass } = govern();
    answer('unreachable', FAILURES_TO_OPEN);
    pass(1_000);
    expect(allowance().kind).toBe('probe');
    answer('unreachable', PROBES);
    pass(1_000);
    expect(allowance().kind).toBe('held');
    pass(600);
    expect(allowance().kind).toBe('probe');
  });

  it('lets another thread probe where the one that did died', () => {
    const { answer, allowance, pass } = govern();
    answer('unreachable', FAILURES_TO_OPEN);
    pass(1_000);
    expect(allowance().kind).toBe('probe');
    pass(9_000);
    expect(allowance().kind).toBe('held');
    pass(1_100);
    expect(allowance().kind).toBe('probe');
  });

  it('does not open while one in a few is answered', () => {
    const { answer, allowance } = govern();
    for (let n = 0; n < 50; n++) {
      answer('unreachable', 10);
      answer('accepted');
    }
    expect(allowance().kind).toBe('open');
  });
});

describe('a governor by its own clock', () => {
  it('waits no longer than Retry-After, whatever the machine’s clock is set to meanwhile', () => {
    const startedMs = Date.now();
    const wallClock = vi.spyOn(Date, 'now').mockReturnValue(startedMs + 3_600_000);
    const governors = createGovernors();
    const governor = createGovernor({ startLimit: START, maxLimit: MAX, answerTimeoutMs: 10_000 });
    for (const state of [
      governors.stateOf(toId(1)),
      governors.rehearsalStateOf(toId(1)),
      governor.newState(),
    ]) {
      const throttled = { outcome: 'throttled', latencyMs: 20, retryAfterMs: 1_000 } as const;
      for (let n = 0; n < 20; n++) governor.answered(state, FCM, throttled);
      wallClock.mockReturnValue(startedMs - 3_600_000);
      const allowance = governor.allowance(state, FCM);
      expect(allowance).toMatchObject({ kind: 'held' });
      expect(allowance.kind === 'held' && allowance.waitMs).toBeLessThanOrEqual(2_000);
    }
    wallClock.mockRestore();
  });
});

describe('the state of an app', () => {
  it('is another for its rehearsals: they learn a limit from block to block, and no sample counts it', () => {
    const governors = createGovernors();
    const governor = createGovernor({ startLimit: START, maxLimit: MAX, answerTimeoutMs: 10_000 });
    const ofRehearsals = governors.rehearsalStateOf(toId(1));
    for (let n = 0; n < MAX * MAX; n++)
      governor.answered(ofRehearsals, FCM, { outcome: 'accepted', latencyMs: 20, retryAfterMs: null });
    const limitOf = (state: ChannelState) => governor.allowance(state, FCM);
    expect(limitOf(governors.rehearsalStateOf(toId(1)))).toEqual({ kind: 'open', limit: MAX });
    expect(limitOf(governors.stateOf(toId(1)))).toEqual({ kind: 'open', limit: START });
    expect(governors.sample().fcm.limit).toBe(0);
  });

  it('gives each unnamed origin a channel of its own, and channel 0 to all later ones', () => {
    const state = createChannelState(1, 0);
    const places = Array.from({ length: 100 }, (_, n) => channelOfOrigin(state, `https://push-${n}.example`));
    const own = places.filter((channel) => channel !== 0);
    expect(own).toHaveLength(CHANNELS - NAMED_CHANNELS);
    expect(new Set(own).size).toBe(own.length);
    expect(Math.min(...own)).toBe(NAMED_CHANNELS);
    expect(channelOfOrigin(state, 'https://push-0.example')).toBe(places[0]);
  });

  it('is one per app, and evicted after enough others', () => {
    const governors = createGovernors(() => 1_000);
    const state = governors.stateOf(toId(1));
    expect(governors.stateOf(toId(1))).toBe(state);
    for (let n = 2; n <= 1_024; n++) governors.stateOf(toId(n));
    expect(governors.stateOf(toId(1))).toBe(state);
    for (let n = 2_000; n < 3_024; n++) governors.stateOf(toId(n));
    expect(governors.stateOf(toId(1))).not.toBe(state);
  });
});

describe('the books of a delivery', () => {
  const id = toId<DeliveryId>(1);
  const seqs = Array.from({ length: 1_000 }, (_, seq) => seq);

  it('allow a fifth of the accepted messages to be retried, and a little more', () => {
    const books = createDeliveryBooks();
    books.noteSent(
      id,
      blockSent(seqs, () => 'unreachable'),
    );
    expect(books.isOverBudget(id)).toBe(false);
    books.noteSent(
      id,
      blockSent(seqs, () => 'throttled'),
    );
    expect(books.isOverBudget(id)).toBe(true);
    for (let n = 0; n < 5; n++)
      books.noteSent(
        id,
        blockSent(seqs, () => 'accepted'),
      );
    expect(books.isOverBudget(id)).toBe(2_000 > RETRY_CONSTANT + 1_000);
  });

  it('allow any number of names that do not resolve: no push service hears of them', () => {
    const books = createDeliveryBooks();
    const sent = blockSent(seqs, () => 'unreachable');
    sent.failures.fill(failureCode.refused);
    for (let n = 0; n < 5; n++) books.noteSent(id, sent);
    expect(books.isOverBudget(id)).toBe(false);
  });
});
