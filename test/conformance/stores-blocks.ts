import { expect, it } from 'vitest';
import { bitmapOf, bitsOf, countBits } from '../../engine/contract/bitmap.ts';
import { HALF_LIFE_DAYS } from '../../engine/contract/expected-clicks.ts';
import type { Audience } from '../../engine/contract/frozen-audience.ts';
import { pushServices } from '../../engine/contract/push-service.ts';
import type { Lane } from '../../engine/contract/topics.ts';
import { copiedSeqs } from '../../engine/dispatch/copied-seqs.ts';
import { packShards } from '../../engine/plan/pack-shards.ts';
import { createTargetCursor, selectedSeqs } from '../../engine/worker/targets.ts';
import { countIn } from '../support/plan-now.ts';
import { hoursAround } from '../support/reader-wishes.ts';
import { endOf, fix, inStores, LEASE_MS, mustLease, plan, planned, serve } from './stores-steps.ts';
import type { StoresHarness } from './stores-world.ts';

export function describeBlocks(harness: StoresHarness): void {
  it('reads the subscribed targets of a block, as a worker reads them', () =>
    inStores(harness, async (world) => {
      await world.subscribe(1_500);
      await world.unsubscribe(1_030);
      const { rows: targets } = await world.blocks.readTargets(world.appId, 1);
      const present = copiedSeqs(targets);
      expect(countBits(present)).toBe(475);
      const seqs = [...selectedSeqs(targets, present)];
      expect(seqs.slice(0, 8)).toEqual([1_024, 1_025, 1_026, 1_027, 1_028, 1_029, 1_031, 1_032]);
      const { rows: few } = await world.blocks.readTargets(world.appId, 1, {
        among: copiedSeqs(targets).fill(0, 1),
      });
      expect(bitsOf(copiedSeqs(few), 1)).toEqual([1_024, 1_025, 1_026, 1_027, 1_028, 1_029, 1_031]);
    }));

  it('reads what texts differ by with the targets, where it is asked for', () =>
    inStores(harness, async (world) => {
      await world.subscribe(3);
      const { rows: targets } = await world.blocks.readTargets(world.appId, 0, { tags: ['name', "it's"] });
      const cursor = createTargetCursor(targets, copiedSeqs(targets));
      const read = [];
      while (cursor.next())
        read.push([cursor.seq(), cursor.language(), JSON.parse(cursor.tagValues().toString())]);
      expect(read).toEqual([0, 1, 2].map((seq) => [seq, '', [null, null]]));
    }));

  it('counts what each reader of a block clicked and was sent, older things for less', () =>
    inStores(harness, async (world) => {
      await world.subscribe(4);
      await serve(world, await mustLease(world, await planned(world, 4), 0));
      await world.click(2, 2 * HALF_LIFE_DAYS);
      await world.click(2, HALF_LIFE_DAYS);
      // Late ones.
      await world.click(2, HALF_LIFE_DAYS + 0.01);
      await world.click(2, 3 * HALF_LIFE_DAYS);
      await world.click(1, 0);
      const { seqs, clicks, sent } = await world.blocks.readHistory(world.appId, 0);
      const of = (counts: ArrayLike<number>, seq: number) => counts[seqs.indexOf(seq)];
      expect([0, 1, 2, 3].map((seq) => of(sent, seq))).toEqual(
        [1, 1, 1, 1].map((one) => expect.closeTo(one, 3)),
      );
      expect([0, 1, 3].map((seq) => of(clicks, seq))).toEqual([0, expect.closeTo(1, 3), 0]);
      expect(of(clicks, 2)).toBeCloseTo(0.5 * (1 + 0.5), 3);
    }));

  it('orders a block’s history by activity, and knows each endpoint’s push service, including unsubscribed ones', () =>
    inStores(harness, async (world) => {
      await world.subscribe(1_030);
      await world.comeBack(1_027);
      await world.unsubscribe(1_026);
      const { seqs: order, seen } = await world.blocks.readHistory(world.appId, 1);
      expect(order[0]).toBe(1_027);
      expect([...Array.from(seen)].toSorted((a, b) => b - a)).toEqual([...Array.from(seen)]);
      expect(seen[0]).toBeGreaterThan(0.99);
      expect(seen).toHaveLength(order.length);
      expect([...order].toSorted((a, b) => a - b)).toEqual([1_024, 1_025, 1_026, 1_027, 1_028, 1_029]);
      const among = bitmapOf([1_025, 1_026, 1_029]);
      const services = await world.blocks.readServices(world.appId, 1, among);
      const other = pushServices.indexOf('other');
      expect([...services].sort(([a], [b]) => a - b)).toEqual([
        [1_025, other],
        [1_026, other],
        [1_029, other],
      ]);
    }));

  it('fixes an audience once, and keeps it when subscribers leave', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 10);
      const shard = await mustLease(world, id, 0);
      await fix(world, shard);
      await world.unsubscribe(3);
      const [maps] = await world.blocks.readMaps(shard);
      expect(maps?.block).toBe(0);
      expect(bitsOf(maps?.audience ?? new Uint8Array(), 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      await expect(fix(world, shard)).rejects.toThrow();
      expect((await world.shardsOf(id))[0]).toMatchObject({ audience: 10 });
    }));

  it('reads no maps for a lease that another engine has taken over', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 10);
      const shard = await mustLease(world, id, 0);
      await fix(world, shard);
      expect(await world.blocks.readMaps(shard)).toHaveLength(1);
      expect(await world.blocks.readMaps({ ...shard, epoch: shard.epoch - 1 })).toEqual([]);
      expect(await world.blocks.readMaps({ ...shard, owner: 'somebody else' })).toEqual([]);
    }));

  it('ends an attempt atomically: maps, counters, outcomes and gone subscriptions', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 10);
      const shard = await mustLease(world, id, 0);
      const maps = await fix(world, shard);
      await world.comeBack(9);
      const readAtMs = Date.now() + 1_000;
      const end = { ...endOf(maps, [1, 2], [7, 9]), unknown: 3, gone: [7, 9], readAtMs };
      expect(await world.blocks.endBlock(shard, end, LEASE_MS)).toBe('held');
      const [now] = await world.blocks.readMaps(shard);
      expect(bitsOf(now?.accepted ?? maps.accepted, 0)).toEqual([1, 2]);
      expect(bitsOf(now?.settled ?? maps.settled, 0)).toEqual([1, 2, 7, 9]);
      expect((await world.shardsOf(id))[0]).toMatchObject({ accepted: 2, failed: 2, unknown: 3 });
      expect((await world.outbox()).at(-1)).toBe('outcomes');
      expect(await world.subscribed()).toEqual({ seqs: [0, 1, 2, 3, 4, 5, 6, 8, 9], active: 9 });
    }));

  it('adds up the attempts at a block', () =>
    inStores(harness, async (world) => {
      const id = await planned(world, 10);
      const shard = await mustLease(world, id, 0);
      const first = endOf(await fix(world, shard), [0, 1], [2]);
      await world.blocks.endBlock(shard, first, LEASE_MS);
      const second = { ...endOf(first.maps, [3], [4, 5]), packedOutcomes: null };
      await world.blocks.endBlock(shard, second, LEASE_MS);
      expect((await world.shardsOf(id))[0]).toMatchObject({ audience: 10, accepted: 3, failed: 3 });
      expect((await world.outbox()).filter((topic) => topic === 'outcomes')).toHaveLength(1);
    }));

  it('holds back subscribers for whom the cap has no slot, until the window has passed', () =>
    inStores(harness, async (world) => {
      await world.setCap({ windowMinutes: 10, maxNotifications: 1 });
      const first = await planned(world, 10);
      const shard = await mustLease(world, first, 0);
      const maps = await fix(world, shard);
      await world.blocks.endBlock(shard, endOf(maps, [0, 1], [2, 3]), LEASE_MS);
      // 4 to 9 are held, 0 and 1 accepted; the failures gave their slots back.
      const second = await world.createDelivery();
      await plan(world, second);
      const held = await fix(world, await mustLease(world, second, 0));
      expect(bitsOf(held.settled, 0)).toEqual([0, 1, 4, 5, 6, 7, 8, 9]);
      expect((await world.shardsOf(second))[0]).toMatchObject({ audience: 10, capped: 8 });
      await world.cancel(first);
      await world.shards.stop(shard);
      await world.pass(11 * 60_000);
      const third = await world.createDelivery();
      await plan(world, third);
      await world.release.releaseDue(10);
      const later = await fix(world, await mustLease(world, third, 0));
      expect(bitsOf(later.settled, 0)).toEqual([2, 3]);
    }));

  it('holds back who is near Chrome’s limit, unless they were there lately, and says so apart', () =>
    inStores(harness, async (world) => {
      await world.setGuard({ android_max: 1, desktop_max: 2, engaged_days: 10 });
      const first = await planned(world, 6);
      await world.setChrome(0, 'android', 11);
      await world.setChrome(1, 'android', 9);
      await world.setChrome(2, 'desktop', 11);
      await serve(world, await mustLease(world, first, 0));
      const heldBack = async (): Promise<number[]> => {
        const id = await world.createDelivery();
        await plan(world, id);
        await world.release.releaseDue(10);
        const shard = await mustLease(world, id, 0);
        const maps = await fix(world, shard);
        const held = bitsOf(maps.settled, 0);
        expect((await world.shardsOf(id))[0]).toMatchObject({ capped: held.length, guarded: held.length });
        const served = bitsOf(maps.audience, 0).filter((seq) => !held.includes(seq));
        await world.blocks.endBlock(shard, endOf(maps, served), LEASE_MS);
        await world.shards.settle(shard);
        return held;
      };
      expect(await heldBack()).toEqual([0]);
      expect(await heldBack()).toEqual([0, 2]);
      // A test goes to the team's own browsers all the same.
      const test = await world.createDelivery();
      const counted = await countIn(world.plan, test);
      await world.plan.writePlan(test, {
        audience: testAudience([0, 2]),
        shards: packShards(counted?.counts ?? [], 1),
        traceparent: null,
      });
      await world.release.releaseDue(10);
      const tested = await fix(world, await mustLease(world, test, 0));
      expect(bitsOf(tested.settled, 0)).toEqual([]);
      // Whom the frequency cap holds back is not counted for the guard.
      await world.setCap({ windowMinutes: 60, maxNotifications: 1 });
      const capped = await world.createDelivery();
      await plan(world, capped);
      const shard = await mustLease(world, capped, 0);
      expect(bitsOf((await fix(world, shard)).settled, 0)).toEqual([0, 1, 2, 3, 4, 5]);
      expect((await world.shardsOf(capped))[0]).toMatchObject({ capped: 6, guarded: 0 });
    }));

  it('holds back who asked for fewer, for a pause or for quiet hours, says so apart, and after the cap', () =>
    inStores(harness, async (world) => {
      const none = { fewer: null, pausedUntil: null, quietHours: null };
      await world.subscribe(6);
      await world.setWishes(0, { ...none, fewer: { windowMinutes: 1_440, maxNotifications: 1 } });
      await world.setWishes(1, { ...none, pausedUntil: new Date(Date.now() + 3_600_000) });
      await world.setWishes(2, { ...none, quietHours: hoursAround(new Date()) });
      const heldBack = async (lane: Lane = 'bulk'): Promise<number[]> => {
        const id = await world.createDelivery({ lane });
        await plan(world, id);
        await world.release.releaseDue(10);
        const shard = await mustLease(world, id, 0);
        const maps = await fix(world, shard);
        const held = bitsOf(maps.settled, 0);
        expect((await world.shardsOf(id))[0]).toMatchObject({ capped: held.length, wished: held.length });
        const served = bitsOf(maps.audience, 0).filter((seq) => !held.includes(seq));
        await world.blocks.endBlock(shard, endOf(maps, served), LEASE_MS);
        await world.shards.settle(shard);
        return held;
      };
      expect(await heldBack()).toEqual([1, 2]);
      expect(await heldBack()).toEqual([0, 1, 2]);
      // Breaking news comes at night; who wants fewer, or none for a week, gets no more of it.
      expect(await heldBack('breaking')).toEqual([0, 1]);
      // A second more: the world's clock was read before that of the pause.
      await world.pass(3_601_000);
      await world.setWishes(2, none);
      expect(await heldBack()).toEqual([0]);
      await world.setCap({ windowMinutes: 10_080, maxNotifications: 1 });
      const capped = await world.createDelivery();
      await plan(world, capped);
      expect(bitsOf((await fix(world, await mustLease(world, capped, 0))).settled, 0)).toHaveLength(6);
      expect((await world.shardsOf(capped))[0]).toMatchObject({ capped: 6, wished: 0 });
    }));

  it('reads the cap for a rehearsal, and takes no slot for it', () =>
    inStores(harness, async (world) => {
      await world.setCap({ windowMinutes: 10, maxNotifications: 1 });
      const run = async (rehearsal: boolean, accepted: number[]): Promise<number[]> => {
        const id = await world.createDelivery({ rehearsal });
        await plan(world, id);
        const shard = await mustLease(world, id, 0);
        expect(shard.rehearsal).toBe(rehearsal);
        const maps = await fix(world, shard);
        await world.blocks.endBlock(shard, endOf(maps, accepted, []), LEASE_MS);
        return bitsOf(maps.settled, 0);
      };
      await world.subscribe(10);
      expect(await run(true, [0, 1, 2])).toEqual([]);
      expect(await run(false, [0, 1])).toEqual([]);
      expect(await run(true, [])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }));

  it('counts capped subscribers in the delivery’s figures', () =>
    inStores(harness, async (world) => {
      await world.setCap({ windowMinutes: 10, maxNotifications: 1 });
      const first = await planned(world, 10);
      await serve(world, await mustLease(world, first, 0));
      const second = await world.createDelivery();
      await plan(world, second);
      await serve(world, await mustLease(world, second, 0));
      expect(await world.delivery(second)).toMatchObject({
        status: 'success',
        total: 10,
        capped: 10,
        accepted: 0,
      });
    }));
}

const testAudience = (seqs: readonly number[]): Audience => ({
  rules: null,
  category_id: null,
  at: new Date().toISOString(),
  part: { kind: 'named', seqs: [...seqs] },
});
