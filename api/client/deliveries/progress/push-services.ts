import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { StoredDelivery } from '../store.ts';
import type { PushServiceCounts } from './push-services-schema.ts';
import { sumRates, sumServices, sumWaiting } from './service-sums.ts';

/** Sums over the shards: for a single delivery, never for a list. */
export async function readPushServices(
  sql: Sql,
  delivery: Pick<StoredDelivery, 'id' | 'status'>,
): Promise<PushServiceCounts[]> {
  const runs = delivery.status === 'processing';
  const nothing: ReadonlyMap<number, number> = new Map();
  const sums = await sumServices(sql, delivery.id);
  const waiting = runs ? await sumWaiting(sql, delivery.id) : nothing;
  const rates = runs ? await sumRates(sql, delivery.id) : nothing;
  return sums
    .map(({ service, ...counts }, index) => ({
      push_service: service,
      ...counts,
      waiting: waiting.get(index) ?? 0,
      rate: runs ? Math.round((rates.get(index) ?? 0) * 10) / 10 : null,
    }))
    .filter(({ accepted, failed, throttled, waiting: left }) => accepted + failed + throttled + left > 0);
}
