import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import {
  changeCounts,
  lockedRows,
  noteFirstBrowser,
} from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import { activeKeyNumber, isEndedKey } from '../../../engine/adapters/postgres/vapid-store.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { visitorColumns } from '../../visitor/visitor.ts';
import { atEndpoints, ofSecrets, ofUsers } from '../lookups.ts';
import { countVariants } from '../prompts/store.ts';
import type { ParsedSubscription } from './parse-subscription.ts';

/** The statements of a batch of subscribes. `store-batch.ts` explains their order and purpose. */

/** Shorter than this ago, a browser was just here: its row need not be written for the time alone. */
export const SEEN_RECENTLY = `interval '5 minutes'`;

/** A reader who comes back sooner gets no second welcome. */
const LONG_GONE = `interval '30 days'`;

const MAX_EXTERNAL_IDS_KEPT = 50;
/** Strangers write them, so the total over many calls has a bound, too. */
export const mergedIds = (kept: string, given: string): string =>
  `CASE WHEN (SELECT count(*) FROM jsonb_object_keys(${kept} || ${given})) > ${MAX_EXTERNAL_IDS_KEPT}
     THEN ${given} ELSE ${kept} || ${given} END`;

const agentNames = ['device_type', 'browser_name', 'browser_version', 'os_name', 'os_version'];
const visitorNames = [...agentNames, 'country'];

/**
 * The browser's facts in a row: an unknown value changes nothing, because a worker's request has fewer than a
 * page's. Of another device, browser or system nothing stays, because a kept version would be the former one's.
 */
export function setVisitor(kept: string, given: string): string {
  const isAnother = ['device_type', 'browser_name', 'os_name']
    .map((name) => `${given}.${name} <> ${kept}.${name}`)
    .join(' OR ');
  const merged = (name: string): string => `coalesce(${given}.${name}, ${kept}.${name})`;
  return [
    ...agentNames.map(
      (name) => `${name} = CASE WHEN ${isAnother} THEN ${given}.${name} ELSE ${merged(name)} END`,
    ),
    `country = ${merged('country')}`,
  ].join(', ');
}

export const visitorDiffers = (kept: string, given: string): string =>
  `coalesce(${visitorNames.map((name) => `${given}.${name} <> coalesce(${kept}.${name}, '')`).join(' OR ')}, false)`;

/** The reader's zone and language; one that is not known changes nothing. */
export const setReader = (kept: string, given: string): string =>
  `time_zone_id = coalesce(${given}.time_zone_id, ${kept}.time_zone_id), time_zone_changed_at =
     CASE WHEN ${given}.time_zone_id <> coalesce(${kept}.time_zone_id, 0) THEN now() ELSE ${kept}.time_zone_changed_at END,
   language = coalesce(${given}.language, ${kept}.language)`;
export const readerDiffers = (kept: string, given: string): string =>
  `coalesce(${given}.time_zone_id <> coalesce(${kept}.time_zone_id, 0) OR ${given}.language <> coalesce(${kept}.language, ''), false)`;

/** The number of a zone, in a row that has its name. */
export const zoneNumber = `(SELECT id FROM time_zones WHERE name = time_zone) AS time_zone_id`;

/** The batch as rows, numbered as it came. Only categories that the app has are taken over. */
const given = `given AS (
  SELECT n, seq, endpoint, p256dh, auth, user_identity, secret_hash, external_ids, vapid_key_number, ${visitorNames.join(', ')}, ${zoneNumber}, language, prompt_variant,
    CASE WHEN category_ids IS NOT NULL THEN ARRAY(
      SELECT id FROM delivery_categories AS category
      WHERE category.app_id = $1 AND category.id = ANY(category_ids) AND deleted_at IS NULL ORDER BY id
    ) END AS category_ids
  FROM jsonb_to_recordset($2::jsonb) AS item (n integer, seq integer, endpoint text, p256dh bytea, auth bytea,
    user_identity text, secret_hash bytea, external_ids jsonb, category_ids integer[], vapid_key_number smallint,
    ${visitorNames.join(' text, ')} text, time_zone text, language text, prompt_variant text)
)`;

const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

const jsonOf = (items: readonly ParsedSubscription[], seqs: readonly number[] = []): string =>
  JSON.stringify(
    items.map((item, n) => ({
      n,
      seq: seqs[n],
      endpoint: item.endpoint,
      p256dh: hex(item.p256dh),
      auth: hex(item.auth),
      user_identity: item.userIdentity,
      secret_hash: item.secretHash && hex(item.secretHash),
      external_ids: item.externalIds,
      category_ids: item.categoryIds,
      vapid_key_number: item.vapidKeyNumber,
      time_zone: item.timeZone,
      language: item.language,
      prompt_variant: item.promptVariant,
      ...visitorColumns(item.visitor),
    })),
  );

/**
 * The usual call: a known browser repeats its subscription. Nothing is written where nothing changed and it was
 * here recently. @returns the numbers of items that are done.
 */
