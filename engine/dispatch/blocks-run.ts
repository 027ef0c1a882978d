import { countBits } from '../contract/bitmap.ts';
import type { ChannelHalt } from '../worker/protocol.ts';
import { unsettledOf } from './end-block.ts';
import type { BlockEnded, BlockEnding } from './run-block.ts';

/** What came of the blocks of one shard under one lease, all together. */
export interface BlocksRun {
  leaseLost: boolean;
  /** Nothing more of the delivery is wanted. */
  cancelled: boolean;
  /** The delivery's time is over: the rest is ended unsent. */
  expired: boolean;
  interrupted: boolean;
  /** A block's thread died again and again: the shard waits as after any other failed attempt. */
  workersLost: boolean;
  retryAfterMs: number;
  heldBack: boolean;
  overBudget: boolean;
  halt: ChannelHalt | null;
  /** Some targets are left for another attempt. */
  unsettled: boolean;
  /** Some of these only because others, who were active since, go before them. */
  later: boolean;
  /** And some of these though it was their turn. */
  toRetry: boolean;
  /** Some of these are readers, as far as anybody knows, and not on probation. */
  waitsForReaders: boolean;
}

export const newRun = (): BlocksRun => ({
  leaseLost: false,
  cancelled: false,
  expired: false,
  interrupted: false,
  workersLost: false,
  retryAfterMs: 0,
  heldBack: false,
  overBudget: false,
  halt: null,
  unsettled: false,
  later: false,
  toRetry: false,
  waitsForReaders: false,
});

function noteUnsettled(ran: BlocksRun, unsettled: number, { later, doubtful }: BlockEnded): void {
  ran.unsettled ||= unsettled > 0;
  ran.later ||= later > 0;
  ran.toRetry ||= unsettled > later;
  ran.waitsForReaders ||= unsettled > doubtful;
}

/** Adds what came of one more block. */
export function noteEnding(ran: BlocksRun, ending: BlockEnding): void {
  switch (ending.kind) {
    case 'lease-lost':
      ran.leaseLost = true;
      return;
    case 'worker-lost':
      ran.workersLost = true;
      return;
    case 'ended':
      noteUnsettled(ran, countBits(unsettledOf(ending.maps)), ending);
      ran.cancelled ||= ending.cancelled;
      ran.retryAfterMs = Math.max(ran.retryAfterMs, ending.retryAfterMs);
      ran.heldBack ||= ending.heldBack || ending.later > 0;
      ran.overBudget ||= ending.overBudget;
      ran.halt ??= ending.halt;
  }
}
