import { linePatterns } from '../../../engine/adapters/postgres/folded.ts';
import { eraseSubscriptions } from '../../../engine/adapters/postgres/removal/erase.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { namesOf, type PersonBody } from './schema.ts';

/** Erased in the transaction of the receipt: nearly every person. The rest is left to the engines. */
export const ERASED_AT_ONCE = 1_000;
/** Of one transaction of an engine; small, as everything that is removed beside sending. */
const ERASED_IN_A_PART = 500;
const ALL = 2_147_483_647;

/** Whoever is named, however many: anybody can subscribe under an id that they know. */
function lookUpOf({ user_identity, external_id, endpoint }: PersonBody): [string, unknown[]] {
  if (endpoint !== undefined) return ['SELECT seq FROM subscriptions_at($1, ARRAY[$2])', [endpoint]];
  if (user_identity !== undefined)
    return [`SELECT seq FROM subscriptions_of_users($1, ARRAY[$2], ${ALL})`, [user_identity]];
  // By the index of words first, which holds whole values as lines; in the small letters of the database's locale until
  // an engine has folded them.
  return [
    `SELECT seq FROM subscriptions WHERE app_id = $1 AND external_ids ->> $2 = $3 AND seq IN (
       SELECT seq FROM subscription_facets WHERE app_id = $1
         AND words LIKE ANY (${linePatterns('folded($3)')} || ${linePatterns('lower($3)')}))`,
    [external_id?.name, external_id?.value],
  ];
}

/** The numbers of all subscriptions that are named, ascending: 4 bytes each, and none of them an object. */
export async function findPerson(sql: Sql, appId: AppId, person: PersonBody): Promise<Int32Array> {
  const [text, values] = lookUpOf(person);
  const [row] = await sql.query<{ seqs: Buffer | null }>(
    `SELECT string_agg(int4send(seq), '' ORDER BY seq) AS seqs FROM (${text}) AS found`,
    [appId, ...values],
  );
  // A buffer of its own, which begins where a number may.
  const { buffer } = new Uint8Array(row?.seqs ?? []);
  // Postgres sends the highest byte first.
  Buffer.from(buffer).swap32();
  return new Int32Array(buffer);
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

export interface StoredErasure {
  readonly id: number;
  readonly requested_at: Date;
  readonly named_by: keyof PersonBody;
  readonly subscriptions: number;
  readonly completed_at: Date | null;
  /** Subscriptions that an engine has to erase yet. */
  readonly waiting: number;
  /** Subscriptions that ClickHouse may still name: not checked yet, or due for the last check. */
  readonly unseen: number;
  /** The last check, where one is due. */
  readonly last_check_at: Date | null;
}

/**
 * Call it in a transaction. Whoever is named now is on the receipt; of them the first are erased here.
 * The receipt lives in `erasures`, and has its numbers until no row of `forgotten_subscriptions` has them. If its owner
 * dies, any engine's sweep completes it; asking for it changes nothing.
 * @returns the receipt's id, and how many are named.
 */
export async function erasePerson(
  sql: Sql,
  appId: AppId,
  person: PersonBody,
): Promise<{ readonly id: number; readonly found: number }> {
  const [namedBy = 'endpoint'] = namesOf(person);
  const [receipt] = await sql.query<{ id: number }>(
    `INSERT INTO erasures (app_id, named_by, subscriptions, seqs) VALUES ($1, $2, 0, '{}') RETURNING id`,
    [appId, namedBy],
  );
  if (receipt === undefined) throw new Error('an erasure was not written');
  const { first, found } = await divide(sql, appId, person, receipt.id);
  const erased = await eraseSubscriptions(sql, appId, first);
  await sql.query('UPDATE erasures SET seqs = $2::integer[], subscriptions = $3 WHERE id = $1', [
    receipt.id,
    erased,
    erased.length,
  ]);
  return { id: receipt.id, found };
}

/** All in Postgres: as many as are named may be more than a process should hold as rows. */
async function divide(
  sql: Sql,
  appId: AppId,
  person: PersonBody,
  id: number,
): Promise<{ readonly first: number[]; readonly found: number }> {
  const [text, values] = lookUpOf(person);
  const next = values.length + 2;
  const [row] = await sql.query<{ first: number[] | null; found: number }>(
    `WITH found AS MATERIALIZED (SELECT seq, row_number() OVER (ORDER BY seq) AS place FROM (${text}) AS named),
     parts AS (
       INSERT INTO erasure_parts (erasure_id, part, app_id, seqs)
       SELECT $${next}, (place - 1 - ${ERASED_AT_ONCE}) / ${ERASED_IN_A_PART}, $1, array_agg(seq ORDER BY seq)
       FROM found WHERE place > ${ERASED_AT_ONCE} GROUP BY 2
     ) SELECT count(*)::integer AS found, array_agg(seq ORDER BY seq) FILTER (WHERE place <= ${ERASED_AT_ONCE}) AS first FROM found`,
    [appId, ...values, id],
  );
  return { first: row?.first ?? [], found: row?.found ?? 0 };
}

export async function findErasure(
  sql: Sql,
  appId: AppId,
  id: number,
  lateDays: number,
): Promise<StoredErasure | null> {
  const [row] = await sql.query<StoredErasure>(
    `SELECT id, requested_at, named_by, erasures.subscriptions + parts.erased AS subscriptions, parts.waiting,
       CASE WHEN parts.open = 0 THEN greatest(erasures.completed_at, parts.completed_at) END AS completed_at,
       pending.unseen, pending.last_check_at
     FROM erasures CROSS JOIN LATERAL (
       SELECT coalesce(sum(erasure_parts.subscriptions), 0)::integer AS erased,
         coalesce(sum(cardinality(erasure_parts.seqs)) FILTER (WHERE erased_at IS NULL), 0)::integer AS waiting,
         count(*) FILTER (WHERE erasure_parts.completed_at IS NULL)::integer AS open,
         max(erasure_parts.completed_at) AS completed_at
       FROM erasure_parts WHERE erasure_id = erasures.id
     ) AS parts CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE NOT last_pass)::integer AS unseen,
         max(day + make_interval(days => $3)) AT TIME ZONE 'UTC' AS last_check_at
       FROM forgotten_subscriptions WHERE app_id = $1 AND seq IN (
         SELECT unnest(erasures.seqs) UNION ALL
         SELECT unnest(seqs) FROM erasure_parts
         WHERE erasure_id = erasures.id AND erased_at IS NOT NULL AND erasure_parts.completed_at IS NULL)
     ) AS pending
     WHERE app_id = $1 AND id = $2`,
    [appId, id, lateDays],
  );
  return row ?? null;
}
