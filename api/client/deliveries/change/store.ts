import { imageHashesOf } from '../../../../engine/adapters/postgres/campaigns/insert-campaign.ts';
import {
  type DeliveryOfCampaign,
  firstStatus,
  jsonOrNull,
  type NewDelivery,
} from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import { replaceIcons } from '../../../../engine/adapters/postgres/deliveries/store-icons.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { AudienceRules } from '../../../../engine/contract/audience.ts';
import { parseCampaignPart } from '../../../../engine/contract/campaign.ts';
import { type AppId, type DeliveryId, toId } from '../../../../engine/contract/ids.ts';
import type { Traceparent } from '../../../../engine/contract/trace-context.ts';
import type { Translation, Wording } from '../../../../engine/contract/wording.ts';
import type { Actor } from '../../../auth/audit.ts';
import { timestamp, timestampOrNull } from '../../../http/fields.ts';
import { authorsWith } from '../../approvals/store.ts';
import { campaignContentOf } from '../create/quiet-hours.ts';
import { findDelivery, type StoredDelivery } from '../store.ts';
import { translationsResource } from '../texts/make-texts.ts';

/** A delivery under its lock. */
export interface Changeable extends StoredDelivery {
  readonly app_id: AppId;
  readonly plaintext: Uint8Array;
  readonly image_hash: Uint8Array | null;
  readonly traceparent: Traceparent | null;
  readonly wording: Wording | null;
  readonly approved_rules: AudienceRules | null;
  readonly campaign: DeliveryOfCampaign | null;
  /** Its campaign serves the same message to those who sleep, and was asked for with it. */
  readonly isOfQuietHours: boolean;
}

interface LockedRow {
  readonly app_id: AppId;
  readonly plaintext: Uint8Array;
  readonly image_hash: Uint8Array | null;
  readonly traceparent: Traceparent | null;
  readonly wording: Wording | null;
  readonly approved_rules: AudienceRules | null;
  readonly campaign_part: unknown;
  readonly is_of_quiet_hours: boolean | null;
}

export async function lockChangeable(sql: Sql, appId: AppId, id: DeliveryId): Promise<Changeable | null> {
  const [row] = await sql.query<LockedRow>(
    `SELECT app_id, plaintext, wording, image_hash, traceparent, approved_rules, campaign_part,
       (SELECT kind = 'quiet_hours' AND parent_id IS NULL FROM campaigns WHERE id = campaign_id) AS is_of_quiet_hours
     FROM deliveries WHERE app_id = $1 AND id = $2 FOR UPDATE`,
    [appId, id],
  );
  const delivery = row === undefined ? null : await findDelivery(sql, appId, id);
  if (row === undefined || delivery === null) return null;
  const { campaign_part, is_of_quiet_hours, ...rest } = row;
  const { campaign_id: campaignId, campaign_role: role } = delivery;
  const campaign =
    campaignId === null ? null : { id: campaignId, role: role ?? '', part: parseCampaignPart(campaign_part) };
  return { ...delivery, ...rest, campaign, isOfQuietHours: is_of_quiet_hours ?? false };
}

/** A stored delivery, as it was written. */
export const asItStands = (stored: Changeable): NewDelivery => ({
  appId: stored.app_id,
  identifier: stored.identifier,
  name: stored.name,
  title: stored.title,
  body: stored.body,
  url: stored.url,
  imageHash: stored.image_hash,
  imageUrl: stored.image_url,
  iconUrl: stored.icon_url,
  buttons: stored.action_buttons,
  plaintext: stored.plaintext,
  language: stored.language,
  translations: stored.translations,
  wording: stored.wording,
  segmentId: stored.segment_id,
  approvedRules: stored.approved_rules,
  categoryId: stored.delivery_category_id,
  ignoreCap: stored.ignore_frequency_cap,
  ttlSeconds: stored.ttl_seconds,
  requireInteraction: stored.require_interaction,
  topic: stored.topic,
  urgency: stored.urgency,
  lane: stored.lane,
  ratePerMinute: stored.rate_per_minute,
  rehearsal: stored.rehearsal,
  scheduledAt: stored.scheduled_at,
  expiresAt: stored.expires_at,
  traceparent: stored.traceparent,
  campaign: stored.campaign,
  corrects: stored.corrects_delivery_id === null ? null : toId(stored.corrects_delivery_id),
});

