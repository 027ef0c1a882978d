import { percent, timestamp, timestampOrNull } from '../../http/fields.ts';
import { approvalResource } from '../approvals/store.ts';
import type { DeliveryResource } from './schema.ts';
import type { StoredDelivery } from './store.ts';
import { translationsResource } from './texts/make-texts.ts';

/** A delivery as the specification shows it. Unknown clicks are null, and clicks never exceed the accepted count. */
export const deliveryResource = (delivery: StoredDelivery, clicks: number | null): DeliveryResource => ({
  ...delivery,
  scheduled_at: timestampOrNull(delivery.scheduled_at),
  queued_at: timestampOrNull(delivery.queued_at),
  started_at: timestampOrNull(delivery.started_at),
  completed_at: timestampOrNull(delivery.completed_at),
  ...clicksOf(delivery.success_count, clicks),
  created_at: timestamp(delivery.created_at),
  updated_at: timestamp(delivery.updated_at),
  expires_at: timestampOrNull(delivery.expires_at),
  translations: translationsResource(delivery.translations),
  approval: approvalResource(delivery.approval),
});

function clicksOf(accepted: number, clicks: number | null) {
  const count = Math.min(clicks ?? 0, accepted);
  return { click_count: count, click_rate: percent(count, accepted), clicks_known: clicks !== null };
}
