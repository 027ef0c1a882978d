import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import {
  insertDelivery,
  insertOutbox,
  type NewDelivery,
} from '../../../../engine/adapters/postgres/deliveries/insert-delivery.ts';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { Traceparent } from '../../../../engine/contract/trace-context.ts';
import type { SubjectOf } from '../../../../engine/contract/vapid-subject.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import type { DeliveryProofs } from '../../../../engine/notification/delivery-proof.ts';
import { imageAddress } from '../../../../engine/notification/images/address.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
import { newOrigin } from '../../../../engine/notification/origin.ts';
import type { TextsContent } from '../../../../engine/notification/texts.ts';
import type { AppRole } from '../../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { lockBreaking, useBreaking } from '../../../auth/breaking.ts';
import { parseTime } from '../../../http/fields.ts';
import { askForApproval, authorsOf, needsApproval } from '../../approvals/store.ts';
import type { StoredApp } from '../../apps/store.ts';
import { missingReferences } from '../../segments/references.ts';
import { deliveryResource } from '../resource.ts';
import type { DeliveryBody } from '../schema.ts';
import { findDelivery } from '../store.ts';
import { makeTexts, textsOf } from '../texts/make-texts.ts';
import { type BreakingRefused, refuseBreaking } from './breaking.ts';
import type { ReadDeliveryImage } from './delivery-image.ts';
import { type Duplicate, findDuplicate, lockDuplicates } from './duplicates.ts';
import { findUse, type Idempotency, type KeyUse, keepAnswer, takeKey } from './idempotency.ts';
import { beginQuietCampaign, type DeliveryWay, deliveryWayOf } from './quiet-hours.ts';

/** A client's request for a delivery. */
export interface DeliveryOrder {
  readonly app: StoredApp;
  readonly body: DeliveryBody;
  /** The image, where it came as a file. */
  readonly upload: Buffer | null;
  readonly actor: Actor;
  /** On the app. */
  readonly role: AppRole;
  readonly idempotency: Idempotency | null;
  /** Our own address, as the client knows it: images are served there. */
  readonly base: string;
  /** Of the request; null: it is not traced. */
  readonly traceparent: Traceparent | null;
}

interface Refused {
  readonly kind: 'refused';
  readonly errors: FieldErrors;
}

export type DeliveryCreated =
  /** `answer` is the body of the 201. */
  | { readonly kind: 'created'; readonly answer: string }
  | Refused
  | BreakingRefused
  /** The idempotency key was taken by a request that came at the same time. */
  | { readonly kind: 'repeated'; readonly use: KeyUse }
  /** The caller asked to hear of such a one. */
  | { readonly kind: 'duplicate'; readonly duplicate: Duplicate }
  | { readonly kind: 'busy' };

export type CreateDelivery = (order: DeliveryOrder) => Promise<DeliveryCreated>;

export interface CreateDeliveryDeps {
  readonly database: Database;
  readonly proofs: DeliveryProofs;
  readonly readImage: ReadDeliveryImage;
  readonly wakeRelay: () => void;
  readonly subjectOf: SubjectOf;
  /** Breaking deliveries of each organization a day; null: no limit. */
  readonly breakingPerDay: number | null;
}

/** One transaction writes the delivery and all that belongs to it: its image, its key, its way to the log. */
export function createCreateDelivery(deps: CreateDeliveryDeps): CreateDelivery {
  return async function createDelivery(order) {
    const { app, body } = order;
    const asked = await prepareDelivery(deps, order);
    if (asked.kind !== 'prepared') return asked;
    const { wanted, image } = asked;
    const way = deliveryWayOf(app, wanted, body.during_quiet_hours);
    if (way.kind === 'refused') return way;
    const isHeld = needsApproval(app, wanted);
    const delivery =
      way.kind === 'later' && !isHeld ? { ...wanted, scheduledAt: way.at } : { ...wanted, isHeld };
    const ending = await deps.database.transaction(async (sql): Promise<DeliveryCreated> => {
      const missing = await missingReferences(sql, app.id, body);
      if (missing !== null) return { kind: 'refused', errors: missing };
      const answered = await answerBreaking(sql, order, delivery, deps.breakingPerDay);
      const settled = answered ?? (await answerDuplicate(sql, order, isHeld));
      return settled ?? write(sql, order, { delivery, image, way });
    });
    if (ending.kind === 'created' && body.scheduled_at === undefined) deps.wakeRelay();
    return ending;
  };
}

type Content = Pick<DeliveryOrder, 'app' | 'body' | 'upload' | 'actor' | 'base' | 'traceparent'>;

/** What a request asks for, with its image read: nothing is written yet. */
export async function prepareDelivery(
  deps: Pick<CreateDeliveryDeps, 'proofs' | 'readImage' | 'subjectOf'>,
  content: Content,
): Promise<
  | { readonly kind: 'prepared'; readonly wanted: NewDelivery; readonly image: Image | null }
  | { readonly kind: 'busy' }
  | Refused
