import { createDeliveryOf } from '../../../engine/adapters/postgres/campaigns/campaign-store.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { CampaignContent, CampaignSettings, FeedItemStatus } from '../../../engine/contract/campaign.ts';
import type { AppId, UserId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { DeliveryProofs } from '../../../engine/notification/delivery-proof.ts';
import { notificationOfCampaign } from '../../../engine/notification/of-campaign.ts';
import { newOrigin } from '../../../engine/notification/origin.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { timestamp, timestampOrNull } from '../../http/fields.ts';
import type { Found, Page } from '../../http/page.ts';
import { whyNotByThemselves } from '../approvals/who-approves.ts';
import type { StoredApp } from '../apps/store.ts';
import { makeTexts } from '../deliveries/texts/make-texts.ts';
import type { Order } from '../deliveries/write/order.ts';
import { faceOf } from '../deliveries/write/words.ts';
import { rulesNow } from '../segments/store.ts';
import type { ApproveBody, FeedItemFilters, FeedItemResource } from './feed-schema.ts';

interface StoredItem {
  readonly id: number;
  readonly role: string;
  readonly status: FeedItemStatus;
  readonly items: number;
  readonly content: CampaignContent;
  readonly created_at: Date;
  readonly decided_at: Date | null;
  readonly delivery_id: number | null;
}

const columns = `feed_items.id, role, feed_items.status, items, content, feed_items.created_at, decided_at,
  (SELECT deliveries.id FROM deliveries
   WHERE deliveries.campaign_id = feed_items.campaign_id AND campaign_role = role) AS delivery_id`;

export const feedItemResource = ({ content, ...item }: StoredItem): FeedItemResource => ({
  id: item.id,
  status: item.status,
  items: item.items,
  title: content.title,
  body: content.body,
  url: content.url,
  ...(content.imageUrl === null ? {} : { image_url: content.imageUrl }),
  ...(content.iconUrl ? { icon_url: content.iconUrl } : {}),
  delivery_id: item.delivery_id,
  created_at: timestamp(item.created_at),
  decided_at: timestampOrNull(item.decided_at),
});

/** Newest first. */
export async function listFeedItems(
  sql: Sql,
  appId: AppId,
  campaignId: number,
  { status }: FeedItemFilters,
  page: Page,
): Promise<Found<StoredItem>> {
  const where = `app_id = $1 AND campaign_id = $2 AND status = coalesce($3, status)`;
  const values = [appId, campaignId, status ?? null];
  const [count] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM feed_items WHERE ${where}`,
    values,
  );
  const rows = await sql.query<StoredItem>(
    `SELECT ${columns} FROM feed_items WHERE ${where} ORDER BY id DESC LIMIT $4 OFFSET $5`,
    [...values, page.size, page.offset],
  );
  return { rows, total: count?.total ?? 0 };
}

/** Whoever writes it again is its author. */
const needsAnother =
  'The app asks for a second person: approve the draft as it is, or dismiss it and write a delivery.';

/** Whoever chose the address, the mapping and the readers has written what comes of them. Null: they may approve it. */
const whyNotAlone = async (
  sql: Sql,
  { approval, id }: StoredApp,
  { userId, organizationId }: Actor,
  authors: readonly UserId[],
): Promise<string | null> =>
  approval !== 'none' && (userId === null || authors.includes(userId))
    ? whyNotByThemselves(
        sql,
        { organizationId, id },
        'You made or changed this feed, so another person has to approve its items',
      )
    : null;

export type ItemDecided =
  | { readonly kind: 'done'; readonly item: StoredItem }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'missing' };

/** Locks the draft and not its campaign: a check goes on, and a cancel waits for this to end. */
export function createDecideItem({
  database,
  proofs,
}: {
  readonly database: Database;
  readonly proofs: DeliveryProofs;
}) {
  return {
    /** Sends it. Again, it changes nothing. */
    approve: (
      { actor, app, base }: Pick<Order, 'actor' | 'app' | 'base'>,
      campaignId: number,
      itemId: number,
      edits: ApproveBody,
    ) =>
      database.transaction(async (sql): Promise<ItemDecided> => {
        const locked = await lockItem(sql, app.id, campaignId, itemId);
        if (locked === null) return { kind: 'missing' };
        const { item, name, settings, authors } = locked;
        if (item.status === 'sent') return { kind: 'done', item };
        if (item.status === 'dismissed') return refused('The draft was dismissed and is never sent.');
        if (app.approval !== 'none' && Object.keys(edits).length > 0) return refused(needsAnother);
        const maker = await whyNotAlone(sql, app, actor, authors);
        if (maker !== null) return refused(maker);
        const content = { ...item.content, ...edits };
        const origin = newOrigin(proofs, app.identifier);
        const { options } = settings;
        const words = notificationOfCampaign(content, options, faceOf(app, base));
        const made = makeTexts(words, origin, options.queryParams);
        if (made.kind === 'refused') return made;
        const { plaintext } = made;
        const delivery = { role: item.role, content, part: null };
        // To whom its approver sees now, whatever becomes of the segment before it starts.
        const approvedRules = await rulesNow(sql, app.id, options.segmentId);
        const approved = { ...settings, options: { ...options, approvedRules } };
        const campaign = { id: campaignId, appId: app.id, name, settings: approved };
        await createDeliveryOf(sql, campaign, delivery, { identifier: origin.delivery, plaintext });
        await note(sql, item, 'sent', content);
        await noteChange(sql, actor, changeOf('campaign.item-approved', app, campaignId, content));
        return done(sql, app.id, campaignId, itemId);
      }),

    /** It is never sent. Again, it changes nothing. */
    dismiss: (actor: Actor, app: StoredApp, campaignId: number, itemId: number) =>
      database.transaction(async (sql): Promise<ItemDecided> => {
        const locked = await lockItem(sql, app.id, campaignId, itemId);
        if (locked === null) return { kind: 'missing' };
        const { item } = locked;
        if (item.status === 'dismissed') return { kind: 'done', item };
        if (item.status === 'sent') return refused('The item was already sent. You can cancel its delivery.');
        await note(sql, item, 'dismissed', item.content);
        await noteChange(sql, actor, changeOf('campaign.item-dismissed', app, campaignId, item.content));
        return done(sql, app.id, campaignId, itemId);
      }),
  };
}

const refused = (words: string): ItemDecided => ({ kind: 'refused', errors: { status: [words] } });

const changeOf = (
  action: 'campaign.item-approved' | 'campaign.item-dismissed',
  { id }: StoredApp,
  campaignId: number,
  { title }: CampaignContent,
) => ({ action, subjectId: campaignId, appId: id, detail: { title } });

interface LockedItem {
  readonly item: StoredItem;
  readonly name: string;
  readonly settings: CampaignSettings;
  /** Of the feed. */
  readonly authors: readonly UserId[];
}

async function lockItem(sql: Sql, appId: AppId, campaignId: number, id: number): Promise<LockedItem | null> {
  const [found] = await sql.query(
    `SELECT id FROM feed_items WHERE app_id = $1 AND campaign_id = $2 AND id = $3 FOR UPDATE`,
    [appId, campaignId, id],
  );
  if (found === undefined) return null;
  const [row] = await sql.query<StoredItem & Omit<LockedItem, 'item'>>(
    `SELECT ${columns}, name, settings, authors FROM feed_items JOIN campaigns ON campaigns.id = campaign_id WHERE feed_items.id = $1`,
    [id],
  );
  if (row === undefined) return null;
  const { name, settings, authors, ...item } = row;
  return { item, name, settings, authors };
}

const note = (sql: Sql, { id }: StoredItem, status: FeedItemStatus, content: CampaignContent) =>
  sql.query(
    `UPDATE feed_items SET status = $2, content = $3, image_hash = NULL, icon_hash = NULL, decided_at = now() WHERE id = $1`,
    [id, status, JSON.stringify(content)],
  );

async function done(sql: Sql, appId: AppId, campaignId: number, id: number): Promise<ItemDecided> {
  const locked = await lockItem(sql, appId, campaignId, id);
  return locked === null ? { kind: 'missing' } : { kind: 'done', item: locked.item };
}
