import type { FastifyBaseLogger } from 'fastify';
import { noReactions } from '../../../../engine/adapters/clickhouse/reactions.ts';
import type { AppId } from '../../../../engine/contract/ids.ts';
import { logFailure } from '../../../../engine/kit/roles/log-failure.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../../ports/analytics.ts';
import { funnelOf, withRates } from '../../analytics/funnel.ts';
import type { Funnel } from '../../analytics/funnel-schema.ts';
import type { StoredDelivery } from '../store.ts';

/** Readers' reactions to a delivery. Null: ClickHouse does not answer; everything else about it is right. */
export async function readEngagement(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  { id, success_count: accepted, rehearsal }: StoredDelivery,
): Promise<Funnel | null> {
  // A rehearsal reaches no one, and a message that no push service accepted was never displayed.
  if (rehearsal || accepted === 0) return withRates(funnelOf(rehearsal ? 0 : accepted, noReactions));
  try {
    return withRates(funnelOf(accepted, await analytics.deliveryReactions(appId, id)));
  } catch (error) {
    if (!(error instanceof AnalyticsAway)) throw error;
    logFailure(log, error, 'reactions are unknown: ClickHouse is unavailable');
    return null;
  }
}
