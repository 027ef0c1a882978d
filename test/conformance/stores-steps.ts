import { type Bitmap, bitmapOf, countBits } from '../../engine/contract/bitmap.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import type { BlockEnd, BlockMaps, LeasedShard } from '../../engine/contract/shard.ts';
import { copiedSeqs } from '../../engine/dispatch/copied-seqs.ts';
import { planIn } from '../support/plan-now.ts';
import type { StoresHarness, StoresWorld } from './stores-world.ts';

export const LEASE_MS = 10_000;

/** Runs one test in stores of its own, which are gone afterwards however the test ended. */
export async function inStores(
  harness: StoresHarness,
  test: (world: StoresWorld) => Promise<void>,
): Promise<void> {
  const world = await harness.open();
  try {
    await test(world);
  } finally {
    await world.close();
  }
}

/** Plans a shard a block. */
export const plan = (world: StoresWorld, id: DeliveryId) => planIn(world, id);

/** A delivery to `subscribers`, planned: three of 3,000 make three shards, two of them released. */
export async function planned(world: StoresWorld, subscribers = 3_000): Promise<DeliveryId> {
  await world.subscribe(subscribers);
  const id = await world.createDelivery();
  await plan(world, id);
  return id;
}

export async function lease(
  world: StoresWorld,
  id: DeliveryId,
  number: number,
  owner = 'engine-1',
): Promise<LeasedShard | null> {
  const shard = (await world.shardsOf(id))[number];
  return shard === undefined ? null : world.shards.lease(shard.id, owner, LEASE_MS);
}

/** @throws Error where the shard is not to be had. */
export async function mustLease(
  world: StoresWorld,
  id: DeliveryId,
  number: number,
  owner?: string,
): Promise<LeasedShard> {
  const shard = await lease(world, id, number, owner);
  if (shard === null) throw new Error(`shard ${number} could not be leased`);
  return shard;
}

/** Fixes the audience of the shard's first block: everyone subscribed. */
export async function fix(world: StoresWorld, shard: LeasedShard): Promise<BlockMaps> {
  const block = shard.blocks[0] ?? 0;
  const present = copiedSeqs((await world.blocks.readTargets(shard.appId, block)).rows);
  const maps = await world.blocks.fixAudience(shard, block, present);
  if (maps === null) throw new Error(`the lease of shard ${shard.shardId} is lost`);
  return maps;
}

/** The end of an attempt: this many accepted and failed, of the remaining ones, from the front. */
export function endOf(
  maps: BlockMaps,
  accepted: readonly number[],
  failed: readonly number[] = [],
): BlockEnd {
  const join = (map: Bitmap, seqs: readonly number[]): Bitmap => {
    const more = bitmapOf(seqs);
    return map.map((byte, index) => byte | (more[index] ?? 0));
  };
  return {
    maps: {
      ...maps,
      accepted: join(maps.accepted, accepted),
      settled: join(maps.settled, [...accepted, ...failed]),
    },
    newlyAccepted: accepted.length,
    newlyFailed: failed.length,
    unknown: 0,
    gone: [],
    readAtMs: Number.MAX_SAFE_INTEGER / 10_000,
    reasons: failed.length === 0 ? {} : { 'rejected, fcm answered 403': failed.length },
    packedOutcomes: Uint8Array.of(1),
  };
}

/** Serves the shard's one block except the capped, and settles it. */
export async function serve(world: StoresWorld, shard: LeasedShard) {
  const maps = await fix(world, shard);
  const end = {
    ...endOf(maps, []),
    maps: { ...maps, accepted: without(maps.audience, maps.settled), settled: maps.audience },
    newlyAccepted: countBits(maps.audience) - countBits(maps.settled),
  };
  await world.blocks.endBlock(shard, end, LEASE_MS);
  return world.shards.settle(shard);
}

const without = (a: Bitmap, b: Bitmap): Bitmap => a.map((byte, index) => byte & ~(b[index] ?? 0));

export const statesOf = async (world: StoresWorld, id: DeliveryId): Promise<string[]> =>
  (await world.shardsOf(id)).map(({ state }) => state);
