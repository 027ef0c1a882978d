import type { FastifyBaseLogger } from 'fastify';
import type { AppId } from '../../../engine/contract/ids.ts';
import { logFailure } from '../../../engine/kit/roles/log-failure.ts';
import type { AnalyticsPort } from '../../ports/analytics.ts';

/**
 * Clicks by `seq`. An outage of ClickHouse must not hide an app's subscribers: the clicks are 0 until it is
 * back, and everything else is right. A null, or a field that says so, would be right as well; but the
 * specification's table of a subscription is exact: integers, and no field beside its own.
 */
export async function subscriptionClicksOrZero(
  analytics: AnalyticsPort,
  log: FastifyBaseLogger,
  appId: AppId,
  subscriptions: readonly { readonly seq: number }[],
): Promise<ReadonlyMap<number, number>> {
  if (subscriptions.length === 0) return new Map();
  try {
    return await analytics.subscriptionClicks(
      appId,
      subscriptions.map(({ seq }) => seq),
    );
  } catch (error) {
    logFailure(log, error, 'clicks are not known: ClickHouse is unavailable');
    return new Map();
  }
}
