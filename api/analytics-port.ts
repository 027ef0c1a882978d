import type { Analytics } from '../engine/adapters/clickhouse/analytics.ts';
import { AnalyticsAway, type AnalyticsPort } from './client/analytics/port.ts';

const DEADLINE_MS = 3_000;

/** The API's questions to ClickHouse, each with a deadline of its own. */
export function createAnalyticsPort(analytics: Analytics): AnalyticsPort {
  return {
    // Click events are not recorded yet: nothing was clicked.
    deliveryClicks: async () => new Map(),
    appClicks: async (appId) => {
      const [totals] = await withinDeadline(analytics.appTotals([appId]));
      return totals?.clicks ?? 0;
    },
  };
}

async function withinDeadline<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer in ${DEADLINE_MS} ms`)), DEADLINE_MS);
  try {
    return await Promise.race([work, deadline]);
  } catch (error) {
    throw new AnalyticsAway(error);
  } finally {
    clearTimeout(timer);
  }
}
