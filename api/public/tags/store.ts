import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { MAX_TAGS } from '../../shared/tag-limits.ts';
import { type BrowserName, rowParameters, rowsOf } from '../browser-name.ts';
import { SEEN_RECENTLY } from '../subscribe/statements.ts';

/**
 * Adds tags to a browser's subscription. Nothing is written where nothing changes and it was seen recently.
 * @returns `too-many` where it would have more than `MAX_TAGS` then: nothing was written. One that is not
 *   known has nowhere to keep them, and is not an error.
 */
export async function writeTags(
  sql: Sql,
  appId: AppId,
  browser: BrowserName,
  tags: Readonly<Record<string, string>>,
): Promise<'written' | 'too-many'> {
  const [row] = await sql.query<{ fits: boolean }>(
    `WITH mine AS (${rowsOf(browser, 'seq, last_seen_at, tags AS old, tags || $3::jsonb AS new')}),
     room AS (SELECT coalesce(max((SELECT count(*) FROM jsonb_object_keys(new))), 0) <= $4 AS fits FROM mine),
     written AS (
       UPDATE subscriptions AS kept SET tags = new, last_seen_at = now() FROM mine, room
       WHERE fits AND kept.app_id = $1 AND kept.seq = ANY(ARRAY(SELECT seq FROM mine)) AND kept.seq = mine.seq
         AND (new <> old OR mine.last_seen_at < now() - ${SEEN_RECENTLY})
     )
     SELECT fits FROM room`,
    [...rowParameters(appId, browser), JSON.stringify(tags), MAX_TAGS],
  );
  return row?.fits === false ? 'too-many' : 'written';
}
