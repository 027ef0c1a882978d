import type { WebhookType } from '../data/webhooks/queries.ts';
import type { t } from '../texts/t.ts';

export type Group = keyof typeof t.webhooks.groups;

/** In the order in which people read them. */
const groups: Readonly<Record<WebhookType, Group>> = {
  'delivery.success': 'delivery',
  'delivery.partial': 'delivery',
  'delivery.failed': 'delivery',
  'delivery.cancelled': 'delivery',
  'delivery.pending': 'delivery',
  'delivery.scheduled': 'delivery',
  'delivery.queued': 'delivery',
  'delivery.processing': 'delivery',
  'campaign.completed': 'campaign',
  'campaign.failed': 'campaign',
  'campaign.cancelled': 'campaign',
  'campaign.scheduled': 'campaign',
  'campaign.running': 'campaign',
  'campaign.deciding': 'campaign',
  'feed.broken': 'feed',
  'feed.working': 'feed',
  'app.standing.changed': 'standing',
  'subscriptions.changed': 'subscriptions',
  'reports.complete': 'reports',
  'reports.final': 'reports',
};

export const typesByGroup = Object.groupBy(
  Object.keys(groups) as WebhookType[],
  (type) => groups[type],
) as Readonly<Record<Group, readonly WebhookType[]>>;

/** What most receivers want: how each delivery ended. */
export const usualTypes: WebhookType[] = ['delivery.success', 'delivery.partial', 'delivery.failed'];

/** A whole group as `delivery.*`. */
export const shortened = (types: readonly WebhookType[]): string[] =>
  Object.entries(typesByGroup).flatMap(([group, all]) => {
    const chosen = all.filter((type) => types.includes(type));
    return all.length > 1 && chosen.length === all.length ? [`${group}.*`] : chosen;
  });
