import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { QuietHoursSetting } from '../../../engine/contract/campaign.ts';
import type { ChromeGuard } from '../../../engine/contract/chrome-guard.ts';
import type { DeliveryStatus } from '../../../engine/contract/delivery.ts';
import { type AppId, type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import { timeZoneOf } from '../../../engine/contract/time-zone.ts';
import type { AppsOf } from '../../auth/caller.ts';
import type { Found, Page } from '../../http/page.ts';
import type { ApprovalRule } from '../approvals/schema.ts';
import { chromeGuardOf } from './chrome-guard.ts';
import { type AppBody, type AppChanges, DEFAULT_TIME_ZONE, DEFAULT_TTL_SECONDS, originOf } from './schema.ts';

export interface StoredApp {
  readonly id: AppId;
  readonly identifier: string;
  readonly name: string;
  readonly site_domain: string;
  readonly frequency_cap_max_notifications: number | null;
  readonly frequency_cap_window_minutes: number | null;
  readonly default_ttl_seconds: number;
  readonly default_require_interaction: boolean;
  readonly default_silent: boolean;
  readonly default_vibrate_pattern: number[];
  readonly auto_delete_unsubscribed_enabled: boolean;
  readonly auto_delete_unsubscribed_days: number | null;
  readonly default_query_params: { key: string; value: string }[];
  readonly time_zone: string;
  readonly quiet_hours: QuietHoursSetting | null;
  readonly approval: ApprovalRule;
  readonly fallback_text: string | null;
  readonly chrome_guard: ChromeGuard | null;
  readonly prune_unreachable_days: number | null;
  readonly preferences_button: boolean;
  /** An address, or the path of one of our images. */
  readonly icon_url: string | null;
  readonly badge_url: string | null;
  readonly app_badge: boolean;
  readonly subscriber_count: number;
  readonly active_subscriber_count: number;
  readonly first_browser_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, identifier, name, site_domain, frequency_cap_max_notifications, frequency_cap_window_minutes,
  default_ttl_seconds, default_require_interaction, default_silent, default_vibrate_pattern,
  auto_delete_unsubscribed_enabled, auto_delete_unsubscribed_days, default_query_params, time_zone, quiet_hours, approval, fallback_text, chrome_guard, preferences_button, prune_unreachable_days,
  icon_url, badge_url, app_badge, subscriber_count,
  active_subscriber_count, first_browser_at, created_at, updated_at`;

const branded = (row: StoredApp): StoredApp => ({ ...row, id: toId(row.id) });

const isTheirs = `organization_id = $1 AND ($2::integer[] IS NULL OR id = ANY($2)) AND deleted_at IS NULL`;

/**
 * One statement for a missing app, one of another organization, and one that the token is not for: neither answer
 * nor time reveals which.
 */
export async function findApp(
  sql: Sql,
  { organizationId, apps }: AppsOf,
  identifier: string,
): Promise<StoredApp | null> {
  const [row] = await sql.query<StoredApp>(
    `SELECT ${columns} FROM apps WHERE identifier = $3 AND ${isTheirs}`,
    [organizationId, apps, identifier],
  );
  return row === undefined ? null : branded(row);
}

export async function listApps(
  sql: Sql,
  { organizationId, apps }: AppsOf,
  page: Page,
): Promise<Found<StoredApp>> {
  const rows = await sql.query<StoredApp>(
    `SELECT ${columns} FROM apps WHERE ${isTheirs} ORDER BY id LIMIT $3 OFFSET $4`,
    [organizationId, apps, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(`SELECT count(*) AS total FROM apps WHERE ${isTheirs}`, [
    organizationId,
    apps,
  ]);
  return { rows: rows.map(branded), total: count?.total ?? 0 };
}

export interface NewApp {
  readonly organizationId: OrganizationId;
  readonly identifier: string;
  readonly vapidPublicKey: string;
  readonly vapidPrivateKeySealed: Buffer;
  readonly body: AppBody;
}

/** @returns null where the identifier is taken. */
export async function insertApp(sql: Sql, app: NewApp): Promise<StoredApp | null> {
  const [row] = await sql.query<StoredApp>(
    `INSERT INTO apps (organization_id, identifier, vapid_public_key, vapid_private_key_sealed, ${settingColumns.join(', ')})
     VALUES ($1, $2, $3, $4, ${settingColumns.map((_, index) => `$${index + 5}`).join(', ')})
     ON CONFLICT (identifier) DO NOTHING RETURNING ${columns}`,
    [
      app.organizationId,
      app.identifier,
      app.vapidPublicKey,
      app.vapidPrivateKeySealed,
      ...valuesOf(settingsOf(app.body)),
    ],
  );
  return row === undefined ? null : branded(row);
}

/** As `findApp`, and locks the app against changes and deletion until the transaction ends. */
export async function lockApp(
  sql: Sql,
  organizationId: OrganizationId,
  identifier: string,
): Promise<StoredApp | null> {
  // No key update: references to the app can still be written.
  const [row] = await sql.query<StoredApp>(
    `SELECT ${columns} FROM apps WHERE identifier = $1 AND organization_id = $2 AND deleted_at IS NULL
     FOR NO KEY UPDATE`,
    [identifier, organizationId],
  );
  return row === undefined ? null : branded(row);
}

/** Identifier and key pair stay for life. */
export async function updateApp(
  sql: Sql,
  id: AppId,
  organizationId: OrganizationId,
  settings: AppSettings,
): Promise<StoredApp> {
  const assignments = settingColumns.map((column, index) => `${column} = $${index + 3}`);
  const [row] = await sql.query<StoredApp>(
    `UPDATE apps SET organization_id = $2, ${assignments.join(', ')}, updated_at = now()
     WHERE id = $1 RETURNING ${columns}`,
    [id, organizationId, ...valuesOf(settings)],
  );
  if (row === undefined) throw new Error('the app locked for its update is not there');
  return branded(row);
}

/** From the commit on the app is invisible; an engine removes its rows in the background. */
export async function markDeleted(sql: Sql, id: AppId): Promise<void> {
  await sql.query(`UPDATE apps SET deleted_at = now(), updated_at = now() WHERE id = $1`, [id]);
}

/**
 * Cancels deliveries of an app being deleted. Messages in flight arrive; nothing further is sent.
 * @returns how many.
 */
export async function cancelOpenDeliveries(sql: Sql, appId: AppId): Promise<number> {
  const rows = await sql.query(
    `UPDATE deliveries SET status = 'cancelled', updated_at = now()
     WHERE app_id = $1 AND status = ANY($2) RETURNING id`,
    [appId, openStatuses],
  );
  return rows.length;
}

const openStatuses: readonly DeliveryStatus[] = ['pending', 'scheduled', 'queued', 'processing'];

/** The statement lists them in this order. */
const settingColumns = [
  'name',
  'site_domain',
  'frequency_cap_max_notifications',
  'frequency_cap_window_minutes',
  'default_ttl_seconds',
  'default_require_interaction',
  'default_silent',
  'default_vibrate_pattern',
  'auto_delete_unsubscribed_enabled',
  'auto_delete_unsubscribed_days',
  'default_query_params',
  'time_zone',
  'quiet_hours',
  'approval',
  'fallback_text',
  'chrome_guard',
  'prune_unreachable_days',
  'preferences_button',
  'icon_url',
  'badge_url',
  'app_badge',
] as const satisfies readonly (keyof StoredApp)[];

/** The fields that a body may set. */
export type AppSettings = Pick<StoredApp, (typeof settingColumns)[number]>;

/** A body states the whole app: absent fields get their default, on create and on update alike. */
export const settingsOf = (body: AppBody): AppSettings => ({
  name: body.name,
  site_domain: originOf(body.site_domain) ?? body.site_domain,
  frequency_cap_max_notifications: body.frequency_cap_max_notifications ?? null,
  frequency_cap_window_minutes: body.frequency_cap_window_minutes ?? null,
  default_ttl_seconds: body.default_ttl_seconds ?? DEFAULT_TTL_SECONDS,
  default_require_interaction: body.default_require_interaction ?? false,
  default_silent: body.default_silent ?? false,
  default_vibrate_pattern: body.default_vibrate_pattern ?? [],
  auto_delete_unsubscribed_enabled: body.auto_delete_unsubscribed_enabled ?? false,
  auto_delete_unsubscribed_days: body.auto_delete_unsubscribed_days ?? null,
  default_query_params: (body.default_query_params ?? []).map(pair),
  time_zone: timeZoneOf(body.time_zone ?? '') ?? DEFAULT_TIME_ZONE,
  quiet_hours: quietHoursOf(body.quiet_hours),
  approval: body.approval ?? 'none',
  fallback_text: body.fallback_text ?? null,
  chrome_guard: chromeGuardOf(body.chrome_guard),
  prune_unreachable_days: body.prune_unreachable_days ?? null,
  preferences_button: body.preferences_button ?? false,
  icon_url: body.icon_url ?? null,
  badge_url: body.badge_url ?? null,
  app_badge: body.app_badge ?? false,
});

/** Further fields are not stored. */
const quietHoursOf = (given: AppBody['quiet_hours']): QuietHoursSetting | null =>
  given === undefined || given === null
    ? null
    : { from: given.from, to: given.to, time_zone: given.time_zone ?? 'reader' };

/** Absent fields keep their value; null resets one to its default. */
export function mergeSettings(before: AppSettings, changes: AppChanges): AppSettings {
  const given = Object.entries(changes).map(([field, value]) => [field, value ?? undefined]);
  const asBody = Object.fromEntries(settingColumns.map((column) => [column, before[column] ?? undefined]));
  return settingsOf({ ...asBody, ...Object.fromEntries(given) } as AppBody);
}

/** Further fields of an entry are not stored. */
const pair = ({ key, value }: { key: string; value: string }) => ({ key, value });

const valuesOf = (settings: AppSettings): unknown[] =>
  settingColumns.map((column) =>
    // An array of objects must reach a jsonb column as text: the driver writes arrays as Postgres arrays.
    column === 'default_query_params' ? JSON.stringify(settings[column]) : settings[column],
  );

/** The names of the settings that differ. */
export const changedSettings = (before: AppSettings, after: AppSettings): string[] =>
  settingColumns.filter((column) => !isDeepStrictEqual(before[column], after[column]));
