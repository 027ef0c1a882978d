import type { Analytics } from './adapters/clickhouse/analytics.ts';
import type { Database } from './adapters/postgres/database.ts';
import type { AppId, DeliveryId } from './contract/ids.ts';

interface Counts {
  readonly id: DeliveryId;
  readonly app_id: AppId;
  readonly status: string;
  readonly total_subscribers: number;
  readonly capped_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
}

/**
 * What the internal listener tells of a delivery while it runs:
 * `/deliveries/{id}` from Postgres, `/deliveries/{id}/recorded` from ClickHouse. Null for any other path.
 */
export function createInternalLookUp(database: Database, analytics: Analytics) {
  return async function lookUp(path: string): Promise<object | null> {
    const [, id, page] = /^\/deliveries\/(\d{1,15})(\/recorded)?$/.exec(path) ?? [];
    if (id === undefined) return null;
    const counts = await readCounts(database, Number(id));
    if (counts === null || page === undefined) return counts;
    const totals = await analytics.deliveryTotals(counts.app_id, counts.id);
    return { accepted: totals.acceptedSubscribers, attempts: totals.attempts };
  };
}

/** While a delivery runs its counters are the sums over its shards. */
async function readCounts(database: Database, id: number): Promise<Counts | null> {
  const [row] = await database.query<Counts>(
    `SELECT d.id, d.app_id, d.status,
       CASE WHEN d.completed_at IS NULL THEN greatest(d.total_subscribers, s.audience) ELSE d.total_subscribers END AS total_subscribers,
       CASE WHEN d.completed_at IS NULL THEN s.capped ELSE d.capped_subscribers END AS capped_subscribers,
       CASE WHEN d.completed_at IS NULL THEN s.accepted ELSE d.success_count END AS success_count,
       CASE WHEN d.completed_at IS NULL THEN s.failed ELSE d.failed_count END AS failed_count
     FROM deliveries d, LATERAL (
       SELECT coalesce(sum(audience_count), 0)::int AS audience, coalesce(sum(capped_count), 0)::int AS capped,
         coalesce(sum(accepted_count), 0)::int AS accepted, coalesce(sum(failed_count), 0)::int AS failed
       FROM shards WHERE delivery_id = d.id
     ) s WHERE d.id = $1`,
    [id],
  );
  return row ?? null;
}
