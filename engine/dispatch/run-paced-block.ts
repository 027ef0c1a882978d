import {
  type Bitmap,
  bitmapOf,
  bitsOf,
  countBits,
  either,
  emptyBitmap,
  without,
} from '../contract/bitmap.ts';
import type { Clock } from '../contract/concurrency/clock.ts';
import type { DeliveryId } from '../contract/ids.ts';
import type { BlockMaps, LeasedShard } from '../contract/shard.ts';
import { createRunStep, type SteppedRun, waited } from './block-steps.ts';
import { unsettledOf } from './end-block.ts';
import { merge } from './left.ts';
import type { BlockStore } from './ports.ts';
import { type BlockEnding, fixBlock, nothingLeft, type RunBlock } from './run-block.ts';
import type { Slots } from './slots.ts';

/**
 * The amount handed to push services at once, as time at the delivery's rate: half a second is under one per
 * cent of a minute, and needs few writes.
 */
const STEP_MS = 500;

/**
 * Reserves the next targets of a delivery's pace, in the order of the calls, for any engine. Resolves with the
 * milliseconds until the first may be sent.
 */
export type ReserveSendTime = (deliveryId: DeliveryId, targets: number) => Promise<number>;

export type RunPacedBlock = (
  shard: LeasedShard & { readonly ratePerMinute: number },
  block: number,
  before: BlockMaps | null,
  run: SteppedRun,
) => Promise<BlockEnding>;

/**
 * One attempt at one block of a paced delivery, in steps: each reserves its time in the delivery's pace, waits
 * for it without holding a slot, and sends to that many targets. Every attempt reserves time, so retries keep
 * to the rate too. A paused sender holds up only its own targets: ending the attempt there would let a few
 * rejecting endpoints delay all others, and use up attempts of readers who were never tried. The ending is that
 * of the whole block; targets left when no further step is taken are unsettled.
 */
export function createRunPacedBlock(deps: {
  readonly store: BlockStore;
  readonly runBlock: RunBlock;
  readonly reserveSendTime: ReserveSendTime;
  readonly slots: Slots;
  readonly clock: Clock;
}): RunPacedBlock {
  const { clock } = deps;
  const runStep = createRunStep(deps);

  return async function runPacedBlock(shard, block, before, run) {
    const fixed = before ?? (await fixBlock(deps.store, shard, block));
    if (fixed === null) return { kind: 'lease-lost' };
    let ended = nothingLeft(fixed);
    let tried = emptyBitmap();
    while (!ended.cancelled) {
      const untried = without(unsettledOf(ended.maps), tried);
      const step = firstOf(untried, block, targetsOfStep(shard.ratePerMinute));
      const targets = countBits(step);
      if (targets === 0 || !(await waitForSendTime(shard.deliveryId, targets, run))) break;
      const ending = await runStep(shard, { block, before: ended.maps }, { among: step }, run);
      if (ending.kind !== 'ended') return ending;
      tried = either(tried, step);
      ended = { ...ending, left: merge(ended.left, ending.left) };
    }
    // Each step's answers were reported already.
    return { ...ended, sent: null };
  };

  /** False: the rest is not sent. Its reserved time stays unused. */
  async function waitForSendTime(deliveryId: DeliveryId, targets: number, run: SteppedRun): Promise<boolean> {
    return run.goOn() && waited(clock, await deps.reserveSendTime(deliveryId, targets), run);
  }
}

const targetsOfStep = (ratePerMinute: number): number =>
  Math.max(1, Math.floor((ratePerMinute * STEP_MS) / 60_000));

function firstOf(map: Bitmap, block: number, count: number): Bitmap {
  return countBits(map) <= count ? map : bitmapOf(bitsOf(map, block).slice(0, count));
}
