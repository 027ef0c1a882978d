import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import { countByStatus, noFigures, type StatusCount, sumByDay } from './delivery-figures.ts';
import { fillDays, type Period } from './period.ts';
import type { DeliveryStats } from './schema.ts';

/** Postgres knows the deliveries, ClickHouse their clicks. @throws AnalyticsAway where the latter is unavailable. */
export function createReadDeliveries(sql: Sql, analytics: AnalyticsPort) {
  return async function readDeliveries(appId: AppId, period: Period): Promise<DeliveryStats> {
    const clicks = await analytics.clicksSince(appId, period.firstDay);
    const [figures, statuses] = await Promise.all([
      sumByDay(sql, appId, period, clicks),
      countByStatus(sql, appId, period),
    ]);
    return {
      period_days: period.days.length,
      daily_stats: fillDays(period, figures, noFigures).map((day) => ({
        date: day.date,
        total: day.total,
        successful: day.successful,
        notifications_sent: day.accepted,
        clicks: day.clicks,
      })),
      status_breakdown: breakdownOf(statuses),
    };
  };
}

function breakdownOf(statuses: readonly StatusCount[]): DeliveryStats['status_breakdown'] {
  const countOf = (wanted: string): number => statuses.find(({ status }) => status === wanted)?.count ?? 0;
  return {
    success: countOf('success'),
    partial: countOf('partial'),
    failed: countOf('failed'),
    cancelled: countOf('cancelled'),
  };
}
