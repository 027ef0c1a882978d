import type { ReleaseStore } from '../../../engine/plan/release.ts';
import { release, releaseBudgeted, releasePaced, releaseShards } from './shards.ts';
import type { ShardRow, Tables } from './tables.ts';

/** `engine/adapters/postgres/plan/release-store.ts`. */
export function createMemoryReleaseStore(tables: Tables, releaseWindow: number): ReleaseStore {
  return {
    releaseFirst: async (lane, isPaced) =>
      isPaced ? releasePaced(tables) : releaseShards(tables, lane, releaseWindow),

    releaseDue: async (limit) => {
      const due = tables.shards
        .all()
        .filter((shard) => isDue(shard, tables.now()))
        .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0))
        .slice(0, limit);
      for (const shard of due) {
        const lostLeases = shard.lostLeases + (shard.state === 'running' ? 1 : 0);
        release(tables, shard, { owner: null, epoch: shard.epoch + 1, lostLeases });
      }
      const lanes =
        releaseShards(tables, 'breaking', releaseWindow) + releaseShards(tables, 'bulk', releaseWindow);
      return due.length + lanes + releasePaced(tables) + releaseBudgeted(tables);
    },
  };
}

const isDue = ({ state, dueAtMs }: ShardRow, nowMs: number): boolean =>
  (state === 'released' || state === 'running') && dueAtMs !== null && dueAtMs <= nowMs;
