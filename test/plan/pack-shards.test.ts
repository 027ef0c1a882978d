// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packShards } from '../../engine/plan/pack-shards.ts';

describe('packing blocks into shards', () => {
  it('puts full blocks together up to the shard size', () => {
    const counts = [0, 1, 2, 3, 4].map((block) => ({ block, targets: 1_024 }));
    expect(packShards(counts, 2)).toEqual([
      { blocks: [0, 1], targets: 2_048 },
      { blocks: [2, 3], targets: 2_048 },
      { blocks: [4], targets: 1_024 },
    ]);
  });

  it('lets sparse blocks share a shard, up to eight times as many', () => {
    const counts = Array.from({ length: 40 }, (_, block) => ({ block, targets: 1 }));
    expect(packShards(counts, 2).map((shard) => shard.blocks.length)).toEqual([16, 16, 8]);
  });

  it('makes no shard for an empty audience', () => {
    expect(packShards([], 8)).toEqual([]);
    expect(packShards([{ block: 3, targets: 0 }], 8)).toEqual([]);
  });

  it('keeps every block with a target exactly once, in order, for any counts', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 1_024 }), { maxLength: 200 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 32 }), (targets, shardBlocks) => {
        const audience = targets.map((count, block) => ({ block, targets: count }));
        const shards = packShards(audience, shardBlocks);
        const expected = audience.filter((count) => count.targets > 0);
        expect(shards.flatMap(({ blocks }) => blocks)).toEqual(expected.map(({ block }) => block));
        for (const shard of shards) expect(shard.targets).toBeLessThanOrEqual(shardBlocks * 1_024);
      }),
    );
  });
});
