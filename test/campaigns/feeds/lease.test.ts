// tier: unit
import { expect, it } from 'vitest';
import { createFeedStep, type FeedStepDeps } from '../../../engine/campaigns/feeds/feed-step.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const LEASE_MS = 15_000;

/** An engine whose one feed answers when it is told to. */
function start() {
  const clock = createManualClock();
  const fetched = Promise.withResolvers<never>();
  const kept: number[] = [];
  const began = clock.now();
  const step = createFeedStep({
    store: {
      claimFeeds: async (_: number, busy: readonly unknown[], leaseMs: number) => {
        expect(leaseMs).toBe(LEASE_MS);
        return busy.length > 0
          ? []
          : [{ id: 1, appId: 1, step: 1, progress: {}, settings: { plan: { kind: 'feed', digest: null } } }];
      },
      keepFeed: async () => void kept.push(clock.now() - began),
      defer: async () => {},
    },
    fetchFeed: () => fetched.promise,
    ...{ clock, leaseMs: LEASE_MS, onDeferred: () => {}, wakeRelay: () => {} },
  } as unknown as FeedStepDeps);
  return { clock, kept, step, end: () => fetched.reject(new Error('over')) };
}

it('keeps its feed while the check goes on, and lets go when it ends', async () => {
  const { clock, kept, step, end } = start();
  await step.step();
  clock.advance(3 * LEASE_MS);
  expect(kept).toEqual(Array.from({ length: 9 }, (_, at) => ((at + 1) * LEASE_MS) / 3));
  end();
  await step.idle();
  expect(clock.pending()).toBe(0);
});

it('lets go of a feed whose check hangs for three minutes', async () => {
  const { clock, kept, step, end } = start();
  await step.step();
  clock.advance(1_000_000);
  expect(kept.at(-1)).toBe(180_000);
  end();
  await step.idle();
});
