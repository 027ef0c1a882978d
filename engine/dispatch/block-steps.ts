import { type Clock, pause } from '../contract/concurrency/clock.ts';
import type { StopFlag } from '../contract/concurrency/stop-flag.ts';
import type { BlockMaps, LeasedShard } from '../contract/shard.ts';
import type { BlockEnding, PartOfBlock, RunBlock } from './run-block.ts';
import type { Slots } from './slots.ts';

/** How often a block that waits for its time checks whether to go on. */
const LOOK_MS = 250;

/** A block that is sent in steps: at a delivery's pace, or as a budget has room. */
export interface SteppedRun {
  readonly stop: StopFlag;
  /** Whether to take another step: not cancelled, not expired, not draining. */
  readonly goOn: () => boolean;
  readonly onStep: (ending: BlockEnding, durationMs: number) => void;
}

export type RunStep = (
  shard: LeasedShard,
  maps: { readonly block: number; readonly before: BlockMaps | null },
  part: PartOfBlock,
  run: SteppedRun,
) => Promise<BlockEnding>;

/** One step holds a slot; between two steps the block holds none. */
export function createRunStep(deps: {
  readonly runBlock: RunBlock;
  readonly slots: Slots;
  readonly clock: Clock;
}): RunStep {
  const { runBlock, slots, clock } = deps;
  return async function runStep(shard, { block, before }, part, run) {
    const giveBack = await slots.take(shard.lane);
    const startedAtMs = clock.now();
    try {
      const ending = await runBlock(shard, block, before, run.stop, part);
      run.onStep(ending, clock.now() - startedAtMs);
      return ending;
    } finally {
      giveBack();
    }
  };
}

/** @returns false: no further step is wanted, and the wait has ended early. */
export async function waited(clock: Clock, waitMs: number, run: SteppedRun): Promise<boolean> {
  const at = clock.now() + waitMs;
  while (run.goOn()) {
    const leftMs = at - clock.now();
    if (leftMs <= 0) return true;
    await pause(clock, Math.min(leftMs, LOOK_MS));
  }
  return false;
}
