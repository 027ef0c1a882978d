import type { Lane } from '../../engine/contract/topics.ts';

export type ShardState = 'planned' | 'released' | 'running' | 'waiting' | 'settled';

export interface SimulatedShard {
  readonly lane: Lane;
  /** Blocks that have targets left. */
  readonly blocks: SimulatedBlock[];
  state: ShardState;
  dueAtMs: number;
  attempts: number;
}

export interface SimulatedBlock {
  /** Readers at the push service that throttles, and at the others, who are not served yet. */
  throttling: number;
  other: number;
}

/** The shards of one lane, as Postgres and the log hold them: what is released next is chosen as in `plan/release.ts`. */
export function createLaneOfShards(window: number) {
  const planned: SimulatedShard[] = [];
  const waiting: SimulatedShard[] = [];
  const onLog: SimulatedShard[] = [];
  let running = 0;
  let settled = 0;

  const takeDue = (nowMs: number): SimulatedShard | undefined => {
    let first = -1;
    for (const [at, shard] of waiting.entries())
      if (shard.dueAtMs <= nowMs && (first < 0 || shard.dueAtMs < (waiting[first]?.dueAtMs ?? 0))) first = at;
    return first < 0 ? undefined : waiting.splice(first, 1)[0];
  };
  return {
    plan: (shards: readonly SimulatedShard[]) => void planned.push(...shards),
    /** As many on the log as are worked on, and at least the window. Retries first. @returns how many. */
    release(nowMs: number, most: number): number {
      let released = 0;
      while (released < most && onLog.length < Math.max(window, running)) {
        const shard = takeDue(nowMs) ?? planned.shift();
        if (shard === undefined) break;
        shard.state = 'released';
        onLog.push(shard);
        released++;
      }
      return released;
    },
    lease(): SimulatedShard | undefined {
      const shard = onLog.shift();
      if (shard === undefined) return undefined;
      shard.state = 'running';
      shard.attempts++;
      running++;
      return shard;
    },
    settle(shard: SimulatedShard): void {
      shard.state = 'settled';
      running--;
      settled++;
    },
    suspend(shard: SimulatedShard, dueAtMs: number): void {
      shard.state = 'waiting';
      shard.dueAtMs = dueAtMs;
      running--;
      waiting.push(shard);
    },
    counts: () => ({
      planned: planned.length,
      waiting: waiting.length,
      released: onLog.length,
      running,
      settled,
    }),
    isOpen: () => planned.length + waiting.length + onLog.length + running > 0,
  };
}

export type LaneOfShards = ReturnType<typeof createLaneOfShards>;
