import { withLiveCounts } from '../../../engine/adapters/postgres/deliveries/shard-sums.ts';
import { contains, isNamed } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { DeliveryStatus, Urgency } from '../../../engine/contract/delivery.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import type { Lane } from '../../../engine/contract/topics.ts';
import type { Translation } from '../../../engine/contract/wording.ts';
import { parseDay } from '../../http/fields.ts';
import type { Found, Page } from '../../http/page.ts';
import { type Slice, sliceOf } from '../../http/slice.ts';
import type { Clicks } from '../analytics/delivery-figures.ts';
import type { Approval } from '../approvals/schema.ts';
import { approvalOf } from '../approvals/store.ts';
import type { DeliveryFilters, DeliverySort } from './list-schema.ts';
import { withGone } from './progress/failures.ts';

export interface StoredDelivery {
  readonly id: DeliveryId;
  readonly identifier: string;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly image_url: string | null;
  readonly icon_url: string | null;
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
  readonly guarded_subscribers: number;
  readonly wished_subscribers: number;
  readonly success_count: number;
  readonly failed_count: number;
  readonly gone_count: number;
  readonly ambiguous: number;
  readonly error_message: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly urgency: Urgency;
  readonly lane: Lane;
  readonly rate_per_minute: number | null;
  readonly expires_at: Date | null;
  readonly rehearsal: boolean;
  readonly test: boolean;
  readonly campaign_id: number | null;
  readonly campaign_role: string | null;
  readonly corrects_delivery_id: number | null;
  readonly changes: number;
  readonly language: string | null;
  readonly translations: readonly Translation[];
  readonly personal: boolean;
  readonly approval: Approval | null;
}

/**
 * Of a correction or a test. No segment has this id: an engine of a release before, which knows none, finds no rules and
 * fails the delivery instead of sending it to everyone.
 */
export const NO_SEGMENT = 0;

const columns = `id, identifier, name, title, body, url, image_url, icon_url, status, source_type, delivery_category_id,
  nullif(segment_id, ${NO_SEGMENT}) AS segment_id, ignore_frequency_cap, action_buttons, ttl_seconds, require_interaction, topic, scheduled_at, queued_at,
  started_at, completed_at, total_subscribers, capped_subscribers, guarded_subscribers, wished_subscribers, success_count, failed_count, ambiguous_count AS ambiguous,
  error_message, created_at, updated_at, urgency, lane, rate_per_minute, expires_at, rehearsal, test,
  campaign_id, campaign_role, corrects_delivery_id, changes,
  language, coalesce(translations, '[]') AS translations, coalesce(wording -> 'outputs' <> '[]', false) AS personal, ${approvalOf('deliveries')}`;

type Row = Omit<StoredDelivery, 'gone_count'>;
const branded = (row: Row): Row => ({ ...row, id: toId(row.id) });

/** Counts that a row does not have, or not yet. */
const counted = async (sql: Sql, rows: readonly Row[]): Promise<StoredDelivery[]> =>
  withGone(sql, await withLiveCounts(sql, rows.map(branded)));

export async function findDelivery(sql: Sql, appId: AppId, id: DeliveryId): Promise<StoredDelivery | null> {
  const rows = await sql.query<Row>(`SELECT ${columns} FROM deliveries WHERE app_id = $1 AND id = $2`, [
    appId,
    id,
  ]);
  const [delivery] = await counted(sql, rows);
  return delivery ?? null;
}