> {
  const { app, body, upload, base } = content;
  if (deps.subjectOf(app.site_domain) === null) return noSubject(app.site_domain);
  const { organizationId } = content.actor;
  const read = await deps.readImage({ organizationId, upload, url: body.image_url, base });
  if (read.kind === 'busy') return read;
  if (read.kind === 'refused') return refuseImage(read.words);
  const image = read.kind === 'image' ? read.image : null;
  const origin = newOrigin(deps.proofs, app.identifier);
  const imageUrl = image === null ? null : imageAddress(base, image);
  const texts = makeTexts(contentOf(app, body, imageUrl), origin, app.default_query_params);
  if (texts.kind === 'refused') return texts;
  const authors = authorsOf(content.actor);
  const wanted = { ...newDelivery(content, image, imageUrl, texts), identifier: origin.delivery, authors };
  return { kind: 'prepared', wanted, image };
}

function newDelivery(
  { app, body, traceparent }: Content,
  image: Image | null,
  imageUrl: string | null,
  { plaintext, wording }: Pick<NewDelivery, 'plaintext' | 'wording'>,
): Omit<NewDelivery, 'identifier'> {
  return {
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
    imageHash: image?.hash ?? null,
    imageUrl,
    traceparent,
    campaign: null,
    corrects: null,
    plaintext,
    wording,
    ...textsOf(body),
  };
}

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
): Promise<DeliveryCreated | null> {
  if (body.lane !== 'breaking') return null;
  const { organizationId } = actor;
  await lockBreaking(sql, organizationId);
  const use = idempotency === null ? null : await findUse(sql, app.id, idempotency);
  if (use !== null && use.kind !== 'first') return { kind: 'repeated', use };
  return refuseBreaking(sql, { organizationId, role, scheduledAt, isHeld, perDay });
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
  const use = idempotency === null ? null : await findUse(sql, app.id, idempotency);
  if (use !== null && use.kind !== 'first') return { kind: 'repeated', use };
  const duplicate = await findDuplicate(sql, app.id, { ...body, isHeld }, hours);
  return duplicate === null ? null : { kind: 'duplicate', duplicate };
}

interface Prepared {
  readonly delivery: NewDelivery;
  readonly image: Image | null;
  readonly way: DeliveryWay;
}

async function write(
  sql: Sql,
  { app, actor, idempotency, body: { during_quiet_hours: during } }: DeliveryOrder,
  { delivery: wanted, image, way }: Prepared,
): Promise<DeliveryCreated> {
  const { appId, lane, name } = wanted;
  const use = idempotency === null ? null : await takeKey(sql, appId, idempotency);
  if (use !== null && use.kind !== 'first') return { kind: 'repeated', use };
  if (image !== null) await storeImage(sql, image);
  const { isHeld = false } = wanted;
  // Of one that is held, the way is chosen when it goes.
  const delivery =
    way.kind === 'by-reader' && !isHeld ? await beginQuietCampaign(sql, app, wanted, way) : wanted;
  const { scheduledAt } = delivery;
  const id = await insertDelivery(sql, delivery);
  if (lane === 'breaking' && !isHeld) await useBreaking(sql, actor.organizationId, scheduledAt, id);
  // A scheduled one is put there by the engine's scheduler, at its time.
  if (scheduledAt === null && !isHeld) await insertOutbox(sql, id, delivery);
  if (isHeld) await askForApproval(sql, appId, { delivery: id }, { during });
  await noteChange(sql, actor, { action: 'delivery.created', subjectId: id, appId, detail: { name } });
  if (way.kind === 'passes' && !isHeld) {
    const detail = { name, lane };
    await noteChange(sql, actor, { action: 'delivery.passed-quiet-hours', subjectId: id, appId, detail });
  }
  const stored = await findDelivery(sql, appId, id);
  if (stored === null) throw new Error('the delivery just inserted is not there');
  const answer = JSON.stringify({ data: deliveryResource(stored, 0) });
  if (idempotency !== null) await keepAnswer(sql, appId, idempotency.key, answer);
  return { kind: 'created', answer };
}

const contentOf = (app: StoredApp, body: DeliveryBody, imageUrl: string | null): TextsContent => ({
  title: body.title,
  body: body.body,
  url: body.url,
  imageUrl,
  site: app.site_domain,
  buttons: body.action_buttons ?? [],
  topic: body.topic ?? null,
  requireInteraction: body.require_interaction ?? app.default_require_interaction,
  silent: app.default_silent,
  vibratePattern: app.default_vibrate_pattern,
  ...textsOf(body),
  mayBePersonal: true,
});

export const refuseImage = (words: string): Refused => ({
  kind: 'refused',
  errors: { image_url: [`The image_url field ${words}.`] },
});

/** Before anything is accepted: every push service would refuse, or take it ill, message by message. */
export const noSubject = (site: string): Refused => ({
  kind: 'refused',
  errors: {
    site_domain: [
      `Push services require a contact, and the app’s site ${site} is not valid as one: change the site_domain to one on https, ` +
        'or let the operator set VAPID_SUBJECT.',
    ],
  },
});
