import type { FastifyBaseLogger } from 'fastify';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { logFailure } from '../../../engine/kit/roles/log-failure.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';

/** Clicks of a delivery; null: they are not known. */
export type ClicksOf = (id: DeliveryId) => number | null;

/**
 * Clicks of the deliveries of a page. An outage of ClickHouse must not keep a client from following its
 * delivery: the clicks are unknown until it is back, the answer says so, and everything else is right.
 */
export async function clicksOrNull(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  deliveries: readonly { readonly id: DeliveryId }[],
): Promise<ClicksOf> {
  if (deliveries.length === 0) return () => 0;
  try {
    const clicks = await analytics.deliveryClicks(
      appId,
      deliveries.map(({ id }) => id),
    );
    return (id) => clicks.get(id) ?? 0;
  } catch (error) {
    logFailure(log, error, 'clicks are not known: ClickHouse is unavailable');
    return () => null;
  }
}
