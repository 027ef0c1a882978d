import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { timestampOrNull } from '../../../http/fields.ts';
import type { ProgressResource } from './progress-schema.ts';
import { readProgressSnapshot } from './progress-snapshot.ts';

/** Null: the app has no such delivery. */
export async function readProgress(
  database: Database,
  appId: AppId,
  deliveryId: DeliveryId,
): Promise<ProgressResource | null> {
  const snapshot = await readProgressSnapshot(database, appId, deliveryId);
  if (snapshot === null) return null;
  const { delivery, forecast, services, failures, nextAttemptAt } = snapshot;
  return {
    id: delivery.id,
    status: delivery.status,
    started_at: timestampOrNull(delivery.started_at),
    completed_at: timestampOrNull(delivery.completed_at),
    error_message: delivery.error_message,
    total_subscribers: delivery.total_subscribers,
    capped_subscribers: delivery.capped_subscribers,
    guarded_subscribers: delivery.guarded_subscribers,
    wished_subscribers: delivery.wished_subscribers,
    success_count: delivery.success_count,
    failed_count: delivery.failed_count,
    gone_count: delivery.gone_count,
    ambiguous: delivery.ambiguous,
    forecast,
    push_services: services,
    failures,
    next_attempt_at: timestampOrNull(nextAttemptAt),
  };
}
