import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import { planTopic, type TopicValue } from '../../../engine/contract/topics.ts';
import type { Traceparent } from '../../../engine/contract/trace-context.ts';
import type { Image } from '../../images/check-image.ts';
import type { DeliveryBody } from './schema.ts';

export interface NewDelivery {
  readonly appId: AppId;
  readonly identifier: string;
  readonly body: DeliveryBody;
  readonly ttlSeconds: number;
  readonly requireInteraction: boolean;
  readonly scheduledAt: Date | null;
  readonly expiresAt: Date | null;
  readonly image: Image | null;
  /** Where `image` is served. */
  readonly imageUrl: string | null;
  readonly plaintext: Uint8Array;
  /** Of the request; null: it is not traced. */
  readonly traceparent: Traceparent | null;
}

export async function insertDelivery(sql: Sql, delivery: NewDelivery): Promise<DeliveryId> {
  const { body, plaintext } = delivery;
  const buttons = (body.action_buttons ?? []).map(({ title, url }) => ({ title, url }));
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO deliveries (app_id, identifier, name, title, body, url, image_url, status, source_type,
       ignore_frequency_cap, action_buttons, ttl_seconds, require_interaction, topic, plaintext, scheduled_at,
       segment_id, delivery_category_id, image_hash, urgency, lane, rate_per_minute, expires_at, rehearsal, traceparent)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'api', $9, $10, $11, $12, $13, $14, $15, $16, $17,
       $18, $19, $20, $21, $22, $23, $24)
     RETURNING id`,
    [
      delivery.appId,
      delivery.identifier,
      body.name,
      body.title,
      body.body,
      body.url,
      delivery.imageUrl,
      delivery.scheduledAt === null ? 'pending' : 'scheduled',
      body.ignore_frequency_cap ?? false,
      JSON.stringify(buttons),
      delivery.ttlSeconds,
      delivery.requireInteraction,
      body.topic,
      plaintext,
      delivery.scheduledAt,
      body.segment_id,
      body.delivery_category_id,
      delivery.image?.hash,
      body.urgency ?? 'normal',
      body.lane ?? 'bulk',
      body.rate_per_minute,
      delivery.expiresAt,
      body.rehearsal ?? false,
      delivery.traceparent,
    ],
  );
  return toId(row?.id);
}

/** In the transaction of the delivery: committed, it reaches the log whatever crashes. */
export async function insertOutbox(
  sql: Sql,
  deliveryId: DeliveryId,
  { body, traceparent }: Pick<NewDelivery, 'body' | 'traceparent'>,
): Promise<void> {
  const value: TopicValue<'deliveries'> = {
    delivery_id: deliveryId,
    ...(traceparent === null ? {} : { traceparent }),
  };
  await sql.query(`INSERT INTO outbox (topic, key, value) VALUES ($1, $2, $3)`, [
    planTopic(body.lane ?? 'bulk'),
    String(deliveryId),
    JSON.stringify(value),
  ]);
}