export async function refreshKnown(
  sql: Sql,
  appId: AppId,
  items: readonly ParsedSubscription[],
): Promise<ReadonlySet<number>> {
  const rows = await sql.query<{ n: number }>(
    `WITH ${given},
     of_users AS MATERIALIZED (SELECT seq, status, user_identity FROM ${ofUsers('ARRAY(SELECT user_identity FROM given WHERE secret_hash IS NULL)')}),
     known AS (
       SELECT given.*, s.seq AS kept_seq,
         s.last_seen_at < now() - ${SEEN_RECENTLY} OR s.p256dh <> given.p256dh OR s.auth <> given.auth
           OR NOT s.external_ids @> given.external_ids OR ${visitorDiffers('s', 'given')} OR ${readerDiffers('s', 'given')}
           OR given.category_ids IS NOT NULL AND given.category_ids IS DISTINCT FROM s.category_ids
           OR given.vapid_key_number <> s.vapid_key_number IS TRUE AS due
       FROM given JOIN ${atEndpoints('ARRAY(SELECT endpoint FROM given)')} AS s ON s.endpoint = given.endpoint
       WHERE s.status = 'subscribed' AND s.secret_hash IS NOT DISTINCT FROM given.secret_hash
         AND (given.user_identity IS NULL OR s.user_identity = given.user_identity)
         -- The user's other browser has moved here: that is not a refresh, it must be left.
         AND NOT EXISTS (
           SELECT 1 FROM of_users AS twin
           WHERE given.secret_hash IS NULL AND twin.user_identity = given.user_identity AND twin.seq <> s.seq AND twin.status = 'subscribed'
         )
     ),
     locked AS (
       ${lockedRows('seq = ANY(ARRAY(SELECT kept_seq FROM known WHERE due))')}
     ),
     -- Asked again, as the row may have changed until it was locked: what does not fit any more is not done.
     fresh AS (
       UPDATE subscriptions AS kept SET p256dh = known.p256dh, auth = known.auth, last_seen_at = now(),
         external_ids = ${mergedIds('kept.external_ids', 'known.external_ids')},
         category_ids = coalesce(known.category_ids, kept.category_ids),
         vapid_key_number = coalesce(known.vapid_key_number, kept.vapid_key_number), ${setVisitor('kept', 'known')}, ${setReader('kept', 'known')}
       FROM known JOIN locked ON locked.seq = known.kept_seq
       WHERE kept.app_id = $1 AND kept.seq = ANY(ARRAY(SELECT seq FROM locked)) AND kept.seq = known.kept_seq
         AND kept.endpoint = known.endpoint AND kept.status = 'subscribed'
         AND kept.secret_hash IS NOT DISTINCT FROM known.secret_hash
         AND (known.user_identity IS NULL OR kept.user_identity = known.user_identity)
       RETURNING known.n
     )
     SELECT n FROM known WHERE NOT due UNION ALL SELECT n FROM fresh`,
    [appId, jsonOf(items)],
  );
  return new Set(rows.map(({ n }) => n));
}

/** The lock's namespace: names of an endpoint, of a user identity and of a secret never collide. */
export const endpointKey = (endpoint: string): string => `endpoint ${endpoint}`;
export const userKey = (userIdentity: string): string => `user ${userIdentity}`;
export const secretKey = (secretHash: Buffer): string => `secret ${secretHash.toString('hex')}`;

/**
 * Requests of the same browser take turns, up to the end of the transaction. In the order of the keys, as every
 * transaction needs several.
 */
