import {
  insertOutbox,
  type NewDelivery,
} from '../../../../engine/adapters/postgres/deliveries/insert-delivery.ts';
import { storeImage } from '../../../../engine/adapters/postgres/deliveries/store-image.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { imageAddress } from '../../../../engine/notification/images/address.ts';
import type { Image } from '../../../../engine/notification/images/check-image.ts';
import { originOf } from '../../../../engine/notification/notification.ts';
import type { AppRole } from '../../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { giveBreakingBack, lockBreaking, useBreaking } from '../../../auth/breaking.ts';
import { parseTime } from '../../../http/fields.ts';
import { whyNotByAuthor } from '../../approvals/may-write.ts';
import { askForApproval, needsApproval } from '../../approvals/store.ts';
import type { StoredApp } from '../../apps/store.ts';
import { lockWaiting } from '../cancel/cancel-delivery.ts';
import { type BreakingRefused, refuseBreaking } from '../create/breaking.ts';
import { type CreateDeliveryDeps, refuseImage } from '../create/create-delivery.ts';
import { beginQuietCampaign, type DeliveryWay, deliveryWayOf } from '../create/quiet-hours.ts';
import { findDelivery, type StoredDelivery } from '../store.ts';
import { makeTexts, type TextsMade, textsOf } from '../texts/make-texts.ts';
import type { DeliveryChanges } from './schema.ts';
import { type Changeable, endQuietCampaign, keepVersion, lockChangeable, writeContent } from './store.ts';

export interface ChangeOrder {
  readonly app: StoredApp;
  readonly id: DeliveryId;
  readonly body: DeliveryChanges;
  readonly actor: Actor;
  /** On the app. */
  readonly role: AppRole;
  /** Our own address, as the client knows it: images are served there. */
  readonly base: string;
}

export type DeliveryChanged =
  | { readonly kind: 'changed'; readonly delivery: StoredDelivery }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | BreakingRefused
  | { readonly kind: 'missing' }
  | { readonly kind: 'busy' };

type Deps = Pick<CreateDeliveryDeps, 'database' | 'readImage' | 'wakeRelay' | 'breakingPerDay'>;

/** Each is kept: whoever changes one more often plans something else. */
const MOST_CHANGES = 100;

/**
 * Changes what a delivery says, and when, as long as it waits for its time. Under its row's lock: the scheduler either
 * started it before, or starts what was changed.
 */
export function createChangeDelivery({ database, readImage, wakeRelay, breakingPerDay }: Deps) {
  return async function changeDelivery(order: ChangeOrder): Promise<DeliveryChanged> {
    const { body, actor, base } = order;
    const { organizationId } = actor;
    const url = body.image_url ?? undefined;
    const read = await readImage({ organizationId, upload: null, url, base });
    if (read.kind === 'busy') return read;
    if (read.kind === 'refused') return refuseImage(read.words);
    const image = read.kind === 'image' ? read.image : null;
    const ending = await database.transaction((sql) => changeIn(sql, order, image));
    if (ending.kind === 'changed' && ending.delivery.status === 'pending') wakeRelay();
    return ending;
  };

  /** Everything that can be wrong is found before anything is written. */
  async function changeIn(sql: Sql, order: ChangeOrder, image: Image | null): Promise<DeliveryChanged> {
    const { app, id, body, actor } = order;
    if (body.scheduled_at !== undefined) await lockBreaking(sql, actor.organizationId);
    await lockWaiting(sql, id);
    const before = await lockChangeable(sql, app.id, id);
    if (before === null) return { kind: 'missing' };
    const why = (await whyNotByAuthor(sql, order, { delivery: id }, 'changes')) ?? whyNot(before, body);
    if (why !== null) return { kind: 'refused', errors: why };
    const rebuilt = changed(order, before, image);
    if ('kind' in rebuilt) return rebuilt;
    const isHeld = before.status === 'pending' || needsApproval(app, rebuilt);
    const wanted = { ...rebuilt, isHeld };
    const way = wayOf(app, wanted, body);
    if (way.kind === 'refused') return way;
    const late = wanted.expiresAt !== null && wanted.expiresAt <= (wanted.scheduledAt ?? new Date());
    if (late)
      return {
        kind: 'refused',
        errors: { expires_at: ['The expires_at field must be after scheduled_at.'] },
      };
    const refused = await refuseTime(sql, order, before, wanted);
    if (refused !== null) return refused;

    if (image !== null) await storeImage(sql, image);
    await keepVersion(sql, before, actor);
    const delivery = isHeld
      ? await holdBack(sql, before, wanted)
      : await movedInTime(sql, app, before, wanted, way);
    await writeContent(sql, before, delivery, { actor, isSameCampaign: way.kind === 'as-before' });
    if (delivery.scheduledAt === null && !isHeld) await insertOutbox(sql, id, delivery);
    if (isHeld) await askForApproval(sql, app.id, { delivery: id }, { during: body.during_quiet_hours });
    const detail = { name: delivery.name };
    await noteChange(sql, actor, { action: 'delivery.changed', subjectId: id, appId: app.id, detail });
    if (way.kind === 'passes' && !isHeld)
      await noteChange(sql, actor, {
        action: 'delivery.passed-quiet-hours',
        subjectId: id,
        appId: app.id,
        detail,
      });
    const stored = await findDelivery(sql, app.id, id);
    if (stored === null) throw new Error('the delivery just changed is not there');
    return { kind: 'changed', delivery: stored };
  }

  /** A breaking one counts on the day of its time; one that waits for approval counts once it has that. */
  async function refuseTime(
    sql: Sql,
    { actor: { organizationId }, role, body }: ChangeOrder,
    { id, lane, scheduled_at: before }: Changeable,
    { scheduledAt, isHeld = false }: NewDelivery,
  ): Promise<DeliveryChanged | null> {
    if (lane !== 'breaking' || (body.scheduled_at === undefined && !isHeld)) return null;
    await giveBreakingBack(sql, id);
    const refused = await refuseBreaking(sql, {
      ...{ organizationId, role, scheduledAt, isHeld },
      perDay: breakingPerDay,
    });
    if (isHeld) return refused;
    await useBreaking(sql, organizationId, refused === null ? scheduledAt : before, id);
    return refused;
  }
}

