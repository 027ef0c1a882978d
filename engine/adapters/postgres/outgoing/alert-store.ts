import { type AlertChannelKind, alertKinds, type SentKind } from '../../../contract/alerts.ts';
import { eachStep } from '../../../contract/concurrency/each-step.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { noteFound } from './find-alerts.ts';

/** Alerts of one kind to one channel in an hour; those beyond it are summed up in the next one. */
const PER_HOUR = 10;
/** Longer than an attempt may take: a send whose engine died is then repeated. */
const LEASE_SECONDS = 60;
/** A channel that failed for this long, without one success, is disabled. */
const DISABLE_AFTER_DAYS = 2;

interface ClaimedRow {
  readonly id: number;
  readonly attempt: number;
  readonly organizationId: number;
  readonly channelId: number;
  readonly channelKind: AlertChannelKind;
  readonly address: string;
  readonly secretSealed: Uint8Array | null;
  readonly kind: SentKind;
  readonly organization: string;
  readonly app: { readonly identifier: string; readonly name: string } | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: Date;
  readonly more: number;
}

type End =
  | { readonly kind: 'sent' | 'failed' | 'unwanted'; readonly answer: string }
  | { readonly kind: 'again'; readonly answer: string; readonly afterMs: number };

/**
 * Alerts and their sends, see `engine/outgoing/ports.ts`.
 *
 * An alert that is not sent yet lives in `alert_sends`, written with its alert. If its owner dies, the lease ends and any
 * engine sends it again under the same id.
 */
export function createAlertStore(database: Database) {
  return {
    /** A kind that cannot be found keeps none of the others. */
    find: (): Promise<number> =>
      eachStep([
        ...alertKinds.map(
          (kind) => () =>
            alone(database, async (sql) => {
              const found = await noteFound(sql, kind);
              if (found.length > 0) await addSends(sql, found);
              return found.length;
            }),
        ),
        () =>
          alone(database, async (sql) => {
            await sumUpHeld(sql);
            return 0;
          }),
      ]),

    claim: (limit: number, busy: readonly number[]): Promise<ClaimedRow[]> => claim(database, limit, busy),

    note: (send: { readonly id: number; readonly attempt: number; readonly channelId: number }, end: End) =>
      database.transaction(async (sql) => {
        if (!(await noteEnd(sql, send, end))) return;
        await (end.kind === 'sent'
          ? sql.query(`UPDATE alert_channels SET failing_since = NULL WHERE id = $1`, [send.channelId])
          : noteFailing(sql, send.channelId, end));
      }),
  };
}

