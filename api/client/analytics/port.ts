import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';

/** The figures cannot be had now: 503 where an answer is nothing without them. */
export class AnalyticsAway extends Error {
  constructor(cause: unknown) {
    super('ClickHouse is away', { cause });
    this.name = 'AnalyticsAway';
  }
}

/**
 * What the API asks of ClickHouse. Every call gives up after its own short deadline, and rejects: callers
 * decide what an answer without these figures is worth.
 */
export interface AnalyticsPort {
  /** Clicks of each delivery; one that nobody clicked may be missing. At most 100 deliveries a call. */
  deliveryClicks(appId: AppId, deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, number>>;
  /** Clicks of all the app's deliveries. */
  appClicks(appId: AppId): Promise<number>;
}
