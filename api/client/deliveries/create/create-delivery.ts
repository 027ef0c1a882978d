import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
import { newOrigin } from '../../../../engine/notification/origin.ts';
import { lockBreaking } from '../../../auth/breaking.ts';
import { parseTime } from '../../../http/fields.ts';
import { authorsOf, needsApproval } from '../../approvals/store.ts';
import { missingReferences } from '../../segments/references.ts';
import type { Refused } from '../refused.ts';
import { deliveryResource } from '../resource.ts';
import type { DeliveryBody } from '../schema.ts';
import type { Refusal } from '../send-refusal.ts';
import { textsOf } from '../texts/make-texts.ts';
import type { Order, WriteDeps } from '../write/order.ts';
import { readGivenPictures } from '../write/pictures.ts';
import { whyNoSubject, wordDelivery } from '../write/words.ts';
import { writeDelivery } from '../write/write-delivery.ts';
import { refuseBreaking } from './breaking.ts';
import { type Duplicate, findDuplicate, lockDuplicates } from './duplicates.ts';
import { type Created, createOnce, findRepetition } from './idempotency.ts';
import { deliveryWayOf } from './quiet-hours.ts';
import type { Uploads } from './uploads.ts';

/** A client's request for a delivery. */
export interface DeliveryOrder extends Order {
  readonly body: DeliveryBody;
  /** What came as files. */
  readonly uploads: Uploads;
}

export type DeliveryCreated =
  | Created
  | Refusal
  /** The caller asked to hear of such a one. */
  | { readonly kind: 'duplicate'; readonly duplicate: Duplicate };

export type CreateDelivery = (order: DeliveryOrder) => Promise<DeliveryCreated>;

/** One transaction writes the delivery and all that belongs to it: its image, its key, its way to the log. */
export function createCreateDelivery(deps: WriteDeps): CreateDelivery {
  return async function createDelivery(order) {
    const { app, body } = order;
    const asked = await prepareDelivery(deps, order);
    if (asked.kind !== 'prepared') return asked;
    const { wanted, images } = asked;
    const { during_quiet_hours: during } = body;
    const way = deliveryWayOf(app, wanted, during);
    if (way.kind === 'refused') return way;
    const delivery = { ...wanted, isHeld: needsApproval(app, wanted) };
    const note = { action: 'delivery.created', detail: { name: body.name } } as const;
    const write = { ...{ delivery, images, way, during, note }, takesPlace: true };
    const ending = await deps.database.transaction(async (sql): Promise<DeliveryCreated> => {
      const missing = await missingReferences(sql, app.id, body);
      if (missing !== null) return { kind: 'refused', errors: missing };
      const answered = await answerBreaking(sql, order, delivery, deps.breakingPerDay);
      const settled = answered ?? (await answerDuplicate(sql, order, delivery.isHeld));
      if (settled !== null) return settled;
      return createOnce(sql, order, async () => deliveryResource(await writeDelivery(sql, order, write), 0));
    });
    if (ending.kind === 'created' && body.scheduled_at === undefined) deps.wakeRelay();
    return ending;
  };
}

type Content = Pick<DeliveryOrder, 'app' | 'body' | 'uploads' | 'actor' | 'base' | 'traceparent'>;

/** What a request asks for, with its image read: nothing is written yet. */
export async function prepareDelivery(
  deps: Pick<WriteDeps, 'proofs' | 'readImage' | 'subjectOf'>,
  content: Content,
): Promise<
  | { readonly kind: 'prepared'; readonly wanted: NewDelivery; readonly images: readonly Image[] }
  | { readonly kind: 'busy' }
  | Refused
> {
  const { app, body, uploads } = content;
  const noSubject = whyNoSubject(deps, app);
  if (noSubject !== null) return noSubject;
  const read = await readGivenPictures(deps, content, body, { uploads });
  if (read.kind !== 'read') return read;
  const wanted = { ...newDelivery(content), ...textsOf(body, read.icons), ...read.picture };
  const worded = wordDelivery(content, wanted, newOrigin(deps.proofs, app.identifier));
  if (worded.kind === 'refused') return worded;
  return { kind: 'prepared', wanted: worded.delivery, images: read.images };
}

const newDelivery = ({ app, body, traceparent, actor }: Content) => ({
  appId: app.id,
  name: body.name,
  title: body.title,
  body: body.body,
  url: body.url,
  buttons: body.action_buttons ?? [],
  segmentId: body.segment_id ?? null,
  categoryId: body.delivery_category_id ?? null,
  ignoreCap: body.ignore_frequency_cap ?? false,
  ttlSeconds: body.ttl_seconds ?? app.default_ttl_seconds,
  requireInteraction: body.require_interaction ?? app.default_require_interaction,
  topic: body.topic ?? null,
  urgency: body.urgency ?? 'normal',
  lane: body.lane ?? 'bulk',
  ratePerMinute: body.rate_per_minute ?? null,
  rehearsal: body.rehearsal ?? false,
  scheduledAt: timeOf(body.scheduled_at),
  expiresAt: timeOf(body.expires_at),
  traceparent,
  campaign: null,
  corrects: null,
  authors: authorsOf(actor),
});

const timeOf = (text: string | undefined): Date | null => (text === undefined ? null : parseTime(text));

/**
 * Takes the organization's lock for a breaking delivery, and looks up its idempotency key under that lock, too:
 * a repetition is answered as one even if its first request took the last slot, and a refusal leaves the key
 * free.
 * @returns null where it may be written.
 */
async function answerBreaking(
  sql: Sql,
  { actor, role, app, idempotency, body }: DeliveryOrder,
  { scheduledAt, isHeld = false }: NewDelivery,
  perDay: number | null,
): Promise<Refusal | null> {
  if (body.lane !== 'breaking') return null;
  const { organizationId } = actor;
  await lockBreaking(sql, organizationId);
  const repeated = await findRepetition(sql, app.id, idempotency);
  return repeated ?? refuseBreaking(sql, { organizationId, role, scheduledAt, isHeld, perDay });
}

/**
 * Under a lock of the app, and as with breaking deliveries a repetition is answered as one.
 * @returns null where it may be written.
 */
async function answerDuplicate(
  sql: Sql,
  { app, body, idempotency }: DeliveryOrder,
  isHeld: boolean,
): Promise<DeliveryCreated | null> {
  const { duplicate_guard_hours: hours, confirm_duplicate: isMeant = false, rehearsal = false } = body;
  if (hours === undefined || isMeant || rehearsal) return null;
  await lockDuplicates(sql, app.id);
  const repeated = await findRepetition(sql, app.id, idempotency);
  if (repeated !== null) return repeated;
  const duplicate = await findDuplicate(sql, app.id, { ...body, isHeld }, hours);
  return duplicate === null ? null : { kind: 'duplicate', duplicate };
}
