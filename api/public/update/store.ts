import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { countBrowsers, unsubscribe } from '../../../engine/adapters/postgres/subscriptions/counts.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import { type Visitor, visitorColumns } from '../../visitor/visitor.ts';
import { type BrowserName, rowParameters, rowsOf } from '../browser-name.ts';
import { noteLost } from '../losses/store.ts';
import {
  mergedIds,
  readerDiffers,
  SEEN_RECENTLY,
  setReader,
  setVisitor,
  visitorDiffers,
  zoneNumber,
} from '../subscribe/statements.ts';

/**
 * The browser is unsubscribed. An unknown one has nothing to be unsubscribed from.
 * @param isRevoked the browser took the permission away, and not its reader. Its row may be unsubscribed by then, since
 * its push service says the endpoint is gone. Without a secret anybody could say so.
 */
export function leave(
  database: Database,
  appId: AppId,
  browser: BrowserName,
  isRevoked = false,
): Promise<void> {
  return database.transaction(async (sql) => {
    const rows = await sql.query<{ seq: number; status: string }>(
      rowsOf(browser, 'seq, status'),
      rowParameters(appId, browser),
    );
    const subscribed = rows.filter(({ status }) => status === 'subscribed').map(({ seq }) => seq);
    if (subscribed.length > 0) {
      await unsubscribe(sql, appId, subscribed);
      await countBrowsers(sql, appId, -subscribed.length);
    }
    if (isRevoked && browser.kind === 'secret' && rows.length > 0)
      await noteLost(
        sql,
        appId,
        rows.map(({ seq }) => seq),
      );
  });
}

/** The browser was here. Written only where it changes something, or the last time is a while ago. */
export async function touch(
  sql: Sql,
  appId: AppId,
  browser: BrowserName,
  news: {
    readonly externalIds: Readonly<Record<string, string>>;
    readonly visitor: Visitor;
    readonly timeZone: string | null;
    readonly language: string | null;
  },
): Promise<void> {
  const given = {
    external_ids: news.externalIds,
    time_zone: news.timeZone,
    language: news.language,
    ...visitorColumns(news.visitor),
  };
  await sql.query(
    `WITH given AS (
       SELECT item.*, ${zoneNumber} FROM jsonb_to_record($3::jsonb) AS item (external_ids jsonb, time_zone text, language text, device_type text, browser_name text,
         browser_version text, os_name text, os_version text, country text)
     ),
     locked AS (${rowsOf(browser, 'seq')})
     UPDATE subscriptions AS kept SET last_seen_at = now(), ${setVisitor('kept', 'given')}, ${setReader('kept', 'given')},
       external_ids = ${mergedIds('kept.external_ids', 'given.external_ids')}
     FROM given, locked
     WHERE kept.app_id = $1 AND kept.seq = ANY(ARRAY(SELECT seq FROM locked)) AND kept.seq = locked.seq
       AND (kept.last_seen_at < now() - ${SEEN_RECENTLY} OR NOT kept.external_ids @> given.external_ids
         OR ${visitorDiffers('kept', 'given')} OR ${readerDiffers('kept', 'given')})`,
    [...rowParameters(appId, browser), JSON.stringify(given)],
  );
}
