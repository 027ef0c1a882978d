import type { Analytics } from '../engine/adapters/clickhouse/analytics.ts';
import { AnalyticsAway, type AnalyticsPort } from './client/analytics/port.ts';

const DEADLINE_MS = 3_000;
/** More deliveries than this in 90 days are one every 78 seconds. */
const MAX_DELIVERIES = 100_000;

/** The API's questions to ClickHouse, each with a deadline of its own. */
export function createAnalyticsPort(analytics: Analytics): AnalyticsPort {
  return {
    deliveryClicks: (appId, ids) => withinDeadline(analytics.deliveryClicks(appId, ids)),
    appClicks: (appId) => withinDeadline(analytics.appClicks(appId)),
    clicksSince: (appId, firstDay) => withinDeadline(analytics.clicksSince(appId, firstDay, MAX_DELIVERIES)),
    subscriptionClicks: (appId, seqs) => withinDeadline(analytics.subscriptionClicks(appId, seqs)),
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
