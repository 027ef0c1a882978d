import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Period } from './period.ts';
import { fillDays } from './period.ts';
import type { SubscriberStats } from './schema.ts';
import { countNewByDay, readSubscriberCounts } from './store.ts';

/** From Postgres alone: it answers while ClickHouse is away. */
export function createReadSubscribers(sql: Sql) {
  return async function readSubscribers(appId: AppId, period: Period): Promise<SubscriberStats> {
    const [counts, growth] = await Promise.all([
      readSubscriberCounts(sql, appId),
      countNewByDay(sql, appId, period),
    ]);
    return {
      period_days: period.days.length,
      growth: fillDays(period, growth, { new_subscribers: 0 }),
      active_vs_inactive: { subscribed: counts.active, unsubscribed: counts.total - counts.active },
    };
  };
}
