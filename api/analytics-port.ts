import type { Analytics } from '../engine/adapters/clickhouse/analytics.ts';
import { AnalyticsAway, type AnalyticsPort } from './client/analytics/port.ts';

const DEADLINE_MS = 3_000;
/** More deliveries than this in 90 days are one every 78 seconds. */
const MAX_DELIVERIES = 100_000;
/** As many as a delivery may be set to make. */
const MAX_ATTEMPTS_TOLD = 100;

/** The API's questions to ClickHouse, each with a deadline of its own. */
export function createAnalyticsPort(analytics: Analytics): AnalyticsPort {
  return {
    deliveryClicks: (appId, ids) => withinDeadline(analytics.deliveryClicks(appId, ids)),
    appClicks: (appId) => withinDeadline(analytics.appClicks(appId)),
    clicksSince: (appId, firstDay) => withinDeadline(analytics.clicksSince(appId, firstDay, MAX_DELIVERIES)),
    attemptsOf: (appId, deliveryId, seq) =>
      withinDeadline(analytics.attemptsOf(appId, deliveryId, seq, MAX_ATTEMPTS_TOLD)),
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
