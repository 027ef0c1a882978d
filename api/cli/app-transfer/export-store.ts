import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, OrganizationId } from '../../../engine/contract/ids.ts';

export interface ExportedApp {
  readonly id: AppId;
  readonly organization_id: OrganizationId;
  readonly identifier: string;
  readonly next_seq: number;
  readonly settings: Record<string, unknown>;
  readonly keys: readonly ExportedKey[];
}

export interface ExportedKey {
  readonly number: number;
  readonly state: 'active' | 'retiring' | 'ended';
  readonly public_key: string;
  /** Hex. */
  readonly sealed: string;
}

/** Settings that are not set are left out, as in the body of an app. */
export async function findExportedApp(sql: Sql, identifier: string): Promise<ExportedApp | null> {
  const [row] = await sql.query<ExportedApp>(
    `SELECT id, organization_id, identifier, next_seq,
       json_strip_nulls(json_build_object('name', name, 'site_domain', site_domain,
         'frequency_cap_max_notifications', frequency_cap_max_notifications,
         'frequency_cap_window_minutes', frequency_cap_window_minutes, 'default_ttl_seconds', default_ttl_seconds,
         'default_require_interaction', default_require_interaction, 'default_silent', default_silent,
         'default_vibrate_pattern', default_vibrate_pattern,
         'auto_delete_unsubscribed_enabled', auto_delete_unsubscribed_enabled,
         'auto_delete_unsubscribed_days', auto_delete_unsubscribed_days,
         'default_query_params', default_query_params, 'time_zone', time_zone, 'quiet_hours', quiet_hours, 'approval', approval,
         'fallback_text', fallback_text, 'chrome_guard', chrome_guard, 'preferences_button', preferences_button,
         'prune_unreachable_days', prune_unreachable_days, 'icon_url', icon_url, 'badge_url', badge_url,
         'app_badge', app_badge)) AS settings,
       (SELECT json_agg(json_build_object('number', number, 'state', state, 'public_key', public_key,
          'sealed', encode(sealed, 'hex'))) FROM (
          SELECT apps.vapid_key_number, 'active', apps.vapid_public_key, apps.vapid_private_key_sealed
          UNION ALL SELECT number, state, public_key, private_key_sealed FROM vapid_keys
          WHERE app_id = apps.id AND state <> 'retired'
        ) AS pairs (number, state, public_key, sealed)) AS keys
     FROM apps WHERE identifier = $1 AND deleted_at IS NULL`,
    [identifier],
  );
  return row ?? null;
}

/** Lines of the file, as JSON text. */
export async function exportedCategories(sql: Sql, appId: AppId): Promise<string[]> {
  const rows = await sql.query<{ line: string }>(
    `SELECT json_strip_nulls(json_build_object('category', json_build_object('id', id,
       'body', json_build_object('name', name, 'description', description))))::text AS line
     FROM delivery_categories WHERE app_id = $1 AND deleted_at IS NULL ORDER BY id`,
    [appId],
  );
  return rows.map(({ line }) => line);
}

export async function exportedSegments(sql: Sql, appId: AppId): Promise<string[]> {
  const rows = await sql.query<{ line: string }>(
    `SELECT json_build_object('segment', json_build_object('name', name, 'rules', rules))::text AS line
     FROM segments WHERE app_id = $1 AND deleted_at IS NULL ORDER BY id`,
    [appId],
  );
  return rows.map(({ line }) => line);
}

/**
 * The prompts and the welcome, where they are set. A round stays with its app: the browsers of the site keep which variant
 * they drew in it. An image goes by its address, and is served where it was.
 */
export async function exportedAsking(sql: Sql, appId: AppId): Promise<string[]> {
  const rows = await sql.query<{ line: string }>(
    `SELECT json_build_object('prompts', json_build_object('settings', settings, 'round', round))::text AS line
     FROM prompts WHERE app_id = $1
     UNION ALL SELECT json_strip_nulls(json_build_object('welcome', json_build_object('enabled', enabled, 'title', title,
       'body', body, 'url', url, 'image_url', image_url, 'icon_url', icon_url, 'delay_minutes', delay_minutes)))::text
     FROM welcome_templates WHERE app_id = $1`,
    [appId],
  );
  return rows.map(({ line }) => line);
}

export const SEQS_PER_READ = 4_096;

/** Times in UTC, keys as base64; null values are left out. */
export async function exportedSubscriptions(sql: Sql, appId: AppId, from: number): Promise<string[]> {
  const utc = (column: string): string =>
    `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const base64 = (column: string): string => `translate(encode(${column}, 'base64'), E'\\n', '')`;
  const rows = await sql.query<{ line: string }>(
    `SELECT json_strip_nulls(json_build_object('endpoint', endpoint, 'p256dh', ${base64('p256dh')},
       'auth', ${base64('auth')}, 'status', status, 'vapid_key_number', vapid_key_number, 'user_identity', user_identity,
       'secret_hash', ${base64('secret_hash')},
       'device', device_type, 'browser_name', browser_name, 'browser_version', browser_version, 'os_name', os_name,
       'os_version', os_version, 'country', country,
       'time_zone', (SELECT name FROM time_zones WHERE time_zones.id = time_zone_id), 'language', language, 'tags', tags, 'external_ids', external_ids,
       'category_ids', category_ids, 'wishes', (SELECT json_build_object('max_notifications', max_notifications,
         'window_minutes', window_minutes, 'paused_until', ${utc('paused_until')}, 'quiet_from', quiet_from, 'quiet_to', quiet_to,
         'left_at', ${utc('left_at')}, 'revision', revision) FROM reader_wishes AS wish
         WHERE wish.app_id = subscriptions.app_id AND wish.seq = subscriptions.seq), 'created_at', ${utc('created_at')}, 'last_seen_at', ${utc('last_seen_at')},
       'last_clicked_at', ${utc('last_clicked_at')}, 'unsubscribed_at', ${utc('unsubscribed_at')}))::text AS line
     FROM subscriptions WHERE app_id = $1 AND seq >= $2 AND seq < $3 ORDER BY seq`,
    [appId, from, from + SEQS_PER_READ],
  );
  return rows.map(({ line }) => line);
}
