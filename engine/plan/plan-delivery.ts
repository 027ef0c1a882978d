import type { DeliveryId } from '../contract/ids.ts';
import type { BlockCount, PlannedShard } from '../contract/shard.ts';
import type { Traceparent } from '../contract/trace-context.ts';
import { packShards } from './pack-shards.ts';

/** What planning needs of the database; `engine/adapters/postgres/plan-store.ts` has it. */
export interface PlanStore {
  /**
   * In one transaction: locks the delivery, counts its audience per block, writes a row per shard, moves the
   * delivery to `processing`, or straight to `success` where nobody is in the audience, and fills the lane's
   * places on the log, at least `releaseWindow`, in their fair order through the outbox. Of a paced delivery
   * (`pack` is given its rate) each shard has a time of its own. The shards' messages carry `traceparent`.
   */
  plan(
    deliveryId: DeliveryId,
    pack: (counts: readonly BlockCount[], ratePerMinute: number | null) => PlannedShard[],
    releaseWindow: number,
    traceparent?: Traceparent | null,
  ): Promise<PlanEnding>;
  /** Ends a delivery that cannot be planned, with the reason its publisher reads. */
  failDelivery(deliveryId: DeliveryId, reason: string): Promise<void>;
}

export type PlanEnding =
  | { readonly kind: 'planned'; readonly shards: number; readonly targets: number }
  /** Planned before (the message came again), cancelled, or deleted: nothing to do. */
  | { readonly kind: 'nothing-to-plan' };

export type PlanDelivery = (deliveryId: DeliveryId, traceparent?: Traceparent | null) => Promise<PlanEnding>;

/** Of a paced delivery one shard is what goes out at once: so many seconds of its rate. */
const PACED_SECONDS = 5;
const shardTargets = (ratePerMinute: number | null): number =>
  ratePerMinute === null ? Number.POSITIVE_INFINITY : (ratePerMinute * PACED_SECONDS) / 60;

export function createPlanDelivery(deps: {
  readonly store: PlanStore;
  readonly shardBlocks: number;
  readonly releaseWindow: number;
}): PlanDelivery {
  return function planDelivery(deliveryId, traceparent) {
    return deps.store.plan(
      deliveryId,
      (counts, ratePerMinute) => packShards(counts, deps.shardBlocks, shardTargets(ratePerMinute)),
      deps.releaseWindow,
      traceparent,
    );
  };
}
