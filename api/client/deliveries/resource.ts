import { percent, timestamp, timestampOrNull } from '../fields.ts';
import type { DeliveryResource } from './schema.ts';
import type { StoredDelivery } from './store.ts';

/** A delivery as the specification shows it. */
export const deliveryResource = (delivery: StoredDelivery, clicks: number): DeliveryResource => ({
  ...delivery,
  scheduled_at: timestampOrNull(delivery.scheduled_at),
  queued_at: timestampOrNull(delivery.queued_at),
  started_at: timestampOrNull(delivery.started_at),
  completed_at: timestampOrNull(delivery.completed_at),
  click_count: clicks,
  click_rate: percent(clicks, delivery.success_count),
  created_at: timestamp(delivery.created_at),
  updated_at: timestamp(delivery.updated_at),
  expires_at: timestampOrNull(delivery.expires_at),
});
