import { countBits } from '../contract/bitmap.ts';
import { type Clock, systemClock } from '../contract/concurrency/clock.ts';
import { isStopped, type StopFlag } from '../contract/concurrency/stop-flag.ts';
import { counted } from '../contract/counted.ts';
import type { Completed } from '../contract/delivery.ts';
import type { AppId, DeliveryId, ShardId } from '../contract/ids.ts';
import type { BlockMaps, LeasedShard } from '../contract/shard.ts';
import type { Traceparent } from '../contract/trace-context.ts';
import type { SenderPause } from '../worker/protocol.ts';
import { decisive, endByBlock, endByLease, type RunEnd } from './blocks-run.ts';
import { type Budgets, countGrants } from './budgets.ts';
import { unsettledOf } from './end-block.ts';
import { expireTheRest } from './expire-the-rest.ts';
import { type Keeper, keepLease } from './keep-lease.ts';
import { isHeldBack, type Left, merge, noneLeft } from './left.ts';
import type { BlockStore, BudgetStore, ShardStore } from './ports.ts';
import { decideRetry, type RetryDecision, type RetryOptions, triesOf, validUntilMs } from './retry-policy.ts';
import type { BlockEnding, RunBlock } from './run-block.ts';
import { createRunBudgetedBlock } from './run-budgeted-block.ts';
import { createRunPacedBlock, type ReserveSendTime } from './run-paced-block.ts';
import { createSlots, type Slots } from './slots.ts';

export interface CompletedDelivery extends Completed {
  readonly deliveryId: DeliveryId;
  readonly appId: AppId;
}

export type ShardEnding =
  /** Settled, waiting, or leased elsewhere: the message was a repetition. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'settled'; readonly completed: CompletedDelivery | null }
  | { readonly kind: 'suspended'; readonly delayMs: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'handed-back' }
  | { readonly kind: 'lease-lost' };

export interface RunShardDeps {
  readonly shards: ShardStore;
  readonly blocks: BlockStore;
  readonly runBlock: RunBlock;
  /** Blocks in flight over all shards of this engine. */
  readonly slots: Slots;
  readonly reserveSendTime: ReserveSendTime;
  readonly budgets: Budgets;
  readonly reserveBudget: BudgetStore['reserve'];
  readonly owner: string;
  readonly leaseMs: number;
  readonly retry: RetryOptions;
  readonly nowMs: () => number;
  /** For the lease's renewals: the machine's time, unless a simulation gives its own. */
  readonly clock?: Clock;
  readonly random: () => number;
  readonly onBlock: (ending: BlockEnding, durationMs: number) => void;
}

/** The stage's controls of a running shard. */
export interface ShardRun {
  /** No further block is started; those in flight finish. */
  readonly draining: () => boolean;
  /** Shared with the workers: not 0 stops them between two sends. */
  readonly stop: StopFlag;
  readonly onProgress: () => void;
  /** The shard is paced, or waits for a budget: it needs no slot among the running shards. */
  readonly onPaced: () => void;
  /** The trace of the shard's message; absent: it is not traced. */
  readonly traceparent?: Traceparent | undefined;
}

export type RunShard = (shardId: ShardId, run: ShardRun) => Promise<ShardEnding>;

interface BlocksRun {
  readonly end: RunEnd;
  readonly left: Left;
  /** Targets that are not settled. */
  readonly unsettled: number;
}

type GivenUp = Extract<RetryDecision, { kind: 'give-up' }>['reason'] | 'hopeless';

/**
 * A shard that lost its lease this often beyond its attempts takes its engines down with it, or its end cannot
 * be written: it is failed unsent, or its delivery would never complete.
 */
const HOPELESS_FACTOR = 3;

/** Blocks of a paced or budgeted shard that wait for their time, or are sent, at once. */
const BLOCKS_AT_ONCE = 2;

/**
 * A shard that waits for a budget is put down after this time, and goes behind those of an earlier round:
 * which one is next is decided again.
 */
const BUDGETED_RUN_MS = 60_000;
/** It is due after this time at the latest. */
const MAX_BUDGETED_MS = 3_600_000;

