import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { SubscriptionFilters } from './schema.ts';

/** Up to this many subscriptions of the rarest tag are looked up in the others one by one. */
const FEW = 1_000;

/** Key and value of every tag that must hold. */
export const tagPairs = ({ tag = {} }: SubscriptionFilters): (readonly [string, string])[] =>
  Object.entries(tag).flatMap(([key, wanted]) => wanted.map((value) => [key, value] as const));

/**
 * Makes the statements of this transaction that join several tags read each tag's index once, where all of the
 * tags are frequent. Looked up one by one, 140,000 subscriptions took 2.4 s, merged 0.1 s; Postgres' choice
 * depends on statistics, which may be missing for a new app. A GIN index over `tags` was measured as well: it
 * reads the wide rows (0.34 s for 70,000) and has no order, so the first page costs as much as counting.
 */
export async function joinFrequentTags(sql: Sql, appId: AppId, filters: SubscriptionFilters): Promise<void> {
  const pairs = tagPairs(filters);
  if (pairs.length < 2) return;
  const [rarest] = await sql.query<{ found: number }>(
    `SELECT min(found) AS found FROM unnest($2::text[], $3::text[]) AS wanted (key, value)
     CROSS JOIN LATERAL (SELECT count(*) AS found FROM (
       SELECT FROM subscription_tags AS tags
       WHERE tags.app_id = $1 AND tags.key = wanted.key AND tags.value = wanted.value LIMIT ${FEW}
     ) AS few) AS counted`,
    [appId, pairs.map(([key]) => key), pairs.map(([, value]) => value)],
  );
  if ((rarest?.found ?? 0) >= FEW) await sql.query('SET LOCAL enable_nestloop = off');
}

/** For a statement that looks up single subscriptions after all. */
export async function lookUpOneByOne<Result>(
  sql: Sql,
  filters: SubscriptionFilters,
  work: () => Promise<Result>,
): Promise<Result> {
  if (tagPairs(filters).length < 2) return work();
  const [before] = await sql.query<{ setting: string }>(
    `SELECT current_setting('enable_nestloop') AS setting, set_config('enable_nestloop', 'on', true)`,
  );
  const result = await work();
  await sql.query(`SELECT set_config('enable_nestloop', $1, true)`, [before?.setting]);
  return result;
}
