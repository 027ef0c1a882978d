import type { ReportedEvent } from '../contract/topics.ts';
import {
  type ConsumeBatchesDeps,
  createConsumeBatches,
  type RecordStage,
} from '../intake/consume-batches.ts';
import type { Click, EngagementStore, EventStore } from './ports.ts';

/**
 * Recording of events: into ClickHouse, then the clicks onto their subscriptions. A message is done after both.
 * Stopped in between, it is repeated: ClickHouse knows its name, and a click no newer than the stored one
 * changes nothing. An outage of Postgres is waited for like one of ClickHouse.
 */
export function createEventsStage(
  deps: Omit<ConsumeBatchesDeps<'events'>, 'topic' | 'recordBatch'> & {
    readonly store: EventStore;
    readonly engagement: EngagementStore;
    /** Distinguishes an outage of Postgres from a wrong statement. */
    readonly engagementAnswers: () => Promise<boolean>;
  },
): RecordStage {
  const { store, engagement } = deps;

  async function noteClicks(events: readonly ReportedEvent[]): Promise<string | null> {
    const clicks = latestClicks(events);
    if (clicks.length === 0) return null;
    try {
      await engagement.noteClicks(clicks);
      return null;
    } catch (error) {
      if (await deps.engagementAnswers()) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  }

  return createConsumeBatches({
    ...deps,
    topic: 'events',
    recordBatch: async ({ value: { batch_id, events } }) => {
      const ending = await store.insertEvents(events, batch_id);
      if (ending.kind === 'away') return ending;
      const reason = await noteClicks(events);
      return reason === null ? ending : { kind: 'away', store: 'Postgres', reason };
    },
  });
}

/** One a subscription: the latest. */
function latestClicks(events: readonly ReportedEvent[]): Click[] {
  const latest = new Map<string, Click>();
  for (const { type, app_id, seq, at, proven = true, test = false } of events) {
    if (type !== 'clicked' || seq === null || !proven || test) continue;
    const key = `${app_id} ${seq}`;
    if ((latest.get(key)?.atMs ?? -1) < at) latest.set(key, { appId: app_id, seq, atMs: at });
  }
  return [...latest.values()];
}
