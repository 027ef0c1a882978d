// tier: unit
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setBit } from '../../engine/contract/bitmap.ts';
import {
  addLeft,
  decisive,
  endByBlock,
  endByLease,
  noneLeft,
  type RunEnd,
} from '../../engine/dispatch/blocks-run.ts';
import { type BlockEnded, nothingLeft } from '../../engine/dispatch/run-block.ts';

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
    expect(endByBlock(endedWith(2)).kind).toBe('tried');
    expect(endByBlock({ ...endedWith(2), cancelled: true }).kind).toBe('cancelled');
  });
});

/** A block with this number of unsettled targets. */
function endedWith(unsettled: number, changes: Partial<BlockEnded> = {}): BlockEnded {
  const empty = () => new Uint8Array(128);
  const audience = empty();
  for (let index = 0; index < unsettled; index++) setBit(audience, index);
  return {
    ...nothingLeft({ block: 0, audience, accepted: empty(), settled: empty() }),
    ...changes,
  };
}

describe('what the blocks of a run leave', () => {
  it('is added up, with the longest wait and the first halt', () => {
    const halt = { service: 1, status: 403, text: 'no' } as unknown as BlockEnded['halt'];
    const endings = [
      endedWith(3, { later: 1, retryAfterMs: 50, budgeted: { fcm: 1 } }),
      endedWith(0, { overBudget: true, failed: true }),
      endedWith(4, { doubtful: 2, retryAfterMs: 10, halt }),
    ];
    expect(endings.reduce(addLeft, noneLeft)).toEqual({
      unsettled: 7,
      later: 1,
      budgeted: 1,
      doubtful: 2,
      retryAfterMs: 50,
      heldBack: true,
      overBudget: true,
      failed: true,
      halt,
    });
  });

  it('waits no longer than a minute for a push service that asks for hours, where others are left too', () => {
    const hours = 4 * 3_600_000;
    const waitOf = (...waits: readonly number[]): number =>
      waits.map((retryAfterMs) => endedWith(1, { retryAfterMs })).reduce(addLeft, noneLeft).retryAfterMs;
    expect(waitOf(hours, 0)).toBe(60_000);
    expect(waitOf(0, hours, hours)).toBe(60_000);
    expect(waitOf(hours, hours / 2)).toBe(hours / 2);
    expect(waitOf(5_000, 30_000)).toBe(30_000);
    // Nothing is left of the block that asks for more.
    expect([endedWith(1), endedWith(0, { retryAfterMs: hours })].reduce(addLeft, noneLeft).retryAfterMs).toBe(
      0,
    );
  });

  it('is nothing where every target is settled', () => {
    expect(addLeft(noneLeft, endedWith(0))).toEqual(noneLeft);
  });
});
