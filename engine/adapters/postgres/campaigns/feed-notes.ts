import type { DueCampaign, FeedNotes } from '../../../contract/campaign.ts';
import { storeImage } from '../deliveries/store-image.ts';
import type { Sql } from '../sql.ts';

/** Of one feed. A feed has at most 500 items at a time, each with up to four keys. */
const KEPT_KEYS = 10_000;
const KEPT_ITEMS = 1_000;

interface SeenRow {
  readonly seen: readonly string[];
  readonly last_hour: number;
}

/** A key is also known by its draft and its delivery, which may outlive it. */
export async function readFeed(
  sql: Sql,
  id: number,
  keys: readonly string[],
): Promise<{ readonly seen: ReadonlySet<string>; readonly lastHour: number }> {
  const [row] = await sql.query<SeenRow>(
    `SELECT ARRAY(
         SELECT key FROM feed_keys WHERE campaign_id = $1 AND key = ANY($2)
         UNION SELECT substr(campaign_role, 6) FROM deliveries
         WHERE campaign_id = $1 AND campaign_role = ANY(SELECT 'item ' || key FROM unnest($2::text[]) AS key)
         UNION SELECT substr(role, 6) FROM feed_items
         WHERE campaign_id = $1 AND role = ANY(SELECT 'item ' || key FROM unnest($2::text[]) AS key)
       ) AS seen,
       (SELECT count(*)::int FROM feed_items WHERE campaign_id = $1 AND created_at > now() - interval '1 hour') AS last_hour`,
    [id, keys],
  );
  return { seen: new Set(row?.seen), lastHour: row?.last_hour ?? 0 };
}

/** In the transaction that moves the campaign on, before its deliveries: they may name the images. */
export async function writeNotes(
  sql: Sql,
  { id, appId }: Pick<DueCampaign, 'id' | 'appId'>,
  { seen, items }: FeedNotes,
): Promise<void> {
  await keepKeys(sql, { id, appId }, seen);
  for (const { role, status, content, items: count, image, icon } of items) {
    for (const picture of [image, icon]) if (picture !== null) await storeImage(sql, picture);
    await sql.query(
      `INSERT INTO feed_items (campaign_id, app_id, role, status, items, content, image_hash, icon_hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, appId, role, status, count, JSON.stringify(content), image?.hash, icon?.hash],
    );
  }
  if (items.length > 0)
    await sql.query(
      `DELETE FROM feed_items WHERE campaign_id = $1
         AND id <= (SELECT id FROM feed_items WHERE campaign_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [id, KEPT_ITEMS],
    );
}

/**
 * A key that the feed still has is touched once a day: most checks write nothing. What is forgotten is the longest gone, by
 * number and not by age: a feed that was unavailable for months may come back with what it had.
 */
async function keepKeys(
  sql: Sql,
  { id, appId }: Pick<DueCampaign, 'id' | 'appId'>,
  seen: readonly string[],
): Promise<void> {
  const rows = await sql.query<{ is_new: boolean }>(
    `INSERT INTO feed_keys AS known (campaign_id, app_id, key)
     SELECT $1, $2, key FROM unnest($3::text[]) AS key ORDER BY key
     ON CONFLICT (campaign_id, key) DO UPDATE SET seen_at = now() WHERE known.seen_at < now() - interval '1 day'
     RETURNING xmax = 0 AS is_new`,
    [id, appId, seen],
  );
  if (!rows.some(({ is_new: isNew }) => isNew)) return;
  await sql.query(
    `DELETE FROM feed_keys WHERE campaign_id = $1 AND key <> ALL($2)
       AND key IN (SELECT key FROM feed_keys WHERE campaign_id = $1 ORDER BY seen_at DESC, key OFFSET $3)`,
    [id, seen, KEPT_KEYS],
  );
}
