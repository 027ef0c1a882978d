import { planTopic } from '../../../engine/contract/topics.ts';
import type { ScheduleStore } from '../../../engine/plan/schedule.ts';
import { addToOutbox, type Tables } from './tables.ts';

/** As PUBLISH_QUEUED_AGAIN_SECONDS of the real one. */
const PUBLISH_QUEUED_AGAIN_MS = 300_000;

/** `engine/adapters/postgres/plan/schedule-store.ts`. */
export function createMemoryScheduleStore(tables: Tables): ScheduleStore {
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

    publishQueuedAgain: async (limit) => {
      const inOutbox = new Set(
        tables.outbox.all().flatMap((row) => (row.topic.startsWith('deliveries') ? [row.key] : [])),
      );
      const stale = tables.deliveries
        .all()
        .filter((row) => row.status === 'queued' && !inOutbox.has(String(row.id)))
        .filter(
          ({ queuedAtMs, planAfterMs }) =>
            (planAfterMs ?? (queuedAtMs ?? 0) + PUBLISH_QUEUED_AGAIN_MS) < tables.now(),
        )
        .slice(0, limit);
      for (const delivery of stale) {
        tables.deliveries.put(delivery.id, { ...delivery, queuedAtMs: tables.now(), planAfterMs: null });
        addToOutbox(tables, planTopic(delivery.lane), String(delivery.id), {
          value: { delivery_id: delivery.id },
        });
      }
      return stale.length;
    },
  };
}
