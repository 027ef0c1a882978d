import type { Sealer } from '../../../../engine/adapters/postgres/sealed-secret.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import {
  type AlertChannelKind,
  type AlertKind,
  type AlertSendState,
  channelContext,
  type SentKind,
  TEST_ALERT,
} from '../../../../engine/contract/alerts.ts';
import type { OrganizationId } from '../../../../engine/contract/ids.ts';
import type { Found, Page } from '../../../http/page.ts';

export interface StoredChannel {
  readonly id: number;
  readonly kind: AlertChannelKind;
  readonly address: string;
  readonly alert_kinds: AlertKind[];
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly last_answer: string | null;
  readonly last_at: Date | null;
  readonly created_at: Date;
}

const columns = 'id, kind, address, alert_kinds, enabled, disabled_reason, created_at';
const withLast = `SELECT ${columns}, last_answer, last_at FROM alert_channels LEFT JOIN LATERAL (
  SELECT last_answer, last_at FROM alert_sends WHERE channel_id = alert_channels.id AND last_at IS NOT NULL
  ORDER BY last_at DESC LIMIT 1) AS last ON true`;

export async function listChannels(
  sql: Sql,
  organizationId: OrganizationId,
  page: Page,
): Promise<Found<StoredChannel>> {
  const rows = await sql.query<StoredChannel>(
    `${withLast} WHERE organization_id = $1 ORDER BY id LIMIT $2 OFFSET $3`,
    [organizationId, page.size, page.offset],
  );
  return { rows, total: await countChannels(sql, organizationId) };
}

export async function countChannels(sql: Sql, organizationId: OrganizationId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM alert_channels WHERE organization_id = $1`,
    [organizationId],
  );
  return row?.total ?? 0;
}

export async function findChannel(
  sql: Sql,
  organizationId: OrganizationId,
  id: number,
): Promise<StoredChannel | null> {
  const [row] = await sql.query<StoredChannel>(`${withLast} WHERE organization_id = $1 AND id = $2`, [
    organizationId,
    id,
  ]);
  return row ?? null;
}

export interface NewChannel {
  readonly organizationId: OrganizationId;
  readonly kind: AlertChannelKind;
  /** What people see. */
  readonly address: string;
  readonly secret: Uint8Array | string | null;
  readonly alertKinds: readonly AlertKind[];
}

/** The secret is bound to the row's number, so it is sealed once that is known. @returns the number. */
export async function insertChannel(sql: Sql, sealer: Sealer, channel: NewChannel): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO alert_channels (organization_id, kind, address, alert_kinds) VALUES ($1, $2, $3, $4) RETURNING id`,
    [channel.organizationId, channel.kind, channel.address, channel.alertKinds],
  );
  if (row === undefined) throw new Error('no alert channel was made');
  if (channel.secret !== null) {
    const sealed = sealer.seal(channel.secret, channelContext(row.id));
    await sql.query(`UPDATE alert_channels SET secret_sealed = $2 WHERE id = $1`, [row.id, sealed]);
  }
  return row.id;
}

/** Enabling a channel forgets why it was disabled; to a disabled one nothing more is sent. Absent values stay. */
export async function updateChannel(
  sql: Sql,
  id: number,
  {
    alertKinds,
    enabled,
  }: { readonly alertKinds: readonly AlertKind[] | null; readonly enabled: boolean | null },
): Promise<void> {
  await sql.query(
    `UPDATE alert_channels SET alert_kinds = coalesce($2, alert_kinds), enabled = coalesce($3, enabled),
       disabled_reason = CASE WHEN $3 IS NULL THEN disabled_reason END,
       failing_since = CASE WHEN $3 IS NULL THEN failing_since END
     WHERE id = $1`,
    [id, alertKinds, enabled],
  );
  if (enabled !== false) return;
  await sql.query(
    `UPDATE alert_sends SET state = 'failed', due_at = NULL, last_answer = coalesce(last_answer, 'the channel is disabled')
     WHERE channel_id = $1 AND state IN ('waiting', 'held')`,
    [id],
  );
}

export async function deleteChannel(sql: Sql, id: number): Promise<void> {
  await sql.query(`DELETE FROM alert_channels WHERE id = $1`, [id]);
}

export async function countRecentTests(sql: Sql, organizationId: OrganizationId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM alerts
     WHERE organization_id = $1 AND kind = $2 AND created_at > now() - interval '1 minute'`,
    [organizationId, TEST_ALERT],
  );
  return row?.total ?? 0;
}

/** An alert to one channel alone, due now: an engine sends it as any other. @returns its number. */
export async function insertTest(
  sql: Sql,
  organizationId: OrganizationId,
  channelId: number,
  key: string,
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `WITH alert AS (
       INSERT INTO alerts (organization_id, kind, key) VALUES ($1, $2, $3) RETURNING id
     )
     INSERT INTO alert_sends (alert_id, channel_id, state, due_at, released_at)
     SELECT id, $4, 'waiting', now(), now() FROM alert RETURNING alert_id AS id`,
    [organizationId, TEST_ALERT, key, channelId],
  );
  return row?.id ?? 0;
}

export interface StoredAlert {
  readonly id: number;
  readonly kind: SentKind;
  readonly app: string | null;
  readonly detail: Record<string, unknown>;
  readonly created_at: Date;
  readonly sends: readonly {
    readonly channel_id: number;
    readonly channel_kind: AlertChannelKind;
    readonly address: string;
    readonly state: AlertSendState;
    readonly attempts: number;
    readonly more: number;
    readonly last_answer: string | null;
    /** As Postgres writes it into JSON. */
    readonly last_at: string | null;
  }[];
}

const alerts = `SELECT alerts.id, alerts.kind, apps.identifier AS app, detail, alerts.created_at,
  coalesce((SELECT json_agg(json_build_object('channel_id', channels.id, 'channel_kind', channels.kind,
      'address', address, 'state', state, 'attempts', attempts, 'more', more, 'last_answer', last_answer,
      'last_at', last_at) ORDER BY alert_sends.id)
    FROM alert_sends JOIN alert_channels AS channels ON channels.id = channel_id
    WHERE alert_id = alerts.id), '[]') AS sends
  FROM alerts LEFT JOIN apps ON apps.id = app_id`;

/** Newest first. */
export async function listAlerts(
  sql: Sql,
  organizationId: OrganizationId,
  page: Page,
): Promise<Found<StoredAlert>> {
  const rows = await sql.query<StoredAlert>(
    `${alerts} WHERE alerts.organization_id = $1 ORDER BY alerts.id DESC LIMIT $2 OFFSET $3`,
    [organizationId, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM alerts WHERE organization_id = $1`,
    [organizationId],
  );
  return { rows, total: count?.total ?? 0 };
}

export async function findAlert(
  sql: Sql,
  organizationId: OrganizationId,
  id: number,
): Promise<StoredAlert | null> {
  const [row] = await sql.query<StoredAlert>(
    `${alerts} WHERE alerts.organization_id = $1 AND alerts.id = $2`,
    [organizationId, id],
  );
  return row ?? null;
}
