import { createSetAside } from '../../contract/concurrency/set-aside.ts';
import type { AppId } from '../../contract/ids.ts';
import type { VapidKeyPair } from '../../contract/shard.ts';
import type { Database } from './database.ts';
import type { Sealer } from './sealed-secret.ts';
import type { Sql } from './sql.ts';
import { lockedRows, unsubscribing } from './subscriptions/counts.ts';

/**
 * An app's VAPID key pairs. The active one is on the app's row; former ones are in `vapid_keys`, and move from
 * `retiring` to `ended` (by a request) to `retired` (by the reaper below, once no subscription uses it).
 */
export interface FormerKeyRow {
  readonly number: number;
  readonly public_key: string;
  /** Hex. */
  readonly sealed: string;
}

/**
 * For a statement that reads `apps`: the former pairs that subscriptions may still be bound to. An ended one
 * goes on signing for subscriptions that the reaper has not reached.
 */
export const formerKeysOfApp = `(
    SELECT json_agg(json_build_object('number', number, 'public_key', public_key,
      'sealed', encode(private_key_sealed, 'hex')))
    FROM vapid_keys WHERE vapid_keys.app_id = apps.id AND vapid_keys.state <> 'retired'
  ) AS former_keys`;

export const openFormerKeys = (
  rows: readonly FormerKeyRow[] | null,
  identifier: string,
  sealer: Sealer,
): VapidKeyPair[] =>
  (rows ?? []).map(({ number, public_key: publicKey, sealed }) => ({
    number,
    publicKey,
    privateKey: sealer.open(Buffer.from(sealed, 'hex'), identifier).toString(),
  }));

/** The number of the pair that new subscriptions of app `$1` are made with. */
export const activeKeyNumber = `(SELECT vapid_key_number FROM apps WHERE id = $1)`;

/** Whether the pair of this number was ended: app `$1`'s subscriptions on it go, and none may return to it. */
export const isEndedKey = (number: string): string =>
  `(${number} <> ${activeKeyNumber} AND NOT EXISTS (
     SELECT 1 FROM vapid_keys WHERE app_id = $1 AND number = ${number} AND state = 'retiring'))`;

/**
 * Requests that found the pair valid before it was ended, and caches of lookups, have finished after this
 * time: the reaper sees their writes.
 */
const GRACE_SECONDS = 60;
const ROWS_PER_STEP = 500;
/** A pair whose subscriptions cannot be unsubscribed waits behind the others. */
const ASIDE_MS = 600_000;
const MOST_ASIDE = 1_000;

interface EndedKey {
  readonly app_id: AppId;
  readonly number: number;
}

/**
 * Unsubscribes, some at a time, the subscriptions left on an ended pair, and deletes the pair's private key
 * when none is left. Safe to run beside another engine that does.
 */
export function createVapidReaper(database: Database, options: { readonly graceSeconds?: number } = {}) {
  const graceSeconds = options.graceSeconds ?? GRACE_SECONDS;
  const failed = createSetAside<string>(ASIDE_MS, MOST_ASIDE);

  async function reap(key: EndedKey): Promise<number> {
    const reaped = await database.transaction((sql) => unsubscribeSome(sql, key));
    return reaped > 0 ? reaped : retire(database, key, graceSeconds);
  }

  return async function reapEndedKeys(): Promise<number> {
    const [key] = await database.query<EndedKey>(
      // Those that wait for their grace come to their turn among the others.
      `SELECT app_id, number FROM vapid_keys JOIN apps ON apps.id = app_id
       WHERE state = 'ended' AND deleted_at IS NULL AND (
         ended_at < now() - make_interval(secs => $1) OR EXISTS (
           SELECT 1 FROM subscriptions AS left_over WHERE left_over.app_id = vapid_keys.app_id
             AND left_over.vapid_key_number = vapid_keys.number AND left_over.vapid_key_number >= 0
             AND left_over.status = 'subscribed'))
         AND app_id || ' ' || number <> ALL($2)
       ORDER BY ended_at LIMIT 1`,
      [graceSeconds, failed.keys()],
    );
    if (key === undefined) return 0;
    try {
      return await reap(key);
    } catch (error) {
      failed.add(`${key.app_id} ${key.number}`);
      throw error;
    }
  };
}

const onKey = lockedRows(`vapid_key_number = $2 AND status = 'subscribed'`, {
  limit: 'LIMIT $3',
  orSkip: true,
});

async function unsubscribeSome(sql: Sql, { app_id: appId, number }: EndedKey): Promise<number> {
  const [row] = await sql.query<{ reaped: number }>(
    `WITH ${unsubscribing(onKey)} SELECT count(*)::integer AS reaped FROM unsubscribed`,
    [appId, number, ROWS_PER_STEP],
  );
  return row?.reaped ?? 0;
}

async function retire(sql: Sql, { app_id: appId, number }: EndedKey, graceSeconds: number): Promise<number> {
  const rows = await sql.query(
    `UPDATE vapid_keys SET state = 'retired', private_key_sealed = NULL
     WHERE app_id = $1 AND number = $2 AND state = 'ended' AND ended_at < now() - make_interval(secs => $3)
       AND NOT EXISTS (SELECT 1 FROM subscriptions AS left_over WHERE left_over.app_id = $1
         AND left_over.vapid_key_number = $2 AND left_over.status = 'subscribed') RETURNING 1`,
    [appId, number, graceSeconds],
  );
  return rows.length;
}
