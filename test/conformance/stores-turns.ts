import { expect, it } from 'vitest';
import { type DeliveryId, toId } from '../../engine/contract/ids.ts';
import type { Lane } from '../../engine/contract/topics.ts';
import { inStores, plan } from './stores-steps.ts';
import type { StoresHarness, StoresWorld } from './stores-world.ts';

/** Past the time for which a turn is nobody else's. */
const PAST_TURN_MS = 21_000;

export function describeTurns(harness: StoresHarness): void {
  const wait = async (world: StoresWorld, lanes: readonly Lane[]): Promise<DeliveryId[]> => {
    const ids: DeliveryId[] = [];
    for (const lane of lanes) ids.push(await world.createDelivery({ lane, scheduledInMs: 1_000 }));
    await world.pass(2_000);
    await world.schedule.startDueDeliveries(lanes.length);
    while ((await world.relay({ publish: async () => {} })) > 0);
    return ids;
  };
  const take = async (world: StoresWorld, lane: Lane = 'bulk', own: DeliveryId = toId(1_000_000)) =>
    (await world.plan.takeTurn(lane, [], own))?.deliveryId ?? null;

  it('gives each waiting delivery of the lane to one planner, the first one first', () =>
    inStores(harness, async (world) => {
      const [first, second, breaking] = await wait(world, ['bulk', 'bulk', 'breaking']);
      const both = await Promise.all([take(world), take(world)]);
      expect(both.toSorted()).toEqual([first, second]);
      expect(await take(world)).toBeNull();
      expect(await take(world, 'breaking')).toBe(breaking);
    }));

  it('gives none for the message of one that is not on the log yet: no other message would find it', () =>
    inStores(harness, async (world) => {
      const [first] = await wait(world, ['bulk']);
      const pending = await world.createDelivery();
      expect(await take(world, 'bulk', pending)).toBeNull();
      expect(await take(world, 'bulk', first)).toBe(first);
    }));

  it('gives one of the message’s own lane, though an older release put it onto the other’s topic', () =>
    inStores(harness, async (world) => {
      const [bulk, breaking, later] = await wait(world, ['bulk', 'breaking', 'breaking']);
      expect(await take(world, 'bulk', later)).toBe(breaking);
      expect(await take(world, 'bulk', later)).toBe(later);
      expect(await take(world, 'bulk', later)).toBeNull();
      expect(await take(world, 'breaking')).toBeNull();
      expect(await take(world)).toBe(bulk);
    }));

  it('gives a turn to another one where its planner is gone, and puts it onto the log again', () =>
    inStores(harness, async (world) => {
      const [first] = await wait(world, ['bulk']);
      expect(await take(world)).toBe(first);
      expect(await world.schedule.publishQueuedAgain(10)).toBe(0);
      await world.pass(PAST_TURN_MS);
      expect(await world.schedule.publishQueuedAgain(10)).toBe(1);
      expect(await take(world)).toBe(first);
    }));

  it('gives none that was not put onto the log, was postponed, planned or cancelled', () =>
    inStores(harness, async (world) => {
      await world.subscribe(1_000);
      const [postponed, planned, cancelled] = await wait(world, ['bulk', 'bulk', 'bulk']);
      await world.createDelivery();
      await world.plan.postpone(postponed as DeliveryId, 60);
      await plan(world, planned as DeliveryId);
      await world.cancel(cancelled as DeliveryId);
      expect(await take(world)).toBeNull();
      await world.pass(61_000);
      expect(await take(world)).toBe(postponed);
    }));
}
