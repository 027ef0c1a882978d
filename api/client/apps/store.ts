import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type AppId, type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../page.ts';
import type { AppBody } from './schema.ts';

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
  readonly subscriber_count: number;
  readonly active_subscriber_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `id, identifier, name, site_domain, frequency_cap_max_notifications, frequency_cap_window_minutes,
  default_ttl_seconds, default_require_interaction, default_silent, default_vibrate_pattern,
  auto_delete_unsubscribed_enabled, auto_delete_unsubscribed_days, default_query_params, subscriber_count,
  active_subscriber_count, created_at, updated_at`;

const branded = (row: StoredApp): StoredApp => ({ ...row, id: toId(row.id) });

/** One statement for a missing app and for one of another organization: neither answer nor time tells them apart. */
export async function findApp(
  sql: Sql,
  organizationId: OrganizationId,
  identifier: string,
): Promise<StoredApp | null> {
  const [row] = await sql.query<StoredApp>(
    `SELECT ${columns} FROM apps WHERE identifier = $1 AND organization_id = $2`,
    [identifier, organizationId],
  );
  return row === undefined ? null : branded(row);
}

export async function listApps(
  sql: Sql,
  organizationId: OrganizationId,
  page: Page,
): Promise<Found<StoredApp>> {
  const rows = await sql.query<StoredApp>(
    `SELECT ${columns} FROM apps WHERE organization_id = $1 ORDER BY id LIMIT $2 OFFSET $3`,
    [organizationId, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM apps WHERE organization_id = $1`,
    [organizationId],
  );
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
  const { body } = app;
  const [row] = await sql.query<StoredApp>(
    `INSERT INTO apps (organization_id, identifier, vapid_public_key, vapid_private_key_sealed, name, site_domain,
       frequency_cap_max_notifications, frequency_cap_window_minutes, default_ttl_seconds,
       default_require_interaction, default_silent, default_vibrate_pattern, auto_delete_unsubscribed_enabled,
       auto_delete_unsubscribed_days, default_query_params)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, 86400), coalesce($10, false), coalesce($11, false),
       coalesce($12, '{}'::integer[]), coalesce($13, false), $14, coalesce($15::jsonb, '[]'))
     ON CONFLICT (identifier) DO NOTHING RETURNING ${columns}`,
    [app.organizationId, app.identifier, app.vapidPublicKey, app.vapidPrivateKeySealed, ...valuesOf(body)],
  );
  return row === undefined ? null : branded(row);
}

const valuesOf = (body: AppBody): unknown[] => [
  body.name,
  body.site_domain,
  body.frequency_cap_max_notifications,
  body.frequency_cap_window_minutes,
  body.default_ttl_seconds,
  body.default_require_interaction,
  body.default_silent,
  body.default_vibrate_pattern,
  body.auto_delete_unsubscribed_enabled,
  body.auto_delete_unsubscribed_days,
  body.default_query_params === undefined ? undefined : JSON.stringify(body.default_query_params.map(pair)),
];

/** What else a client put into an entry is not kept. */
const pair = ({ key, value }: { key: string; value: string }) => ({ key, value });

export async function organizationExists(sql: Sql, id: number): Promise<boolean> {
  return (await sql.query(`SELECT 1 FROM organizations WHERE id = $1`, [id])).length === 1;
}
