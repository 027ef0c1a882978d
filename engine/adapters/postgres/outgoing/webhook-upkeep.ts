import { eachStep } from '../../../contract/concurrency/each-step.ts';
import { MAX_WAITING } from '../../../contract/webhooks.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/** Of an endpoint, waiting ones among them: what a week keeps at most. */
const MAX_KEPT = 20_000;
/** Of one endpoint in one check. */
const ROWS_PER_LOOK = 1_000;
/** A transaction that changes readers is over by then, so that no window misses what it wrote. */
const LAG_SECONDS = 120;
/** No app's number. */
const STATISTICS = 0;

/** What no state change can do itself: bounds, and messages about many changes at once. One engine at a time. */
export function createWebhookUpkeep(database: Database) {
  return {
    /** Gives up what waits beyond the bound or for nobody, and removes the oldest beyond the log's bound. */
    tidy: (): Promise<number> =>
      eachAlone(database, 'webhooks tidy', [forgetEndless, giveUpDisabled, giveUpBeyondBound, forgetOldest]),

    /** Queues how many readers came and left since the last check, and how far ad statistics are complete. */
    queueBatches: (): Promise<number> =>
      eachAlone(database, 'webhooks batches', [queueReaders, queueStatistics]),
  };
}

type Work = (sql: Sql) => Promise<unknown>;

/** One that fails keeps none of those behind it. */
const eachAlone = (database: Database, name: string, works: readonly Work[]): Promise<number> =>
  eachStep(
    works.map((work) => async () => {
      await alone(database, name, work);
      return 0;
    }),
  );

const alone = (database: Database, name: string, work: Work): Promise<void> =>
  database.transaction(async (sql) => {
    const [turn] = await sql.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine`,
      [name],
    );
    if (turn?.mine === true) await work(sql);
  });

const forgetEndless: Work = (sql) =>
  sql.query(
    `DELETE FROM webhook_messages WHERE state = 'waiting'
       AND NOT EXISTS (SELECT FROM webhook_endpoints WHERE id = endpoint_id)`,
  );

const giveUpDisabled: Work = (sql) =>
  sql.query(
    `UPDATE webhook_messages SET state = 'failed', due_at = NULL, ended_at = now() WHERE id IN (
       SELECT webhook_messages.id FROM webhook_messages
         JOIN webhook_endpoints AS endpoints ON endpoints.id = endpoint_id AND NOT enabled
       WHERE state = 'waiting' ORDER BY webhook_messages.id LIMIT ${ROWS_PER_LOOK}
       FOR UPDATE OF webhook_messages SKIP LOCKED)`,
  );

const forgetOldest: Work = (sql) =>
  sql.query(
    `DELETE FROM webhook_messages WHERE state <> 'waiting' AND id IN (
       SELECT oldest.id FROM webhook_endpoints AS endpoints CROSS JOIN LATERAL (
         SELECT id FROM webhook_messages WHERE endpoint_id = endpoints.id
         ORDER BY id DESC OFFSET $1 LIMIT $2) AS oldest)`,
    [MAX_KEPT, ROWS_PER_LOOK],
  );

/** The oldest ones go: what waits then is what is news. */
async function giveUpBeyondBound(sql: Sql): Promise<void> {
  await sql.query(
    `WITH beyond AS (
       SELECT id FROM webhook_messages WHERE id = ANY(ARRAY(
         SELECT oldest.id FROM webhook_endpoints AS endpoints CROSS JOIN LATERAL (
           SELECT id FROM webhook_messages WHERE endpoint_id = endpoints.id AND state = 'waiting'
           ORDER BY id DESC OFFSET $1) AS oldest))
       ORDER BY id FOR UPDATE SKIP LOCKED
     )
     UPDATE webhook_messages SET state = 'failed', due_at = NULL, ended_at = now()
     FROM beyond WHERE webhook_messages.id = beyond.id`,
    [MAX_WAITING],
  );
}

const wanting = (type: string): string =>
  `webhook_endpoints AS endpoints ON endpoints.enabled AND '${type}' = ANY(endpoints.types)`;

/** The windows of an app follow each other without a gap; the first begins when an endpoint first wants them. */
async function queueReaders(sql: Sql): Promise<void> {
  await sql.query(
    `DELETE FROM webhook_cursors WHERE app_id <> ${STATISTICS} AND NOT EXISTS (
       SELECT FROM apps JOIN ${wanting('subscriptions.changed')} AND endpoints.organization_id = apps.organization_id
       WHERE apps.id = app_id AND apps.deleted_at IS NULL)`,
  );
  await sql.query(
    `WITH watched AS (
       SELECT DISTINCT apps.id, apps.identifier, apps.organization_id FROM apps JOIN ${wanting('subscriptions.changed')}
         AND endpoints.organization_id = apps.organization_id
       WHERE apps.deleted_at IS NULL
     ), moved AS (
       INSERT INTO webhook_cursors AS cursors (app_id, told_until)
       SELECT id, now() - interval '${LAG_SECONDS} seconds' FROM watched
       ON CONFLICT (app_id) DO UPDATE SET told_until = excluded.told_until
       RETURNING app_id, told_until
     ), counted AS (
       SELECT watched.*, before.told_until AS since, moved.told_until AS until,
         (SELECT count(*) FROM subscription_facets WHERE app_id = watched.id
            AND created_at > before.told_until AND created_at <= moved.told_until) AS subscribed,
         (SELECT count(*) FROM subscriptions WHERE app_id = watched.id AND status = 'unsubscribed'
            AND unsubscribed_at > before.told_until AND unsubscribed_at <= moved.told_until) AS unsubscribed
       FROM watched JOIN moved ON moved.app_id = watched.id
         JOIN webhook_cursors AS before ON before.app_id = watched.id
     )
     INSERT INTO webhook_messages (endpoint_id, app_id, type, subject, data)
     SELECT endpoints.id, counted.id, 'subscriptions.changed', 'readers ' || counted.id, jsonb_build_object(
       'app', identifier, 'from', webhook_time(since), 'until', webhook_time(until),
       'subscribed', subscribed, 'unsubscribed', unsubscribed)
     FROM counted JOIN ${wanting('subscriptions.changed')} AND endpoints.organization_id = counted.organization_id
     WHERE subscribed + unsubscribed > 0`,
  );
}

/** As reports say it of all ad servers together, to organizations that may see earnings. */
async function queueStatistics(sql: Sql): Promise<void> {
  await sql.query(
    `WITH known AS (
       SELECT min(complete_until) AS until FROM ad_sources WHERE reported_at > now() - interval '35 days'
     ), moved AS (
       INSERT INTO webhook_cursors AS cursors (app_id, told_until)
       SELECT ${STATISTICS}, until FROM known WHERE until IS NOT NULL
       ON CONFLICT (app_id) DO UPDATE SET told_until = excluded.told_until WHERE cursors.told_until < excluded.told_until
       RETURNING told_until
     )
     INSERT INTO webhook_messages (endpoint_id, type, subject, data)
     SELECT endpoints.id, 'reports.complete', 'reports', jsonb_build_object('complete_until', webhook_time(told_until))
     FROM moved JOIN ${wanting('reports.complete')}
       AND EXISTS (SELECT FROM revenue_domains WHERE organization_id = endpoints.organization_id)
     WHERE EXISTS (SELECT FROM webhook_cursors WHERE app_id = ${STATISTICS})`,
  );
}
