import { failWaiting } from '../../../engine/adapters/postgres/outgoing/webhook-store.ts';
import type { Sealer } from '../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import { endpointContext, type WebhookType } from '../../../engine/contract/webhooks.ts';
import type { Found, Page } from '../../http/page.ts';

export interface StoredWebhook {
  readonly id: number;
  readonly url: string;
  readonly description: string;
  readonly types: WebhookType[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: Date | null;
  readonly waiting: number;
  readonly old_secret_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const selected = `SELECT id, url, description, types, enabled, disabled_reason, failing_since, created_at, updated_at,
  CASE WHEN old_secret_until > now() THEN old_secret_until END AS old_secret_until,
  (SELECT count(*) FROM webhook_messages WHERE endpoint_id = webhook_endpoints.id AND state = 'waiting') AS waiting
  FROM webhook_endpoints`;

export async function listWebhooks(
  sql: Sql,
  organizationId: OrganizationId,
  page: Page,
): Promise<Found<StoredWebhook>> {
  const rows = await sql.query<StoredWebhook>(
    `${selected} WHERE organization_id = $1 ORDER BY id LIMIT $2 OFFSET $3`,
    [organizationId, page.size, page.offset],
  );
  return { rows, total: await countWebhooks(sql, organizationId) };
}

export async function countWebhooks(sql: Sql, organizationId: OrganizationId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM webhook_endpoints WHERE organization_id = $1`,
    [organizationId],
  );
  return row?.total ?? 0;
}

export async function findWebhook(
  sql: Sql,
  organizationId: OrganizationId,
  id: number,
): Promise<StoredWebhook | null> {
  const [row] = await sql.query<StoredWebhook>(`${selected} WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    id,
  ]);
  return row ?? null;
}

/** In the order of the engines that note ends: the endpoint before its messages. */
export async function lockWebhook(sql: Sql, organizationId: OrganizationId, id: number): Promise<boolean> {
  const rows = await sql.query(
    `SELECT FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
    [organizationId, id],
  );
  return rows.length === 1;
}

export interface NewWebhook {
  readonly url: string;
  readonly description: string;
  readonly types: readonly WebhookType[];
  readonly key: Uint8Array;
}

/** The secret is bound to the row's number, so it is sealed once that is known. @returns the number. */
export async function insertWebhook(
  sql: Sql,
  sealer: Sealer,
  organizationId: OrganizationId,
  { url, description, types, key }: NewWebhook,
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO webhook_endpoints (organization_id, url, description, types) VALUES ($1, $2, $3, $4) RETURNING id`,
    [organizationId, url, description, types],
  );
  if (row === undefined) throw new Error('no webhook was made');
  await sql.query(`UPDATE webhook_endpoints SET secret_sealed = $2 WHERE id = $1`, [
    row.id,
    sealer.seal(key, endpointContext(row.id)),
  ]);
  return row.id;
}

export interface WebhookChanged {
  readonly url: string | null;
  readonly description: string | null;
  readonly types: readonly WebhookType[] | null;
  readonly enabled: boolean | null;
}

/** Enabling one, or another address, forgets failures; to a disabled one nothing more is sent. Absent values stay. */
export async function updateWebhook(sql: Sql, id: number, changes: WebhookChanged): Promise<void> {
  const { url, description, types, enabled } = changes;
  await sql.query(
    `UPDATE webhook_endpoints SET url = coalesce($2, url), description = coalesce($3, description),
       types = coalesce($4, types), enabled = coalesce($5, enabled), updated_at = now(),
       disabled_reason = CASE WHEN $5::boolean IS NULL THEN disabled_reason END,
       failing_since = CASE WHEN $5::boolean IS NULL AND $2 IS NULL THEN failing_since END,
       paused_until = CASE WHEN $5::boolean IS NULL AND $2 IS NULL THEN paused_until END,
       failures = CASE WHEN $5::boolean IS NULL AND $2 IS NULL THEN failures ELSE 0 END
     WHERE id = $1`,
    [id, url, description, types, enabled],
  );
  if (enabled === false) await failWaiting(sql, id);
}

/** Of a rotation: the secret before signs as well for so long. */
export const OVERLAP_HOURS = 24;

export async function rotateSecret(sql: Sql, sealer: Sealer, id: number, key: Uint8Array): Promise<void> {
  await sql.query(
    `UPDATE webhook_endpoints SET old_secret_sealed = secret_sealed, secret_sealed = $2, updated_at = now(),
       old_secret_until = now() + interval '${OVERLAP_HOURS} hours' WHERE id = $1`,
    [id, sealer.seal(key, endpointContext(id))],
  );
}

/** Who asks for a message wants to see it tried now. */
export async function endPause(sql: Sql, id: number): Promise<void> {
  await sql.query(`UPDATE webhook_endpoints SET paused_until = NULL WHERE id = $1`, [id]);
}

/** With its messages. */
export async function deleteWebhook(sql: Sql, id: number): Promise<void> {
  await sql.query(`DELETE FROM webhook_endpoints WHERE id = $1`, [id]);
}
