import { countBits } from '../contract/bitmap.ts';
import { type Clock, systemClock } from '../contract/clock.ts';
import type { CompletedStatus } from '../contract/delivery.ts';
import type { ShardId } from '../contract/ids.ts';
import type { BlockMaps, LeasedShard, LeaseState } from '../contract/shard.ts';
import type { Traceparent } from '../contract/trace-context.ts';
import type { ChannelHalt } from '../worker/protocol.ts';
import { type BlocksRun, newRun, noteEnding } from './blocks-run.ts';
import { endWithoutSending, unsettledOf } from './end-block.ts';
import type { BlockStore, ShardStore } from './ports.ts';
import { decideRetry, type RetryDecision, type RetryOptions, wantedUntilMs } from './retry-policy.ts';
import { type BlockEnding, fixBlock, type RunBlock, servicesOf } from './run-block.ts';
import { createRunPacedBlock, type TakePlaces } from './run-paced-block.ts';
import { createSlots, type Slots } from './slots.ts';

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
  readonly takePlaces: TakePlaces;
  readonly owner: string;
  readonly leaseMs: number;
  readonly retry: RetryOptions;
  readonly nowMs: () => number;
  /** For the lease's renewals: the machine's time, unless a simulation gives its own. */
  readonly clock?: Clock;
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
  /** The shard is paced and will mostly wait: it needs no place among the shards in hand. */
  readonly onPaced: () => void;
  /** What the shard's message belongs to; left out: it is not traced. */
  readonly traceparent?: Traceparent | undefined;
}

export type RunShard = (shardId: ShardId, run: ShardRun) => Promise<ShardEnding>;

type GivenUp = Extract<RetryDecision, { kind: 'give-up' }>['reason'] | 'hopeless';

/**
 * A shard that lost its lease so many times more than it may be tried takes its engines down with it, or its
 * end cannot be written: it is given up unsent, or its delivery would never complete.
 */
const HOPELESS_FACTOR = 3;

/** Engines that died under it are no tries: a publisher may pull any plug, and everybody is served. */
const triesOf = ({ attempt, lostLeases }: LeasedShard): number => attempt - lostLeases;

/** Of a paced shard so many blocks wait for their places, or are sent, at a time. */
const PACED_BLOCKS_AT_ONCE = 2;

/** A cancel is noticed at the end of any block, and at the latest after so long. */
const NOTICE_CANCEL_MS = 1_000;

/** What the shard's lease is known to be. */
interface Keeper {
  state(): LeaseState;
  release(): void;
}

