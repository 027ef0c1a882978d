import { type Bitmap, bitmapOf } from '../contract/bitmap.ts';
import type { Clock } from '../contract/concurrency/clock.ts';
import { outcomeCode } from '../contract/outcome.ts';
import type { PushService } from '../contract/push-service.ts';
import type { BlockMaps, LeasedShard } from '../contract/shard.ts';
import type { BlockSent } from '../worker/protocol.ts';
import { createRunStep, type SteppedRun, waited } from './block-steps.ts';
import type { Budgets, Grants } from './budgets.ts';
import { leftOfTried, merge } from './left.ts';
import type { BudgetStore } from './ports.ts';
import type { BlockEnding, RunBlock } from './run-block.ts';
import type { ReserveSendTime, RunPacedBlock } from './run-paced-block.ts';
import type { Slots } from './slots.ts';

/** The amount sent at once, as time at the budget's rate: under one per cent of a minute. */
const STEP_MS = 500;

export type RunBudgetedBlock = (
  shard: LeasedShard,
  block: number,
  before: BlockMaps | null,
  run: SteppedRun,
) => Promise<BlockEnding>;

/**
 * One attempt at one block of an app that push services limit, in steps. The first step serves all other push
 * services, and finds how many targets wait for a budget; each further one reserves its time in the budget that all
 * engines share, waits for it without holding a slot, and sends to that many. The targets that are left when no
 * further step is taken wait for the next attempt, which is none of theirs. A paced delivery keeps to its rate, too.
 */
export function createRunBudgetedBlock(deps: {
  readonly budgets: Budgets;
  readonly reserve: BudgetStore['reserve'];
  readonly reserveSendTime: ReserveSendTime;
  readonly runBlock: RunBlock;
  readonly runPacedBlock: RunPacedBlock;
  readonly slots: Slots;
  readonly clock: Clock;
}): RunBudgetedBlock {
  const { clock } = deps;
  const runStep = createRunStep(deps);

  return async function runBudgetedBlock(shard, block, before, run) {
    let ending = await serveOthers(shard, block, before, run);
    while (ending.kind === 'ended' && !ending.cancelled) {
      const granted = await waitForGrant(shard, ending.left.budgeted, run);
      if (granted === null) break;
      // Whatever else failed a moment ago has its back-off to wait.
      const among = ending.sent === null ? null : untriedOf(ending.sent);
      const part = { granted, ...(among === null ? {} : { among }) };
      const next = await runStep(shard, { block, before: ending.maps }, part, run);
      ending = next.kind === 'ended' ? { ...next, left: merge(leftOfTried(ending.left), next.left) } : next;
    }
    // Each step's answers were reported already.
    return ending.kind === 'ended' ? { ...ending, sent: null } : ending;
  };

  function serveOthers(
    shard: LeasedShard,
    block: number,
    before: BlockMaps | null,
    run: SteppedRun,
  ): Promise<BlockEnding> {
    const { ratePerMinute } = shard;
    if (ratePerMinute === null) return runStep(shard, { block, before }, {}, run);
    return deps.runPacedBlock({ ...shard, ratePerMinute }, block, before, run);
  }

  /** Null: nothing is left that waits for a budget, or no further step is wanted. */
  async function waitForGrant(shard: LeasedShard, budgeted: Grants, run: SteppedRun): Promise<Grants | null> {
    const budgets = await deps.budgets.of(shard.appId);
    // Of several budgets the one with the most waiting: the block takes from one at a time.
    const [service, waiting] = mostOf(budgeted);
    if (service === null) return null;
    const allowed = budgets.find((budget) => budget.service === service)?.allowedPerMinute ?? waiting;
    const targets = Math.min(waiting, Math.max(1, Math.floor((allowed * STEP_MS) / 60_000)));
    while (run.goOn()) {
      const reserved = await deps.reserve({ appId: shard.appId, service }, shard.lane, targets);
      if (reserved.kind === 'unlimited') return { [service]: waiting };
      if (!(await waited(clock, reserved.waitMs, run))) return null;
      if (reserved.kind === 'later') continue;
      return (await waitForPace(shard, targets, run)) ? { [service]: targets } : null;
    }
    return null;
  }

  async function waitForPace(shard: LeasedShard, targets: number, run: SteppedRun): Promise<boolean> {
    if (shard.ratePerMinute === null) return true;
    return waited(clock, await deps.reserveSendTime(shard.deliveryId, targets), run);
  }
}

function mostOf(budgeted: Grants): readonly [PushService, number] | readonly [null, 0] {
  const counts = Object.entries(budgeted) as [PushService, number][];
  const most = Math.max(0, ...counts.map(([, count]) => count));
  return counts.find(([, count]) => count === most && count > 0) ?? [null, 0];
}

const untriedOf = ({ seqs, outcomes }: BlockSent): Bitmap =>
  bitmapOf(Array.from(seqs).filter((_, index) => outcomes[index] === outcomeCode.unsent));
