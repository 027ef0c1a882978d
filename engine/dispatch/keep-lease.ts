import type { Clock } from '../contract/concurrency/clock.ts';
import { raiseStop, type StopFlag } from '../contract/concurrency/stop-flag.ts';
import type { LeasedShard, LeaseState } from '../contract/shard.ts';
import type { ShardStore } from './ports.ts';

/** A cancel is noticed at the end of any block, and after this time at the latest. */
const NOTICE_CANCEL_MS = 1_000;

/** The known state of the shard's lease. */
export interface Keeper {
  state(): LeaseState;
  release(): void;
}

/** Renews the lease while blocks take long, and hears of a cancel; each block's end does both too. */
export function keepLease(
  {
    shards,
    leaseMs,
    clock,
  }: { readonly shards: ShardStore; readonly leaseMs: number; readonly clock: Clock },
  shard: LeasedShard,
  stop: StopFlag,
): Keeper {
  let state: LeaseState = 'held';
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    // Postgres away: the next write waits for it, or finds the lease lost.
    state = await shards.renew(shard, leaseMs).catch(() => state);
    // The blocks in flight may be long: their workers start no further request.
    if (state !== 'held') raiseStop(stop);
    asking = false;
  };
  const everyMs = Math.min(leaseMs / 3, NOTICE_CANCEL_MS);
  const tick = (): void => {
    timer = clock.setTimer(everyMs, tick);
    void ask();
  };
  let timer = clock.setTimer(everyMs, tick);
  return { state: () => state, release: () => timer.clear() };
}