const timeOf = (given: string | null | undefined, before: Date | null): Date | null =>
  given === undefined ? before : given === null ? null : parseTime(given);

function whyNot(before: Changeable, { expected_changes: expected }: DeliveryChanges): FieldErrors | null {
  const { status, campaign_id: campaign, isOfQuietHours, approval } = before;
  const waits = status === 'pending' && approval !== null && approval.state !== 'approved';
  if (status !== 'scheduled' && !waits)
    return {
      status: [`The delivery does not wait for its time any more (${status}), and cannot be changed.`],
    };
  if (campaign !== null && !isOfQuietHours)
    return {
      campaign_id: [`The delivery is part of campaign ${campaign}: cancel that, and create it anew.`],
    };
  if (expected !== undefined && expected !== null && expected !== before.changes)
    return { expected_changes: ['Somebody has changed the delivery meanwhile: read it again.'] };
  return before.changes < MOST_CHANGES
    ? null
    : { status: [`The delivery was changed ${MOST_CHANGES} times: cancel it, and create another one.`] };
}

/** Of a text alone, its time stays as it is: whether it waits for quiet hours was decided when the time was set. */
function wayOf(
  app: StoredApp,
  wanted: NewDelivery,
  { scheduled_at, expires_at, during_quiet_hours: during }: DeliveryChanges,
): DeliveryWay | { readonly kind: 'as-before' } {
  if ([scheduled_at, expires_at, during].every((field) => field === undefined)) return { kind: 'as-before' };
  return deliveryWayOf(app, wanted, during ?? undefined);
}

/** What was approved is not what it says now: somebody looks at it again, and its way is chosen then. */
async function holdBack(sql: Sql, before: Changeable, wanted: NewDelivery): Promise<NewDelivery> {
  await endQuietCampaign(sql, before);
  return { ...wanted, campaign: null, approvedRules: null };
}

async function movedInTime(
  sql: Sql,
  app: StoredApp,
  before: Changeable,
  wanted: NewDelivery,
  way: ReturnType<typeof wayOf>,
): Promise<NewDelivery> {
  if (way.kind === 'as-before') return wanted;
  await endQuietCampaign(sql, before);
  const alone = { ...wanted, campaign: null };
  if (way.kind === 'by-reader') return beginQuietCampaign(sql, app, alone, way);
  return way.kind === 'later' ? { ...alone, scheduledAt: way.at } : alone;
}

/** @throws Error where what it says cannot be built: it was when it was stored. */
export function asItStands(app: StoredApp, before: Changeable): NewDelivery {
  const delivery = changed({ app, body: {}, base: '' }, before, null);
  if ('kind' in delivery) throw new Error('a stored delivery cannot be built');
  return delivery;
}

/** As a new one with these words and times would be; its identifier stays. */
function changed(
  { app, body, base }: Pick<ChangeOrder, 'app' | 'body' | 'base'>,
  before: Changeable,
  image: Image | null,
): NewDelivery | Extract<TextsMade, { kind: 'refused' }> {
  const isImageKept = body.image_url === undefined;
  const [title, text, url] = [body.title ?? before.title, body.body ?? before.body, body.url ?? before.url];
  const buttons = body.action_buttons === undefined ? before.action_buttons : (body.action_buttons ?? []);
  const imageUrl = isImageKept ? before.image_url : image === null ? null : imageAddress(base, image);
  const { topic, require_interaction: requireInteraction } = before;
  const given = textsOf(body);
  const language = body.language === undefined ? before.language : given.language;
  const translations = body.translations === undefined ? before.translations : given.translations;
  const content = {
    title,
    body: text,
    url,
    imageUrl,
    buttons,
    topic,
    requireInteraction,
    language,
    translations,
  };
  const silence = { silent: app.default_silent, vibratePattern: app.default_vibrate_pattern };
  const texts = makeTexts(
    { ...content, ...silence, site: app.site_domain, mayBePersonal: true },
    originOf(before.plaintext),
    app.default_query_params,
  );
  if (texts.kind === 'refused') return texts;
  return {
    ...{ appId: app.id, identifier: before.identifier, name: body.name ?? before.name },
    ...content,
    imageHash: isImageKept ? before.image_hash : (image?.hash ?? null),
    segmentId: before.segment_id,
    approvedRules: before.approved_rules,
    categoryId: before.delivery_category_id,
    ignoreCap: before.ignore_frequency_cap,
    ttlSeconds: before.ttl_seconds,
    urgency: before.urgency,
    lane: before.lane,
    ratePerMinute: before.rate_per_minute,
    rehearsal: before.rehearsal,
    scheduledAt: timeOf(body.scheduled_at, before.scheduled_at),
    expiresAt: timeOf(body.expires_at, before.expires_at),
    traceparent: before.traceparent,
    campaign: before.campaign,
    corrects: null,
    plaintext: texts.plaintext,
    wording: texts.wording,
  };
}