/** In the transaction of the change. */
export async function keepVersion(sql: Sql, before: Changeable, { userId }: Actor): Promise<void> {
  const { id, name, title, body, url, image_url, icon_url, action_buttons, scheduled_at, expires_at } =
    before;
  const { changes, language, translations } = before;
  const pictures = { image_url, icon_url };
  const times = { scheduled_at: timestampOrNull(scheduled_at), expires_at: timestampOrNull(expires_at) };
  await sql.query(
    `INSERT INTO delivery_versions (delivery_id, version, content, replaced_by)
     VALUES ($1, $2, $3, coalesce((SELECT email FROM users WHERE id = $4), ''))`,
    [
      id,
      changes + 1,
      JSON.stringify({
        name,
        title,
        body,
        url,
        ...pictures,
        action_buttons,
        language,
        translations,
        ...times,
      }),
      userId,
    ],
  );
}

/** The campaign of its quiet hours, which has served nobody: another time has other readers asleep. */
export async function endQuietCampaign(sql: Sql, { id, campaign }: Changeable): Promise<void> {
  if (campaign === null) return;
  await sql.query(
    `UPDATE deliveries SET campaign_id = NULL, campaign_role = NULL, campaign_part = NULL WHERE id = $1`,
    [id],
  );
  await sql.query(`DELETE FROM campaigns WHERE id = $1`, [campaign.id]);
}

interface ContentWrite {
  readonly actor: Actor;
  /** Its campaign goes on, with the new words. */
  readonly isSameCampaign: boolean;
}

export async function writeContent(
  sql: Sql,
  before: Changeable,
  delivery: NewDelivery,
  { actor, isSameCampaign }: ContentWrite,
): Promise<DeliveryId> {
  const { campaign } = delivery;
  await sql.query(
    `UPDATE deliveries SET name = $2, title = $3, body = $4, url = $5, image_url = $6, image_hash = $7,
       action_buttons = $8, plaintext = $9, scheduled_at = $10, expires_at = $11, status = $12,
       campaign_id = $13, campaign_role = $14, campaign_part = $15, language = $16, translations = $17, wording = $18,
       approved_rules = $19, authors = ${authorsWith('$20')}, icon_url = $21, changes = changes + 1, updated_at = now()
     WHERE id = $1`,
    [
      before.id,
      delivery.name,
      delivery.title,
      delivery.body,
      delivery.url,
      delivery.imageUrl,
      delivery.imageHash,
      JSON.stringify(delivery.buttons),
      delivery.plaintext,
      delivery.scheduledAt,
      delivery.expiresAt,
      firstStatus(delivery),
      campaign?.id,
      campaign?.role,
      campaign === null || campaign.part === null ? null : JSON.stringify(campaign.part),
      delivery.language,
      jsonOrNull(delivery.translations.length === 0 ? null : delivery.translations),
      jsonOrNull(delivery.wording),
      jsonOrNull(delivery.approvedRules ?? null),
      actor.userId,
      delivery.iconUrl,
    ],
  );
  await replaceIcons(sql, before.id, delivery);
  if (isSameCampaign && campaign !== null) await changeCampaign(sql, campaign.id, delivery);
  return before.id;
}

async function changeCampaign(sql: Sql, id: number, delivery: NewDelivery): Promise<void> {
  const contents = [campaignContentOf(delivery)];
  await sql.query(
    `UPDATE campaigns SET name = $2, settings = jsonb_set(settings, '{contents}', $3), image_hashes = $4, updated_at = now()
     WHERE id = $1`,
    [id, delivery.name, JSON.stringify(contents), imageHashesOf({ contents })],
  );
}

interface VersionRow {
  readonly version: number;
  readonly content: VersionContent;
  readonly replaced_at: Date;
  readonly replaced_by: string;
}
interface VersionContent
  extends Pick<StoredDelivery, 'name' | 'title' | 'body' | 'url' | 'image_url' | 'action_buttons'> {
  /** Absent in versions of before there were icons, and the others in those of before there were translations. */
  readonly icon_url?: string | null;
  readonly language?: string | null;
  readonly translations?: readonly Translation[];
  readonly scheduled_at: string | null;
  readonly expires_at: string | null;
}

/** Oldest first. */
export async function listVersions(sql: Sql, appId: AppId, id: DeliveryId) {
  const rows = await sql.query<VersionRow>(
    `SELECT version, content, replaced_at, replaced_by FROM delivery_versions
     JOIN deliveries ON deliveries.id = delivery_id
     WHERE app_id = $1 AND delivery_id = $2 ORDER BY version`,
    [appId, id],
  );
  return rows.map(({ content, replaced_at, ...row }) => ({
    ...content,
    icon_url: content.icon_url ?? null,
    language: content.language ?? null,
    translations: translationsResource(content.translations ?? []),
    ...row,
    replaced_at: timestamp(replaced_at),
  }));
}
