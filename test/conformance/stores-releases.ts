import { expect, it } from 'vitest';
import type { NewRecord } from '../../engine/contract/log.ts';
import type { Topic, TopicValue } from '../../engine/contract/topics.ts';
import {
  endOf,
  fix,
  inStores,
  LEASE_MS,
  lease,
  mustLease,
  plan,
  planned,
  serve,
  statesOf,
} from './stores-steps.ts';
import type { StoresHarness } from './stores-world.ts';

interface Published {
  readonly topic: Topic;
  readonly value: TopicValue<Topic>;
}

/** A log that keeps what it is given; the first `fails` calls reject after it did. */
function createSink(fails = 0) {
  const published: Published[] = [];
  let left = fails;
  return {
    published,
    publish: async <T extends Topic>(topic: T, records: readonly NewRecord<T>[]): Promise<void> => {
      for (const { value } of records) published.push({ topic, value });
      if (left-- > 0) throw new Error('the answer was lost');
    },
  };
}

export function describeReleases(harness: StoresHarness): void {
  it('releases the next shard when one settles', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      await serve(world, await mustLease(world, id, 0));
      expect(await statesOf(world, id)).toEqual(['settled', 'released', 'released']);
    }));

  it('gives the shard of an engine that died to another one, once its lease has ended', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      await mustLease(world, id, 0);
      await world.release.releaseDue(10);
      expect((await statesOf(world, id))[0]).toBe('running');
      await world.pass(LEASE_MS + 1_000);
      await world.release.releaseDue(10);
      expect((await world.shardsOf(id))[0]).toMatchObject({ state: 'released', epoch: 2 });
      const taken = await mustLease(world, id, 0, 'engine-2');
      expect(taken).toMatchObject({ epoch: 3, owner: 'engine-2', attempt: 2, lostLeases: 1 });
      // Before the scheduler sees it: another message of the shard finds that the lease has ended.
      await world.pass(LEASE_MS + 1_000);
      expect(await mustLease(world, id, 0)).toMatchObject({ epoch: 4, attempt: 3, lostLeases: 2 });
    }));

  it('takes a shard that was released, handed back or suspended for no lost lease', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      await world.shards.handBack(await mustLease(world, id, 0));
      await world.release.releaseDue(10);
      const shard = await mustLease(world, id, 0);
      expect(shard).toMatchObject({ attempt: 1, lostLeases: 0 });
      await world.shards.suspend(shard, 0);
      await world.release.releaseDue(10);
      expect(await mustLease(world, id, 0)).toMatchObject({ attempt: 2, lostLeases: 0 });
    }));

  it('publishes a released shard again when it was not leased for long', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 10);
      await world.relay(createSink());
      expect(await world.release.releaseDue(10)).toBe(0);
      await world.pass(121_000);
      expect(await world.release.releaseDue(10)).toBe(1);
      expect(await world.outbox()).toEqual(['shards.bulk']);
      expect(await lease(world, id, 0)).not.toBeNull();
    }));

  it('publishes a queued delivery again when it was not planned for long, and it is planned once', () =>
    inStores(harness, async (world) => {
      await world.subscribe(10);
      const id = await world.createDelivery({ scheduledInMs: 0 });
      await world.schedule.startDueDeliveries(10);
      // The log loses all that it took.
      await world.relay(createSink());
      expect(await world.delivery(id)).toMatchObject({ status: 'queued' });
      expect(await world.schedule.publishQueuedAgain(10)).toBe(0);
      await world.pass(301_000);
      expect(await world.schedule.publishQueuedAgain(10)).toBe(1);
      expect(await world.schedule.publishQueuedAgain(10)).toBe(0);
      // While the log is unavailable one row is enough.
      await world.pass(301_000);
      expect(await world.schedule.publishQueuedAgain(10)).toBe(0);
      expect(await world.outbox()).toEqual(['deliveries']);
      await world.relay(createSink());
      expect(await plan(world, id)).toMatchObject({ kind: 'planned' });
      expect(await plan(world, id)).toEqual({ kind: 'nothing-to-plan' });
      await world.pass(301_000);
      expect(await world.schedule.publishQueuedAgain(10)).toBe(0);
    }));

  it('starts a scheduled delivery once, at its time', () =>
    inStores(harness, async (world) => {
      const id = await world.createDelivery({ scheduledInMs: 60_000 });
      expect(await world.schedule.startDueDeliveries(10)).toBe(0);
      await world.pass(61_000);
      expect(await world.schedule.startDueDeliveries(10)).toBe(1);
      expect(await world.schedule.startDueDeliveries(10)).toBe(0);
      expect((await world.delivery(id)).status).toBe('pending');
      const log = createSink();
      await world.relay(log);
      expect(log.published).toEqual([{ topic: 'deliveries', value: { delivery_id: id } }]);
      expect((await world.delivery(id)).status).toBe('queued');
    }));

  it('moves each due shard and each due delivery once, however many engines look', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      await Promise.all([mustLease(world, id, 0), mustLease(world, id, 1)]);
      await world.createDelivery({ scheduledInMs: 0 });
      await world.pass(LEASE_MS + 1_000);
      const sumOf = async (look: () => Promise<number>): Promise<number> =>
        (await Promise.all(Array.from({ length: 4 }, look))).reduce((sum, moved) => sum + moved);
      expect(await sumOf(() => world.schedule.startDueDeliveries(10))).toBe(1);
      expect(await sumOf(() => world.release.releaseDue(10))).toBe(2);
    }));

  it('keeps outbox rows until the log has them', () =>
    inStores(harness, async (world) => {
      await planned(world, 10);
      const log = createSink(1);
      await expect(world.relay(log)).rejects.toThrow('lost');
      expect(await world.outbox()).toEqual(['shards.bulk']);
      await world.relay(log);
      expect(log.published).toHaveLength(2);
      expect(await world.outbox()).toEqual([]);
    }));

  it('publishes a batch of outcomes again under its own name, with its own rows', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 10);
      await world.relay(createSink());
      const shard = await mustLease(world, id, 0);
      const maps = await fix(world, shard);
      for (const seq of [1, 2, 3]) {
        const welcome = seq === 2 ? { welcome: true as const } : {};
        const end = { ...endOf(maps, [seq]), packedOutcomes: Uint8Array.of(seq), ...welcome };
        await world.blocks.endBlock(shard, end, LEASE_MS);
      }
      const log = createSink(1);
      await expect(world.relay(log)).rejects.toThrow('lost');
      await world.blocks.endBlock(shard, { ...endOf(maps, [4]), packedOutcomes: Uint8Array.of(4) }, LEASE_MS);
      await world.relay(log);
      expect(log.published).toHaveLength(2);
      expect(log.published[1]).toEqual(log.published[0]);
      expect(log.published[0]?.value).toMatchObject({ blocks: ['AQ==', 'Ag==', 'Aw=='], welcomes: [1] });
      expect(await world.outbox()).toEqual(['outcomes']);
    }));
}
