import { toId } from '../contract/ids.ts';
import type { BatchHandler, Consumer, Log, LogRecord } from '../contract/log.ts';
import { type Lane, planTopic } from '../contract/topics.ts';
import type { PlanDelivery, PlanEnding, PlanStore } from './plan-delivery.ts';
import { createTurns, type PlanInTurn } from './turns.ts';

/**
 * Plan: accepted deliveries from the log → shards in Postgres, the first of them released. Planning is one
 * transaction, so `close` waits for at most one delivery a consumer. Counting a large audience takes about a
 * second: each lane has a topic and consumers of its own, so breaking deliveries never wait behind bulk ones.
 */
export interface PlanStage {
  start(): Promise<void>;
  close(deadlineMs: number): Promise<void>;
}

type PlanTopic = ReturnType<typeof planTopic>;

/** Deliveries planned at the same time, of each lane. */
const PLANS_AT_ONCE = 2;
const lanes: readonly Lane[] = ['breaking', 'bulk'];

export function createPlanStage(deps: {
  readonly log: Log;
  readonly store: Pick<PlanStore, 'failDelivery' | 'takeTurn'>;
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
  const consumers: Consumer[] = [];

  const handlerOf =
    (planInTurn: PlanInTurn): BatchHandler<PlanTopic> =>
    async (records, claim) => {
      for (const record of records) {
        if (!claim.holds()) break;
        const ending = await planOrWait(record, planInTurn);
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
   * A dead Postgres is not a fault of the delivery: its message waits, and no attempt is counted. After other
   * faults, the last attempt must leave the delivery with an end: a dead letter alone would leave it queued
   * forever.
   */
  async function planOrWait(
    record: LogRecord<PlanTopic>,
    planInTurn: PlanInTurn,
  ): Promise<PlanEnding | 'store-away'> {
    const { delivery_id, traceparent = null } = record.value;
    const { attempt } = record;
    const deliveryId = toId<Parameters<PlanDelivery>[0]>(delivery_id);
    try {
      return await planInTurn({ deliveryId, traceparent, attempt });
    } catch (error) {
      if (!(await deps.storeAnswers())) return 'store-away';
      if (attempt >= deps.maxAttempts && !(await failed(deliveryId))) return 'store-away';
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

  async function startLane(lane: Lane): Promise<void> {
    const { maxAttempts, stallAfterMs } = deps;
    const options = { maxRecords: 1, concurrency: PLANS_AT_ONCE, maxAttempts, stallAfterMs };
    const planInTurn = createTurns(lane, deps.store, deps.planDelivery);
    consumers.push(await deps.log.consume(planTopic(lane), options, handlerOf(planInTurn)));
  }

  return {
    start: async () => {
      await Promise.all(lanes.map(startLane));
    },
    close: async (deadlineMs) => {
      await Promise.all(consumers.map((consumer) => consumer.close(deadlineMs)));
    },
  };
}