export function createRunShard(deps: RunShardDeps): RunShard {
  const { shards, blocks, clock = systemClock } = deps;
  const runPacedBlock = createRunPacedBlock({ ...deps, store: blocks, clock });
  const runBudgetedBlock = createRunBudgetedBlock({
    ...deps,
    reserve: deps.reserveBudget,
    runPacedBlock,
    clock,
  });

  return async function runShard(shardId, run) {
    const shard = await shards.lease(shardId, deps.owner, deps.leaseMs);
    if (shard === null) return { kind: 'not-ours' };
    if (shard.cancelled) return endCancelled(shard);
    if (shard.ratePerMinute !== null || shard.budgeted) run.onPaced();
    const keeper = keepLease({ ...deps, clock }, shard, run.stop);
    try {
      const isHopeless = shard.lostLeases > deps.retry.maxAttempts * HOPELESS_FACTOR;
      if (isHopeless) return await settleUnsent(shard, 'hopeless');
      return await endShard(shard, await runBlocks(shard, run, keeper));
    } finally {
      keeper.release();
    }
  };

  async function runBlocks(shard: LeasedShard, run: ShardRun, keeper: Keeper): Promise<BlocksRun> {
    const { ratePerMinute } = shard;
    const isStepwise = ratePerMinute !== null || shard.budgeted;
    const yieldsAtMs = shard.budgeted ? clock.now() + BUDGETED_RUN_MS : Number.POSITIVE_INFINITY;
    const before = new Map((await blocks.readMaps(shard)).map((maps) => [maps.block, maps]));
    const inHand = new Set<Promise<void>>();
    let end: RunEnd = { kind: 'tried' };
    let left = noneLeft;
    let unsettled = 0;

    /** Why no further block is to start now. */
    const endNow = (): RunEnd => decisive(end, endByLease(keeper.state()), drained(), expired());
    const drained = (): RunEnd => ({ kind: run.draining() ? 'interrupted' : 'tried' });
    const expired = (): RunEnd => ({
      kind: deps.nowMs() >= (validUntilMs(shard) ?? Number.POSITIVE_INFINITY) ? 'expired' : 'tried',
    });
    const goOn = (): boolean => endNow().kind === 'tried' && clock.now() < yieldsAtMs;

    const onEnding = (ending: BlockEnding, durationMs: number): void => {
      deps.onBlock(ending, durationMs);
      run.onProgress();
    };
    const note = (block: number, ending: BlockEnding, startedAtMs: number): void => {
      onEnding(ending, deps.nowMs() - startedAtMs);
      end = decisive(end, endByBlock(ending));
      before.delete(block);
      if (ending.kind !== 'ended') return;
      left = merge(left, ending.left);
      unsettled += countBits(unsettledOf(ending.maps));
    };
    const slots = isStepwise ? createSlots(BLOCKS_AT_ONCE) : deps.slots;
    const stepwise = { stop: run.stop, goOn, onStep: onEnding };
    const runOne = (block: number, maps: BlockMaps | null): Promise<BlockEnding> => {
      if (shard.budgeted) return runBudgetedBlock(shard, block, maps, stepwise);
      if (ratePerMinute !== null) return runPacedBlock({ ...shard, ratePerMinute }, block, maps, stepwise);
      return deps.runBlock(shard, block, maps, run.stop);
    };

    /** Never rejects, so that its slot is given back whichever way it ends. */
    async function attempt(block: number, maps: BlockMaps | null): Promise<void> {
      try {
        end = endNow();
        if (end.kind !== 'tried') return;
        const startedAtMs = deps.nowMs();
        note(block, await runOne(block, maps), startedAtMs);
      } catch (error) {
        end = decisive(end, { kind: 'failed', error });
      }
    }

    try {
      for (const block of shard.blocks) {
        const maps = before.get(block) ?? null;
        if (maps !== null && countBits(unsettledOf(maps)) === 0) continue;
        const giveBack = await slots.take(shard.lane);
        const running = attempt(block, maps).finally(() => {
          giveBack();
          inHand.delete(running);
        });
        inHand.add(running);
        if (end.kind !== 'tried') break;
      }
    } finally {
      await Promise.all(inHand);
    }
    // A drain alone leaves nothing undone in the blocks that finished; a paced block ends early for it.
    const isCut = isStopped(run.stop) || (isStepwise && run.draining());
    end = decisive(end, endByLease(keeper.state()), { kind: isCut ? 'interrupted' : 'tried' });
    return { end, left, unsettled };
  }

  async function endShard(shard: LeasedShard, { end, left, unsettled }: BlocksRun): Promise<ShardEnding> {
    switch (end.kind) {
      case 'failed':
        throw end.error;
      case 'lease-lost':
        return end;
      case 'cancelled':
        return endCancelled(shard);
      case 'interrupted':
        await shards.handBack(shard);
        return { kind: 'handed-back' };
      case 'expired':
        return settleUnsent(shard, 'ttl-ended');
      case 'worker-lost':
        return retry(shard, { ...left, failed: true }, false);
      case 'tried':
        if (unsettled === 0) return settle(shard);
        if (left.failed) return retry(shard, left, false);
        if (unsettled === left.later) return beginRound(shard, left.nextRound);
        if (unsettled === left.later + countGrants(left.budgeted)) return waitForBudget(shard);
        return retry(shard, left, unsettled === left.onProbation);
    }
  }

  async function endCancelled(shard: LeasedShard): Promise<ShardEnding> {
    return (await shards.stop(shard)) ? { kind: 'stopped' } : { kind: 'lease-lost' };
  }

  async function settleUnsent(shard: LeasedShard, why: GivenUp): Promise<ShardEnding> {
    return (await expireTheRest(deps, shard, reasonOf(shard, why))) ? settle(shard) : { kind: 'lease-lost' };
  }

  /**
   * What threw counts as an attempt though others were held back: else it would be tried for ever.
   * @param isOnProbation with only endpoints on probation left it goes behind every shard that has readers.
   */
  async function retry(shard: LeasedShard, left: Left, isOnProbation: boolean): Promise<ShardEnding> {
    const heldBack = isHeldBack(left) && !left.failed;
    const ended = { ...shard, ...left, heldBack, attempt: triesOf(shard) };
    const decision = decideRetry(ended, deps.retry, deps.nowMs(), deps.random);
    if (decision.kind === 'give-up') return settleUnsent(shard, decision.reason);
    const { pause } = left;
    const trouble = pause === null ? null : troubleOf(pause);
    const budgeted = countGrants(left.budgeted) > 0;
    const nextRound = isOnProbation ? shard.activityRound + 1 : undefined;
    return suspend(shard, decision.delayMs, { heldBack, ...rounds(nextRound), budgeted, trouble });
  }

  /** What is left waits for nothing but the budget: until then, or until it may no longer be sent. */
  function waitForBudget(shard: LeasedShard, nextRound?: number): Promise<ShardEnding> {
    const validForMs = (validUntilMs(shard) ?? Number.POSITIVE_INFINITY) - deps.nowMs();
    const delayMs = Math.max(0, Math.min(MAX_BUDGETED_MS, validForMs));
    return suspend(shard, delayMs, { heldBack: true, ...rounds(nextRound), budgeted: true, trouble: null });
  }

  async function settle(shard: LeasedShard): Promise<ShardEnding> {
    const ending = await shards.settle(shard);
    if (ending.kind === 'lease-lost') return ending;
    if (ending.kind === 'settled') return { kind: 'settled', completed: null };
    const { deliveryId, appId } = shard;
    return { kind: 'settled', completed: { ...ending.delivery, deliveryId, appId } };
  }

  async function suspend(
    shard: LeasedShard,
    delayMs: number,
    how: Parameters<ShardStore['suspend']>[2],
  ): Promise<ShardEnding> {
    const isHeld = await shards.suspend(shard, delayMs, how);
    return isHeld ? { kind: 'suspended', delayMs } : { kind: 'lease-lost' };
  }

  /**
   * Every subscriber of this round was reached: the shard queues for the next round that has somebody, behind shards of
   * earlier rounds.
   */
  async function beginRound(shard: LeasedShard, nextRound: number): Promise<ShardEnding> {
    if ((await deps.budgets.of(shard.appId)).length > 0) return waitForBudget(shard, nextRound);
    return suspend(shard, 0, { heldBack: true, nextRound, trouble: null });
  }
}

const rounds = (nextRound: number | undefined) => (nextRound === undefined ? {} : { nextRound });

function reasonOf(shard: LeasedShard, why: GivenUp): string {
  switch (why) {
    case 'ttl-ended':
      return 'expired before the push service took it';
    case 'attempts-used-up':
      return `failed after ${counted(triesOf(shard), 'attempt')}`;
    case 'hopeless':
      return `failed after ${counted(shard.lostLeases, 'engine')} lost it`;
  }
}

/** The publisher's to fix, while there is still something to save. */
const troubleOf = ({ service, status, text }: SenderPause): string =>
  `Paused: most messages to ${service} were answered ${status}${text === '' ? '' : `: ${text}`}`;
