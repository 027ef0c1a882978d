import { noReactions } from '../../../engine/adapters/clickhouse/reactions.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import { listAccepted } from './delivery-figures.ts';
import { addFunnels, type FunnelCounts, funnelOf, noFunnel, withRates } from './funnel.ts';
import type { FunnelStats } from './funnel-schema.ts';
import { fillDays, type Period } from './period.ts';

/**
 * Postgres has each delivery's accepted count, ClickHouse the readers' reactions. @throws AnalyticsAway where
 * the latter is unavailable.
 */
export function createReadFunnel(sql: Sql, analytics: AnalyticsPort) {
  return async function readFunnel(appId: AppId, period: Period): Promise<FunnelStats> {
    const reactions = await analytics.reactionsSince(appId, period.firstDay);
    const deliveries = await listAccepted(sql, appId, period);
    const days = new Map<string, FunnelCounts>();
    for (const { id, date, accepted } of deliveries) {
      const counts = funnelOf(accepted, reactions.get(id) ?? noReactions);
      days.set(date, addFunnels(days.get(date) ?? noFunnel, counts));
    }
    return {
      period_days: period.days.length,
      funnel_by_day: fillDays(
        period,
        [...days].map(([date, counts]) => ({ date, ...counts })),
        noFunnel,
      ),
      totals: withRates([...days.values()].reduce(addFunnels, noFunnel)),
    };
  };
}