export async function lockBrowsers(sql: Sql, appId: AppId, keys: readonly string[]): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT hashtextextended(part, $1) AS key FROM unnest($2::text[]) AS part ORDER BY 1
     ) AS keys`,
    [appId, keys],
  );
}

export interface Match {
  readonly seq: number;
  readonly status: 'subscribed' | 'unsubscribed';
  readonly endpoint: string;
  readonly user_identity: string | null;
  readonly secret_hash: Buffer | null;
  readonly last_seen_at: Date;
  /** From this time after its end on, the reader of a subscription counts as new. */
  readonly is_long_gone: boolean;
  /** Its endpoint is bound to an ended VAPID key: it cannot be sent to any more. */
  readonly key_ended: boolean;
}

/** The keys by which rows are found. */
export interface Wanted {
  readonly endpoints: readonly string[];
  /** Of these, rows that have no secret. */
  readonly users: readonly string[];
  readonly secretHashes: readonly Buffer[];
}

const matchColumns = `seq, status, endpoint, user_identity, secret_hash, last_seen_at,
  coalesce(unsubscribed_at < now() - ${LONG_GONE}, false) AS is_long_gone,
  ${isEndedKey('kept.vapid_key_number')} AS key_ended`;

/** Rows with one of these keys, under their locks. */
export async function lockMatches(
  sql: Sql,
  appId: AppId,
  { endpoints, users, secretHashes }: Wanted,
): Promise<Match[]> {
  return sql.query<Match>(
    `WITH found AS (SELECT seq FROM ${atEndpoints('$2::text[]')} UNION SELECT seq FROM ${ofUsers('$3::text[]')}
       UNION SELECT seq FROM ${ofSecrets('$4::bytea[]')})
     ${lockedRows('seq = ANY(ARRAY(SELECT seq FROM found))', { columns: matchColumns })}`,
    [appId, endpoints, users, secretHashes],
  );
}

/** Writes each browser into the row that it keeps, all of them locked before. */
export async function replaceKept(
  sql: Sql,
  appId: AppId,
  items: readonly ParsedSubscription[],
  seqs: readonly number[],
): Promise<void> {
  await sql.query(
    `WITH ${given}
     UPDATE subscriptions AS kept SET endpoint = given.endpoint, p256dh = given.p256dh, auth = given.auth,
       user_identity = coalesce(given.user_identity, kept.user_identity),
       secret_hash = coalesce(given.secret_hash, kept.secret_hash), status = 'subscribed',
       unsubscribed_at = NULL, last_seen_at = now(),
       prompt_variant = coalesce(CASE WHEN kept.status = 'unsubscribed' THEN given.prompt_variant END, kept.prompt_variant),
       external_ids = ${mergedIds('kept.external_ids', 'given.external_ids')},
       category_ids = coalesce(given.category_ids, kept.category_ids),
       -- An endpoint is bound to its key for life; a new one that does not say is taken for the active key's.
       vapid_key_number = coalesce(given.vapid_key_number,
         CASE WHEN kept.endpoint = given.endpoint THEN kept.vapid_key_number ELSE ${activeKeyNumber} END),
       ${setVisitor('kept', 'given')}, ${setReader('kept', 'given')}
     FROM given WHERE kept.app_id = $1 AND kept.seq = ANY($3::integer[]) AND kept.seq = given.seq`,
    [appId, jsonOf(items, seqs), seqs],
  );
}

/**
 * Rows whose secret another row gets: from now on no secret identifies them. Not without one, because then
 * their user identity would.
 */
export async function sealOff(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE subscriptions SET secret_hash = sha256(secret_hash || uuid_send(gen_random_uuid()))
     WHERE app_id = $1 AND seq = ANY($2::integer[])`,
    [appId, seqs],
  );
}

/** Adds rows of app `$1` to those that wait for a welcome, where it has one. @param source rows with `seq`. */
const welcome = (source: string): string => `
  INSERT INTO welcomes (app_id, seq, due_at)
  SELECT $1, seq, now() + make_interval(mins => delay_minutes) FROM ${source}, welcome_templates
  WHERE welcome_templates.app_id = $1 AND enabled
  ON CONFLICT (app_id, seq) DO NOTHING`;

/**
 * Of readers who came back: the prompts that they said yes to, and who is as new. After the app's row, as for inserted
 * ones: the other way around two of them would deadlock.
 */
export async function noteReturned(
  sql: Sql,
  appId: AppId,
  { variants, seqs }: { readonly variants: readonly string[]; readonly seqs: readonly number[] },
): Promise<void> {
  if (variants.length + seqs.length === 0) return;
  await sql.query(
    `WITH counted AS (${countVariants('unnest($2::text[]) AS back (prompt_variant)')})
     ${welcome('unnest($3::integer[]) AS back (seq)')}`,
    [appId, variants, seqs],
  );
}

/**
 * Takes a run of `seq`s with the app's row, which stays locked until the commit: inserts of an app take turns,
 * so there is one statement between the lock and the commit.
 * @returns how many were inserted, less than given where an import was faster; null where the app is deleted.
 */
export async function insertNew(
  sql: Sql,
  appId: AppId,
  items: readonly ParsedSubscription[],
  active: number,
): Promise<number | null> {
  const columns = `endpoint, p256dh, auth, user_identity, secret_hash, external_ids, category_ids, ${visitorNames.join(', ')}, time_zone_id, language, prompt_variant`;
  const [row] = await sql.query<{ first: number | null; inserted: number }>(
    `WITH ${given},
     app AS (
       ${changeCounts({ seqs: '$3', all: '$3', active: '$3 + $4', also: noteFirstBrowser, where: 'deleted_at IS NULL' })}
       RETURNING next_seq - $3 AS first, vapid_key_number AS active_key
     ),
     inserted AS (
       INSERT INTO subscriptions (app_id, seq, vapid_key_number, ${columns})
       SELECT $1, app.first + n, coalesce(vapid_key_number, active_key), ${columns} FROM app, given
       ON CONFLICT (app_id, decode(md5(endpoint), 'hex')) DO NOTHING RETURNING seq, prompt_variant
     ),
     counted AS (${countVariants('inserted')}),
     welcomed AS (${welcome('inserted')})
     SELECT (SELECT first FROM app) AS first, (SELECT count(*) FROM inserted) AS inserted`,
    [appId, jsonOf(items), items.length, active],
  );
  return row === undefined || row.first === null ? null : row.inserted;
}
