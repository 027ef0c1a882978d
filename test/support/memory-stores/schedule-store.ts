import { planTopic } from '../../../engine/contract/topics.ts';
import type { ScheduleStore } from '../../../engine/plan/schedule.ts';
import { release, releasePaced, releaseShards } from './shards.ts';
import { addToOutbox, type ShardRow, type Tables } from './tables.ts';

/** `engine/adapters/postgres/schedule-store.ts`. */
export function createMemoryScheduleStore(tables: Tables, releaseWindow: number): ScheduleStore {
  return {
    startDueDeliveries: async (limit) => {
      const due = tables.deliveries
        .all()
        .filter(({ status, scheduledAtMs }) => status === 'scheduled' && (scheduledAtMs ?? 0) <= tables.now())
        .sort((a, b) => (a.scheduledAtMs ?? 0) - (b.scheduledAtMs ?? 0) || a.id - b.id)
        .slice(0, limit);
      for (const delivery of due) {
        tables.deliveries.put(delivery.id, { ...delivery, status: 'pending' });
        addToOutbox(tables, planTopic(delivery.lane), String(delivery.id), {
          value: { delivery_id: delivery.id },
        });
      }
      return due.length;
    },

    releaseDueShards: async (limit) => {
      const due = tables.shards
        .all()
        .filter((shard) => isDue(shard, tables.now()))
        .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0))
        .slice(0, limit);
      for (const shard of due) release(tables, shard, { owner: null, epoch: shard.epoch + 1 });
      const lanes =
        releaseShards(tables, 'breaking', releaseWindow) + releaseShards(tables, 'bulk', releaseWindow);
      return due.length + lanes + releasePaced(tables);
    },
  };
}

const isDue = ({ state, dueAtMs }: ShardRow, nowMs: number): boolean =>
  (state === 'released' || state === 'running') && dueAtMs !== null && dueAtMs <= nowMs;
