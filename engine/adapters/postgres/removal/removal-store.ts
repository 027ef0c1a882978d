import { randomBytes } from 'node:crypto';
import { createSetAside } from '../../../contract/concurrency/set-aside.ts';
import type { AppId } from '../../../contract/ids.ts';
import type { DueApp, DueSubscription, DueSubscriptions } from '../../../contract/removal.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { deleting } from '../subscriptions/counts.ts';
import { erasePart, lockErasurePart } from './erase.ts';
import { deleteOwnedRows } from './owned-rows.ts';

/**
 * Requests that found the app before its deletion, and caches of lookups, have ended after this time: their
 * last writes can be removed then.
 */
const GRACE_SECONDS = 60;
/** An app that cannot be removed, as with rows of a newer release, waits behind the others. */
const ASIDE_MS = 600_000;
const MOST_ASIDE = 1_000;

/**
 * The log keeps messages for at most a week: nothing sent before a deletion reaches ClickHouse after this many
 * days. (The embedded log keeps them until they are read, and then ClickHouse was unavailable, too.)
 */
export const LATE_DAYS = 9;

/**
 * Removal's statements. Each is safe to run again, and beside another engine that runs it.
 *
 * A deleted app lives in `apps.deleted_at`, then in `removed_apps` until ClickHouse has none of its rows. If its owner
 * dies, the removal loop of any engine continues with the next batch.
 */
export function createRemovalStore(database: Database, options: { readonly graceSeconds?: number } = {}) {
  const graceSeconds = options.graceSeconds ?? GRACE_SECONDS;
  const next = { deleted: createNext(database), expired: createNext(database), erased: createNext(database) };
  return {
    /** The app's row is locked meanwhile: no subscription or delivery can be added to the app. */
    removeOfDeletedApp: (limit: number): Promise<number> =>
      next.deleted(
        (sql, except, last) => lockDeletedApp(sql, graceSeconds, except, last),
        (appId) => appId,
        (sql, appId) => removePart(sql, appId, limit),
      ),

    deleteExpired: (limit: number): Promise<number> =>
      next.expired(
        findAppWithExpired,
        ({ id }) => id,
        (sql, app) => deleteExpiredOf(sql, app, limit),
      ),

    eraseNextPart: (): Promise<number> => next.erased(lockErasurePart, ({ erasure_id: id }) => id, erasePart),

    takeTurn: async (job: string, everyMs: number): Promise<boolean> => {
      const rows = await database.query(
        `INSERT INTO removal_turns AS turn (job, next_at) VALUES ($1, now() + make_interval(secs => $2 / 1000.0))
         ON CONFLICT (job) DO UPDATE SET next_at = excluded.next_at WHERE turn.next_at <= now() RETURNING job`,
        [job, everyMs],
      );
      return rows.length === 1;
    },

    dueApps: (limit: number): Promise<DueApp[]> =>
      database.query<DueApp>(
        `SELECT app_id AS "appId", last_pass AS "lastPass" FROM removed_apps WHERE due_at <= now()
         ORDER BY due_at LIMIT $1`,
        [limit],
      ),

    /** After the last pass nothing is left to remember. */
    noteAppsForgotten: async (apps: readonly DueApp[]): Promise<void> => {
      await database.query(
        `WITH gone AS (DELETE FROM removed_apps WHERE app_id = ANY($2::integer[]))
         UPDATE removed_apps SET last_pass = true, due_at = at + make_interval(days => $3)
         WHERE app_id = ANY($1::integer[])`,
        [
          apps.filter(({ lastPass }) => !lastPass).map(({ appId }) => appId),
          apps.filter(({ lastPass }) => lastPass).map(({ appId }) => appId),
          LATE_DAYS,
        ],
      );
    },

    dueSubscriptions: (limit: number): Promise<DueSubscriptions | null> =>
      readDueSubscriptions(database, limit),

    noteSubscriptionsForgotten: (due: DueSubscriptions): Promise<void> =>
      database.transaction((sql) => noteSubscriptionsForgotten(sql, due)),
  };
}

/**
 * Of one kind of work: what fails is set aside, and whatever is next comes before it. Apps take turns by their numbers, so
 * that a large one holds up no other.
 */
function createNext(database: Database) {
  const failed = createSetAside<number>(ASIDE_MS, MOST_ASIDE);
  let last = 0;
  return <One>(
    find: (sql: Sql, except: readonly number[], last: number) => Promise<One | null>,
    keyOf: (one: One) => number,
    work: (sql: Sql, one: One) => Promise<number>,
  ): Promise<number> =>
    database.transaction(async (sql) => {
      const one = await find(sql, failed.keys(), last);
      if (one === null) return 0;
      last = keyOf(one);
      return work(sql, one).catch((error: unknown) => {
        failed.add(keyOf(one));
        throw error;
      });
    });
}

async function removePart(sql: Sql, appId: AppId, limit: number): Promise<number> {
  const { deleted, left } = await deleteOwnedRows(sql, appId, limit);
  // The app itself is a row too.
  if (left || deleted === limit) return deleted;
  await removeApp(sql, appId);
  return deleted + 1;
}

