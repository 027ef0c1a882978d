import type { Database, Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { ParsedSubscription } from './parse-subscription.ts';

/**
 * Keeps one row a browser, however it comes back:
 *
 * - the same endpoint is the same browser; else the same user identity is, with a new endpoint;
 * - where both match and are two rows, the endpoint's stays and the other is unsubscribed: its browser has
 *   moved on, and would be sent everything twice;
 * - an unsubscribed one that comes back is subscribed again.
 *
 * Locks are taken in one order: the browser, then subscriptions, then the app's row, as everything else that
 * changes the counts does (a block's end unsubscribes the gone, then counts them). The other way around two
 * of them would wait for each other.
 */
export function createSubscribe(database: Database) {
  return async function subscribe(appId: AppId, subscription: ParsedSubscription): Promise<void> {
    if (await refresh(database, appId, subscription)) return;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if ((await upsert(database, appId, subscription)) === 'stored') return;
    }
    throw new Error(`an endpoint was taken ${MAX_TRIES} times in a row`);
  };
}

/** Each try loses to an import of the same endpoint, which then is there to be found. */
const MAX_TRIES = 3;

/** The endpoint as the unique index has it. */
const hashOf = (parameter: string): string => `decode(md5(${parameter}), 'hex')`;
const endpointMatches = (parameter: string): string =>
  `decode(md5(endpoint), 'hex') = ${hashOf(parameter)} AND endpoint = ${parameter}`;

const valuesOf = (
  appId: AppId,
  { endpoint, p256dh, auth, userIdentity, externalIds }: ParsedSubscription,
) => [appId, endpoint, p256dh, auth, userIdentity, JSON.stringify(externalIds)];

/** What nearly every call is: a browser that is known says so again. One statement, no lock on the app. */
async function refresh(sql: Sql, appId: AppId, subscription: ParsedSubscription): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE subscriptions SET p256dh = $3, auth = $4, external_ids = external_ids || $6::jsonb, last_seen_at = now()
     WHERE app_id = $1 AND ${endpointMatches('$2')} AND status = 'subscribed'
       AND ($5::text IS NULL OR user_identity = $5)
     RETURNING seq`,
    valuesOf(appId, subscription),
  );
  return rows.length === 1;
}

function upsert(
  database: Database,
  appId: AppId,
  subscription: ParsedSubscription,
): Promise<'stored' | 'raced'> {
  return database
    .transaction(async (sql) => {
      await lockBrowser(sql, appId, subscription);
      const found = await lockMatches(sql, appId, subscription);
      const [kept, ...stale] = found;
      if (kept === undefined) await insert(sql, appId, subscription);
      else await replace(sql, appId, subscription, kept, stale);
      return 'stored' as const;
    })
    .catch((error: unknown) => {
      if (error instanceof LostRace || isConflict(error)) return 'raced';
      throw error;
    });
}

/** unique_violation, deadlock_detected. */
const conflicts: readonly unknown[] = ['23505', '40P01'];
const isConflict = (error: unknown): boolean => conflicts.includes((error as { code?: unknown }).code);

/** Ends the transaction, so that the `seq` it took is given again. */
class LostRace extends Error {}

/**
 * Requests about one browser take turns: two new endpoints of one user would both find nothing and be two
 * rows, two users at one new endpoint would both want to be its row. In the order of the keys, as two locks
 * a transaction need one.
 */
async function lockBrowser(
  sql: Sql,
  appId: AppId,
  { endpoint, userIdentity }: ParsedSubscription,
): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT hashtextextended(part, $1) AS key FROM unnest($2::text[]) AS part ORDER BY 1
     ) AS keys`,
    [appId, [`endpoint ${endpoint}`, ...(userIdentity === null ? [] : [`user ${userIdentity}`])]],
  );
}

interface Match {
  readonly seq: number;
  readonly status: 'subscribed' | 'unsubscribed';
}

/** A browser of one identity has one row; a few more may come from imports. */
const MAX_MATCHES = 50;

/** The row to keep comes first. Locked in the order of `seq`, like every lock on several of them. */
async function lockMatches(
  sql: Sql,
  appId: AppId,
  { endpoint, userIdentity }: ParsedSubscription,
): Promise<Match[]> {
  return sql.query<Match>(
    `WITH matches AS (
       SELECT seq, status, endpoint, last_seen_at FROM subscriptions
       WHERE app_id = $1 AND (${endpointMatches('$2')} OR user_identity = $3)
       ORDER BY seq LIMIT $4 FOR UPDATE
     )
     SELECT seq, status FROM matches
     ORDER BY endpoint = $2 DESC, status = 'subscribed' DESC, last_seen_at DESC, seq`,
    [appId, endpoint, userIdentity, MAX_MATCHES],
  );
}

async function replace(
  sql: Sql,
  appId: AppId,
  subscription: ParsedSubscription,
  kept: Match,
  stale: readonly Match[],
): Promise<void> {
  await sql.query(
    `UPDATE subscriptions SET endpoint = $2, p256dh = $3, auth = $4, user_identity = coalesce($5, user_identity),
       external_ids = external_ids || $6::jsonb, status = 'subscribed', unsubscribed_at = NULL, last_seen_at = now()
     WHERE app_id = $1 AND seq = $7`,
    [...valuesOf(appId, subscription), kept.seq],
  );
  const left = stale.filter(({ status }) => status === 'subscribed').map(({ seq }) => seq);
  if (left.length > 0) await unsubscribe(sql, appId, left);
  const change = (kept.status === 'unsubscribed' ? 1 : 0) - left.length;
  if (change !== 0) await countActive(sql, appId, change);
}

async function unsubscribe(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    [appId, seqs],
  );
}

async function countActive(sql: Sql, appId: AppId, change: number): Promise<void> {
  await sql.query(`UPDATE apps SET active_subscriber_count = active_subscriber_count + $2 WHERE id = $1`, [
    appId,
    change,
  ]);
}

/** Takes the next `seq` with the app's row, which stays locked until the commit: inserts of an app take turns. */
async function insert(sql: Sql, appId: AppId, subscription: ParsedSubscription): Promise<void> {
  const [app] = await sql.query<{ seq: number }>(
    `UPDATE apps SET next_seq = next_seq + 1, subscriber_count = subscriber_count + 1,
       active_subscriber_count = active_subscriber_count + 1
     WHERE id = $1 RETURNING next_seq - 1 AS seq`,
    [appId],
  );
  if (app === undefined) throw new LostRace();
  const rows = await sql.query(
    `INSERT INTO subscriptions (app_id, endpoint, p256dh, auth, user_identity, external_ids, seq)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app_id, ${hashOf('endpoint')}) DO NOTHING RETURNING seq`,
    [...valuesOf(appId, subscription), app.seq],
  );
  if (rows.length === 0) throw new LostRace();
}
