import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { OrganizationId } from '../../../engine/contract/ids.ts';
import {
  PING,
  type SentType,
  type WebhookAnswer,
  type WebhookState,
} from '../../../engine/contract/webhooks.ts';
import type { Found, Page } from '../../http/page.ts';

export interface StoredMessage {
  readonly id: number;
  readonly header_id: string;
  readonly type: SentType;
  readonly state: WebhookState;
  readonly data: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly due_at: Date | null;
  readonly ended_at: Date | null;
  readonly answers: readonly WebhookAnswer[];
  readonly occurred_at: Date;
}

const columns = `id, header_id, type, state, data, attempts, due_at, ended_at, answers, occurred_at`;

/** Newest first. */
export async function listMessages(
  sql: Sql,
  webhookId: number,
  state: WebhookState | null,
  page: Page,
): Promise<Found<StoredMessage>> {
  const rows = await sql.query<StoredMessage>(
    `SELECT ${columns} FROM webhook_messages WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2)
     ORDER BY id DESC LIMIT $3 OFFSET $4`,
    [webhookId, state, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM webhook_messages WHERE endpoint_id = $1 AND ($2::text IS NULL OR state = $2)`,
    [webhookId, state],
  );
  return { rows, total: count?.total ?? 0 };
}

export async function insertPing(sql: Sql, webhookId: number): Promise<StoredMessage> {
  const rows = await sql.query<StoredMessage>(
    `INSERT INTO webhook_messages (endpoint_id, type, subject, data)
     VALUES ($1, '${PING}', '${PING} ' || gen_random_uuid(), '{"text": "If you can read this, the webhook works."}')
     RETURNING ${columns}`,
    [webhookId],
  );
  return one(rows);
}

/** Checked of each endpoint. */
const NEWEST = 200;

/** Of an organization within the last minute. */
export async function countRecentPings(sql: Sql, organizationId: OrganizationId): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM webhook_endpoints JOIN LATERAL (
       SELECT type, occurred_at FROM webhook_messages WHERE endpoint_id = webhook_endpoints.id
       ORDER BY id DESC LIMIT ${NEWEST}) AS newest ON true
     WHERE organization_id = $1 AND type = '${PING}' AND occurred_at > now() - interval '1 minute'`,
    [organizationId],
  );
  return row?.total ?? 0;
}

/** Behind what waits, under the same id and with the same payload. Null where the endpoint has no such message. */
export async function replayMessage(sql: Sql, webhookId: number, id: number): Promise<StoredMessage | null> {
  const [row] = await sql.query<StoredMessage>(
    `INSERT INTO webhook_messages (header_id, endpoint_id, app_id, type, subject, data, occurred_at)
     SELECT header_id, endpoint_id, app_id, type, subject, data, occurred_at FROM webhook_messages
     WHERE endpoint_id = $1 AND id = $2 RETURNING ${columns}`,
    [webhookId, id],
  );
  return row ?? null;
}

function one(rows: readonly StoredMessage[]): StoredMessage {
  const [row] = rows;
  if (row === undefined) throw new Error('no message was made');
  return row;
}
