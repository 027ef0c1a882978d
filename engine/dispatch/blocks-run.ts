import { countBits } from '../contract/bitmap.ts';
import type { LeaseState } from '../contract/shard.ts';
import type { ChannelHalt } from '../worker/protocol.ts';
import { countGrants } from './budgets.ts';
import { unsettledOf } from './end-block.ts';
import { sharedWaitMs } from './retry-policy.ts';
import type { BlockEnded, BlockEnding } from './run-block.ts';

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

/** What the blocks that ran leave for another attempt. */
export interface Left {
  /** Targets that are not settled. */
  readonly unsettled: number;
  /** Of these, left only because others, who were active since, go before them. */
  readonly later: number;
  /** Of these, left only because the budget of their push service has no room now. */
  readonly budgeted: number;
  /** Of these, on probation: as far as anybody knows no readers. */
  readonly doubtful: number;
  readonly retryAfterMs: number;
  readonly heldBack: boolean;
  readonly overBudget: boolean;
  readonly halt: ChannelHalt | null;
  /** A block threw: this attempt counts, whatever else was held back. */
  readonly failed: boolean;
}

export const noneLeft: Left = Object.freeze({
  unsettled: 0,
  later: 0,
  budgeted: 0,
  doubtful: 0,
  retryAfterMs: 0,
  heldBack: false,
  overBudget: false,
  halt: null,
  failed: false,
});

export function addLeft(left: Left, ending: BlockEnded): Left {
  const unsettled = countBits(unsettledOf(ending.maps));
  return {
    unsettled: left.unsettled + unsettled,
    later: left.later + ending.later,
    budgeted: left.budgeted + countGrants(ending.budgeted),
    doubtful: left.doubtful + ending.doubtful,
    retryAfterMs: waitOf(left, unsettled, ending),
    heldBack: left.heldBack || ending.heldBack || ending.later + countGrants(ending.budgeted) > 0,
    overBudget: left.overBudget || ending.overBudget,
    halt: left.halt ?? ending.halt,
    failed: left.failed || ending.failed,
  };
}

/** A block of which nothing is left waits for nothing. */
function waitOf(left: Left, unsettled: number, { retryAfterMs }: BlockEnded): number {
  if (unsettled === 0) return left.retryAfterMs;
  return left.unsettled === 0 ? retryAfterMs : sharedWaitMs(left.retryAfterMs, retryAfterMs);
}
