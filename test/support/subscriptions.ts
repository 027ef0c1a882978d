import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../engine/contract/ids.ts';
import { toId } from '../../engine/contract/ids.ts';

/** A subscription as a test describes it; what it leaves out is the same for all. Times are ISO 8601. */
export interface GivenSubscription {
  readonly status?: 'subscribed' | 'unsubscribed';
  readonly user_identity?: string | null;
  readonly device_type?: string | null;
  readonly browser_name?: string | null;
  readonly country?: string | null;
  readonly tags?: Readonly<Record<string, string>>;
  readonly external_ids?: Readonly<Record<string, string>>;
  readonly created_at?: string;
  readonly last_seen_at?: string;
  readonly last_clicked_at?: string | null;
}

/** Written in one statement under the next `seq`s. @returns their ids, in the order given. */
export async function insertSubscriptions(
  database: Database,
  appId: AppId,
  given: readonly GivenSubscription[],
): Promise<{ id: number; seq: number }[]> {
  return database.transaction(async (sql) => {
    const active = given.filter(({ status }) => status !== 'unsubscribed').length;
    const [app] = await sql.query<{ first: number }>(
      `UPDATE apps SET next_seq = next_seq + $2, subscriber_count = subscriber_count + $2,
         active_subscriber_count = active_subscriber_count + $3 WHERE id = $1 RETURNING next_seq - $2 AS first`,
      [appId, given.length, active],
    );
    const rows = given.map((each, index) => ({ n: index, ...each }));
    return sql.query<{ id: number; seq: number }>(
      `WITH added AS (
         INSERT INTO subscriptions (app_id, seq, endpoint, p256dh, auth, status, user_identity, device_type,
           browser_name, country, tags, external_ids, created_at, last_seen_at, last_clicked_at, unsubscribed_at)
         SELECT $1, $2 + n, 'https://push.example.com/' || $2 + n, decode(repeat('04', 65), 'hex'),
           decode(repeat('0a', 16), 'hex'), coalesce(status, 'subscribed'), user_identity, device_type, browser_name,
           country, coalesce(tags, '{}'), coalesce(external_ids, '{}'), coalesce(created_at, now()),
           coalesce(last_seen_at, now()), last_clicked_at, CASE WHEN status = 'unsubscribed' THEN now() END
         FROM jsonb_to_recordset($3::jsonb) AS given (n integer, status text, user_identity text, device_type text,
           browser_name text, country text, tags jsonb, external_ids jsonb, created_at timestamptz,
           last_seen_at timestamptz, last_clicked_at timestamptz)
         RETURNING id, seq
       )
       SELECT id, seq FROM added ORDER BY seq`,
      [appId, app?.first ?? 0, JSON.stringify(rows)],
    );
  });
}

/** As if push services had accepted this number of notifications for each `seq`, all of them in the first block. */
export async function setSent(
  database: Database,
  appId: AppId,
  sent: ReadonlyMap<number, number>,
): Promise<void> {
  const counts = Array.from({ length: 1_024 }, (_, seq) => sent.get(seq) ?? 0);
  await database.query(
    `INSERT INTO block_counts (app_id, block, sent) VALUES ($1, 0, $2)
     ON CONFLICT (app_id, block) DO UPDATE SET sent = excluded.sent`,
    [appId, counts],
  );
}

export async function appIdOf(database: Database, identifier: string): Promise<AppId> {
  const [row] = await database.query<{ id: number }>(`SELECT id FROM apps WHERE identifier = $1`, [
    identifier,
  ]);
  return toId(row?.id);
}

/** As if these had been deleted: an engine makes what is left of them anonymous. */
export async function forgetSubscriptions(
  database: Database,
  appId: AppId,
  seqs: readonly number[],
): Promise<void> {
  await database.query(
    `INSERT INTO forgotten_subscriptions (app_id, seq) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING`,
    [appId, seqs],
  );
}
