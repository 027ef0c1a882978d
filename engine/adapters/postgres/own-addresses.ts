import {
  type CampaignContent,
  type CampaignSettings,
  openCampaignStatuses,
} from '../../contract/campaign.ts';
import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

/** Read at a time. */
const ROWS = 200;

/**
 * What will still be sent names images at our own address, as it was when each was written: after a change of it (`PUBLIC_BASE_URL`)
 * they are named at the new one. At a start, by whoever comes first; where nothing changed, it writes nothing. A delivery
 * that was accepted keeps its bytes, and with them the address of before.
 *
 * Each statement commits by itself: an app's row is what its subscribers wait for, and must not wait for campaigns. If
 * this process dies, the next start goes on.
 * @returns how many rows were changed.
 */
export function renewOwnAddresses(database: Database, base: string): Promise<number> {
  return database.transaction(async (lockHolder) => {
    const [lock] = await lockHolder.query<{ mine: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('own addresses', 0)) AS mine`,
    );
    if (lock?.mine !== true) return 0;
    // Postgres ends a transaction that says nothing for long.
    const stay = () => lockHolder.query('SELECT 1');
    const renewed = [
      await renewApps(database, base),
      await renewWelcomes(database, base),
      await renewCampaigns(database, base, stay),
      await renewDrafts(database, base, stay),
    ];
    return renewed.reduce((sum, rows) => sum + rows, 0);
  });
}

/** An app that shows none of our images needs none. */
const renewApps = async (sql: Sql, base: string): Promise<number> =>
  (
    await sql.query(
      `UPDATE apps SET image_base = $1 WHERE image_base IS DISTINCT FROM $1
         AND (icon_url LIKE '/%' OR badge_url LIKE '/%') RETURNING id`,
      [base],
    )
  ).length;

/** An address with a hash beside it is ours. */
const renewedColumn = (url: string, hash: string): string =>
  `CASE WHEN ${hash} IS NULL THEN ${url} ELSE $1 || substring(${url} from '/images/[^/]+$') END`;

async function renewWelcomes(sql: Sql, base: string): Promise<number> {
  const [image, icon] = [renewedColumn('image_url', 'image_hash'), renewedColumn('icon_url', 'icon_hash')];
  const rows = await sql.query(
    `UPDATE welcome_templates SET image_url = ${image}, icon_url = ${icon}
     WHERE image_url IS DISTINCT FROM ${image} OR icon_url IS DISTINCT FROM ${icon} RETURNING app_id`,
    [base],
  );
  return rows.length;
}

async function renewCampaigns(sql: Sql, base: string, stay: () => Promise<unknown>): Promise<number> {
  let changed = 0;
  let after = 0;
  for (;;) {
    const rows = await sql.query<{ id: number; settings: CampaignSettings }>(
      `SELECT id, settings FROM campaigns WHERE status = ANY($1) AND id > $2 ORDER BY id LIMIT ${ROWS}`,
      [openCampaignStatuses, after],
    );
    for (const { id, settings } of rows) {
      const renewed = renewedSettings(settings, base);
      if (isSame(renewed, settings)) continue;
      // Changed meanwhile, it has the new address already.
      await sql.query(`UPDATE campaigns SET settings = $2 WHERE id = $1 AND settings = $3`, [
        id,
        JSON.stringify(renewed),
        JSON.stringify(settings),
      ]);
      changed++;
    }
    await stay();
    after = Number(rows.at(-1)?.id ?? 0);
    if (rows.length < ROWS) return changed;
  }
}

async function renewDrafts(sql: Sql, base: string, stay: () => Promise<unknown>): Promise<number> {
  let changed = 0;
  let after = 0;
  for (;;) {
    const rows = await sql.query<{ id: number; content: CampaignContent }>(
      `SELECT id, content FROM feed_items WHERE status = 'draft' AND id > $1 ORDER BY id LIMIT ${ROWS}`,
      [after],
    );
    for (const { id, content } of rows) {
      const renewed = renewedContent(content, base);
      if (isSame(renewed, content)) continue;
      await sql.query(
        `UPDATE feed_items SET content = $2 WHERE id = $1 AND status = 'draft' AND content = $3`,
        [id, JSON.stringify(renewed), JSON.stringify(content)],
      );
      changed++;
    }
    await stay();
    after = Number(rows.at(-1)?.id ?? 0);
    if (rows.length < ROWS) return changed;
  }
}

/** Both have their fields in one order. */
const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

function renewedSettings(settings: CampaignSettings, base: string): CampaignSettings {
  const { plan } = settings;
  const contents = settings.contents.map((content) => renewedContent(content, base));
  if (plan.kind !== 'feed') return { ...settings, contents };
  const mapping = withIcon(plan.mapping, base);
  return { ...settings, contents, plan: { ...plan, mapping, imageBase: base } };
}

const renewedContent = (content: CampaignContent, base: string): CampaignContent => ({
  ...withIcon(content, base),
  imageUrl: content.imageHash === null ? content.imageUrl : renewedUrl(content.imageUrl, base),
  ...(content.translations === undefined
    ? {}
    : { translations: content.translations.map((each) => withIcon(each, base)) }),
});

/** The icon of a notification is always served by ourselves. */
const withIcon = <Shown extends { readonly iconUrl?: string | null }>(shown: Shown, base: string): Shown =>
  shown.iconUrl === undefined ? shown : { ...shown, iconUrl: renewedUrl(shown.iconUrl, base) };

const renewedUrl = (url: string | null, base: string): string | null => {
  const path = /\/images\/[^/]+$/.exec(url ?? '')?.[0];
  return path === undefined ? url : base + path;
};
