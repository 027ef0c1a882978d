import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { percent, timestamp } from '../../http/fields.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';
import { noFigures, sumByDay, type TopDelivery, topDeliveries } from './delivery-figures.ts';
import { fillDays, type Period } from './period.ts';
import type { Engagement, TopDeliveryResource } from './schema.ts';

const MOST_TOP = 10;

/** As `createReadDeliveries`. */
export function createReadEngagement(sql: Sql, analytics: AnalyticsPort) {
  return async function readEngagement(appId: AppId, period: Period): Promise<Engagement> {
    const clicks = await analytics.clicksSince(appId, period.firstDay);
    const [figures, top] = await Promise.all([
      sumByDay(sql, appId, period, clicks),
      topDeliveries(sql, appId, period, clicks, MOST_TOP),
    ]);
    return {
      period_days: period.days.length,
      engagement_by_day: fillDays(period, figures, noFigures).map((day) => ({
        date: day.date,
        avg_click_rate: percent(day.clicks, day.accepted),
        total_clicks: day.clicks,
        total_sent: day.accepted,
      })),
      top_performing_deliveries: top.map(topResource),
    };
  };
}

const topResource = (delivery: TopDelivery): TopDeliveryResource => ({
  id: delivery.id,
  identifier: delivery.identifier,
  title: delivery.title,
  click_rate: percent(delivery.clicks, delivery.accepted),
  click_count: delivery.clicks,
  success_count: delivery.accepted,
  completed_at: timestamp(delivery.completed_at),
});
