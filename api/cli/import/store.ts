import type { CopySql, Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { changeCounts, lockedRows } from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import { type AppId, toId } from '../../../engine/contract/ids.ts';
import { CliError, isStatementTimeout } from '../../../engine/kit/command-line/endings.ts';
import { atEndpoints } from '../../public/lookups.ts';
import { mergedIds } from '../../public/subscribe/statements.ts';
import { copyText, stagingColumns } from './copy-text.ts';
import type { ImportRow } from './row.ts';

/** @param organization by its name; null where the app is another one's. */
export async function findAppId(
  sql: Sql,
  identifier: string,
  organization: string | null = null,
): Promise<AppId | null> {
  const [row] = await sql.query<{ id: number }>(
    `SELECT apps.id FROM apps JOIN organizations ON organizations.id = organization_id
     WHERE identifier = $1 AND apps.deleted_at IS NULL AND ($2::text IS NULL OR organizations.name = $2)`,
    [identifier, organization],
  );
  return row === undefined ? null : toId(row.id);
}

/** A batch loses at most to a deadlock with a running delivery, or to a browser subscribing at this moment. */
const MAX_TRIES = 3;
const conflicts: readonly unknown[] = ['40P01', '23505'];

/**
 * Writes a batch, in one transaction: COPY into a staging table, known endpoints are updated, the others
 * inserted under the next `seq`s, and the app's counts kept. Endpoints must not repeat within a batch.
 *
 * An update leaves the status alone: an old file must not bring back an unsubscribed browser.
 *
 * Two batches may be written at once, on two connections beside one for the `seq`s.
 *
 * A batch that Postgres does not finish within the statement timeout is written again in halves: a machine may
 * be too busy for a large one.
 * @returns how many were new.
 */
export async function storeBatch(
  database: Database,
  appId: AppId,
  rows: readonly ImportRow[],
): Promise<number> {
  const takeSeqs = createTakeSeqs(database, appId);
  for (let tries = 1; ; tries++) {
    try {
      return await database.copyTransaction((sql) => writeBatch(sql, takeSeqs, appId, rows));
    } catch (error) {
      if (isStatementTimeout(error) && rows.length > MIN_ROWS) return storeHalves(database, appId, rows);
      if (tries === MAX_TRIES || !conflicts.includes((error as { code?: unknown }).code)) throw error;
    }
  }
}

/** A batch of so few that fails for its time shows a Postgres that has come to a stop. */
const MIN_ROWS = 1_000;

async function storeHalves(database: Database, appId: AppId, rows: readonly ImportRow[]): Promise<number> {
  const middle = Math.ceil(rows.length / 2);
  const first = await storeBatch(database, appId, rows.slice(0, middle));
  return first + (await storeBatch(database, appId, rows.slice(middle)));
}

const zoneId = '(SELECT id FROM time_zones WHERE name = staged.time_zone)';

/** What the browser has said here itself goes before the file. */
const externalIds = mergedIds('staged.external_ids', 'kept.external_ids');

/** No file makes a browser come from the future. */
const lastSeen = 'greatest(least(staged.last_seen_at, now()), kept.last_seen_at)';

const nameOf = (column: string): string => column.split(' ')[0] ?? column;

async function writeBatch(
  sql: CopySql,
  takeSeqs: TakeSeqs,
  appId: AppId,
  rows: readonly ImportRow[],
): Promise<number> {
  await sql.query(
    `CREATE TEMP TABLE IF NOT EXISTS import_staging (${stagingColumns.join(', ')}, seq integer) ON COMMIT DELETE ROWS`,
  );
  // The staging table has no statistics, and an app may have none: joined in a nested loop, the batch would be
  // read for each of its rows. Which subscriptions are read is said by `seq = ANY`, not left to the join.
  await sql.query(`SET LOCAL enable_nestloop = off`);
  await sql.copyIn(
    `COPY import_staging (${stagingColumns.map(nameOf).join(', ')}) FROM STDIN`,
    copyText(rows),
  );
  if ((await findKnown(sql, appId)) > 0) await updateKnown(sql, appId);
  return insertNew(sql, takeSeqs, appId);
}

/** Notes the `seq` of endpoints that are known. @returns how many. */
async function findKnown(sql: Sql, appId: AppId): Promise<number> {
  const [row] = await sql.query<{ known: number }>(
    `WITH known AS (
       UPDATE import_staging AS staged SET seq = found.seq
       FROM ${atEndpoints('ARRAY(SELECT endpoint FROM import_staging)')} AS found
       WHERE found.endpoint = staged.endpoint RETURNING 1
     )
     SELECT count(*) AS known FROM known`,
    [appId],
  );
  return row?.known ?? 0;
}

const isChanged = `kept.seq = ANY(ARRAY(SELECT seq FROM import_staging WHERE seq IS NOT NULL))
  AND kept.endpoint = staged.endpoint
  AND (kept.p256dh, kept.auth, kept.user_identity, kept.tags, kept.country, kept.device_type,
    kept.time_zone_id, kept.language, kept.vapid_key_number, kept.external_ids, kept.last_seen_at)
    IS DISTINCT FROM (staged.p256dh, staged.auth, coalesce(staged.user_identity, kept.user_identity),
      kept.tags || staged.tags, coalesce(staged.country, kept.country),
      coalesce(staged.device_type, kept.device_type), coalesce(${zoneId}, kept.time_zone_id),
      coalesce(staged.language, kept.language), coalesce(staged.vapid_key_number, kept.vapid_key_number),
      ${externalIds}, ${lastSeen})`;

/** Rows that would not change are not written. A browser that moved to another endpoint meanwhile is left alone. */
async function updateKnown(sql: Sql, appId: AppId): Promise<void> {
  await sql.query(
    `WITH changed AS MATERIALIZED (
       ${lockedRows(isChanged, { columns: 'kept.seq', join: 'JOIN import_staging AS staged ON staged.seq = kept.seq' })}
     )
     UPDATE subscriptions AS kept SET p256dh = staged.p256dh, auth = staged.auth,
       user_identity = coalesce(staged.user_identity, kept.user_identity), tags = kept.tags || staged.tags,
       country = coalesce(staged.country, kept.country), device_type = coalesce(staged.device_type, kept.device_type),
       time_zone_id = coalesce(${zoneId}, kept.time_zone_id), language = coalesce(staged.language, kept.language),
       vapid_key_number = coalesce(staged.vapid_key_number, kept.vapid_key_number),
       external_ids = ${externalIds}, last_seen_at = ${lastSeen}
     FROM import_staging AS staged
     WHERE kept.app_id = $1 AND kept.seq = ANY(ARRAY(SELECT seq FROM changed)) AND kept.seq = staged.seq
       AND kept.endpoint = staged.endpoint`,
    [appId],
  );
}

/**
 * Rows without a `seq` in the staging table are new, except for a browser that subscribes in this very moment.
 *
 * The app's row is locked at the end alone, by the trigger that counts new subscribers at the earliest: while a
 * batch is written, browsers subscribe and another batch is written too.
 * @throws CliError where the app was deleted meanwhile: rows written to it then would stay forever.
 */
async function insertNew(sql: Sql, takeSeqs: TakeSeqs, appId: AppId): Promise<number> {
  const [staged] = await sql.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM import_staging WHERE seq IS NULL',
  );
  if (staged === undefined || staged.count === 0) return 0;
  const { first, key } = await takeSeqs(staged.count);
  const [result] = await sql.query<{ inserted: number }>(
    `WITH inserted AS (
       INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, user_identity, tags, country, device_type,
         time_zone_id, language, vapid_key_number, external_ids, created_at, last_seen_at)
       SELECT $1, $2 + row_number() OVER (ORDER BY n) - 1, endpoint, p256dh, auth, user_identity, tags, country,
         device_type, ${zoneId}, language, coalesce(vapid_key_number, $3), external_ids,
         least(coalesce(created_at, last_seen_at), now()), least(coalesce(last_seen_at, created_at), now())
       FROM import_staging AS staged WHERE seq IS NULL ORDER BY n
       ON CONFLICT (app_id, decode(md5(endpoint), 'hex')) DO NOTHING RETURNING 1
     )
     SELECT count(*)::integer AS inserted FROM inserted`,
    [appId, first, key],
  );
  const inserted = result?.inserted ?? 0;
  const counted = await sql.query(
    `${changeCounts({ all: '$2', active: '$2', where: 'deleted_at IS NULL' })} RETURNING 1`,
    [appId, inserted],
  );
  if (counted.length === 0) throw appIsDeleted();
  return inserted;
}

/** A run of `seq`s, and the key pair that subscriptions are made with today. */
type TakeSeqs = (count: number) => Promise<{ readonly first: number; readonly key: number }>;

/**
 * For one batch. Committed at once, because the app's row must not stay locked. The numbers stay taken: a retry
 * of the batch uses them again, and an abandoned batch leaves them unused.
 */
function createTakeSeqs(database: Database, appId: AppId): TakeSeqs {
  let taken: { first: number; key: number; count: number } | null = null;
  return async (count) => {
    if (taken !== null && count <= taken.count) return taken;
    const [app] = await database.query<{ first: number; key: number }>(
      `${changeCounts({ seqs: '$2', where: 'deleted_at IS NULL' })}
       RETURNING next_seq - $2 AS first, vapid_key_number AS key`,
      [appId, count],
    );
    if (app === undefined) throw appIsDeleted();
    taken = { ...app, count };
    return taken;
  };
}

const appIsDeleted = (): CliError =>
  new CliError('the app was deleted while its subscriptions were imported');
