import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import { readLimits } from '../create/limits.ts';
import { readAtOnce } from '../create/read-at-once.ts';
import { findDelivery, type StoredDelivery } from '../store.ts';
import { readFailures } from './failures.ts';
import type { DeliveryFailure } from './failures-schema.ts';
import { readForecast } from './forecast.ts';
import type { Forecast } from './forecast-schema.ts';
import { readPushServices } from './push-services.ts';
import type { PushServiceCounts } from './push-services-schema.ts';

export interface ProgressSnapshot {
  readonly delivery: StoredDelivery;
  readonly forecast: Forecast | null;
  readonly services: PushServiceCounts[];
  readonly failures: DeliveryFailure[];
  readonly nextAttemptAt: Date | null;
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
    const services = await readPushServices(sql, delivery);
    const limits = await readLimits(sql, appId, delivery, services, Date.now());
    const forecast = await readForecast(sql, delivery, limits, Date.now());
    const failures = delivery.failed_count === 0 ? [] : await readFailures(sql, deliveryId);
    return { delivery, forecast, services, failures, nextAttemptAt: await readNextAttempt(sql, delivery) };
  });
}

/** Of the parts that wait, the first one's time; one that is due is about to be tried. */
async function readNextAttempt(sql: Sql, { id, status }: StoredDelivery): Promise<Date | null> {
  if (status !== 'processing') return null;
  const [row] = await sql.query<{ at: Date | null }>(
    `SELECT min(due_at) AS at FROM shards WHERE delivery_id = $1 AND state = 'waiting'`,
    [id],
  );
  return row?.at ?? null;
}
