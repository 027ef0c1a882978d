import { percent, timestamp, timestampOrNull } from '../fields.ts';
import type { SubscriptionResource } from './schema.ts';
import type { StoredSubscription } from './store.ts';

/** A subscription as the specification shows it. */
export const subscriptionResource = (
  { seq: _seq, ...subscription }: StoredSubscription,
  clicks: number,
): SubscriptionResource => ({
  ...subscription,
  notifications_clicked: clicks,
  click_rate: percent(clicks, subscription.notifications_sent),
  created_at: timestamp(subscription.created_at),
  last_seen_at: timestamp(subscription.last_seen_at),
  last_clicked_at: timestampOrNull(subscription.last_clicked_at),
  unsubscribed_at: timestampOrNull(subscription.unsubscribed_at),
});
