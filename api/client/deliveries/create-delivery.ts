import { randomBytes } from 'node:crypto';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import {
  buildNotification,
  MAX_PLAINTEXT_BYTES,
  type NotificationContent,
} from '../../../engine/contract/notification.ts';
import type { DeliveryProofs } from '../../auth/delivery-proof.ts';
import type { FieldErrors } from '../../plugins/problem.ts';
import type { StoredApp } from '../apps/store.ts';
import { parseTime } from '../fields.ts';
import { insertDelivery, insertOutbox } from './insert-delivery.ts';
import type { DeliveryBody } from './schema.ts';
import { findDelivery, type StoredDelivery } from './store.ts';

export type DeliveryCreated =
  | { readonly kind: 'created'; readonly delivery: StoredDelivery }
  | { readonly kind: 'refused'; readonly errors: FieldErrors };

export type CreateDelivery = (app: StoredApp, body: DeliveryBody) => Promise<DeliveryCreated>;

export function createCreateDelivery(deps: {
  readonly database: Database;
  readonly proofs: DeliveryProofs;
  readonly wakeRelay: () => void;
}): CreateDelivery {
  return async function createDelivery(app, body) {
    const missing = missingReferences(body);
    if (missing !== null) return { kind: 'refused', errors: missing };
    const identifier = `dlv_${randomBytes(12).toString('base64url')}`;
    const origin = {
      app: app.identifier,
      delivery: identifier,
      proof: deps.proofs.prove(app.identifier, identifier),
    };
    const plaintext = buildNotification(contentOf(app, body), origin, app.default_query_params);
    if (plaintext.length > MAX_PLAINTEXT_BYTES)
      return { kind: 'refused', errors: tooLarge(plaintext.length) };
    const scheduledAt = body.scheduled_at === undefined ? null : parseTime(body.scheduled_at);
    const delivery = await deps.database.transaction(async (sql) => {
      const id = await insertDelivery(sql, {
        appId: app.id,
        identifier,
        body,
        ttlSeconds: body.ttl_seconds ?? app.default_ttl_seconds,
        requireInteraction: body.require_interaction ?? app.default_require_interaction,
        scheduledAt,
        plaintext,
      });
      // A scheduled one is put there by the engine's scheduler, at its time.
      if (scheduledAt === null) await insertOutbox(sql, id);
      return findDelivery(sql, app.id, id);
    });
    if (delivery === null) throw new Error('the delivery just inserted is not there');
    if (scheduledAt === null) deps.wakeRelay();
    return { kind: 'created', delivery };
  };
}

/** Segments and delivery categories cannot be created yet, so no reference to one can be right. */
function missingReferences(body: DeliveryBody): FieldErrors | null {
  const errors: Record<string, string[]> = {};
  if (body.segment_id !== undefined) {
    errors.segment_id = ['The segment_id field must refer to an existing segment.'];
  }
  if (body.delivery_category_id !== undefined) {
    errors.delivery_category_id = [
      'The delivery_category_id field must refer to an existing delivery category.',
    ];
  }
  return Object.keys(errors).length === 0 ? null : errors;
}

const contentOf = (app: StoredApp, body: DeliveryBody): NotificationContent => ({
  title: body.title,
  body: body.body,
  url: body.url,
  imageUrl: body.image_url ?? null,
  buttons: body.action_buttons ?? [],
  topic: body.topic ?? null,
  requireInteraction: body.require_interaction ?? app.default_require_interaction,
  silent: app.default_silent,
  vibratePattern: app.default_vibrate_pattern,
});

const tooLarge = (bytes: number): FieldErrors => ({
  body: [
    `The notification takes ${bytes} bytes, and push services take at most ${MAX_PLAINTEXT_BYTES}: ` +
      'shorten its texts and URLs.',
  ],
});
