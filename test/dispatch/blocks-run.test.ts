// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decisive, endByBlock, endByLease, type RunEnd } from '../../engine/dispatch/blocks-run.ts';
import { nothingLeft } from '../../engine/dispatch/run-block.ts';

/** The later one decides. */
const inOrder: readonly RunEnd[] = [
  { kind: 'tried' },
  { kind: 'worker-lost' },
  { kind: 'expired' },
  { kind: 'interrupted' },
  { kind: 'cancelled' },
  { kind: 'lease-lost' },
  { kind: 'failed', error: new Error('broken') },
];

describe('the end of a run over blocks', () => {
  it('is the reason that decides, in whatever order the blocks end', () => {
    const several = fc.array(fc.nat(inOrder.length - 1), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(several, (ranks) => {
        const ends = ranks.map((rank) => inOrder[rank] as RunEnd);
        expect(decisive(...ends)).toEqual(inOrder[Math.max(...ranks)]);
      }),
    );
    expect(decisive()).toEqual({ kind: 'tried' });
  });

  it('comes from the lease and from what a block met', () => {
    expect(endByLease('held').kind).toBe('tried');
    expect(endByLease('cancelled').kind).toBe('cancelled');
    expect(endByLease('lost').kind).toBe('lease-lost');
    expect(endByBlock({ kind: 'lease-lost' }).kind).toBe('lease-lost');
    expect(endByBlock({ kind: 'worker-lost' }).kind).toBe('worker-lost');
    const ended = nothingLeft({} as never);
    expect(endByBlock(ended).kind).toBe('tried');
    expect(endByBlock({ ...ended, cancelled: true }).kind).toBe('cancelled');
  });
});
