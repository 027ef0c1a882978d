import { isNamed } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { changeCounts } from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import { type AppId, type OrganizationId, toId } from '../../../engine/contract/ids.ts';
import type { WelcomeBody } from '../../client/welcome/schema.ts';
import { atEndpoints, ofSecrets } from '../../public/lookups.ts';
import { zoneNumber } from '../../public/subscribe/statements.ts';
import { settingsOf } from '../../shared/prompts/store.ts';
import type { TransferCategory, TransferKey, TransferPrompts, TransferSegment } from './format.ts';
import type { TransferSubscription } from './subscription-line.ts';

export interface ImportedApp {
  readonly id: AppId;
  readonly identifier: string;
}

/** Two imports of one file make one app: the second waits here and finds it. */
export async function lockTransfer(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('app transfer', $1))`, [organizationId]);
}

/** The organization's app that has, or had, this key pair: an import that goes on knows it by that. */
export async function findAppWithKey(
  sql: Sql,
  organizationId: OrganizationId,
  publicKey: string,
): Promise<ImportedApp | null> {
  const [row] = await sql.query<{ id: number; identifier: string }>(
    `SELECT id, identifier FROM apps WHERE organization_id = $1 AND deleted_at IS NULL AND (vapid_public_key = $2
       OR EXISTS (SELECT 1 FROM vapid_keys WHERE app_id = apps.id AND public_key = $2)) ORDER BY id LIMIT 1`,
    [organizationId, publicKey],
  );
  return row === undefined ? null : { id: toId(row.id), identifier: row.identifier };
}

/** Numbers stay as in the file: the rows are inserted together with the app, so nothing can clash. */
export async function completeApp(sql: Sql, appId: AppId, activeNumber: number): Promise<void> {
  await sql.query(`UPDATE apps SET vapid_key_number = $2 WHERE id = $1`, [appId, activeNumber]);
}

export async function insertFormerKey(
  sql: Sql,
  appId: AppId,
  { number, state, public_key: publicKey }: TransferKey,
  sealed: Buffer,
): Promise<void> {
  await sql.query(
    `INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, state, created_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, now(), CASE WHEN $5 = 'ended' THEN now() END)`,
    [appId, number, publicKey, sealed, state],
  );
}

/** Pairs that can be sent with, by their public keys. */
export async function keyNumbersOf(sql: Sql, appId: AppId): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ public_key: string; number: number }>(
    `SELECT vapid_public_key AS public_key, vapid_key_number AS number FROM apps WHERE id = $1
     UNION ALL SELECT public_key, number FROM vapid_keys WHERE app_id = $1 AND state <> 'retired'`,
    [appId],
  );
  return new Map(rows.map(({ public_key: key, number }) => [key, number]));
}

/** By its name, which is one category's. */
export async function ensureCategory(sql: Sql, appId: AppId, { body }: TransferCategory): Promise<number> {
  await sql.query(
    `INSERT INTO delivery_categories (app_id, name, description) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [appId, body.name, body.description ?? null],
  );
  const [row] = await sql.query<{ id: number }>(
    `SELECT id FROM delivery_categories WHERE app_id = $1 AND ${isNamed('name', '$2')} AND deleted_at IS NULL
     ORDER BY name = $2 DESC, namesake LIMIT 1`,
    [appId, body.name],
  );
  return row?.id ?? 0;
}

export async function ensureSegment(sql: Sql, appId: AppId, { name, rules }: TransferSegment): Promise<void> {
  await sql.query(
    `INSERT INTO segments (app_id, name, rules) SELECT $1, $2, $3::jsonb WHERE NOT EXISTS (
       SELECT 1 FROM segments WHERE app_id = $1 AND name = $2 AND rules = $3::jsonb AND deleted_at IS NULL)`,
    [appId, name, JSON.stringify(rules)],
  );
}

/** With its round: the site's browsers keep which variant they drew in it. */
export async function ensurePrompts(
  sql: Sql,
  appId: AppId,
  { settings, round }: TransferPrompts,
): Promise<void> {
  await sql.query(
    `INSERT INTO prompts (app_id, round, settings) VALUES ($1, $2, $3) ON CONFLICT (app_id) DO NOTHING`,
    [appId, round, JSON.stringify(settingsOf(settings))],
  );
}

