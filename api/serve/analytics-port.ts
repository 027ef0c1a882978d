import type { Analytics } from '../../engine/adapters/clickhouse/analytics.ts';
import type { Earnings } from '../../engine/adapters/clickhouse/earnings.ts';
import { systemClock } from '../../engine/contract/concurrency/clock.ts';
import { resultWithin } from '../../engine/contract/concurrency/time-limit.ts';
import { AnalyticsAway, type AnalyticsPort, HOURS_OF_CLICKS, MOST_VISITS } from '../ports/analytics.ts';

/** Deadline of figures beside a list or a resource, which is shown without them. */
const DEADLINE_MS = 3_000;
/**
 * Deadline of queries over an app's whole history: made once in five minutes, and there is no answer without
 * them.
 */
const HISTORY_DEADLINE_MS = 10_000;
/** More deliveries than this in 90 days are one every 78 seconds. */
const MAX_DELIVERIES = 100_000;
/** As many as a delivery may be set to make. */
const MAX_ATTEMPTS_TOLD = 100;

/** The API's queries to ClickHouse, each with a deadline of its own. */
export function createAnalyticsPort(analytics: Analytics, earnings: Earnings): AnalyticsPort {
  return {
    deliveryClicks: (appId, ids) => withinDeadline(analytics.deliveryClicks(appId, ids)),
    clicksSince: (appId, firstDay) =>
      withinDeadline(analytics.clicksSince(appId, firstDay, MAX_DELIVERIES), HISTORY_DEADLINE_MS),
    reacted: (appId, named, recentDays) => withinDeadline(analytics.reacted(appId, named, recentDays)),
    deliveryReactions: (appId, id) => withinDeadline(analytics.deliveryReactions(appId, id)),
    seenBefore: (appId, id, before) => withinDeadline(analytics.seenBefore(appId, id, before)),
    clicksByHour: (appId, id, from) =>
      withinDeadline(analytics.clicksByHour(appId, id, from, HOURS_OF_CLICKS)),
    hourlyVisits: (appIds, first, last) =>
      withinDeadline(analytics.hourlyVisits(appIds, first, last, MOST_VISITS + 1), HISTORY_DEADLINE_MS),
    dailyVisits: (appIds, first, last) =>
      withinDeadline(analytics.dailyVisits(appIds, first, last, MOST_VISITS + 1), HISTORY_DEADLINE_MS),
    reactionsSince: (appId, firstDay) =>
      withinDeadline(analytics.reactionsSince(appId, firstDay, MAX_DELIVERIES), HISTORY_DEADLINE_MS),
    serviceDays: (appId, firstDay, lastDay) =>
      withinDeadline(analytics.serviceDays(appId, firstDay, lastDay), HISTORY_DEADLINE_MS),
    serviceCosts: (appId, id) => withinDeadline(analytics.serviceCosts(appId, id)),
    endedFrom: async (appId, first) =>
      first === null
        ? new Map()
        : withinDeadline(analytics.endedFrom(appId, first, MAX_DELIVERIES), HISTORY_DEADLINE_MS),
    attemptsOf: (appId, deliveryId, seq) =>
      withinDeadline(analytics.attemptsOf(appId, deliveryId, seq, MAX_ATTEMPTS_TOLD)),
    personAttempts: (appId, seqs, from) =>
      withinDeadline(analytics.personAttempts(appId, seqs, from), HISTORY_DEADLINE_MS),
    personEvents: (appId, seqs, from) =>
      withinDeadline(analytics.personEvents(appId, seqs, from), HISTORY_DEADLINE_MS),
    attemptsKeptDays: () => withinDeadline(analytics.attemptsKeptDays()),
    siteSources: (question, since) =>
      withinDeadline(earnings.siteSources(question, since), HISTORY_DEADLINE_MS),
    siteEarnings: (question) => withinDeadline(earnings.siteEarnings(question), HISTORY_DEADLINE_MS),
    siteHours: (question) => withinDeadline(earnings.siteHours(question), HISTORY_DEADLINE_MS),
    rates: (currencies, firstDay, lastDay) => withinDeadline(earnings.rates(currencies, firstDay, lastDay)),
    subscriptionClicks: (appId, seqs) => withinDeadline(analytics.subscriptionClicks(appId, seqs)),
  };
}

async function withinDeadline<Result>(work: Promise<Result>, deadlineMs = DEADLINE_MS): Promise<Result> {
  try {
    return await resultWithin(systemClock, deadlineMs, work, `no answer in ${deadlineMs} ms`);
  } catch (error) {
    throw new AnalyticsAway(error);
  }
}
