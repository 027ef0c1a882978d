import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { readAtOnce } from '../../../engine/adapters/postgres/read-at-once.ts';
import type { AppId, DeliveryId } from '../../../engine/contract/ids.ts';
import { readForecast } from './forecast.ts';
import type { Forecast } from './forecast-schema.ts';
import { readPushServices } from './push-services.ts';
import type { PushServiceCounts } from './push-services-schema.ts';
import { findDelivery, type StoredDelivery } from './store.ts';

export interface ProgressSnapshot {
  readonly delivery: StoredDelivery;
  readonly forecast: Forecast | null;
  readonly services: PushServiceCounts[];
}

/**
 * How far a delivery is, at one moment: while it runs, blocks end between two statements, and push services
 * would count more than the delivery itself. Null: the app has no such delivery.
 */
export function readProgressSnapshot(
  database: Database,
  appId: AppId,
  deliveryId: DeliveryId,
): Promise<ProgressSnapshot | null> {
  return readAtOnce(database, async (sql) => {
    const delivery = await findDelivery(sql, appId, deliveryId);
    if (delivery === null) return null;
    const forecast = await readForecast(sql, delivery, Date.now());
    return { delivery, forecast, services: await readPushServices(sql, delivery) };
  });
}
