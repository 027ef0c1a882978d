import {
  type ClaimedMessage,
  GIVE_UP_DAYS,
  type InFlight,
  MAX_ANSWERS,
  type MessageEnd,
  pausesS,
  type WebhookAnswer,
} from '../../../contract/webhooks.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/** Longer than an attempt may take: a message whose engine died is then sent again. */
const LEASE_SECONDS = 60;

type Noted = Pick<ClaimedMessage, 'id' | 'attempt' | 'endpointId'>;

/**
 * Messages of webhooks on their way, see `engine/outgoing/webhooks/ports.ts`.
 *
 * A message that is not taken yet lives in `webhook_messages`, written by triggers with its change of state. If its owner
 * dies, the lease ends and any engine sends it again under the same id.
 *
 * @param now left out: Postgres' own time, which all engines share.
 */
export function createWebhookStore(database: Database, now: () => Date | null = () => null) {
  return {
    claim: (limit: number, inFlight: InFlight): Promise<ClaimedMessage[]> =>
      claim(database, now(), limit, inFlight),

    note: (message: Noted, end: MessageEnd, answer: WebhookAnswer): Promise<void> =>
      database.transaction(async (sql) => {
        // First, as whoever disables or deletes it does: the other way round, two could wait for each other.
        if (!(await lockEndpoint(sql, message.endpointId))) return;
        if (!(await noteEnd(sql, now(), message, end, answer))) return;
        await (end.kind === 'sent'
          ? noteWorking(sql, message.endpointId)
          : noteFailing(sql, now(), message.endpointId, end.kind === 'unwanted', answer.words));
      }),
  };
}

/** Not claimed while an earlier message of its subject waits, is leased, or waits for another attempt. */
const isNext = `NOT EXISTS (
  SELECT FROM webhook_messages AS earlier
  WHERE earlier.endpoint_id = message.endpoint_id AND earlier.subject = message.subject
    AND earlier.id < message.id AND earlier.state = 'waiting')`;

/** By endpoint, as the index has them: nothing reads what waits for a paused one. */
export const messagesAreDue = `EXISTS (SELECT FROM webhook_endpoints AS endpoints
  WHERE enabled AND secret_sealed IS NOT NULL AND (paused_until IS NULL OR paused_until <= now())
    AND EXISTS (SELECT FROM webhook_messages
    WHERE endpoint_id = endpoints.id AND state = 'waiting' AND due_at <= now()))`;

/** The oldest due message of each organization that has a permit, so that none waits behind another's. */
async function claim(
  sql: Sql,
  now: Date | null,
  limit: number,
  { busyOrganizations, busyEndpoints, usedEndpoints }: InFlight,
): Promise<ClaimedMessage[]> {
  return sql.query<ClaimedMessage>(
    `WITH clock AS (SELECT coalesce($5::timestamptz, now()) AS at), ranked AS (
       SELECT DISTINCT ON (organization_id) next.id, next.due_at
       FROM clock CROSS JOIN webhook_endpoints AS endpoints CROSS JOIN LATERAL (
         SELECT id, due_at FROM webhook_messages AS message
         WHERE endpoint_id = endpoints.id AND state = 'waiting' AND due_at <= clock.at AND ${isNext}
         ORDER BY due_at, id LIMIT 1) AS next
       WHERE enabled AND secret_sealed IS NOT NULL AND (paused_until IS NULL OR paused_until <= clock.at)
         AND organization_id <> ALL($2::integer[]) AND endpoints.id <> ALL($3::bigint[])
         AND (failures = 0 OR endpoints.id <> ALL($4::bigint[]))
       ORDER BY organization_id, next.due_at, next.id
     ), chosen AS (
       SELECT id FROM webhook_messages
       WHERE id = ANY(ARRAY(SELECT id FROM ranked ORDER BY due_at LIMIT $1)) AND state = 'waiting'
         AND due_at <= (SELECT at FROM clock)
       ORDER BY id FOR UPDATE SKIP LOCKED
     ), leased AS (
       UPDATE webhook_messages SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, clock.at),
         due_at = clock.at + interval '${LEASE_SECONDS} seconds'
       FROM chosen, clock WHERE webhook_messages.id = chosen.id
       RETURNING webhook_messages.*, clock.at AS claimed_at
     )
     SELECT leased.id, attempts AS attempt, organization_id AS "organizationId", endpoints.id AS "endpointId", url,
       secret_sealed AS "secretSealed",
       CASE WHEN old_secret_until > claimed_at THEN old_secret_sealed END AS "oldSecretSealed",
       header_id AS "headerId", type, occurred_at AS "occurredAt", data, first_attempt_at AS "firstAttemptAt",
       claimed_at AS "claimedAt"
     FROM leased JOIN webhook_endpoints AS endpoints ON endpoints.id = endpoint_id`,
    [limit, busyOrganizations, busyEndpoints, usedEndpoints, now],
  );
}

