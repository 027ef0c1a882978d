import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { PersonBody } from './schema.ts';

/** More subscriptions than this are no one person's: a constant stands where an id should. */
export const MOST_SUBSCRIPTIONS = 1_000;

/** The numbers of the app's subscriptions that are named; one more than the most where there are more. */
export async function findPerson(sql: Sql, appId: AppId, person: PersonBody): Promise<number[]> {
  const [text, values] = lookUpOf(person);
  const rows = await sql.query<{ seq: number }>(`SELECT seq FROM (${text}) AS found ORDER BY seq`, [
    appId,
    ...values,
  ]);
  return rows.map(({ seq }) => seq);
}

function lookUpOf({ user_identity, external_id, endpoint }: PersonBody): [string, unknown[]] {
  const most = MOST_SUBSCRIPTIONS + 1;
  if (endpoint !== undefined) return ['SELECT seq FROM subscriptions_at($1, ARRAY[$2])', [endpoint]];
  if (user_identity !== undefined)
    return [`SELECT seq FROM subscriptions_of_users($1, ARRAY[$2], ${most})`, [user_identity]];
  // By the index of words first, which holds whole values as lines.
  return [
    `SELECT seq FROM subscriptions WHERE app_id = $1 AND external_ids ->> $2 = $3 AND seq IN (
       SELECT seq FROM subscription_facets WHERE app_id = $1
         AND words LIKE '%' || lower(regexp_replace($3, '([\\\\%_])', '\\\\\\1', 'g')) || '%')
     LIMIT ${most}`,
    [external_id?.name, external_id?.value],
  ];
}

/** @returns the id by the number, ascending. */
export async function findIds(
  sql: Sql,
  appId: AppId,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.query<{ seq: number; id: number }>(
    `SELECT seq, id FROM subscriptions WHERE app_id = $1 AND seq = ANY($2::integer[]) ORDER BY seq`,
    [appId, seqs],
  );
  return new Map(rows.map(({ seq, id }) => [seq, id]));
}

/** All that Postgres has of them: each column of the row, and what stands elsewhere under its number. */
export async function readStored(
  sql: Sql,
  appId: AppId,
  seqs: readonly number[],
): Promise<{ readonly seq: number; readonly stored: { id: number; endpoint: string } }[]> {
  return sql.query(
    `SELECT seq, to_jsonb(subscriptions) - '{app_id,seq,p256dh,auth,secret_hash}'::text[] || jsonb_build_object(
       'p256dh', replace(encode(p256dh, 'base64'), E'\\n', ''), 'auth', encode(auth, 'base64'),
       'browser_secret_hash', encode(secret_hash, 'base64'),
       'time_zone', (SELECT name FROM time_zones WHERE time_zones.id = time_zone_id),
       'notifications_sent', (SELECT greatest(sent[(subscriptions.seq & 1023) + 1], 0) FROM block_counts
          WHERE block_counts.app_id = subscriptions.app_id AND block = subscriptions.seq >> 10),
       'failing', (SELECT to_jsonb(failing) - '{app_id,seq}'::text[] FROM failing_endpoints AS failing
          WHERE failing.app_id = subscriptions.app_id AND failing.seq = subscriptions.seq),
       'test_browser', (SELECT name FROM test_browsers
          WHERE test_browsers.app_id = subscriptions.app_id AND test_browsers.seq = subscriptions.seq)
     ) AS stored
     FROM subscriptions WHERE app_id = $1 AND seq = ANY($2::integer[]) ORDER BY seq`,
    [appId, seqs],
  );
}

/** Locks are taken subscriptions first, in the order of their numbers, then the app's row, like everywhere else. */
export async function erasePerson(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<number[]> {
  const rows = await sql.query<{ seq: number }>(
    `WITH locked AS (
       SELECT seq FROM subscriptions WHERE app_id = $1 AND seq = ANY($2::integer[]) ORDER BY seq FOR UPDATE
     ), deleted AS (
       DELETE FROM subscriptions WHERE app_id = $1 AND seq IN (SELECT seq FROM locked) RETURNING seq, status
     ), counted AS (
       UPDATE apps SET subscriber_count = subscriber_count - (SELECT count(*) FROM deleted),
         active_subscriber_count = active_subscriber_count - (SELECT count(*) FROM deleted WHERE status = 'subscribed')
       WHERE id = $1
     ), unfailed AS (
       DELETE FROM failing_endpoints WHERE app_id = $1 AND seq IN (SELECT seq FROM deleted)
     ), forgotten AS (
       INSERT INTO forgotten_subscriptions (app_id, seq) SELECT $1, seq FROM deleted ON CONFLICT DO NOTHING
     ) SELECT seq FROM deleted ORDER BY seq`,
    [appId, seqs],
  );
  await clearAccepted(
    sql,
    appId,
    rows.map(({ seq }) => seq),
  );
  return rows.map(({ seq }) => seq);
}

/** Whether its endpoint ever accepted is a bit of its block. */
async function clearAccepted(sql: Sql, appId: AppId, seqs: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE accepted_endpoints AS kept SET seqs = changed_seqs(kept.seqs, NULL, gone.places)
     FROM (SELECT seq >> 10 AS block, array_agg(seq & 1023) AS places FROM unnest($2::integer[]) AS seq GROUP BY 1) AS gone
     WHERE kept.app_id = $1 AND kept.block = gone.block`,
    [appId, seqs],
  );
}

export interface StoredErasure {
  readonly id: number;
  readonly requested_at: Date;
  readonly named_by: keyof PersonBody;
  readonly subscriptions: number;
  readonly completed_at: Date | null;
  /** Subscriptions that ClickHouse may still name: not looked at yet, or due for the last look. */
  readonly unseen: number;
  readonly last_looks: number;
  /** The last look, where one is due. */
  readonly last_look_at: Date | null;
}

export async function insertErasure(
  sql: Sql,
  appId: AppId,
  namedBy: keyof PersonBody,
  seqs: readonly number[],
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO erasures (app_id, named_by, subscriptions, seqs) VALUES ($1, $2, $3, $4::integer[]) RETURNING id`,
    [appId, namedBy, seqs.length, seqs],
  );
  if (row === undefined) throw new Error('an erasure was not written');
  return row.id;
}

export async function findErasure(
  sql: Sql,
  appId: AppId,
  id: number,
  lateDays: number,
): Promise<StoredErasure | null> {
  const [row] = await sql.query<StoredErasure>(
    `SELECT id, requested_at, named_by, subscriptions, completed_at,
       (SELECT count(*) FILTER (WHERE NOT last_pass) FROM ${pending}) AS unseen,
       (SELECT count(*) FILTER (WHERE last_pass) FROM ${pending}) AS last_looks,
       (SELECT max(day + make_interval(days => $3)) AT TIME ZONE 'UTC' FROM ${pending}) AS last_look_at
     FROM erasures WHERE app_id = $1 AND id = $2`,
    [appId, id, lateDays],
  );
  return row ?? null;
}

const pending = `forgotten_subscriptions AS pending WHERE pending.app_id = erasures.app_id AND pending.seq = ANY(erasures.seqs)`;
