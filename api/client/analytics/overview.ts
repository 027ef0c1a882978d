import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { percent } from '../../http/fields.ts';
import { AnalyticsAway, type AnalyticsPort } from '../../ports/analytics.ts';
import type { Overview } from './schema.ts';
import { type AudienceGroup, countAudience, countDeliveries, readSubscriberCounts } from './store.ts';

/** Before any delivery. */
const FIRST_DAY = '1970-01-01';

/**
 * Combines the figures of Postgres and ClickHouse for an app. @throws AnalyticsAway where ClickHouse does not
 * answer.
 */
export function createReadOverview(sql: Sql, analytics: AnalyticsPort) {
  return async function readOverview(appId: AppId): Promise<Overview> {
    const [counts, groups, clicks] = await Promise.all([
      readSubscriberCounts(sql, appId),
      countAudience(sql, appId),
      analytics.clicksSince(appId, FIRST_DAY).catch((error: unknown) => {
        throw new AnalyticsAway(error);
      }),
    ]);
    const totals = await countDeliveries(sql, appId, clicks);
    return {
      total_subscribers: counts.total,
      active_subscribers: counts.active,
      total_deliveries: totals.deliveries,
      total_clicks: totals.clicks,
      avg_click_rate: percent(totals.clicks, totals.accepted),
      subscribers_by_device: {
        desktop: 0,
        mobile: 0,
        tablet: 0,
        ...sumBy(groups, (group) => group.device ?? 'unknown'),
      },
      subscribers_by_browser: mostFirst(groups, 'browser'),
      subscribers_by_country: mostFirst(groups, 'country'),
    };
  };
}

/** Subscriptions with a known `field`, summed by it. */
function mostFirst<Field extends 'browser' | 'country'>(groups: readonly AudienceGroup[], field: Field) {
  const known = groups.filter((group) => group[field] !== null);
  return Object.entries(sumBy(known, (group) => group[field] ?? ''))
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([name, count]) => ({ [field]: name, count }) as { [Key in Field]: string } & { count: number });
}

function sumBy(
  groups: readonly AudienceGroup[],
  keyOf: (group: AudienceGroup) => string,
): Record<string, number> {
  const sums = new Map<string, number>();
  for (const group of groups) sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0) + group.count);
  return Object.fromEntries(sums);
}
