import type { LeaseState } from '../contract/shard.ts';
import type { BlockEnding } from './run-block.ts';

/** Why a run over the blocks of one shard, under one lease, is over. */
export type RunEnd =
  /** Each block had its attempt. */
  | { readonly kind: 'tried' }
  /** A block's thread died again and again: the shard waits as after any other failed attempt. */
  | { readonly kind: 'worker-lost' }
  /** The delivery's time is over: the rest is ended unsent. */
  | { readonly kind: 'expired' }
  /** This engine stops: another one continues. */
  | { readonly kind: 'interrupted' }
  /** Nothing more of the delivery is wanted. */
  | { readonly kind: 'cancelled' }
  /** The shard belongs to another engine by now. */
  | { readonly kind: 'lease-lost' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Blocks run at the same time, so several reasons may come together: the highest one decides. */
const ranks: Readonly<Record<RunEnd['kind'], number>> = Object.freeze({
  tried: 0,
  'worker-lost': 1,
  expired: 2,
  interrupted: 3,
  cancelled: 4,
  'lease-lost': 5,
  failed: 6,
});

/** Of several reasons the one that decides; without any, each block was tried. */
export const decisive = (...ends: readonly RunEnd[]): RunEnd =>
  ends.reduce((highest, end) => (ranks[end.kind] > ranks[highest.kind] ? end : highest), tried);

const tried: RunEnd = Object.freeze({ kind: 'tried' });

export function endByLease(state: LeaseState): RunEnd {
  switch (state) {
    case 'held':
      return tried;
    case 'cancelled':
      return { kind: 'cancelled' };
    case 'lost':
      return { kind: 'lease-lost' };
  }
}

/** What a block's ending says about the whole run. */
export function endByBlock(ending: BlockEnding): RunEnd {
  if (ending.kind !== 'ended') return ending;
  return ending.cancelled ? { kind: 'cancelled' } : tried;
}
