// tier: unit
import { describe, expect, it } from 'vitest';
import { createCommitter } from '../../engine/adapters/kafka/committer.ts';
import { createOffsetTracker } from '../../engine/adapters/kafka/offset-tracker.ts';
import {
  createPartitionQueues,
  type PartitionQueuesDeps,
} from '../../engine/adapters/kafka/partition-queues.ts';
import {
  createWatchdog,
  type MembershipEnd,
  type WatchdogDeps,
} from '../../engine/adapters/kafka/watchdog.ts';
import { createManualClock } from '../support/manual-clock.ts';

const turn = () => new Promise(setImmediate);

describe('the offsets of a batch', () => {
  it('are committable up to the first record that is not done, in any order', () => {
    const tracker = createOffsetTracker([10, 11, 14, 15], 18);
    expect(tracker.committable()).toBe(10);
    tracker.markDone(14);
    tracker.markDone(11);
    expect([tracker.committable(), tracker.doneBehindGap()]).toEqual([10, [14, 11]]);
    tracker.markDone(10);
    expect([tracker.committable(), tracker.isEmpty()]).toEqual([15, false]);
    tracker.markDone(15);
    expect([tracker.committable(), tracker.isEmpty()]).toEqual([18, true]);
  });
});

describe('commits', () => {
  it('go one at a time, and offsets added meanwhile go together', async () => {
    const sent: [number, number][][] = [];
    const gate = Promise.withResolvers<void>();
    const committer = createCommitter(async (offsets) => {
      sent.push([...offsets]);
      if (sent.length === 1) await gate.promise;
    });
    committer.progress(0, 5);
    committer.progress(0, 6);
    committer.progress(1, 2);
    expect(sent).toEqual([[[0, 5]]]);
    gate.resolve();
    await committer.flush();
    expect(sent[1]?.sort()).toEqual([
      [0, 6],
      [1, 2],
    ]);
  });

  it('that fail are repeated, unless the partitions were revoked meanwhile', async () => {
    const sent: [number, number][][] = [];
    let gate = Promise.withResolvers<void>();
    const committer = createCommitter(async (offsets) => {
      sent.push([...offsets]);
      await gate.promise;
    });
    committer.progress(0, 5);
    gate.reject(new Error('away'));
    await expect(committer.flush()).rejects.toThrow('away');
    gate = Promise.withResolvers();
    const again = committer.flush();
    expect(sent[1]).toEqual([[0, 5]]);
    expect([...committer.forget()]).toEqual([[0, 5]]);
    gate.reject(new Error('away'));
    await expect(again).rejects.toThrow('away');
    await committer.flush();
    expect(sent).toHaveLength(2);
  });
});

describe('dropped queues', () => {
  const batch = (from: number, count: number) => ({
    partition: 3,
    end: from + count,
    messages: Array.from({ length: count }, (_, index) => ({
      offset: from + index,
      key: 'k',
      text: JSON.stringify({ delivery_id: from + index + 1 }),
    })),
  });

  it('do not repeat records done behind a gap, when the same process gets the partition back', async () => {
    const seen: number[][] = [];
    const deps: PartitionQueuesDeps<'deliveries'> = {
      topic: 'deliveries',
      clock: createManualClock(),
      options: { maxRecords: 10, concurrency: 1, maxAttempts: 3, stallAfterMs: 1_000 },
      mayStart: () => true,
      bury: async () => undefined,
      onProgress: () => undefined,
      onDrained: () => undefined,
      handle: async (records, claim) => {
        seen.push(records.map(({ value }) => value.delivery_id));
        for (const record of records.slice(2)) await claim.done(record);
        if (seen.length === 1) await new Promise((end) => claim.signal.addEventListener('abort', end));
        return { kind: 'handled' };
      },
    };
    const queues = createPartitionQueues(deps);
    queues.accept(batch(0, 5));
    await turn();
    queues.drop(new Map());
    await turn();
    queues.accept(batch(0, 5));
    await turn();
    expect(seen.slice(0, 2)).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2],
    ]);
  });
});

describe('the watchdog', () => {
  async function watch(given: Partial<WatchdogDeps>, act: (tick: number) => void = () => undefined) {
    const clock = createManualClock();
    const ends: MembershipEnd[] = [];
    const watchdog = createWatchdog({
      ...{ clock, leaseMs: 1_000, idleMs: 3_000, checkEveryMs: 100 },
      isWaiting: () => true,
      lag: async () => 0,
      onSilent: (end) => ends.push(end),
      ...given,
    });
    watchdog.start();
    for (let tick = 1; tick <= 80 && ends.length === 0; tick++) {
      act(tick);
      if (tick % 5 === 0 && given.leaseMs === undefined) watchdog.confirmed();
      if (given.idleMs === undefined) watchdog.fetched();
      clock.advance(100);
      await turn();
    }
    watchdog.stop();
    return { ends, pending: clock.pending() };
  }

  it('leaves an idle consumer without lag alone, and no timer behind', async () => {
    expect(await watch({})).toEqual({ ends: [], pending: 0 });
  });

  it('ends a membership whose heartbeats are not answered: its partitions may be another one’s', async () => {
    const { ends } = await watch({ leaseMs: 700 });
    expect(ends).toEqual([{ leaseLost: true, reason: expect.stringContaining('heartbeat') }]);
  });

  it('ends a membership that stopped fetching', async () => {
    const { ends } = await watch({ idleMs: 2_000 });
    expect(ends).toEqual([{ leaseLost: false, reason: expect.stringContaining('nothing was fetched') }]);
  });

  it('ends a membership that has lag and does nothing, but not one whose handlers are at work', async () => {
    const { ends } = await watch({ lag: async () => 7 });
    expect(ends).toEqual([{ leaseLost: false, reason: expect.stringContaining('lag of 7') }]);
    expect((await watch({ lag: async () => 7, isWaiting: () => false })).ends).toEqual([]);
  });
});
