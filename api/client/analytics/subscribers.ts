import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { Period } from './period.ts';
import { fillDays } from './period.ts';
import type { SubscriberStats } from './schema.ts';
import { countLeftByDay, countNewByDay, readSubscriberCounts } from './store.ts';

/** From Postgres alone: it answers while ClickHouse is unavailable. */
export function createReadSubscribers(sql: Sql) {
  return async function readSubscribers(appId: AppId, period: Period): Promise<SubscriberStats> {
    const [counts, joined, left] = await Promise.all([
      readSubscriberCounts(sql, appId),
      countNewByDay(sql, appId, period),
      countLeftByDay(sql, appId, period),
    ]);
    const leftOn = new Map(left.map(({ date, left_subscribers }) => [date, left_subscribers]));
    return {
      period_days: period.days.length,
      growth: fillDays(period, joined, { new_subscribers: 0 }).map((day) => ({
        ...day,
        left_subscribers: leftOn.get(day.date) ?? 0,
      })),
      active_vs_inactive: { subscribed: counts.active, unsubscribed: counts.total - counts.active },
    };
  };
}
