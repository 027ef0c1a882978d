// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNotingPartitioner } from '../../../engine/adapters/kafka/noting-partitioner.ts';

function choose(partitions: number) {
  const noting = createNotingPartitioner();
  const partition = noting.create();
  const partitionMetadata = Array.from({ length: partitions }, (_, at) => ({
    ...{ partitionErrorCode: 0, partitionId: at, leader: 1, replicas: [1], isr: [1] },
  }));
  return {
    noting,
    of: (key: string) =>
      partition({ topic: 'shards.bulk', partitionMetadata, message: { key, value: '{}' } }),
  };
}

describe('the partitions of a batch', () => {
  it('get as many as one another of shards that follow one another', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000_000_000),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 64 }),
        (first, shards, partitions) => {
          const { of } = choose(partitions);
          const counts = new Array<number>(partitions).fill(0);
          for (let at = 0; at < shards; at++) {
            const partition = of(String(first + at));
            counts[partition] = (counts[partition] ?? 0) + 1;
          }
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('are one for each key, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 1, max: 64 }), (key, partitions) => {
        const partition = choose(partitions).of(key);
        expect(choose(partitions).of(key)).toBe(partition);
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(partitions);
      }),
    );
  });

  it('must all have answered', () => {
    const { noting, of } = choose(4);
    noting.forget();
    of('4');
    of('6');
    expect(() => noting.check([{ topicName: 'shards.bulk', partition: 0 }])).toThrow(
      'no broker has answered for shards.bulk-2',
    );
    noting.check([0, 2].map((partition) => ({ topicName: 'shards.bulk', partition })));
  });
});
