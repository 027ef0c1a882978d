import { expect, it } from 'vitest';
import { packShards } from '../../engine/plan/pack-shards.ts';
import { countIn } from '../support/plan-now.ts';
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

export function describeShards(harness: StoresHarness): void {
  it('plans a delivery once, and releases the window of its shards', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      expect(await statesOf(world, id)).toEqual(['released', 'released', 'planned']);
      expect(await world.outbox()).toEqual(['shards.bulk', 'shards.bulk']);
      expect(await plan(world, id)).toEqual({ kind: 'nothing-to-plan' });
      expect(await world.delivery(id)).toMatchObject({ status: 'processing', open: 3, total: 3_000 });
    }));

  it('plans a delivery once that two engines have counted at the same time', () =>
    inStores(harness, async (world) => {
      await world.subscribe(3_000);
      const id = await world.createDelivery();
      const counted = await countIn(world.plan, id);
      const shards = packShards(counted?.counts ?? [], 1);
      const write = () => world.plan.writePlan(id, { audience: null, shards, traceparent: null });
      expect((await Promise.all([write(), write()])).toSorted()).toEqual([false, true]);
      expect(await world.plan.countAudience(id)).toBeNull();
      expect(await statesOf(world, id)).toEqual(['planned', 'planned', 'planned']);
    }));

  it('writes no plan of a delivery that was cancelled while it was counted', () =>
    inStores(harness, async (world) => {
      await world.subscribe(3_000);
      const id = await world.createDelivery();
      const counted = await countIn(world.plan, id);
      await world.cancel(id);
      const plan = { audience: null, shards: packShards(counted?.counts ?? [], 1), traceparent: null };
      expect(await world.plan.writePlan(id, plan)).toBe(false);
      expect(await statesOf(world, id)).toEqual([]);
    }));

  it('releases at the next check what an engine planned before it died', () =>
    inStores(harness, async (world) => {
      await world.subscribe(3_000);
      const id = await world.createDelivery();
      const counted = await countIn(world.plan, id);
      await world.plan.writePlan(id, {
        audience: null,
        shards: packShards(counted?.counts ?? [], 1),
        traceparent: null,
      });
      expect(await world.outbox()).toEqual([]);
      expect(await world.release.releaseDue(10)).toBe(2);
      expect(await statesOf(world, id)).toEqual(['released', 'released', 'planned']);
    }));

  it('completes a delivery without an audience at once, and fails one that cannot be planned', () =>
    inStores(harness, async (world) => {
      const empty = await world.createDelivery();
      expect(await plan(world, empty)).toEqual({ kind: 'planned', shards: 0, targets: 0 });
      expect(await world.delivery(empty)).toMatchObject({ status: 'success', total: 0 });
      const other = await world.createDelivery();
      await world.plan.failDelivery(other, 'no plan');
      expect(await world.delivery(other)).toMatchObject({ status: 'failed', message: 'no plan' });
      await world.plan.failDelivery(empty, 'no plan');
      expect((await world.delivery(empty)).status).toBe('success');
    }));

  it('leases a released shard to one engine, until the lease ends', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      const first = await mustLease(world, id, 0);
      expect(first).toMatchObject({ epoch: 1, attempt: 1, owner: 'engine-1', cancelled: false });
      expect(await lease(world, id, 0, 'engine-2')).toBeNull();
      expect(await lease(world, id, 2)).toBeNull();
      await world.pass(LEASE_MS + 1_000);
      expect(await mustLease(world, id, 0, 'engine-2')).toMatchObject({ epoch: 2, attempt: 2 });
    }));

  it('lets nothing be written under a lease that was lost', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      const lost = await mustLease(world, id, 0);
      const maps = await fix(world, lost);
      await world.pass(LEASE_MS + 1_000);
      await mustLease(world, id, 0, 'engine-2');
      const before = await world.shardsOf(id);
      const rows = await world.outbox();
      expect(await world.blocks.endBlock(lost, endOf(maps, [1, 2]), LEASE_MS)).toBe('lost');
      expect(await world.blocks.fixAudience(lost, 1, maps.audience)).toBeNull();
      expect(await world.shards.renew(lost, LEASE_MS)).toBe('lost');
      expect(await world.shards.suspend(lost, 0)).toBe(false);
      await world.shards.handBack(lost);
      expect(await world.shards.stop(lost)).toBe(false);
      expect(await world.shards.settle(lost)).toEqual({ kind: 'lease-lost' });
      expect(await world.shardsOf(id)).toEqual(before);
      expect(await world.outbox()).toEqual(rows);
    }));

  it('keeps a lease that is renewed, and one whose block ends', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      const shard = await mustLease(world, id, 0);
      await world.pass(LEASE_MS - 1_000);
      expect(await world.shards.renew(shard, LEASE_MS)).toBe('held');
      await world.pass(LEASE_MS - 1_000);
      expect(await world.blocks.endBlock(shard, endOf(await fix(world, shard), [1]), LEASE_MS)).toBe('held');
      await world.pass(LEASE_MS - 1_000);
      expect(await lease(world, id, 0, 'engine-2')).toBeNull();
    }));

  it('leaves a suspended shard for its time, and counts no attempt for one that is handed back', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      const shard = await mustLease(world, id, 0);
      expect(await world.shards.suspend(shard, 60_000)).toBe(true);
      expect(await lease(world, id, 0)).toBeNull();
      await world.release.releaseDue(10);
      expect((await statesOf(world, id))[0]).toBe('waiting');
      await world.pass(61_000);
      await mustLease(world, id, 1);
      await world.release.releaseDue(10);
      const again = await mustLease(world, id, 0);
      expect(again.attempt).toBe(2);
      await world.shards.handBack(again);
      expect((await world.shardsOf(id))[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    }));

  it('counts no attempt for held back targets', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      await world.shards.suspend(await mustLease(world, id, 0), 0, { heldBack: true, trouble: null });
      expect((await world.shardsOf(id))[0]).toMatchObject({ state: 'waiting', attempts: 0 });
    }));

  it('makes a shard whose round is over wait for those of an earlier round, and counts its rounds', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      const over = { heldBack: true, nextRound: true, trouble: null };
      let shard = await mustLease(world, id, 0);
      expect(shard).toMatchObject({ activityRound: 0, attempt: 1 });
      await world.shards.suspend(shard, 0, over);
      await world.release.releaseDue(10);
      expect(await statesOf(world, id)).toEqual(['waiting', 'released', 'released']);
      await serve(world, await mustLease(world, id, 1));
      for (const activityRound of [1, 2, 3, 3]) {
        await world.release.releaseDue(10);
        shard = await mustLease(world, id, 0);
        expect(shard).toMatchObject({ activityRound, attempt: 1 });
        await world.shards.suspend(shard, 0, over);
      }
    }));

  it('completes a delivery with its last shard, with the sums over its shards', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 1_500);
      expect(await serve(world, await mustLease(world, id, 0))).toEqual({ kind: 'settled' });
      const last = await mustLease(world, id, 1);
      const maps = await fix(world, last);
      const accepted = Array.from({ length: 400 }, (_, index) => 1_024 + index);
      const failed = Array.from({ length: 76 }, (_, index) => 1_424 + index);
      await world.blocks.endBlock(last, endOf(maps, accepted, failed), LEASE_MS);
      expect(await world.shards.settle(last)).toEqual({
        kind: 'completed',
        delivery: { status: 'partial', total: 1_500, accepted: 1_424, failed: 76, capped: 0 },
      });
      expect(await world.delivery(id)).toEqual({
        ...{ status: 'partial', open: 0, total: 1_500, capped: 0, accepted: 1_424, failed: 76 },
        message: 'Most failures (76): rejected, fcm answered 403',
      });
    }));

  it('stops idle shards when a delivery is cancelled, and notifies the holders of the others', () =>
    inStores(harness, async (world) => {
      const id = await planned(world);
      const shard = await mustLease(world, id, 0);
      const maps = await fix(world, shard);
      await world.cancel(id);
      expect(await statesOf(world, id)).toEqual(['running', 'stopped', 'stopped']);
      expect(await world.shards.renew(shard, LEASE_MS)).toBe('cancelled');
      expect(await world.blocks.endBlock(shard, endOf(maps, [1]), LEASE_MS)).toBe('cancelled');
      expect(await world.shards.stop(shard)).toBe(true);
      expect(await statesOf(world, id)).toEqual(['stopped', 'stopped', 'stopped']);
      expect((await world.delivery(id)).status).toBe('cancelled');
    }));

  it('neither completes nor goes on with a cancelled delivery', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 1_500);
      const [one, other] = [await mustLease(world, id, 0), await mustLease(world, id, 1)];
      await world.cancel(id);
      await world.shards.suspend(one, 0);
      expect(await world.shards.settle(other)).toEqual({ kind: 'settled' });
      expect(await statesOf(world, id)).toEqual(['stopped', 'settled']);
      expect((await world.delivery(id)).status).toBe('cancelled');
      expect(await plan(world, id)).toEqual({ kind: 'nothing-to-plan' });
    }));
}
