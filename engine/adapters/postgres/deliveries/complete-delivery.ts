import { type Completed, completedStatus } from '../../../contract/delivery.ts';
import type { DeliveryId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';
import { sumShards } from './shard-sums.ts';

/** Ends a delivery whose last shard has settled: its counts become the final sums over its shards. */
export async function completeDelivery(sql: Sql, deliveryId: DeliveryId): Promise<Completed> {
  const sums = (await sumShards(sql, [deliveryId])).get(deliveryId);
  if (sums === undefined) throw new Error(`no sums for delivery ${deliveryId}`);
  const top = await topReason(sql, deliveryId);
  const message = top === null ? null : `Most failures (${top.count}): ${top.reason}`;
  const status = completedStatus(sums);
  await sql.query(
    `UPDATE deliveries SET status = $2, completed_at = now(), updated_at = now(), total_subscribers = $3,
       capped_subscribers = $4, success_count = $5, failed_count = $6, error_message = $7,
       ambiguous_count = $8, guarded_subscribers = $9, wished_subscribers = $10
     WHERE id = $1 AND status = 'processing'`,
    [
      ...[deliveryId, status, sums.audience, sums.capped, sums.accepted, sums.failed],
      ...[message, sums.ambiguous, sums.guarded, sums.wished],
    ],
  );
  const { audience: total, accepted, failed, capped } = sums;
  return { status, total, accepted, failed, capped };
}

interface Reason {
  readonly reason: string;
  readonly count: number;
}

/** The most frequent failure over all shards; null where nothing failed. */
async function topReason(sql: Sql, deliveryId: DeliveryId): Promise<Reason | null> {
  const [top] = await sql.query<Reason>(
    `SELECT key AS reason, sum(value::int)::int AS count
     FROM shards, jsonb_each_text(failure_reasons)
     WHERE delivery_id = $1 GROUP BY key ORDER BY 2 DESC, 1 LIMIT 1`,
    [deliveryId],
  );
  return top ?? null;
}