export function createRunShard(deps: RunShardDeps): RunShard {
  const { shards, blocks, clock = systemClock } = deps;
  const runPacedBlock = createRunPacedBlock({ ...deps, store: blocks, clock });

  return async function runShard(shardId, run) {
    const shard = await shards.lease(shardId, deps.owner, deps.leaseMs);
    if (shard === null) return { kind: 'not-ours' };
    if (shard.cancelled) return stop(shard);
    if (shard.ratePerMinute !== null) run.onPaced();
    const keeper = keepLease(shard, run.stop);
    try {
      const hopeless = shard.lostLeases > deps.retry.maxAttempts * HOPELESS_FACTOR;
      return hopeless ? await endHopeless(shard) : await endShard(shard, await runBlocks(shard, run, keeper));
    } finally {
      keeper.release();
    }
  };

  /** Renews the lease while blocks take long, and hears of a cancel; each block's end does both too. */
  function keepLease(shard: LeasedShard, stop: ShardRun['stop']): Keeper {
    let state: LeaseState = 'held';
    let asking = false;
    const ask = async (): Promise<void> => {
      if (asking) return;
      asking = true;
      // Postgres away: the next write waits for it, or finds the lease lost.
      state = await shards.renew(shard, deps.leaseMs).catch(() => state);
      // The blocks in hand may be long: their workers start no further request.
      if (state !== 'held') Atomics.store(stop, 0, 1);
      asking = false;
    };
    const everyMs = Math.min(deps.leaseMs / 3, NOTICE_CANCEL_MS);
    const tick = (): void => {
      timer = clock.setTimer(everyMs, tick);
      void ask();
    };
    let timer = clock.setTimer(everyMs, tick);
    return { state: () => state, release: () => timer.clear() };
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

    const isExpired = (): boolean => deps.nowMs() >= (wantedUntilMs(shard) ?? Number.POSITIVE_INFINITY);
    const goOn = (): boolean => !isOver() && !run.draining() && !isExpired();
    const onStep = (ending: BlockEnding, durationMs: number): void => {
      deps.onBlock(ending, durationMs);
      run.onProgress();
    };
    const { ratePerMinute } = shard;
    const slots = ratePerMinute === null ? deps.slots : createSlots(PACED_BLOCKS_AT_ONCE);
    const runOne = (block: number, maps: BlockMaps | null): Promise<BlockEnding> =>
      ratePerMinute === null
        ? deps.runBlock(shard, block, maps, run.stop)
        : runPacedBlock({ ...shard, ratePerMinute }, block, maps, { stop: run.stop, goOn, onStep });

    for (const block of shard.blocks) {
      const maps = before.get(block) ?? null;
      if (maps !== null && countBits(unsettledOf(maps)) === 0) continue;
      const giveBack = await slots.take(shard.lane);
      ran.interrupted ||= run.draining();
      ran.expired ||= isExpired();
      if (isOver() || ran.interrupted || ran.expired) {
        giveBack();
        break;
      }
      const startedAtMs = deps.nowMs();
      const running = runOne(block, maps)
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
    ran.interrupted ||= Atomics.load(run.stop, 0) !== 0 || (ratePerMinute !== null && run.draining());
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
    if (ran.later && !ran.toRetry && !ran.workersLost) return nextRound(shard);
    if (ran.unsettled || ran.workersLost) {
      const decision = decideRetry(
        { ...shard, ...ran, attempt: triesOf(shard) },
        deps.retry,
        deps.nowMs(),
        deps.random,
      );
      if (decision.kind === 'retry') return suspend(shard, decision.delayMs, ran);
      if (!(await giveUp(shard, decision.reason))) return { kind: 'lease-lost' };
    }
    return settle(shard);
  }

  async function endHopeless(shard: LeasedShard): Promise<ShardEnding> {
    return (await giveUp(shard, 'hopeless')) ? settle(shard) : { kind: 'lease-lost' };
  }

  async function stop(shard: LeasedShard): Promise<ShardEnding> {
    return (await shards.stop(shard)) ? { kind: 'stopped' } : { kind: 'lease-lost' };
  }

  async function settle(shard: LeasedShard): Promise<ShardEnding> {
    const ending = await shards.settle(shard);
    if (ending.kind === 'lease-lost') return ending;
    return { kind: 'settled', completed: ending.kind === 'completed' ? ending.status : null };
  }

  async function suspend(shard: LeasedShard, delayMs: number, ran: BlocksRun): Promise<ShardEnding> {
    const trouble = ran.halt === null ? null : troubleOf(ran.halt);
    // With nobody left but those on probation it goes behind every shard that has readers.
    const how = { heldBack: ran.heldBack, nextRound: !ran.waitsForReaders && !ran.workersLost, trouble };
    const held = await shards.suspend(shard, delayMs, how);
    return held ? { kind: 'suspended', delayMs } : { kind: 'lease-lost' };
  }

  /** Whose turn it was were all reached: the shard queues for the next round, behind those that are not so far. */
  async function nextRound(shard: LeasedShard): Promise<ShardEnding> {
    const held = await shards.suspend(shard, 0, { heldBack: true, nextRound: true, trouble: null });
    return held ? { kind: 'suspended', delayMs: 0 } : { kind: 'lease-lost' };
  }

  /** Settles whatever is left as expired, blocks that never ran included, so that the counts add up. */
  async function giveUp(shard: LeasedShard, why: GivenUp): Promise<boolean> {
    const reason = reasonOf(shard, why);
    const known = new Map((await blocks.readMaps(shard)).map((maps) => [maps.block, maps]));
    for (const block of shard.blocks) {
      const maps = known.get(block) ?? (await fixBlock(blocks, shard, block));
      if (maps === null) return false;
      const left = unsettledOf(maps);
      if (countBits(left) === 0) continue;
      const services = await servicesOf(blocks, shard, block, left);
      const end = endWithoutSending(shard, maps, left, 'expired', reason, deps.nowMs(), services);
      if ((await blocks.endBlock(shard, end, deps.leaseMs)) === 'lost') return false;
    }
    return true;
  }
}

function reasonOf(shard: LeasedShard, why: GivenUp): string {
  switch (why) {
    case 'ttl-ended':
      return 'expired before the push service took it';
    case 'attempts-used-up':
      return `given up after ${triesOf(shard)} attempts`;
    case 'hopeless':
      return `given up after ${shard.lostLeases} engines did not come to an end with it`;
  }
}

/** The publisher's to mend, while there is still something to save. */
const troubleOf = ({ service, status, text }: ChannelHalt): string =>
  `Paused: most messages to ${service} were answered ${status}${text === '' ? '' : `: ${text}`}`;