export async function ensureWelcome(sql: Sql, appId: AppId, welcome: WelcomeBody): Promise<void> {
  await sql.query(
    `INSERT INTO welcome_templates (app_id, enabled, title, body, url, image_url, delay_minutes, icon_url)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (app_id) DO NOTHING`,
    [
      appId,
      welcome.enabled,
      welcome.title,
      welcome.body,
      welcome.url,
      welcome.image_url ?? null,
      welcome.delay_minutes ?? 0,
      welcome.icon_url ?? null,
    ],
  );
}

const textColumns = `user_identity, country, device_type, browser_name, browser_version, os_name, os_version, status`;
const timeColumns = `last_clicked_at, unsubscribed_at`;
const typed = (names: string, type: string): string => names.replaceAll(/\w+/g, (name) => `${name} ${type}`);

/**
 * Inserts subscriptions with new endpoints and secrets, in one statement with the app's counts. Existing ones,
 * perhaps with another endpoint since, stay as they are: the file may be older. Endpoints must not repeat
 * within a batch.
 * @returns how many were new.
 * @throws a unique violation (23505) where a browser subscribed at this very moment: nothing was written.
 */
export async function insertSubscriptions(
  sql: Sql,
  appId: AppId,
  rows: readonly TransferSubscription[],
): Promise<number> {
  const columns = `endpoint, p256dh, auth, secret_hash, vapid_key_number, tags, external_ids, category_ids, time_zone_id, language, ${textColumns}, ${timeColumns}`;
  const [row] = await sql.query<{ inserted: number }>(
    `WITH items AS MATERIALIZED (
       SELECT item.*, ${zoneNumber} FROM jsonb_to_recordset($2::jsonb) AS item (n integer, time_zone text, language text, endpoint text, p256dh bytea, auth bytea,
         secret_hash bytea, vapid_key_number smallint, tags jsonb, external_ids jsonb, category_ids integer[], wishes jsonb,
         ${typed(textColumns, 'text')}, ${typed(`${timeColumns}, created_at, last_seen_at`, 'timestamptz')})
     ),
     known AS MATERIALIZED (SELECT endpoint FROM ${atEndpoints('ARRAY(SELECT endpoint FROM items)')}),
     proven AS MATERIALIZED (
       SELECT secret_hash FROM ${ofSecrets('ARRAY(SELECT secret_hash FROM items WHERE secret_hash IS NOT NULL)')}
     ),
     given AS (
       SELECT row_number() OVER (ORDER BY n) - 1 AS place, items.* FROM items
       WHERE NOT EXISTS (SELECT 1 FROM known WHERE known.endpoint = items.endpoint)
         AND NOT EXISTS (SELECT 1 FROM proven WHERE proven.secret_hash = items.secret_hash)
     ),
     counted AS (
       SELECT coalesce(bool_or(wishes IS NOT NULL), false) AS some_wishes, count(*)::integer AS all_new, (count(*) FILTER (WHERE status = 'subscribed'))::integer AS active
       FROM given
     ),
     app AS (
       ${changeCounts({
         ...{
           seqs: 'all_new',
           all: 'all_new',
           active: 'active',
           also: 'has_wishes = has_wishes OR some_wishes',
         },
         ...{ from: 'counted', where: 'deleted_at IS NULL AND all_new > 0' },
       })} RETURNING next_seq - all_new AS first
     ),
     inserted AS (
       INSERT INTO subscriptions (app_id, seq, ${columns}, created_at, last_seen_at)
       SELECT $1, app.first + place, ${columns}, coalesce(created_at, now()),
         coalesce(last_seen_at, created_at, now()) FROM app, given ORDER BY place RETURNING 1
     ),
     wished AS (
       INSERT INTO reader_wishes (app_id, seq, max_notifications, window_minutes, paused_until, quiet_from, quiet_to,
         left_at, revision)
       SELECT $1, app.first + place, wish.max_notifications, wish.window_minutes, wish.paused_until, wish.quiet_from,
         wish.quiet_to, wish.left_at, wish.revision
       FROM app, given, jsonb_to_record(given.wishes) AS wish (max_notifications integer, window_minutes integer,
         paused_until timestamptz, quiet_from text, quiet_to text, left_at timestamptz, revision integer)
       WHERE given.wishes IS NOT NULL
     )
     SELECT count(*)::integer AS inserted FROM inserted`,
    [appId, JSON.stringify(rows.map((each, n) => ({ n, ...each })))],
  );
  return row?.inserted ?? 0;
}
