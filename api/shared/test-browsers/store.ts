import { orderOfNames } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId, UserId } from '../../../engine/contract/ids.ts';
import type { Found, Page } from '../../http/page.ts';
import type { SubscriptionStatus } from '../subscription-status.ts';

/** Of an app. */
export const MOST_TEST_BROWSERS = 50;
/** In an app by the links of one person: enough for the devices on a desk, and too few for an audience. */
export const MOST_BY_LINKS = 10;

export interface StoredTestBrowser {
  readonly id: number;
  readonly subscription_id: number;
  readonly name: string;
  readonly status: SubscriptionStatus;
  readonly device_type: string | null;
  readonly browser_name: string | null;
  readonly os_name: string | null;
  readonly registered_by: string;
  readonly registered_at: Date;
  readonly consented: boolean;
}

/**
 * SQL: the browser itself came by a link and named itself by its secret. One that somebody picked, or that a `userId` was
 * enough for, has not said that it wants what nobody has approved. Of tables `test_browsers` and `reader`.
 */
export const hasConsented = '(link IS NOT NULL AND reader.secret_hash IS NOT NULL)';

/** Each with its subscription, by the primary key of both. */
const browsers = `SELECT test_browsers.id, reader.id AS subscription_id, name, reader.status, reader.device_type, reader.browser_name,
    reader.os_name, registered_by, registered_at, ${hasConsented} AS consented
  FROM test_browsers CROSS JOIN LATERAL (
    SELECT id, status, device_type, browser_name, os_name, secret_hash FROM subscriptions
    WHERE subscriptions.app_id = test_browsers.app_id AND subscriptions.seq = test_browsers.seq LIMIT 1
  ) AS reader WHERE test_browsers.app_id = $1`;

/** In the order of their names. */
export async function listTestBrowsers(
  sql: Sql,
  appId: AppId,
  page: Page,
): Promise<Found<StoredTestBrowser>> {
  const rows = await sql.query<StoredTestBrowser>(
    `${browsers} ORDER BY ${orderOfNames('name')}, test_browsers.id LIMIT $2 OFFSET $3`,
    [appId, page.size, page.offset],
  );
  const [count] = await sql.query<{ total: number }>(
    'SELECT count(*) AS total FROM test_browsers WHERE app_id = $1',
    [appId],
  );
  return { rows, total: count?.total ?? 0 };
}

async function findTestBrowser(sql: Sql, appId: AppId, id: number): Promise<StoredTestBrowser> {
  const [row] = await sql.query<StoredTestBrowser>(`${browsers} AND test_browsers.id = $2`, [appId, id]);
  if (row === undefined) throw new Error(`test browser ${id} was there a moment ago`);
  return row;
}

/** A subscription, locked, so that it cannot be deleted before it is registered. */
export interface Candidate {
  readonly seq: number;
  readonly browser_name: string | null;
  readonly os_name: string | null;
}

export async function lockCandidate(
  sql: Sql,
  appId: AppId,
  subscriptionId: number,
): Promise<Candidate | null> {
  const [row] = await sql.query<Candidate>(
    `SELECT seq, browser_name, os_name FROM subscriptions
     WHERE app_id = $1 AND seq = (SELECT seq_of_subscription($1, $2)) FOR SHARE`,
    [appId, subscriptionId],
  );
  return row ?? null;
}

export interface Registration {
  readonly appId: AppId;
  readonly candidate: Candidate;
  /** Null: by its browser and system; one that is registered keeps the name it has. */
  readonly name: string | null;
  readonly userId: UserId | null;
  /** That it comes by; null: it was picked. */
  readonly link: string | null;
}

export type Registered =
  | { readonly kind: 'registered'; readonly browser: StoredTestBrowser; readonly isNew: boolean }
  /** Of the app, or of the links of who made this one. */
  | { readonly kind: 'full' }
  /** Its link has registered another browser. */
  | { readonly kind: 'used' };

/** In a transaction. A browser that is registered already is the same one again, as if it had come now. */
export async function registerTestBrowser(sql: Sql, registration: Registration): Promise<Registered> {
  const { appId, candidate, name, userId, link } = registration;
  // Of two at once the second one counts the first.
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('test browsers', $1))`, [appId]);
  const [known] = await sql.query<{ id: number | null; used: boolean; count: number; by_links: number }>(
    `SELECT (SELECT id FROM test_browsers WHERE app_id = $1 AND seq = $2) AS id,
       EXISTS (SELECT FROM test_browsers WHERE app_id = $1 AND link = $3 AND seq <> $2) AS used,
       (SELECT count(*)::int FROM test_browsers WHERE app_id = $1) AS count,
       (SELECT count(*)::int FROM test_browsers WHERE app_id = $1 AND link IS NOT NULL AND seq <> $2
          AND registered_by = (SELECT email FROM users WHERE users.id = $4)) AS by_links`,
    [appId, candidate.seq, link, userId],
  );
  const { id = null, used = false, count = 0, by_links: byLinks = 0 } = known ?? {};
  if (used) return { kind: 'used' };
  if (id === null && count >= MOST_TEST_BROWSERS) return { kind: 'full' };
  if (link !== null && byLinks >= MOST_BY_LINKS) return { kind: 'full' };
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO test_browsers AS kept (app_id, seq, name, link, registered_by)
     VALUES ($1, $2, coalesce($3, $4), $5, coalesce((SELECT email FROM users WHERE id = $6), ''))
     ON CONFLICT (app_id, seq) DO UPDATE SET name = coalesce($3, kept.name), link = coalesce($5, kept.link),
       registered_by = excluded.registered_by, registered_at = now()
     RETURNING id`,
    [appId, candidate.seq, name, nameOf(candidate), link, userId],
  );
  const browser = await findTestBrowser(sql, appId, row?.id ?? 0);
  return { kind: 'registered', browser, isNew: id === null };
}

const nameOf = ({ browser_name: browser, os_name: os }: Candidate): string =>
  browser === null ? (os ?? 'Browser') : os === null ? browser : `${browser} on ${os}`;

export interface OwnBrowser {
  readonly appId: AppId;
  readonly id: number;
  /** Who has registered it, or it is not found; null: whoever did. */
  readonly owner: UserId | null;
}
const isOwn = `app_id = $1 AND id = $2
  AND ($3::integer IS NULL OR registered_by = (SELECT email FROM users WHERE users.id = $3))`;

export async function renameTestBrowser(
  sql: Sql,
  { appId, id, owner }: OwnBrowser,
  name: string,
): Promise<StoredTestBrowser | null> {
  const rows = await sql.query(`UPDATE test_browsers SET name = $4 WHERE ${isOwn} RETURNING 1`, [
    appId,
    id,
    owner,
    name,
  ]);
  return rows.length === 0 ? null : findTestBrowser(sql, appId, id);
}

/** @returns its name. */
export async function removeTestBrowser(sql: Sql, { appId, id, owner }: OwnBrowser): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(`DELETE FROM test_browsers WHERE ${isOwn} RETURNING name`, [
    appId,
    id,
    owner,
  ]);
  return row?.name ?? null;
}
