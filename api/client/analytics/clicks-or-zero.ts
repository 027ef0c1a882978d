import type { FastifyBaseLogger } from 'fastify';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import type { AnalyticsPort } from './port.ts';

/**
 * Clicks of the deliveries of a page. ClickHouse away must not keep a client from following its delivery:
 * the clicks are 0 until it is back, and everything else is right.
 */
export async function clicksOrZero(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  deliveries: readonly { readonly id: DeliveryId }[],
): Promise<ReadonlyMap<DeliveryId, number>> {
  if (deliveries.length === 0) return new Map();
  try {
    return await analytics.deliveryClicks(
      appId,
      deliveries.map(({ id }) => id),
    );
  } catch (error) {
    log.warn({ err: error }, 'clicks are not known: ClickHouse is away');
    return new Map();
  }
}
