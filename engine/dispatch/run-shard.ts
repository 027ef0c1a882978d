import { countBits } from '../contract/bitmap.ts';
import type { CompletedStatus } from '../contract/delivery.ts';
import type { ShardId } from '../contract/ids.ts';
import type { LeasedShard, LeaseState } from '../contract/shard.ts';
import { endWithoutSending, unsettledOf } from './end-block.ts';
import type { BlockStore, ShardStore } from './ports.ts';
import { decideRetry, type RetryDecision, type RetryOptions } from './retry-policy.ts';
import { type BlockEnding, fixBlock, type RunBlock } from './run-block.ts';
import type { Slots } from './slots.ts';

export type ShardEnding =
  /** Settled, waiting, or leased elsewhere: the message was a repetition. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'settled'; readonly completed: CompletedStatus | null }
  | { readonly kind: 'suspended'; readonly delayMs: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'handed-back' }
  | { readonly kind: 'lease-lost' };

export interface RunShardDeps {
  readonly shards: ShardStore;
  readonly blocks: BlockStore;
  readonly runBlock: RunBlock;
  /** Blocks in hand over all shards of this engine. */
  readonly slots: Slots;
  readonly owner: string;
  readonly leaseMs: number;
  readonly retry: RetryOptions;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly onBlock: (ending: BlockEnding, durationMs: number) => void;
}

/** What the stage lets a shard see while it runs. */
export interface ShardRun {
  /** No further block is started; those in hand finish. */
  readonly draining: () => boolean;
  /** Shared with the workers: not 0 stops them between two sends. */
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly onProgress: () => void;
}

export type RunShard = (shardId: ShardId, run: ShardRun) => Promise<ShardEnding>;

type GivenUp = Extract<RetryDecision, { kind: 'give-up' }>['reason'];

/**
 * A shard that was leased so many times more than it may be tried takes its engines down with it, or its
 * end cannot be written: it is given up unsent, or its delivery would never complete.
 */
const HOPELESS_FACTOR = 3;

/** A cancel is noticed at the end of any block, and at the latest after so long. */
const NOTICE_CANCEL_MS = 1_000;

interface BlocksRun {
  leaseLost: boolean;
  /** Nothing more of the delivery is wanted. */
  cancelled: boolean;
  /** The delivery's time is over: the rest is ended unsent. */
  expired: boolean;
  interrupted: boolean;
  /** A block's thread died again and again: the shard waits as after any other failed attempt. */
  workersLost: boolean;
  retryAfterMs: number;
  /** Some targets are left for another attempt. */
  unsettled: boolean;
}

const newRun = (): BlocksRun => ({
  leaseLost: false,
  cancelled: false,
  expired: false,
  interrupted: false,
  workersLost: false,
  retryAfterMs: 0,
  unsettled: false,
});

/** What the shard's lease is known to be. */
interface Keeper {
  state(): LeaseState;
  release(): void;
}

