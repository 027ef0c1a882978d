import { countBits } from '../contract/bitmap.ts';
import type { LeasedShard } from '../contract/shard.ts';
import { endWithoutSending, unsettledOf } from './end-block.ts';
import type { BlockStore } from './ports.ts';
import { fixBlock, servicesOf } from './run-block.ts';

interface Deps {
  readonly blocks: BlockStore;
  readonly leaseMs: number;
  readonly nowMs: () => number;
}

/**
 * Settles what is left of a shard as expired, blocks that never ran included, so that the counts add up.
 * @returns whether the lease held to the end.
 */
export async function expireTheRest(
  { blocks, leaseMs, nowMs }: Deps,
  shard: LeasedShard,
  reason: string,
): Promise<boolean> {
  const known = new Map((await blocks.readMaps(shard)).map((maps) => [maps.block, maps]));
  for (const block of shard.blocks) {
    const maps = known.get(block) ?? (await fixBlock(blocks, shard, block));
    if (maps === null) return false;
    const left = unsettledOf(maps);
    if (countBits(left) === 0) continue;
    const end = endWithoutSending(shard, maps, {
      left,
      outcome: 'expired',
      reason,
      atMs: nowMs(),
      serviceOf: await servicesOf(blocks, shard, block, left),
    });
    if ((await blocks.endBlock(shard, end, leaseMs)) === 'lost') return false;
  }
  return true;
}
