import { contains } from '../../../engine/adapters/postgres/folded.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { type Chosen, chosenOf, readSeqs } from './chosen.ts';
import { MAX_SEARCHED_KEYS as MAX_KEYS, MAX_SEARCHED_VALUES, type SubscriptionFilters } from './schema.ts';
import { filterNames, select } from './selection.ts';

/** Tags of an app, each as the whole of its key and value. */
export interface TagPairs {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

export const noTags: TagPairs = { keys: [], values: [] };

/**
 * The app's tags whose value contains the text, in any case. The values are scanned and not their subscribers:
 * each step of the recursion asks the primary key for the next value, which skips all rows with the same one.
 * In `subscription_facets.words`, beside the identities, every tag of every subscription would be written to
 * the index of their trigrams, already the most expensive part of an import.
 */
export async function findTags(sql: Sql, appId: AppId, search: string): Promise<TagPairs> {
  const rows = await sql.query<{ key: string; value: string }>(tagsThatContain, [appId, search]);
  return { keys: rows.map(({ key }) => key), values: rows.map(({ value }) => value) };
}

const tagsThatContain = `
  WITH RECURSIVE keys (key, n) AS (
    SELECT (SELECT key FROM subscription_tags WHERE app_id = $1 ORDER BY app_id, key LIMIT 1), 1
    UNION ALL
    SELECT (SELECT next.key FROM subscription_tags AS next WHERE next.app_id = $1 AND next.key > keys.key
      ORDER BY next.app_id, next.key LIMIT 1), n + 1
    FROM keys WHERE keys.key IS NOT NULL AND n < ${MAX_KEYS}
  )
  SELECT keys.key, found.value FROM keys CROSS JOIN LATERAL (
    WITH RECURSIVE each (value, n) AS (
      SELECT (SELECT value FROM subscription_tags WHERE app_id = $1 AND key = keys.key
        ORDER BY app_id, key, value LIMIT 1), 1
      UNION ALL
      SELECT (SELECT next.value FROM subscription_tags AS next
        WHERE next.app_id = $1 AND next.key = keys.key AND next.value > each.value
        ORDER BY next.app_id, next.key, next.value LIMIT 1), n + 1
      FROM each WHERE each.value IS NOT NULL AND n <= ${MAX_SEARCHED_VALUES}
    ), counted AS MATERIALIZED (SELECT value, count(value) OVER () AS values FROM each)
    SELECT value FROM counted WHERE values <= ${MAX_SEARCHED_VALUES} AND ${contains('value', '$2')}
    UNION
    (SELECT value FROM subscription_tags WHERE app_id = $1 AND key = keys.key AND value = $2
      ORDER BY app_id, key, value LIMIT 1)
  ) AS found WHERE keys.key IS NOT NULL AND found.value IS NOT NULL`;

interface Searched {
  readonly filters: SubscriptionFilters;
  readonly searchedSeq: number | null;
  readonly tags: TagPairs;
  /** Only of those; null: of all. */
  readonly within: Chosen | null;
}

/**
 * Which subscriptions a search finds that has tags to look for, and the other filters leave. Made out here and not
 * by a UNION: a subscriber is found by several words at once, and Postgres needs a second for a million of them.
 */
export async function readFound(
  sql: Sql,
  appId: AppId,
  { filters, searchedSeq, tags, within }: Searched,
): Promise<Chosen> {
  const { search, ...others } = filters;
  const words = select(appId, { filters: { search: search ?? '' }, searchedSeq, sort: null });
  const [keys, values] = [words.values.length + 1, words.values.length + 2];
  const found = await readSeqs(
    sql,
    `SELECT ${words.seq} AS seq ${words.from}
     UNION ALL
     SELECT tagged.seq FROM unnest($${keys}::text[], $${values}::text[]) AS wanted (key, value)
     CROSS JOIN LATERAL (SELECT seq FROM subscription_tags
       WHERE app_id = $1 AND key = wanted.key AND value = wanted.value OFFSET 0) AS tagged`,
    [...words.values, tags.keys, tags.values],
  );
  const chosen = await chosenOf(found, within);
  if (filterNames(others).length === 0) return chosen;
  const left = select(appId, { filters: others, searchedSeq: null, sort: null });
  const leftSeqs = await readSeqs(sql, `SELECT ${left.seq} AS seq ${left.from}`, left.values);
  return chosenOf(leftSeqs, chosen);
}
