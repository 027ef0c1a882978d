import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { timestampOrNull } from '../fields.ts';
import { readForecast } from './forecast.ts';
import type { ProgressResource } from './progress-schema.ts';
import { readPushServices } from './push-services.ts';
import { findDelivery } from './store.ts';

/** Null: the app has no such delivery. */
export async function readProgress(
  sql: Sql,
  appId: AppId,
  deliveryId: DeliveryId,
): Promise<ProgressResource | null> {
  const delivery = await findDelivery(sql, appId, deliveryId);
  if (delivery === null) return null;
  const [forecast, services] = await Promise.all([
    readForecast(sql, delivery, Date.now()),
    readPushServices(sql, delivery),
  ]);
  return {
    id: delivery.id,
    status: delivery.status,
    started_at: timestampOrNull(delivery.started_at),
    completed_at: timestampOrNull(delivery.completed_at),
    error_message: delivery.error_message,
    total_subscribers: delivery.total_subscribers,
    capped_subscribers: delivery.capped_subscribers,
    success_count: delivery.success_count,
    failed_count: delivery.failed_count,
    forecast,
    push_services: services,
  };
}