async function lockDeletedApp(
  sql: Sql,
  graceSeconds: number,
  except: readonly number[],
  last: number,
): Promise<AppId | null> {
  const [row] = await sql.query<{ id: AppId }>(
    `SELECT id FROM apps WHERE deleted_at < now() - make_interval(secs => $1)
       AND id <> ALL($2::integer[])
     ORDER BY id <= $3, id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [graceSeconds, except, last],
  );
  return row?.id ?? null;
}

/** From now on the app's rows in ClickHouse are due for deletion. */
async function removeApp(sql: Sql, appId: AppId): Promise<void> {
  await sql.query(`INSERT INTO removed_apps (app_id) VALUES ($1)`, [appId]);
  await sql.query(`DELETE FROM apps WHERE id = $1`, [appId]);
}

interface AppWithExpired {
  readonly id: AppId;
  readonly days: number;
}

/** A probe of the index for each app that deletes automatically, up to the first that has some. */
async function findAppWithExpired(
  sql: Sql,
  except: readonly number[],
  last: number,
): Promise<AppWithExpired | null> {
  const [row] = await sql.query<AppWithExpired>(
    `(${withExpired('id > $2')}) UNION ALL (${withExpired('id <= $2')}) LIMIT 1`,
    [except, last],
  );
  return row ?? null;
}

const withExpired = (whose: string): string =>
  `SELECT id, auto_delete_unsubscribed_days AS days FROM apps CROSS JOIN LATERAL (
     SELECT 1 FROM subscriptions WHERE app_id = apps.id AND status = 'unsubscribed'
       AND unsubscribed_at < now() - make_interval(days => apps.auto_delete_unsubscribed_days) LIMIT 1
   ) AS expired
   WHERE auto_delete_unsubscribed_enabled AND deleted_at IS NULL AND id <> ALL($1::integer[]) AND ${whose}
   ORDER BY id LIMIT 1`;

/** The oldest of them, whatever their numbers: they skip locked ones. */
const expired = `SELECT seq FROM subscriptions WHERE app_id = $1 AND status = 'unsubscribed'
  AND unsubscribed_at < now() - make_interval(days => $2) ORDER BY unsubscribed_at LIMIT $3 FOR UPDATE SKIP LOCKED`;

async function deleteExpiredOf(sql: Sql, { id, days }: AppWithExpired, limit: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>(
    `WITH ${deleting(expired)} SELECT count(*)::integer AS deleted FROM deleted`,
    [id, days, limit],
  );
  return row?.deleted ?? 0;
}

/** Of one day: they share its key, which is made when it is first needed. */
async function readDueSubscriptions(database: Database, limit: number): Promise<DueSubscriptions | null> {
  await database.query(
    `INSERT INTO forgetting_keys (day, key)
     SELECT day, $1 FROM forgotten_subscriptions WHERE due_at <= now() ORDER BY due_at LIMIT 1
     ON CONFLICT DO NOTHING`,
    [randomBytes(16)],
  );
  const rows = await database.query<DueSubscription & { readonly key: Buffer }>(
    `WITH first AS (SELECT day FROM forgotten_subscriptions WHERE due_at <= now() ORDER BY due_at LIMIT 1)
     SELECT app_id AS "appId", seq, last_pass AS "lastPass", key
     FROM first JOIN forgetting_keys USING (day) JOIN forgotten_subscriptions USING (day)
     WHERE due_at <= now() ORDER BY app_id, seq LIMIT $1`,
    [limit],
  );
  const [first] = rows;
  return first === undefined ? null : { subscriptions: rows, key: new Uint8Array(first.key) };
}

async function noteSubscriptionsForgotten(sql: Sql, { subscriptions }: DueSubscriptions): Promise<void> {
  await sql.query(
    `WITH done AS (SELECT * FROM unnest($1::integer[], $2::integer[], $3::boolean[]) AS done (app_id, seq, last_pass)),
     gone AS (
       DELETE FROM forgotten_subscriptions AS kept USING done
       WHERE kept.app_id = done.app_id AND kept.seq = done.seq AND done.last_pass
     )
     UPDATE forgotten_subscriptions AS kept SET last_pass = true, due_at = kept.day + make_interval(days => $4)
     FROM done WHERE kept.app_id = done.app_id AND kept.seq = done.seq AND NOT done.last_pass`,
    [
      subscriptions.map(({ appId }) => appId),
      subscriptions.map(({ seq }) => seq),
      subscriptions.map(({ lastPass }) => lastPass),
      LATE_DAYS,
    ],
  );
  // Today's may be needed by a deletion that has not committed yet.
  await sql.query(
    `DELETE FROM forgetting_keys WHERE day < (now() AT TIME ZONE 'UTC')::date - 1
       AND NOT EXISTS (SELECT 1 FROM forgotten_subscriptions AS left_over WHERE left_over.day = forgetting_keys.day)`,
  );
}
