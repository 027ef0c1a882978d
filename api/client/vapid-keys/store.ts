import { createHash } from 'node:crypto';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { VapidKeyResource } from './schema.ts';

export interface StoredVapidKey {
  readonly number: number;
  readonly public_key: string;
  readonly state: VapidKeyResource['state'];
  readonly subscriptions: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

/** Retired pairs beyond these are not listed. */
const MAX_LISTED = 50;

/** 64 bits of a hash: two keys of one app never share it. */
export const vapidKeyId = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16);

/** Newest first: the active one, then former ones. Only the subscriptions of former pairs are counted. */
export function listVapidKeys(sql: Sql, appId: AppId): Promise<StoredVapidKey[]> {
  return sql.query<StoredVapidKey>(
    `WITH former AS (
       SELECT number, public_key, state, created_at, ended_at, CASE WHEN state = 'retired' THEN 0 ELSE (
         SELECT count(*) FROM subscriptions AS on_it WHERE on_it.app_id = $1
           AND on_it.vapid_key_number = vapid_keys.number AND on_it.vapid_key_number >= 0
           AND on_it.status = 'subscribed') END AS subscriptions
       FROM vapid_keys WHERE app_id = $1 ORDER BY number DESC LIMIT $2
     )
     SELECT * FROM (SELECT vapid_key_number AS number, vapid_public_key AS public_key, 'active' AS state,
       coalesce(vapid_key_created_at, created_at) AS created_at, NULL AS ended_at,
       greatest(active_subscriber_count - coalesce((SELECT sum(subscriptions) FROM former), 0), 0)::integer
         AS subscriptions
     FROM apps WHERE id = $1
     UNION ALL SELECT number, public_key, state, created_at, ended_at, subscriptions::integer FROM former) AS pairs
     ORDER BY (state = 'active') DESC, number DESC`,
    [appId, MAX_LISTED],
  );
}

/** The caller holds the app's lock. */
export async function isRotating(sql: Sql, appId: AppId): Promise<boolean> {
  const rows = await sql.query(`SELECT 1 FROM vapid_keys WHERE app_id = $1 AND state <> 'retired'`, [appId]);
  return rows.length > 0;
}

export interface NewVapidKey {
  readonly publicKey: string;
  readonly privateKeySealed: Buffer;
}

/** Above all that app `$1` has had: an imported pair may have a higher number than the active one. */
const nextNumber = `(SELECT greatest(vapid_key_number,
  (SELECT max(number) FROM vapid_keys WHERE app_id = $1)) + 1 FROM apps WHERE id = $1)`;

/**
 * A pair of the publisher's former sender beside the active one: its subscriptions are sent to, and move as their
 * browsers come by. The caller holds the app's lock, and has asked `isRotating`.
 * @returns its number.
 */
export async function addRetiringKey(sql: Sql, appId: AppId, key: NewVapidKey): Promise<number> {
  const [row] = await sql.query<{ number: number }>(
    `INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, created_at)
     VALUES ($1, ${nextNumber}, $2, $3, now()) RETURNING number`,
    [appId, key.publicKey, key.privateKeySealed],
  );
  if (row === undefined) throw new Error('the key just added is not there');
  return row.number;
}

/** The active pair becomes a former one, and the new one replaces it. The caller holds the app's lock. */
export async function startRotation(sql: Sql, appId: AppId, key: NewVapidKey): Promise<void> {
  await sql.query(
    `INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, created_at)
     SELECT id, vapid_key_number, vapid_public_key, vapid_private_key_sealed,
       coalesce(vapid_key_created_at, created_at) FROM apps WHERE id = $1`,
    [appId],
  );
  await sql.query(
    `UPDATE apps SET vapid_key_number = ${nextNumber}, vapid_public_key = $2,
       vapid_private_key_sealed = $3, vapid_key_created_at = now() WHERE id = $1`,
    [appId, key.publicKey, key.privateKeySealed],
  );
}

/** @returns whether it was retiring. From then on no browser can subscribe with it. */
export async function endVapidKey(sql: Sql, appId: AppId, number: number): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE vapid_keys SET state = 'ended', ended_at = now()
     WHERE app_id = $1 AND number = $2 AND state = 'retiring' RETURNING 1`,
    [appId, number],
  );
  return rows.length === 1;
}