export function createRunShard(deps: RunShardDeps): RunShard {
  const { shards, blocks } = deps;

  return async function runShard(shardId, run) {
    const shard = await shards.lease(shardId, deps.owner, deps.leaseMs);
    if (shard === null) return { kind: 'not-ours' };
    if (shard.cancelled) return stop(shard);
    const keeper = keepLease(shard);
    try {
      const hopeless = shard.attempt > deps.retry.maxAttempts * HOPELESS_FACTOR;
      return hopeless ? await endHopeless(shard) : await endShard(shard, await runBlocks(shard, run, keeper));
    } finally {
      keeper.release();
    }
  };

  /** Renews the lease while blocks take long, and hears of a cancel; each block's end does both too. */
  function keepLease(shard: LeasedShard): Keeper {
    let state: LeaseState = 'held';
    let asking = false;
    const ask = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      // Postgres away: the next write waits for it, or finds the lease lost.
      state = await shards.renew(shard, deps.leaseMs).catch(() => state);
      asking = false;
    };
    const timer = setInterval(() => void ask(), Math.min(deps.leaseMs / 3, NOTICE_CANCEL_MS));
    return { state: () => state, release: () => clearInterval(timer) };
  }

  async function runBlocks(shard: LeasedShard, run: ShardRun, keeper: Keeper): Promise<BlocksRun> {
    const before = new Map((await blocks.readMaps(shard)).map((maps) => [maps.block, maps]));
    const ran = newRun();
    const inHand = new Set<Promise<void>>();
    let failure: unknown = null;

    const note = (block: number, ending: BlockEnding, startedAtMs: number): void => {
      deps.onBlock(ending, deps.nowMs() - startedAtMs);
      run.onProgress();
      noteEnding(ran, ending);
      before.delete(block);
    };
    const isOver = (): boolean => {
      ran.leaseLost ||= keeper.state() === 'lost';
      ran.cancelled ||= keeper.state() === 'cancelled';
      return ran.leaseLost || ran.cancelled || ran.workersLost || failure !== null;
    };

    for (const block of shard.blocks) {
      const maps = before.get(block) ?? null;
      if (maps !== null && countBits(unsettledOf(maps)) === 0) continue;
      const giveBack = await deps.slots.take();
      ran.interrupted ||= run.draining();
      ran.expired ||= deps.nowMs() >= (shard.expiresAtMs ?? Number.POSITIVE_INFINITY);
      if (isOver() || ran.interrupted || ran.expired) {
        giveBack();
        break;
      }
      const startedAtMs = deps.nowMs();
      const running = deps
        .runBlock(shard, block, maps, run.stop)
        .then((ending) => note(block, ending, startedAtMs))
        .catch((error) => {
          failure = error;
        })
        .finally(() => {
          giveBack();
          inHand.delete(running);
        });
      inHand.add(running);
    }
    await Promise.all(inHand);
    if (failure !== null) throw failure;
    isOver();
    ran.interrupted ||= Atomics.load(run.stop, 0) !== 0;
    return ran;
  }

  async function endShard(shard: LeasedShard, ran: BlocksRun): Promise<ShardEnding> {
    if (ran.leaseLost) return { kind: 'lease-lost' };
    if (ran.cancelled) return stop(shard);
    if (ran.interrupted) {
      await shards.handBack(shard);
      return { kind: 'handed-back' };
    }
    if (ran.expired) return (await giveUp(shard, 'ttl-ended')) ? settle(shard) : { kind: 'lease-lost' };
    if (ran.unsettled || ran.workersLost) {
      const decision = decideRetry(
        { ...shard, retryAfterMs: ran.retryAfterMs },
        deps.retry,
        deps.nowMs(),
        deps.random,
      );
      if (decision.kind === 'retry') return suspend(shard, decision.delayMs);
      if (!(await giveUp(shard, decision.reason))) return { kind: 'lease-lost' };
    }
    return settle(shard);
  }

  async function endHopeless(shard: LeasedShard): Promise<ShardEnding> {
    return (await giveUp(shard, 'attempts-used-up')) ? settle(shard) : { kind: 'lease-lost' };
  }

  async function stop(shard: LeasedShard): Promise<ShardEnding> {
    return (await shards.stop(shard)) ? { kind: 'stopped' } : { kind: 'lease-lost' };
  }

  async function settle(shard: LeasedShard): Promise<ShardEnding> {
    const ending = await shards.settle(shard);
    if (ending.kind === 'lease-lost') return ending;
    return { kind: 'settled', completed: ending.kind === 'completed' ? ending.status : null };
  }

  async function suspend(shard: LeasedShard, delayMs: number): Promise<ShardEnding> {
    return (await shards.suspend(shard, delayMs)) ? { kind: 'suspended', delayMs } : { kind: 'lease-lost' };
  }

  /** Settles whatever is left as expired, blocks that never ran included, so that the counts add up. */
  async function giveUp(shard: LeasedShard, why: GivenUp): Promise<boolean> {
    const reason =
      why === 'ttl-ended'
        ? 'expired before the push service took it'
        : `given up after ${shard.attempt} attempts`;
    const known = new Map((await blocks.readMaps(shard)).map((maps) => [maps.block, maps]));
    for (const block of shard.blocks) {
      const maps = known.get(block) ?? (await fixBlock(blocks, shard, block));
      if (maps === null) return false;
      const left = unsettledOf(maps);
      if (countBits(left) === 0) continue;
      const end = endWithoutSending(shard, maps, left, 'expired', reason, deps.nowMs());
      if ((await blocks.endBlock(shard, end, deps.leaseMs)) === 'lost') return false;
    }
    return true;
  }
}

function noteEnding(ran: BlocksRun, ending: BlockEnding): void {
  switch (ending.kind) {
    case 'lease-lost':
      ran.leaseLost = true;
      return;
    case 'worker-lost':
      ran.workersLost = true;
      return;
    case 'ended':
      ran.unsettled ||= countBits(unsettledOf(ending.maps)) > 0;
      ran.cancelled ||= ending.cancelled;
      ran.retryAfterMs = Math.max(ran.retryAfterMs, ending.retryAfterMs);
  }
}
