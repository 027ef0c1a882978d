import type { SenderPause } from '../worker/protocol.ts';
import { addGrants, countGrants, type Grants } from './budgets.ts';
import { sharedWaitMs } from './retry-policy.ts';

/** What a run leaves for another attempt: a step of a block, the whole block, or the blocks of a shard. */
export interface Left {
  /** The number left for a later round, because more recently active subscribers go first. */
  readonly later: number;
  /** The number left because the budget of their push service has no room now, by push service. */
  readonly budgeted: Grants;
  /** How many of those left are on probation: as far as anybody knows no readers. */
  readonly onProbation: number;
  /** Some were not tried, for their push service is paused. */
  readonly heldBack: boolean;
  /** After this time those left may be tried again; null: nobody is left. */
  readonly retryAfterMs: number | null;
  /** The delivery's retry budget is used up. */
  readonly overBudget: boolean;
  /** A push service rejects the sender; null: none does. */
  readonly pause: SenderPause | null;
  /** A line threw under it, and this attempt counts, whatever else was held back. */
  readonly failed: boolean;
}

export const noneLeft: Left = Object.freeze({
  later: 0,
  budgeted: {},
  onProbation: 0,
  heldBack: false,
  retryAfterMs: null,
  overBudget: false,
  pause: null,
  failed: false,
});

/** Of two runs over different targets. */
export const merge = (one: Left, other: Left): Left => ({
  later: one.later + other.later,
  budgeted: addGrants(one.budgeted, other.budgeted),
  onProbation: one.onProbation + other.onProbation,
  heldBack: one.heldBack || other.heldBack,
  retryAfterMs: sharedWait(one.retryAfterMs, other.retryAfterMs),
  overBudget: one.overBudget || other.overBudget,
  pause: one.pause ?? other.pause,
  failed: one.failed || other.failed,
});

const sharedWait = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : sharedWaitMs(one, other);

/** Without what it says of targets that were not tried: a further run is over them. */
export const leftOfTried = (left: Left): Left => ({
  ...left,
  later: 0,
  budgeted: {},
  onProbation: 0,
  heldBack: false,
});

/** Some of those left were not tried, whatever the reason. */
export const isHeldBack = ({ heldBack, later, budgeted }: Left): boolean =>
  heldBack || later + countGrants(budgeted) > 0;
