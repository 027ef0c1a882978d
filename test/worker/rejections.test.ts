// tier: unit
import { describe, expect, it } from 'vitest';
import { createChannelState, senderWord, senderWordIndex } from '../../engine/contract/channel-state.ts';
import type { Outcome } from '../../engine/contract/outcome.ts';
import { believe, createRejections } from '../../engine/worker/rejections.ts';

const sender = { channel: 1, key: 0 };
const ANSWER_TIMEOUT_MS = 10_000;

/** Blocks of one app at one push service; those of `believed` endpoints have accepted before. */
function setUp({ someoneKnown }: { readonly someoneKnown: boolean }) {
  let now = 1_000_000;
  const state = createChannelState(1, now);
  if (someoneKnown) Atomics.store(state.words, senderWordIndex(1, 0, senderWord.hasKnown), 1);
  const block = () => {
    const rejections = createRejections(
      state,
      ANSWER_TIMEOUT_MS,
      () => now,
      () => 1,
    );
    const answer = (isKnown: boolean, outcome: Outcome, status: number, times = 1) => {
      let paused: number | null = null;
      for (let n = 0; n < times; n++) {
        rejections.sent(sender, isKnown);
        paused = rejections.answered(sender, isKnown, { outcome, status }) ?? paused;
      }
      return paused;
    };
    return {
      ...rejections,
      answer,
      allowed: (isKnown: boolean) => rejections.allowance(sender, isKnown),
      paused: () => rejections.pausedWith(sender),
    };
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { state, block, pass };
}

describe('a burst of rejections', () => {
  it('of strangers pauses nothing where some endpoint accepted before', () => {
    const { block } = setUp({ someoneKnown: true });
    const strangers = block();
    expect(strangers.answer(false, 'rejected', 403, 1_024)).toBeNull();
    expect(strangers.allowed(true)).toEqual({ kind: 'open' });
  });

  it('of endpoints that accepted before pauses the sender in every block, with the status', () => {
    const { block } = setUp({ someoneKnown: true });
    const readers = block();
    expect(readers.answer(true, 'rejected', 401, 19)).toBeNull();
    expect(readers.answer(true, 'rejected', 401)).toBe(401);
    const other = block();
    expect([other.paused(), other.allowed(true)]).toEqual([401, { kind: 'held', waitMs: 5_000 }]);
  });

  it('ends with one accepted probe, and lasts twice as long after a rejected one', () => {
    const { block, pass } = setUp({ someoneKnown: true });
    block().answer(true, 'rejected', 403, 20);
    pass(5_000);
    const prober = block();
    expect(prober.allowed(true)).toEqual({ kind: 'probe', limit: 1 });
    expect(block().allowed(true)).toMatchObject({ kind: 'held' });
    prober.answer(true, 'rejected', 403);
    expect(block().allowed(true)).toEqual({ kind: 'held', waitMs: 10_000 });
    pass(10_000);
    const next = block();
    expect(next.allowed(true)).toEqual({ kind: 'probe', limit: 1 });
    next.answer(true, 'accepted', 201);
    expect([next.paused(), block().allowed(true)]).toEqual([0, { kind: 'open' }]);
  });

  it('is not one where fewer than half of the endpoints that accepted before reject', () => {
    const { block } = setUp({ someoneKnown: true });
    const readers = block();
    readers.answer(true, 'accepted', 201, 30);
    expect(readers.answer(true, 'rejected', 403, 29)).toBeNull();
  });

  it('on a first delivery pauses where nine of ten reject and hardly any accept', () => {
    const { block } = setUp({ someoneKnown: false });
    const first = block();
    expect(first.answer(false, 'rejected', 403, 20)).toBe(403);
    expect(block().allowed(false)).toMatchObject({ kind: 'probe' });
  });

  it('on a first delivery allows more probes with each pause, shared by the blocks, and no more than 384', () => {
    const { block, pass } = setUp({ someoneKnown: false });
    block().answer(false, 'rejected', 403, 20);
    const limits: number[][] = [];
    for (let pause = 0; pause < 9; pause++) {
      const blocks = [block(), block(), block(), block()];
      const allowed = blocks.map((each) => each.allowed(false));
      limits.push(allowed.map((each) => (each.kind === 'probe' ? each.limit : 0)));
      pass(300_000);
      blocks[0]?.answer(false, 'rejected', 403, 3);
    }
    expect(limits.slice(0, 3)).toEqual([
      [6, 4, 4, 3],
      [9, 6, 4, 4],
      [15, 9, 6, 4],
    ]);
    expect(limits[8]).toEqual([195, 99, 51, 27]);
  });

  it('on a first delivery counts no more once some endpoint has accepted before', () => {
    const { state, block } = setUp({ someoneKnown: false });
    block().answer(false, 'rejected', 403, 20);
    believe(state, sender);
    expect([block().paused(), block().allowed(true), block().allowed(false)]).toEqual([
      0,
      { kind: 'open' },
      { kind: 'open' },
    ]);
  });

  it('of endpoints that accepted before lasts, however many more of them appear', () => {
    const { state, block } = setUp({ someoneKnown: true });
    block().answer(true, 'rejected', 403, 20);
    believe(state, sender);
    expect(block().paused()).toBe(403);
  });

  it('of one block of strangers on a first delivery leaves the blocks open that are accepted', () => {
    const { block } = setUp({ someoneKnown: false });
    const readers = block();
    readers.answer(false, 'accepted', 201, 200);
    expect(block().answer(false, 'rejected', 403, 1_024)).toBeNull();
    expect(readers.allowed(false)).toEqual({ kind: 'open' });
  });

  it('is none of 404, 410, 413 and 429, whose fault is not the sender’s', () => {
    const { block } = setUp({ someoneKnown: true });
    for (const [outcome, status] of [
      ['gone', 404],
      ['gone', 410],
      ['rejected', 413],
      ['throttled', 429],
    ] as const)
      expect(block().answer(true, outcome, status, 100)).toBeNull();
  });
});

describe('an endpoint that rejects', () => {
  it('is at fault itself while its push service accepts as many others', () => {
    const { block } = setUp({ someoneKnown: true });
    const readers = block();
    readers.answer(true, 'accepted', 201, 10);
    readers.answer(false, 'rejected', 403, 10);
    expect(readers.isOwnFault(sender, false)).toBe(true);
    // One that accepted before: a push service in trouble answers 403 too.
    expect(readers.isOwnFault(sender, true)).toBe(false);
    readers.answer(true, 'accepted', 201, 30);
    expect(readers.isOwnFault(sender, true)).toBe(true);
  });

  it('is not at fault while most reject: a wrong key of ours costs no audience', () => {
    const { block } = setUp({ someoneKnown: true });
    const readers = block();
    readers.answer(true, 'accepted', 201, 5);
    readers.answer(true, 'rejected', 403, 6);
    expect(readers.isOwnFault(sender, false)).toBe(false);
    expect(block().isOwnFault(sender, false)).toBe(false);
  });
});
