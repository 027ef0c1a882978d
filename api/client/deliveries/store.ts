import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type ShardSums, sumShards } from '../../../engine/adapters/postgres/shard-sums.ts';
import type { DeliveryStatus } from '../../../engine/contract/delivery.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import { parseDay } from '../fields.ts';
import type { Found, Page } from '../page.ts';
import type { DeliveryFilters } from './schema.ts';

export interface StoredDelivery {
  readonly id: DeliveryId;
  readonly identifier: string;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly image_url: string | null;
  readonly status: DeliveryStatus;
  readonly source_type: string;
  readonly delivery_category_id: number | null;
  readonly segment_id: number | null;
  readonly ignore_frequency_cap: boolean;
  readonly action_buttons: { title: string; url: string }[];
  readonly ttl_seconds: number;
  readonly require_interaction: boolean;
  readonly topic: string | null;
  readonly scheduled_at: Date | null;
  readonly queued_at: Date | null;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly total_subscribers: number;
  readonly capped_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly error_message: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, identifier, name, title, body, url, image_url, status, source_type, delivery_category_id,
  segment_id, ignore_frequency_cap, action_buttons, ttl_seconds, require_interaction, topic, scheduled_at, queued_at,
  started_at, completed_at, total_subscribers, capped_subscribers, success_count, failed_count, error_message,
  created_at, updated_at`;

const branded = (row: StoredDelivery): StoredDelivery => ({ ...row, id: toId(row.id) });

export async function findDelivery(sql: Sql, appId: AppId, id: DeliveryId): Promise<StoredDelivery | null> {
  const rows = await sql.query<StoredDelivery>(
    `SELECT ${columns} FROM deliveries WHERE app_id = $1 AND id = $2`,
    [appId, id],
  );
  const [delivery] = await withLiveCounters(sql, rows.map(branded));
  return delivery ?? null;
}

/** Newest first. */
export async function listDeliveries(
  sql: Sql,
  appId: AppId,
  filters: DeliveryFilters,
  page: Page,
): Promise<Found<StoredDelivery>> {
  const values = [appId, ...filterValues(filters)];
  const rows = await sql.query<StoredDelivery>(
    `SELECT ${columns} FROM deliveries WHERE ${filtered} ORDER BY id DESC LIMIT $8 OFFSET $9`,
    [...values, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM deliveries WHERE ${filtered}`,
    values,
  );
  return { rows: await withLiveCounters(sql, rows.map(branded)), total: count?.total ?? 0 };
}

// Delivery categories have no table yet, so none has the name asked for.
const filtered = `app_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR name ILIKE $3)
  AND ($4::text IS NULL OR title ILIKE $4) AND ($5::text IS NULL) AND ($6::timestamptz IS NULL OR created_at >= $6)
  AND ($7::timestamptz IS NULL OR created_at <= $7)`;

const filterValues = (filters: DeliveryFilters): unknown[] => [
  filters.status,
  containing(filters.name),
  containing(filters.title),
  filters.category,
  filters.created_after === undefined ? undefined : parseDay(filters.created_after)?.from,
  filters.created_before === undefined ? undefined : parseDay(filters.created_before)?.until,
];

const containing = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/**
 * Counters of a delivery that runs, or ran until it was cancelled, are the sums over its shards: one
 * aggregate for the whole page. Those of a completed one are in its row.
 */
async function withLiveCounters(sql: Sql, deliveries: readonly StoredDelivery[]): Promise<StoredDelivery[]> {
  const live = deliveries.filter(({ status }) => status === 'processing' || status === 'cancelled');
  if (live.length === 0) return [...deliveries];
  const sums = await sumShards(
    sql,
    live.map(({ id }) => id),
  );
  return deliveries.map((delivery) => withSums(delivery, sums.get(delivery.id)));
}

function withSums(delivery: StoredDelivery, sums: ShardSums | undefined): StoredDelivery {
  if (sums === undefined) return delivery;
  return {
    ...delivery,
    capped_subscribers: sums.capped,
    success_count: sums.accepted,
    failed_count: sums.failed,
  };
}
