import type { FastifyBaseLogger } from 'fastify';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { logFailure } from '../../../../engine/kit/roles/log-failure.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../../ports/analytics.ts';
import type { StoredDelivery } from '../store.ts';
import type { ServiceCosts } from './service-costs-schema.ts';

/** Null: ClickHouse does not answer. A rehearsal asks no push service, of a test nothing is recorded, and before the first message ends there is little to say. */
export async function readServiceCosts(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  { id, rehearsal, test, success_count: accepted, failed_count: failed }: StoredDelivery,
): Promise<ServiceCosts | null> {
  if (rehearsal || test || accepted + failed === 0) return [];
  try {
    const costs = await analytics.serviceCosts(appId, id);
    return costs.map(({ service, requests, answerMs }) => ({
      ...{ push_service: service, requests, answer_ms: answerMs },
    }));
  } catch (error) {
    if (!(error instanceof AnalyticsAway)) throw error;
    logFailure(log, error, 'costs are unknown: ClickHouse is unavailable');
    return null;
  }
}
