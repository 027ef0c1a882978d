import { toId } from '../contract/ids.ts';
import type { BatchHandler, Consumer, Log, LogRecord } from '../contract/log.ts';
import type { PlanDelivery, PlanEnding, PlanStore } from './plan-delivery.ts';

/**
 * Plan: accepted deliveries from the log → shards in Postgres, the first of them released. Planning is one
 * transaction, so `close` waits for at most one delivery a consumer.
 */
export interface PlanStage {
  start(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

export function createPlanStage(deps: {
  readonly log: Log;
  readonly store: Pick<PlanStore, 'failDelivery'>;
  readonly planDelivery: PlanDelivery;
  readonly storeAnswers: () => Promise<boolean>;
  /** How long intake pauses while Postgres does not answer. */
  readonly awayPauseMs: number;
  readonly maxAttempts: number;
  readonly stallAfterMs: number;
  readonly onPlanned: (ending: PlanEnding) => void;
  /** Intake pauses: Postgres does not answer. */
  readonly onPause: () => void;
}): PlanStage {
  let consumer: Consumer | null = null;

  const handle: BatchHandler<'deliveries'> = async (records, claim) => {
    for (const record of records) {
      if (!claim.holds()) break;
      const ending = await planOrWait(record);
      if (ending === 'store-away') {
        deps.onPause();
        return { kind: 'full', resumeAfterMs: deps.awayPauseMs };
      }
      deps.onPlanned(ending);
      await claim.done(record);
    }
    return { kind: 'handled' };
  };

  /**
   * A dead Postgres is no fault of the delivery: its message waits, uncharged. For other faults, the last
   * try must leave the delivery with an end: a dead letter alone would leave it queued for ever.
   */
  async function planOrWait(record: LogRecord<'deliveries'>): Promise<PlanEnding | 'store-away'> {
    const deliveryId = toId<Parameters<PlanDelivery>[0]>(record.value.delivery_id);
    try {
      return await deps.planDelivery(deliveryId);
    } catch (error) {
      if (!(await deps.storeAnswers())) return 'store-away';
      if (record.attempt >= deps.maxAttempts && !(await failed(deliveryId))) return 'store-away';
      throw error;
    }
  }

  /** False: it has no end yet, so its message must not become a dead letter. */
  async function failed(deliveryId: Parameters<PlanDelivery>[0]): Promise<boolean> {
    const reason = 'The audience could not be planned; nothing was sent.';
    return deps.store.failDelivery(deliveryId, reason).then(
      () => true,
      () => false,
    );
  }

  return {
    start: async () => {
      const { maxAttempts, stallAfterMs } = deps;
      consumer = await deps.log.consume(
        'deliveries',
        { maxRecords: 1, concurrency: 2, maxAttempts, stallAfterMs },
        handle,
      );
    },
    close: async (deadlineMs) => {
      await consumer?.close(deadlineMs);
    },
  };
}