async function lockEndpoint(sql: Sql, id: number): Promise<boolean> {
  return (
    (await sql.query(`SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE`, [id])).length === 1
  );
}

/** False where the lease ended and another engine took the message, or nobody wants it any more. */
async function noteEnd(
  sql: Sql,
  now: Date | null,
  { id, attempt }: Noted,
  end: MessageEnd,
  answer: WebhookAnswer,
): Promise<boolean> {
  const state = { sent: 'sent', again: 'waiting', failed: 'failed', unwanted: 'failed' }[end.kind];
  const rows = await sql.query(
    `UPDATE webhook_messages SET state = $3,
       answers = CASE WHEN jsonb_array_length(answers) >= ${MAX_ANSWERS} THEN answers - 0 ELSE answers END || $4::jsonb,
       due_at = CASE WHEN $3 = 'waiting' THEN coalesce($6, now()) + make_interval(secs => $5::float8 / 1000) END,
       ended_at = CASE WHEN $3 <> 'waiting' THEN coalesce($6, now()) END
     WHERE id = $1 AND attempts = $2 AND state = 'waiting' RETURNING id`,
    [id, attempt, state, JSON.stringify([answer]), end.kind === 'again' ? end.afterMs : 0, now],
  );
  return rows.length === 1;
}

/** Writes nothing where nothing had failed. */
async function noteWorking(sql: Sql, endpointId: number): Promise<void> {
  await sql.query(
    `UPDATE webhook_endpoints SET failing_since = NULL, failures = 0, paused_until = NULL
     WHERE id = $1 AND failures > 0`,
    [endpointId],
  );
}

/** Pauses the endpoint, and disables one that failed for long; what waits for it fails with it. */
async function noteFailing(
  sql: Sql,
  now: Date | null,
  endpointId: number,
  unwanted: boolean,
  words: string,
): Promise<void> {
  const [endpoint] = await sql.query<{ enabled: boolean }>(
    `WITH clock AS (SELECT coalesce($4::timestamptz, now()) AS at), judged AS (
       SELECT id, at, coalesce(failing_since, at) AS since, CASE
         WHEN $2 THEN 'The receiver wants no more: ' || $3
         WHEN failing_since <= at - interval '${GIVE_UP_DAYS} days'
           THEN 'Every attempt of ${GIVE_UP_DAYS} days failed; the last one: ' || $3 END AS reason
       FROM webhook_endpoints, clock WHERE id = $1
     )
     UPDATE webhook_endpoints AS endpoints SET failing_since = since, failures = failures + 1,
       paused_until = at + make_interval(secs => ($5::integer[])[least(failures + 1, ${pausesS.length})]),
       enabled = enabled AND reason IS NULL,
       disabled_reason = CASE WHEN enabled THEN reason ELSE disabled_reason END
     FROM judged WHERE endpoints.id = judged.id RETURNING enabled`,
    [endpointId, unwanted, words, now, pausesS],
  );
  if (endpoint?.enabled === false) await failWaiting(sql, endpointId);
}

/** What waits for an endpoint that is disabled. Its row is locked. */
export async function failWaiting(sql: Sql, endpointId: number): Promise<void> {
  await sql.query(
    `UPDATE webhook_messages SET state = 'failed', due_at = NULL, ended_at = now()
     WHERE endpoint_id = $1 AND state = 'waiting'`,
    [endpointId],
  );
}
