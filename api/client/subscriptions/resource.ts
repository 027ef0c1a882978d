import { percent, timestamp, timestampOrNull } from '../../http/fields.ts';
import type { SubscriptionResource } from './schema.ts';
import type { StoredPreferences, StoredSubscription } from './store.ts';

/** A subscription as the specification shows it. */
export const subscriptionResource = (
  { seq: _seq, preferences, ...subscription }: StoredSubscription,
  clicks: number,
): SubscriptionResource => ({
  ...subscription,
  notifications_clicked: clicks,
  click_rate: percent(clicks, subscription.notifications_sent),
  preferences: preferencesResource(preferences),
  created_at: timestamp(subscription.created_at),
  last_seen_at: timestamp(subscription.last_seen_at),
  last_clicked_at: timestampOrNull(subscription.last_clicked_at),
  unsubscribed_at: timestampOrNull(subscription.unsubscribed_at),
});

function preferencesResource(stored: StoredPreferences): SubscriptionResource['preferences'] {
  const { category_ids, max_notifications: most, window_minutes: window, paused_until: until } = stored;
  const { quiet_from: from, quiet_to: to } = stored;
  return {
    category_ids: category_ids === null ? null : [...category_ids],
    fewer: most === null || window === null ? null : { max_notifications: most, window_minutes: window },
    paused_until: until === null ? null : timestamp(new Date(until)),
    quiet_hours: from === null || to === null ? null : { from, to },
  };
}
