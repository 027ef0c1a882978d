import { literally } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { readSubscriptions, type StoredSubscription } from './store.ts';

/** A person has a few browsers; an id that more share belongs to no person. */
export const MAX_SAME_PERSON = 20;
/** Shorter values are not ids, and the index of words knows nothing shorter than three letters. */
const SHORTEST_ID = 4;
const MAX_IDS = 10;
/** Of each id, before they are compared with their names. */
const MAX_CANDIDATES = 200;

/**
 * The app's other subscriptions that share this one's user identity, or an external id of the same name; last
 * seen first, at most `MAX_SAME_PERSON`.
 */
export async function readSamePerson(
  sql: Sql,
  appId: AppId,
  id: number,
): Promise<readonly StoredSubscription[]> {
  const rows = await sql.query<{ seq: number }>(samePerson, [appId, id]);
  return readSubscriptions(
    sql,
    appId,
    rows.map(({ seq }) => seq),
  );
}

const samePerson = `
  WITH me AS MATERIALIZED (
    SELECT seq, user_identity, external_ids FROM subscriptions WHERE app_id = $1 AND seq = (SELECT seq_of_subscription($1, $2))
  ),
  ids AS MATERIALIZED (
    SELECT key, value, ${literally('folded(value)')} AS word
    FROM me, jsonb_each_text(external_ids) WHERE length(value) >= ${SHORTEST_ID} ORDER BY key LIMIT ${MAX_IDS}
  ),
  candidates AS MATERIALIZED (
    SELECT found.seq FROM ids CROSS JOIN LATERAL (
      -- By its index, then as a whole line.
      SELECT seq FROM subscription_facets WHERE app_id = $1 AND words LIKE '%' || word || '%'
        AND E'\\n' || words || E'\\n' LIKE E'%\\n' || word || E'\\n%' LIMIT ${MAX_CANDIDATES}
    ) AS found
    UNION
    SELECT seq FROM subscriptions_of_users($1, ARRAY(SELECT user_identity FROM me), ${MAX_CANDIDATES})
  )
  SELECT other.seq FROM subscriptions AS other, me
  WHERE other.app_id = $1 AND other.seq = ANY(ARRAY(SELECT seq FROM candidates)) AND other.seq <> me.seq
    AND (other.user_identity = me.user_identity
      OR EXISTS (SELECT 1 FROM ids WHERE other.external_ids ->> ids.key = ids.value))
  ORDER BY other.last_seen_at DESC, other.seq DESC LIMIT ${MAX_SAME_PERSON}`;
