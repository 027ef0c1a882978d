import type { Database, Sql } from '../../../engine/adapters/postgres/database.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import {
  countOnApp,
  lockMatches,
  mergedIds,
  SEEN_RECENTLY,
  setVisitor,
  unsubscribe,
  visitorDiffers,
} from '../subscribe/statements.ts';
import { rowsOfUser } from '../user-rows.ts';
import { type Visitor, visitorColumns } from '../visitor/visitor.ts';

/**
 * The user's browser has no subscription any more. Locks are taken in the order of subscribes. A user that is
 * not known has nothing to be unsubscribed from.
 */
export function leave(database: Database, appId: AppId, userIdentity: string): Promise<void> {
  return database.transaction(async (sql) => {
    const rows = await lockMatches(sql, appId, [], [userIdentity]);
    // Asked of the locked rows: until then one may have become another user's.
    const mine = rows.filter((row) => row.user_identity === userIdentity && row.status === 'subscribed');
    const subscribed = mine.map(({ seq }) => seq);
    if (subscribed.length === 0) return;
    await unsubscribe(sql, appId, subscribed);
    await countOnApp(sql, appId, -subscribed.length);
  });
}

/** The user was here. Written only where it tells something new, or the last time is a while ago. */
export async function touch(
  sql: Sql,
  appId: AppId,
  userIdentity: string,
  news: { readonly externalIds: Readonly<Record<string, string>>; readonly visitor: Visitor },
): Promise<void> {
  const given = { external_ids: news.externalIds, ...visitorColumns(news.visitor) };
  await sql.query(
    `WITH given AS (
       SELECT * FROM jsonb_to_record($3::jsonb) AS item (external_ids jsonb, device_type text, browser_name text,
         browser_version text, os_name text, os_version text, country text)
     ),
     locked AS (${rowsOfUser('seq')})
     UPDATE subscriptions AS kept SET last_seen_at = now(), ${setVisitor('kept', 'given')},
       external_ids = ${mergedIds('kept.external_ids', 'given.external_ids')}
     FROM given, locked
     WHERE kept.app_id = $1 AND kept.seq = ANY(ARRAY(SELECT seq FROM locked)) AND kept.seq = locked.seq
       AND (kept.last_seen_at < now() - ${SEEN_RECENTLY} OR NOT kept.external_ids @> given.external_ids
         OR ${visitorDiffers('kept', 'given')})`,
    [appId, userIdentity, JSON.stringify(given)],
  );
}
