import type { AudienceRules } from '../../../contract/audience.ts';
import type { CampaignPart } from '../../../contract/campaign.ts';
import { type AppId, type DeliveryId, toId, type UserId } from '../../../contract/ids.ts';
import { type Lane, planTopic, type TopicValue } from '../../../contract/topics.ts';
import type { Traceparent } from '../../../contract/trace-context.ts';
import type { Translation, Wording } from '../../../contract/wording.ts';
import type { Sql } from '../sql.ts';
import { insertIcons } from './store-icons.ts';
import { type StoredImage, storeImage } from './store-image.ts';

export interface NewDelivery {
  readonly appId: AppId;
  readonly identifier: string;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  /** As the publisher gave it. */
  readonly url: string;
  readonly imageHash: Uint8Array | null;
  /** Where the image is served. */
  readonly imageUrl: string | null;
  /** Where its own icon is served. Null or absent: the app's is shown. */
  readonly iconUrl?: string | null;
  readonly buttons: readonly { readonly title: string; readonly url: string }[];
  readonly plaintext: Uint8Array;
  /** BCP 47, of the main text; null: not stated. */
  readonly language: string | null;
  readonly translations: readonly Translation[];
  /** Null: everyone gets `plaintext`. */
  readonly wording: Wording | null;
  readonly segmentId: number | null;
  readonly categoryId: number | null;
  readonly ignoreCap: boolean;
  readonly ttlSeconds: number;
  readonly requireInteraction: boolean;
  readonly topic: string | null;
  readonly urgency: string;
  readonly lane: Lane;
  /** Null: as fast as it goes. */
  readonly ratePerMinute: number | null;
  readonly rehearsal: boolean;
  readonly scheduledAt: Date | null;
  readonly expiresAt: Date | null;
  /** Of the request; null: it is not traced. */
  readonly traceparent: Traceparent | null;
  readonly campaign: DeliveryOfCampaign | null;
  /** Whose readers it serves; null: it is not a correction. */
  readonly corrects: DeliveryId | null;
  /** Nothing starts it until somebody approves it. Absent: no. */
  readonly isHeld?: boolean;
  /**
   * Who wrote it; absent: no person did. Lives in `authors`, in the transaction of each write. If its owner dies, the
   * write and its author are gone together.
   */
  readonly authors?: readonly UserId[];
  /**
   * The segment's rules as somebody approved them; absent: those that it has when this starts. Lives in
   * `approved_rules`, in the transaction of the approval. If its owner dies, planning reads them all the same.
   */
  readonly approvedRules?: AudienceRules | null;
  /** Of a test: the only ones whom it is for, by `seq`. Absent: it is none. */
  readonly testSeqs?: readonly number[];
  /** Of a welcome: the new subscribers that it is for. Absent: it is none. */
  readonly welcomeSeqs?: readonly number[];
}

export interface DeliveryOfCampaign {
  readonly id: number;
  readonly role: string;
  readonly part: CampaignPart | null;
}

export interface DeliveryParts {
  /** That it shows, its icons among them; those that are stored need not be here. */
  readonly images?: readonly StoredImage[];
  /** Instead of a new row: brings the row that is there to what the delivery says. */
  readonly update?: (sql: Sql, delivery: NewDelivery) => Promise<DeliveryId>;
}

/**
 * The one place that writes deliveries. In one transaction with its row goes what takes it to the log: once committed, it
 * gets there after any crash. A scheduled one is put there by the engine's scheduler, at its time; one that is held, when
 * somebody approves it.
 */
export async function storeDelivery(
  sql: Sql,
  delivery: NewDelivery,
  { images = [], update = insertDelivery }: DeliveryParts = {},
): Promise<DeliveryId> {
  for (const image of images) await storeImage(sql, image);
  const id = await update(sql, delivery);
  const { scheduledAt, isHeld = false } = delivery;
  if (scheduledAt === null && !isHeld) await insertOutbox(sql, id, delivery);
  return id;
}

async function insertDelivery(sql: Sql, delivery: NewDelivery): Promise<DeliveryId> {
  const { campaign } = delivery;
  const part = partOf(delivery);
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO deliveries (app_id, identifier, name, title, body, url, image_url, status, source_type,
       ignore_frequency_cap, action_buttons, ttl_seconds, require_interaction, topic, plaintext, scheduled_at,
       segment_id, delivery_category_id, image_hash, urgency, lane, rate_per_minute, expires_at, rehearsal, traceparent,
       campaign_id, campaign_role, campaign_part, corrects_delivery_id, language, translations, wording, test,
       authors, approved_rules, icon_url)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $33, $9, $10, $11, $12, $13, $14, $15, $16, $17,
       $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $34, $35, $36)
     RETURNING id`,
    [
      delivery.appId,
      delivery.identifier,
      delivery.name,
      delivery.title,
      delivery.body,
      delivery.url,
      delivery.imageUrl,
      firstStatus(delivery),
      delivery.ignoreCap,
      JSON.stringify(delivery.buttons.map(({ title, url }) => ({ title, url }))),
      delivery.ttlSeconds,
      delivery.requireInteraction,
      delivery.topic,
      delivery.plaintext,
      delivery.scheduledAt,
      delivery.segmentId,
      delivery.categoryId,
      delivery.imageHash,
      delivery.urgency,
      delivery.lane,
      delivery.ratePerMinute,
      delivery.expiresAt,
      delivery.rehearsal,
      delivery.traceparent,
      campaign?.id,
      campaign?.role,
      part === null ? null : JSON.stringify(part),
      delivery.corrects,
      delivery.language,
      jsonOrNull(delivery.translations.length === 0 ? null : delivery.translations),
      jsonOrNull(delivery.wording),
      delivery.testSeqs !== undefined,
      delivery.welcomeSeqs === undefined ? 'api' : 'welcome',
      delivery.authors ?? [],
      jsonOrNull(delivery.approvedRules ?? null),
      delivery.iconUrl,
    ],
  );
  const id = toId<DeliveryId>(row?.id);
  await insertIcons(sql, id, delivery);
  return id;
}

/** One that is held waits as `pending`, with no row in the outbox: a scheduler starts only what is scheduled. */
export const firstStatus = ({
  scheduledAt,
  isHeld = false,
}: Pick<NewDelivery, 'scheduledAt' | 'isHeld'>): 'pending' | 'scheduled' =>
  scheduledAt === null || isHeld ? 'pending' : 'scheduled';

export const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

function partOf({ campaign, testSeqs, welcomeSeqs }: NewDelivery): CampaignPart | null {
  if (welcomeSeqs !== undefined) return { kind: 'named', seqs: [...welcomeSeqs], welcome: true };
  return testSeqs === undefined ? (campaign?.part ?? null) : { kind: 'named', seqs: [...testSeqs] };
}

async function insertOutbox(
  sql: Sql,
  deliveryId: DeliveryId,
  { lane, traceparent }: Pick<NewDelivery, 'lane' | 'traceparent'>,
): Promise<void> {
  const value: TopicValue<'deliveries'> = {
    delivery_id: deliveryId,
    ...(traceparent === null ? {} : { traceparent }),
  };
  await sql.query(`INSERT INTO outbox (topic, key, value) VALUES ($1, $2, $3)`, [
    planTopic(lane),
    String(deliveryId),
    JSON.stringify(value),
  ]);
}
