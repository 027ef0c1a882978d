import { type CompletedStatus, completedStatus } from '../../contract/delivery.ts';
import type { DeliveryId } from '../../contract/ids.ts';
import type { Sql } from './database.ts';

interface Sums {
  readonly total: number;
  readonly capped: number;
  readonly accepted: number;
  readonly failed: number;
  readonly reason: string | null;
  readonly reason_count: number | null;
}

/** Ends a delivery whose last shard has settled: its counts become the sums over its shards, for good. */
export async function completeDelivery(sql: Sql, deliveryId: DeliveryId): Promise<CompletedStatus> {
  const sums = await sumShards(sql, deliveryId);
  const message = sums.reason === null ? null : `Most failures (${sums.reason_count}): ${sums.reason}`;
  const status = completedStatus(sums);
  await sql.query(
    `UPDATE deliveries SET status = $2, completed_at = now(), updated_at = now(), total_subscribers = $3,
       capped_subscribers = $4, success_count = $5, failed_count = $6, error_message = $7
     WHERE id = $1 AND status = 'processing'`,
    [deliveryId, status, sums.total, sums.capped, sums.accepted, sums.failed, message],
  );
  return status;
}

async function sumShards(sql: Sql, deliveryId: DeliveryId): Promise<Sums> {
  const [sums] = await sql.query<Sums>(
    `SELECT coalesce(sum(audience_count), 0)::int AS total, coalesce(sum(capped_count), 0)::int AS capped,
       coalesce(sum(accepted_count), 0)::int AS accepted, coalesce(sum(failed_count), 0)::int AS failed,
       max(top.reason) AS reason, max(top.count) AS reason_count
     FROM shards LEFT JOIN LATERAL (
       SELECT key AS reason, sum(value::int)::int AS count
       FROM shards AS all_shards, jsonb_each_text(all_shards.failure_reasons)
       WHERE all_shards.delivery_id = $1 GROUP BY key ORDER BY 2 DESC, 1 LIMIT 1
     ) AS top ON shards.number = 0
     WHERE shards.delivery_id = $1`,
    [deliveryId],
  );
  if (sums === undefined) throw new Error(`no sums for delivery ${deliveryId}`);
  return sums;
}