/** Counts and finds the page in an index that holds all it asks for, then reads the wide rows. */
export async function listDeliveries(
  sql: Sql,
  appId: AppId,
  filters: DeliveryFilters,
  page: Page,
  clicks: Clicks = new Map(),
): Promise<Found<StoredDelivery>> {
  const { where, values } = filtered(appId, filters);
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM deliveries WHERE ${where}`,
    values,
  );
  const total = count?.total ?? 0;
  const slice = sliceOf(page, total);
  if (slice.limit === 0) return { rows: [], total };
  const { sort = 'created_at', direction = 'desc' } = filters;
  const found = await sql.query<{ id: number }>(
    ...pageSorted({
      where,
      values,
      sort,
      ascending: (direction === 'asc') !== slice.reversed,
      slice,
      clicks,
    }),
  );
  const ids = found.map(({ id }) => Number(id));
  if (slice.reversed) ids.reverse();
  const rows = await sql.query<Row>(
    `SELECT ${columns} FROM deliveries WHERE app_id = $1 AND id = ANY($2::bigint[])
     ORDER BY array_position($2::bigint[], id)`,
    [appId, ids],
  );
  return { rows: await counted(sql, rows), total };
}

interface Sorted {
  readonly where: string;
  readonly values: readonly unknown[];
  readonly sort: DeliverySort;
  readonly ascending: boolean;
  readonly slice: Slice;
  readonly clicks: Clicks;
}

/** The ids of a page. By a count, that of a running delivery is its sum over the shards, as the list shows it. */
function pageSorted({ where, values, sort, ascending, slice, clicks }: Sorted): [string, unknown[]] {
  const given = [...values];
  const next = (value: unknown): string => `$${given.push(value)}`;
  const way = ascending ? 'ASC' : 'DESC';
  const limits = `LIMIT ${next(slice.limit)} OFFSET ${next(slice.offset)}`;
  if (sort === 'created_at')
    return [`SELECT id FROM deliveries WHERE ${where} ORDER BY id ${way} ${limits}`, given];
  const [ids, counts] = [next([...clicks.keys()]), next([...clicks.values()])];
  return [
    `SELECT id FROM deliveries LEFT JOIN LATERAL (
       SELECT sum(accepted_count) AS accepted, sum(failed_count) AS failed, sum(audience_count) AS audience
       FROM shards WHERE delivery_id = deliveries.id
     ) AS live ON status IN ('processing', 'cancelled')
     LEFT JOIN unnest(${ids}::bigint[], ${counts}::integer[]) AS clicked (clicked_id, clicks) ON clicked_id = id
     WHERE ${where} ORDER BY ${sortKeys[sort]} ${way}, id ${way} ${limits}`,
    given,
  ];
}

const accepted = 'coalesce(live.accepted, success_count)';
const clicked = `least(coalesce(clicks, 0), ${accepted})`;

/** As `deliveryResource` shows them. */
const sortKeys: Readonly<Record<Exclude<DeliverySort, 'created_at'>, string>> = {
  total_subscribers: 'greatest(total_subscribers, coalesce(live.audience, 0))',
  success_count: accepted,
  failed_count: 'coalesce(live.failed, failed_count)',
  click_count: clicked,
  click_rate: `coalesce(${clicked}::float8 / nullif(${accepted}, 0), 0)`,
};

/** Compares only the given filters. */
function filtered(
  appId: AppId,
  filters: DeliveryFilters,
): { readonly where: string; readonly values: readonly unknown[] } {
  const values: unknown[] = [appId];
  const conditions = [
    'app_id = $1',
    `id ${filters.source_type === 'welcome' ? 'IN' : 'NOT IN'} (${welcomes})`,
  ];
  const add = (value: unknown, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  add(filters.status, (status) => `status = ${status}`);
  if (filters.test !== undefined) conditions.push(`id ${filters.test ? 'IN' : 'NOT IN'} (${tests})`);
  add(
    filters.approval,
    (state) => `EXISTS (SELECT FROM approvals WHERE delivery_id = deliveries.id AND state = ${state})`,
  );
  add(filters.campaign_id, (campaign) => `campaign_id = ${campaign}`);
  add(filters.name, (name) => contains('name', name));
  add(filters.title, (title) => contains('title', title));
  add(filters.category, categoryNamed);
  add(dayOf(filters.created_after)?.from, (from) => `created_at >= ${from}`);
  add(dayOf(filters.created_before)?.until, (until) => `created_at <= ${until}`);
  return { where: conditions.join(' AND '), values };
}

/** From their own indexes: the list's has no column for it. */
const welcomes = `SELECT id FROM deliveries AS welcome WHERE welcome.app_id = $1 AND welcome.source_type = 'welcome'`;
const tests = 'SELECT id FROM deliveries AS tested WHERE tested.app_id = $1 AND tested.test';

/** Includes deleted ones: their deliveries were still sent. */
const categoryNamed = (name: string): string =>
  `delivery_category_id IN (SELECT id FROM delivery_categories WHERE app_id = $1 AND ${isNamed('name', name)})`;

const dayOf = (text: string | undefined) => (text === undefined ? null : parseDay(text));
