import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { orderOfNames } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import {
  countBrowsers,
  lockedRows,
  unsubscribe,
} from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { ReaderQuietHours } from '../../../engine/contract/reader-wishes.ts';
import type { FrequencyCap } from '../../../engine/contract/shard.ts';
import type { PreferenceLink } from '../../shared/preferences/link.ts';
import { ofSecrets } from '../lookups.ts';

/** What one reader chose, and what there is to choose from. */
export interface Preferences {
  readonly seq: number;
  readonly subscribed: boolean;
  readonly site_name: string;
  readonly site_domain: string;
  readonly language: string | null;
  /** IANA; the app's own where the reader's is not known. */
  readonly zone: string;
  /** By name. */
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  /** Null: all of them. */
  readonly category_ids: readonly number[] | null;
  readonly max_notifications: number | null;
  readonly window_minutes: number | null;
  /** Null where it is over. */
  readonly paused_until: Date | null;
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  /** 0: nothing was ever chosen here. */
  readonly revision: number;
  /** Unsubscribed here, and not subscribed since. */
  readonly has_left: boolean;
}

/** Longer lists are a publisher's own affair; a page of them helps nobody. */
const MAX_CATEGORIES = 100;

const seqOfLink = '(SELECT seq_of_subscription($1, $2))';

/** Null where there is no such subscription any more. */
export async function readPreferences(
  sql: Sql,
  { appId, subscriptionId }: PreferenceLink,
): Promise<Preferences | null> {
  const [row] = await sql.query<Preferences>(
    `SELECT seq, status = 'subscribed' AS subscribed, apps.name AS site_name, site_domain, language,
       coalesce((SELECT name FROM time_zones WHERE time_zones.id = time_zone_id), time_zone) AS zone,
       coalesce((SELECT json_agg(json_build_object('id', id, 'name', name)) FROM (
         SELECT id, name FROM delivery_categories WHERE app_id = $1 AND deleted_at IS NULL
         ORDER BY ${orderOfNames('name')}, id LIMIT ${MAX_CATEGORIES}) AS kind), '[]') AS categories, category_ids,
       max_notifications, window_minutes, quiet_from, quiet_to,
       CASE WHEN paused_until > now() THEN paused_until END AS paused_until, coalesce(revision, 0) AS revision,
       status = 'unsubscribed' AND left_at IS NOT NULL AS has_left
     FROM subscriptions JOIN apps ON apps.id = subscriptions.app_id AND deleted_at IS NULL
     LEFT JOIN reader_wishes USING (app_id, seq) WHERE subscriptions.app_id = $1 AND seq = ${seqOfLink}`,
    [appId, subscriptionId],
  );
  return row ?? null;
}

/** The id of the subscription that has this secret; null where none has. */
export async function findBySecret(sql: Sql, appId: AppId, secretHash: Buffer): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(`SELECT id FROM ${ofSecrets('ARRAY[$2::bytea]')}`, [
    appId,
    secretHash,
  ]);
  return row?.id ?? null;
}

export type Change =
  | {
      readonly kind: 'choices';
      /** Ids of those that the reader does not want; null: as they are. */
      readonly categoriesOff: readonly number[] | null;
      readonly fewer: FrequencyCap | null;
      readonly quietHours: ReaderQuietHours | null;
    }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'leave' };

const PAUSE = `interval '7 days'`;

/**
 * Safe to repeat. @returns false where there is no such subscription any more.
 *
 * What a reader chose lives in `reader_wishes` with its revision, of which the SDK takes over a higher one. If its owner
 * dies, nothing is saved and the reader saves again, which changes nothing but the number. A browser that was away
 * learns of it at its next visit.
 */
export function changePreferences(
  database: Database,
  { appId, subscriptionId }: PreferenceLink,
  change: Change,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const [row] = await sql.query<{ seq: number; status: string }>(
      lockedRows(`kept.seq = ${seqOfLink}`, { columns: 'seq, status' }),
      [appId, subscriptionId],
    );
    if (row === undefined) return false;
    await raiseRevision(sql, appId, row.seq);
    await write(sql, appId, row.seq, change);
    if (change.kind === 'leave' && row.status === 'subscribed') {
      await unsubscribe(sql, appId, [row.seq]);
      await countBrowsers(sql, appId, -1);
    }
    await sql.query('UPDATE apps SET has_wishes = true WHERE id = $1 AND NOT has_wishes', [appId]);
    return true;
  });
}

async function raiseRevision(sql: Sql, appId: AppId, seq: number): Promise<void> {
  await sql.query(
    `INSERT INTO reader_wishes AS kept (app_id, seq) VALUES ($1, $2)
     ON CONFLICT (app_id, seq) DO UPDATE SET revision = kept.revision + 1, changed_at = now()`,
    [appId, seq],
  );
}

async function write(sql: Sql, appId: AppId, seq: number, change: Change): Promise<void> {
  const set = (columns: string, values: readonly unknown[] = []) =>
    sql.query(`UPDATE reader_wishes SET ${columns} WHERE app_id = $1 AND seq = $2`, [appId, seq, ...values]);
  switch (change.kind) {
    case 'choices': {
      const { fewer, quietHours: hours, categoriesOff } = change;
      await set('max_notifications = $3, window_minutes = $4, quiet_from = $5, quiet_to = $6', [
        ...[fewer?.maxNotifications ?? null, fewer?.windowMinutes ?? null],
        ...[hours?.from ?? null, hours?.to ?? null],
      ]);
      if (categoriesOff !== null) await chooseCategories(sql, appId, seq, categoriesOff);
      return;
    }
    case 'pause':
      await set(`paused_until = now() + ${PAUSE}`);
      return;
    case 'resume':
      await set('paused_until = NULL');
      return;
    case 'leave':
      await set('left_at = now()');
  }
}

/** Where nothing is off, the reader has all categories, and those that come later. */
async function chooseCategories(sql: Sql, appId: AppId, seq: number, off: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE subscriptions SET category_ids = CASE WHEN off.some THEN ARRAY(
       SELECT id FROM delivery_categories AS kind WHERE kind.app_id = $1 AND deleted_at IS NULL
         AND NOT kind.id = ANY($3::integer[]) ORDER BY id) END
     FROM (SELECT EXISTS (SELECT FROM delivery_categories AS kind WHERE kind.app_id = $1 AND deleted_at IS NULL
       AND kind.id = ANY($3::integer[])) AS some) AS off
     WHERE app_id = $1 AND seq = $2`,
    [appId, seq, off],
  );
}
