import { expect, it } from 'vitest';
import { bitmapOf, bitsOf } from '../../engine/contract/bitmap.ts';
import type { BlockEnd } from '../../engine/contract/shard.ts';
import { endOf, fix, inStores, LEASE_MS, mustLease, plan } from './stores-steps.ts';
import type { StoresHarness, StoresWorld } from './stores-world.ts';

type Said = { readonly accepted?: number[]; readonly invalid?: number[]; readonly readAtMs?: number };

/** One more delivery, of which `said` came. @returns who accepted one before it. */
async function deliver(world: StoresWorld, said: Said): Promise<number[] | null> {
  const id = await world.createDelivery();
  await plan(world, id);
  const shard = await mustLease(world, id, 0);
  const maps = await fix(world, shard);
  const { accepted = [], invalid = [], readAtMs = Date.now() + 1_000 } = said;
  const end: BlockEnd = {
    ...endOf(maps, accepted, invalid),
    readAtMs,
    ...(accepted.length === 0 ? {} : { newlyKnown: bitmapOf(accepted) }),
    ...(invalid.length === 0 ? {} : { invalid: invalid.map((seq) => ({ seq, reason: 'fcm answered 403' })) }),
  };
  expect(await world.blocks.endBlock(shard, end, LEASE_MS)).toBe('held');
  const [now] = await world.blocks.readMaps(shard);
  await world.shards.settle(shard);
  const before = bitsOf(maps.acceptedBefore ?? new Uint8Array(128), 0);
  expect(bitsOf(now?.acceptedBefore ?? new Uint8Array(128), 0).filter((seq) => before.includes(seq))).toEqual(
    before.filter((seq) => !invalid.includes(seq)),
  );
  return maps.acceptedBefore === undefined ? null : before;
}

export function describeRecord(harness: StoresHarness): void {
  it('knows which endpoints accepted an earlier delivery, and adds first acceptances', () =>
    inStores(harness, async (world) => {
      await world.subscribe(10);
      expect(await deliver(world, { accepted: [1, 2] })).toBeNull();
      expect(await deliver(world, { accepted: [7] })).toEqual([1, 2]);
      expect(await deliver(world, {})).toEqual([1, 2, 7]);
    }));

  it('knows no subscription at another endpoint, moved before the end of a block or after', () =>
    inStores(harness, async (world) => {
      await world.subscribe(10);
      await deliver(world, { accepted: [1, 2, 3] });
      await world.moveEndpoint(2);
      await world.moveEndpoint(5);
      const readAtMs = Date.now() - 60_000;
      expect(await deliver(world, { accepted: [5], readAtMs })).toEqual([1, 3]);
      expect(await deliver(world, {})).toEqual([1, 3]);
    }));

  it('unsubscribes an endpoint that failed three deliveries in a row through its own fault', () =>
    inStores(harness, async (world) => {
      await world.subscribe(5);
      for (const left of [5, 5, 4]) {
        await deliver(world, { invalid: [3] });
        expect(await world.subscribed()).toMatchObject({ active: left });
      }
      expect((await world.subscribed()).seqs).toEqual([0, 1, 2, 4]);
    }));

  it('counts a delivery once, and starts again where one was accepted or the endpoint is another', () =>
    inStores(harness, async (world) => {
      await world.subscribe(5);
      const id = await world.createDelivery();
      await plan(world, id);
      const shard = await mustLease(world, id, 0);
      const maps = await fix(world, shard);
      const again = { ...endOf(maps, []), readAtMs: Date.now() + 1_000 };
      const invalid = [1, 2, 3].map((seq) => ({ seq, reason: 'ENOTFOUND' }));
      for (let n = 0; n < 4; n++) await world.blocks.endBlock(shard, { ...again, invalid }, LEASE_MS);
      await world.shards.settle(shard);
      await deliver(world, { accepted: [1], invalid: [2, 3] });
      expect((await world.subscribed()).active).toBe(5);
      await world.moveEndpoint(2);
      await deliver(world, { invalid: [1, 2, 3] });
      expect((await world.subscribed()).seqs).toEqual([0, 1, 2, 4]);
    }));

  it('takes no strike against an endpoint that was seen since its targets were read', () =>
    inStores(harness, async (world) => {
      await world.subscribe(5);
      for (let n = 0; n < 4; n++) await deliver(world, { invalid: [3], readAtMs: Date.now() - 60_000 });
      expect((await world.subscribed()).active).toBe(5);
    }));
}