/** One engine at a time checks; the unique key holds without that too. */
const alone = (database: Database, work: (sql: Sql) => Promise<number>): Promise<number> =>
  database.transaction(async (sql) => {
    const [turn] = await sql.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('alerts', 0)) AS mine`,
    );
    return turn?.mine === true ? work(sql) : 0;
  });

/** In the transaction that noted the alerts. */
async function addSends(sql: Sql, alertIds: readonly number[]): Promise<void> {
  await sql.query(
    `INSERT INTO alert_sends (alert_id, channel_id, state, due_at, released_at)
     SELECT alert_id, channel_id, CASE WHEN let_through THEN 'waiting' ELSE 'held' END,
       CASE WHEN let_through THEN now() END, CASE WHEN let_through THEN now() END
     FROM (
       SELECT alerts.id AS alert_id, channels.id AS channel_id,
         row_number() OVER (PARTITION BY channels.id, alerts.kind ORDER BY alerts.id)
           + ${releasedWithinAnHour('channels.id', 'alerts.kind')} <= ${PER_HOUR} AS let_through
       FROM alerts JOIN alert_channels AS channels ON channels.organization_id = alerts.organization_id
         AND channels.enabled AND alerts.kind = ANY(channels.alert_kinds)
       WHERE alerts.id = ANY($1::bigint[])
     ) AS wanted ON CONFLICT DO NOTHING`,
    [alertIds],
  );
}

const releasedWithinAnHour = (channel: string, kind: string): string =>
  `(SELECT count(*) FROM alert_sends AS earlier JOIN alerts AS said ON said.id = earlier.alert_id
    WHERE earlier.channel_id = ${channel} AND said.kind = ${kind}
      AND earlier.released_at > now() - interval '1 hour')`;

/** Where the hour has room again, the first held send of a channel and kind stands for all of them. */
async function sumUpHeld(sql: Sql): Promise<void> {
  await sql.query(
    `WITH held AS (
       SELECT alert_sends.id, min(alert_sends.id) OVER each_kind AS first, count(*) OVER each_kind AS many,
         ${releasedWithinAnHour('channel_id', 'alerts.kind')} AS released
       FROM alert_sends JOIN alerts ON alerts.id = alert_id WHERE state = 'held'
       WINDOW each_kind AS (PARTITION BY channel_id, alerts.kind)
     )
     UPDATE alert_sends SET state = CASE WHEN held.id = first THEN 'waiting' ELSE 'summed' END,
       due_at = CASE WHEN held.id = first THEN now() END, released_at = CASE WHEN held.id = first THEN now() END,
       more = CASE WHEN held.id = first THEN many - 1 ELSE 0 END
     FROM held WHERE alert_sends.id = held.id AND released < ${PER_HOUR}`,
  );
}

export const sendsAreDue = `EXISTS (SELECT FROM alert_sends WHERE state = 'waiting' AND due_at <= now())`;

/** The oldest due send of each organization that is not busy, so that none waits behind another's. */
async function claim(sql: Sql, limit: number, busy: readonly number[]): Promise<ClaimedRow[]> {
  return sql.query<ClaimedRow>(
    `WITH ranked AS (
       SELECT DISTINCT ON (organization_id) alert_sends.id, alert_sends.due_at
       FROM alert_sends JOIN alert_channels ON alert_channels.id = channel_id
       WHERE state = 'waiting' AND alert_sends.due_at <= now() AND organization_id <> ALL($2::integer[])
       ORDER BY organization_id, alert_sends.due_at, alert_sends.id
     ), chosen AS (
       SELECT id FROM alert_sends
       WHERE id = ANY(ARRAY(SELECT id FROM ranked ORDER BY due_at LIMIT $1)) AND state = 'waiting' AND due_at <= now()
       ORDER BY id FOR UPDATE SKIP LOCKED
     ), leased AS (
       UPDATE alert_sends SET attempts = attempts + 1, due_at = now() + interval '${LEASE_SECONDS} seconds'
       FROM chosen WHERE alert_sends.id = chosen.id
       RETURNING alert_sends.id, alert_id, channel_id, attempts, more
     )
     SELECT leased.id, attempts AS attempt, channels.organization_id AS "organizationId", channels.id AS "channelId",
       channels.kind AS "channelKind", address, secret_sealed AS "secretSealed", alerts.kind, organizations.name AS organization,
       CASE WHEN apps.id IS NOT NULL THEN json_build_object('identifier', apps.identifier, 'name', apps.name) END AS app,
       detail, alerts.created_at AS at, more
     FROM leased JOIN alerts ON alerts.id = alert_id JOIN alert_channels AS channels ON channels.id = channel_id
       JOIN organizations ON organizations.id = channels.organization_id LEFT JOIN apps ON apps.id = alerts.app_id`,
    [limit, busy],
  );
}

/** False where the lease ended and another engine took the send. */
async function noteEnd(
  sql: Sql,
  { id, attempt }: { readonly id: number; readonly attempt: number },
  end: End,
): Promise<boolean> {
  const state = { sent: 'sent', again: 'waiting', failed: 'failed', unwanted: 'failed' }[end.kind];
  const rows = await sql.query(
    `UPDATE alert_sends SET state = $3, last_answer = $4, last_at = now(),
       due_at = CASE WHEN $3 = 'waiting' THEN now() + make_interval(secs => $5::float8 / 1000) END
     WHERE id = $1 AND attempts = $2 AND state = 'waiting' RETURNING id`,
    [id, attempt, state, end.answer, end.kind === 'again' ? end.afterMs : 0],
  );
  return rows.length === 1;
}

/** Counts a failure against its channel, and disables one that failed for long; what waits for it fails with it. */
async function noteFailing(sql: Sql, channelId: number, end: End): Promise<void> {
  const [channel] = await sql.query<{ enabled: boolean }>(
    `UPDATE alert_channels SET failing_since = coalesce(failing_since, now()),
       enabled = enabled AND NOT ($2 OR coalesce(failing_since, now()) < now() - interval '${DISABLE_AFTER_DAYS} days'),
       disabled_reason = CASE
         WHEN NOT enabled THEN disabled_reason
         WHEN $2 THEN 'The receiver wants no more: ' || $3
         WHEN failing_since < now() - interval '${DISABLE_AFTER_DAYS} days'
           THEN 'Every attempt of ${DISABLE_AFTER_DAYS} days failed; the last one: ' || $3 END
     WHERE id = $1 RETURNING enabled`,
    [channelId, end.kind === 'unwanted', end.answer],
  );
  if (channel?.enabled !== false) return;
  await sql.query(
    `UPDATE alert_sends SET state = 'failed', due_at = NULL, last_answer = coalesce(last_answer, 'the channel is disabled')
     WHERE channel_id = $1 AND state IN ('waiting', 'held')`,
    [channelId],
  );
}
