import { BLOCK_SIZE } from '../contract/bitmap.ts';
import type { BlockCount, PlannedShard } from '../contract/shard.ts';

/** So that a shard of very sparse blocks stays one short read and one short lease. */
const SPARSE_FACTOR = 8;

/**
 * Puts blocks, ascending, into shards of about `shardBlocks` full blocks of targets. Sparse blocks share a
 * shard, up to eight times as many. Blocks without a target are left out. A shard of more than one block has
 * at most `maxTargets`.
 */
export function packShards(
  counts: readonly BlockCount[],
  shardBlocks: number,
  maxTargets = Number.POSITIVE_INFINITY,
): PlannedShard[] {
  const fullTargets = Math.min(shardBlocks * BLOCK_SIZE, maxTargets);
  const shards: PlannedShard[] = [];
  let blocks: number[] = [];
  let targets = 0;
  const close = (): void => {
    if (blocks.length > 0) shards.push({ blocks, targets });
    blocks = [];
    targets = 0;
  };
  for (const count of counts) {
    if (count.targets === 0) continue;
    const full = targets + count.targets > fullTargets || blocks.length >= shardBlocks * SPARSE_FACTOR;
    if (full) close();
    blocks.push(count.block);
    targets += count.targets;
  }
  close();
  return shards;
}
