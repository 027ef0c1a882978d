// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BITMAP_BYTES,
  type Bitmap,
  BLOCK_SIZE,
  both,
  countBits,
  either,
  hasBit,
  inAtLeast,
} from '../../engine/contract/bitmap.ts';

const map = fc.uint8Array({ minLength: BITMAP_BYTES, maxLength: BITMAP_BYTES });
const holds = (of: Bitmap): boolean[] => Array.from({ length: BLOCK_SIZE }, (_, seq) => hasBit(of, seq));

describe('maps of a block', () => {
  it('are joined and met bit by bit', () => {
    fc.assert(
      fc.property(map, map, (a, b) => {
        const [inA, inB] = [holds(a), holds(b)];
        expect(holds(either(a, b))).toEqual(inA.map((is, seq) => is || inB[seq]));
        expect(holds(both(a, b))).toEqual(inA.map((is, seq) => is && inB[seq]));
      }),
      { numRuns: 20 },
    );
  });

  it('add up the bits that a given number of them hold, like a plain count', () => {
    fc.assert(
      fc.property(fc.array(map, { maxLength: 40 }), fc.integer({ min: 1, max: 41 }), (maps, least) => {
        const all = maps.map(holds);
        const counted = Array.from(
          { length: BLOCK_SIZE },
          (_, seq) => all.filter((one) => one[seq]).length >= least,
        );
        expect(holds(inAtLeast(maps, least))).toEqual(counted);
      }),
      { numRuns: 40 },
    );
  });

  it('add up where every one of a hundred holds every bit', () => {
    const full = new Uint8Array(BITMAP_BYTES).fill(0xff);
    const hundred = Array.from({ length: 100 }, () => full);
    expect(countBits(inAtLeast(hundred, 100))).toBe(BLOCK_SIZE);
    expect(countBits(inAtLeast(hundred, 101))).toBe(0);
    expect(countBits(inAtLeast([], 1))).toBe(0);
  });
});
