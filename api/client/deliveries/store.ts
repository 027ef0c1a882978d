import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type ShardSums, sumShards } from '../../../engine/adapters/postgres/shard-sums.ts';
import type { DeliveryStatus, Urgency } from '../../../engine/contract/delivery.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import type { Lane } from '../../../engine/contract/topics.ts';
import { parseDay } from '../fields.ts';
import type { Found, Page } from '../page.ts';
import { sliceOf } from '../slice.ts';
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
  readonly ambiguous: number;
  readonly error_message: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly urgency: Urgency;
  readonly lane: Lane;
  readonly rate_per_minute: number | null;
  readonly expires_at: Date | null;
  readonly rehearsal: boolean;
}

const columns = `id, identifier, name, title, body, url, image_url, status, source_type, delivery_category_id,
  segment_id, ignore_frequency_cap, action_buttons, ttl_seconds, require_interaction, topic, scheduled_at, queued_at,
  started_at, completed_at, total_subscribers, capped_subscribers, success_count, failed_count, ambiguous_count AS ambiguous,
  error_message,   created_at, updated_at, urgency, lane, rate_per_minute, expires_at, rehearsal`;

const branded = (row: StoredDelivery): StoredDelivery => ({ ...row, id: toId(row.id) });

export async function findDelivery(sql: Sql, appId: AppId, id: DeliveryId): Promise<StoredDelivery | null> {
  const rows = await sql.query<StoredDelivery>(
    `SELECT ${columns} FROM deliveries WHERE app_id = $1 AND id = $2`,
    [appId, id],
  );
  const [delivery] = await withLiveCounters(sql, rows.map(branded));
  return delivery ?? null;
}

/** Newest first. Counts and finds the page in an index that holds all it asks for, then reads the wide rows. */
export async function listDeliveries(
  sql: Sql,
  appId: AppId,
  filters: DeliveryFilters,
  page: Page,
): Promise<Found<StoredDelivery>> {
  const { where, values } = filtered(appId, filters);
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM deliveries WHERE ${where}`,
    values,
  );
  const total = count?.total ?? 0;
  const slice = sliceOf(page, total);
  if (slice.limit === 0) return { rows: [], total };
  const rows = await sql.query<StoredDelivery>(
    `SELECT ${columns} FROM deliveries WHERE app_id = $1 AND id = ANY(ARRAY(
       SELECT id FROM deliveries WHERE ${where} ORDER BY id ${slice.reversed ? 'ASC' : 'DESC'}
       LIMIT $${values.length + 1} OFFSET $${values.length + 2}
     )) ORDER BY id DESC`,
    [...values, slice.limit, slice.offset],
  );
  return { rows: await withLiveCounters(sql, rows.map(branded)), total };
}

/** Only what is asked for is compared. */
function filtered(
  appId: AppId,
  filters: DeliveryFilters,
): { readonly where: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [appId];
  const conditions = ['app_id = $1'];
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add(filters.status, (status) => `status = ${status}`);
  add(containing(filters.name), (name) => `name ILIKE ${name}`);
  add(containing(filters.title), (title) => `title ILIKE ${title}`);
  add(filters.category, categoryNamed);
  add(dayOf(filters.created_after)?.from, (from) => `created_at >= ${from}`);
  add(dayOf(filters.created_before)?.until, (until) => `created_at <= ${until}`);
  return { where: conditions.join(' AND '), values };
}

/** Deleted ones too: what was sent in them still was. */
const categoryNamed = (name: string): string =>
  `delivery_category_id IN (SELECT id FROM delivery_categories WHERE app_id = $1 AND lower(name) = lower(${name}))`;

const dayOf = (text: string | undefined) => (text === undefined ? null : parseDay(text));

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
  // The plan's count is older than the audiences of the blocks that ran: who joined between is in them.
  const done = sums.capped + sums.accepted + sums.failed;
  return {
    ...delivery,
    total_subscribers: Math.max(delivery.total_subscribers, done),
    capped_subscribers: sums.capped,
    success_count: sums.accepted,
    failed_count: sums.failed,
    ambiguous: sums.ambiguous,
  };
}
