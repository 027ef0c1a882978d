import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { SubscriptionStatus } from '../../shared/subscription-status.ts';
import { MAX_TAGS } from '../../shared/tag-limits.ts';

/** What the reader chose in the preference centre. */
export interface StoredPreferences {
  readonly category_ids: readonly number[] | null;
  readonly max_notifications: number | null;
  readonly window_minutes: number | null;
  readonly paused_until: string | null;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
}

export interface StoredSubscription {
  readonly id: number;
  readonly seq: number;
  readonly user_identity: string | null;
  readonly status: SubscriptionStatus;
  readonly device_type: string | null;
  readonly browser_name: string | null;
  readonly browser_version: string | null;
  readonly os_name: string | null;
  readonly os_version: string | null;
  readonly country: string | null;
  readonly time_zone: string | null;
  readonly language: string | null;
  readonly notifications_sent: number;
  readonly tags: Record<string, string>;
  readonly preferences: StoredPreferences;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly last_clicked_at: Date | null;
  readonly unsubscribed_at: Date | null;
  readonly pruned: boolean;
}

/** By the app's pruning; who came back and left again left otherwise. */
const isPruned = `(status = 'unsubscribed' AND pruned_at = unsubscribed_at) IS TRUE AS pruned`;

const columns = `id, seq, user_identity, status, device_type, browser_name, browser_version, os_name, os_version,
  country, (SELECT name FROM time_zones WHERE time_zones.id = time_zone_id) AS time_zone, language, tags, created_at, last_seen_at, last_clicked_at, unsubscribed_at, ${isPruned}, ${sentOf('subscriptions')},
  (SELECT json_build_object('category_ids', category_ids, 'max_notifications', max_notifications, 'window_minutes', window_minutes,
    'paused_until', CASE WHEN paused_until > now() THEN paused_until END, 'quiet_from', quiet_from, 'quiet_to', quiet_to)
    FROM (SELECT) AS one LEFT JOIN reader_wishes AS wish ON wish.app_id = subscriptions.app_id AND wish.seq = subscriptions.seq) AS preferences`;

/** Nothing was sent where its block has no row yet. */
function sentOf(table: string): string {
  return `coalesce((SELECT greatest(sent[(${table}.seq & 1023) + 1], 0) FROM block_counts
    WHERE block_counts.app_id = ${table}.app_id AND block = ${table}.seq >> 10), 0) AS notifications_sent`;
}

/** In the given order; deleted ones are left out. */
export async function readSubscriptions(
  sql: Sql,
  appId: AppId,
  seqs: readonly number[],
): Promise<StoredSubscription[]> {
  if (seqs.length === 0) return [];
  const rows = await sql.query<StoredSubscription>(
    `SELECT ${columns} FROM subscriptions WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    [appId, seqs],
  );
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/** Of the subscription with id `$2`: the lookup that one index alone fits (migration 0033). Null where there is none. */
const seqOfId = '(SELECT seq_of_subscription($1, $2))';

export async function findSeq(sql: Sql, appId: AppId, id: number): Promise<number | null> {
  const [row] = await sql.query<{ seq: number }>(`SELECT ${seqOfId} AS seq`, [appId, id]);
  return row?.seq ?? null;
}

export async function findSubscription(
  sql: Sql,
  appId: AppId,
  id: number,
): Promise<StoredSubscription | null> {
  const [row] = await sql.query<StoredSubscription>(
    `SELECT ${columns} FROM subscriptions WHERE app_id = $1 AND seq = ${seqOfId}`,
    [appId, id],
  );
  return row ?? null;
}

/** @returns `too-many` where it would have more than `MAX_TAGS` then; null where there is no such subscription. */
export async function addTags(
  sql: Sql,
  appId: AppId,
  id: number,
  tags: Readonly<Record<string, string>>,
): Promise<StoredSubscription | 'too-many' | null> {
  const [row] = await sql.query<StoredSubscription>(
    `UPDATE subscriptions SET tags = tags || $3::jsonb WHERE app_id = $1 AND seq = ${seqOfId}
       AND (SELECT count(*) FROM jsonb_object_keys(tags || $3::jsonb)) <= ${MAX_TAGS} RETURNING ${columns}`,
    [appId, id, JSON.stringify(tags)],
  );
  if (row !== undefined) return row;
  return (await findSeq(sql, appId, id)) === null ? null : 'too-many';
}

/** @returns null where there is no such subscription, or no such tag. */
export async function removeTag(
  sql: Sql,
  appId: AppId,
  id: number,
  key: string,
): Promise<StoredSubscription | null> {
  const [row] = await sql.query<StoredSubscription>(
    `UPDATE subscriptions SET tags = tags - $3::text WHERE app_id = $1 AND seq = ${seqOfId} AND tags ? $3::text
     RETURNING ${columns}`,
    [appId, id, key],
  );
  return row ?? null;
}
