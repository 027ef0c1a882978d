import type { NewDelivery } from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import { originOf, tagOf } from '../../../../engine/notification/notification.ts';
import { giveBreakingBack, lockBreaking, useBreaking } from '../../../auth/breaking.ts';
import { parseTime } from '../../../http/fields.ts';
import { whyNotByAuthor } from '../../approvals/may-write.ts';
import { needsApproval } from '../../approvals/store.ts';
import type { StoredApp } from '../../apps/store.ts';
import { lockWaiting } from '../cancel/cancel-delivery.ts';
import { refuseBreaking } from '../create/breaking.ts';
import { deliveryWayOf } from '../create/quiet-hours.ts';
import type { Refusal } from '../send-refusal.ts';
import type { StoredDelivery } from '../store.ts';
import { textsOf } from '../texts/make-texts.ts';
import type { Order, WriteDeps } from '../write/order.ts';
import { type PicturesRead, readGivenPictures } from '../write/pictures.ts';
import { wordDelivery } from '../write/words.ts';
import { writeDelivery } from '../write/write-delivery.ts';
import type { DeliveryChanges } from './schema.ts';
import {
  asItStands,
  type Changeable,
  endQuietCampaign,
  keepVersion,
  lockChangeable,
  writeContent,
} from './store.ts';

export interface ChangeOrder extends Order {
  readonly id: DeliveryId;
  readonly body: DeliveryChanges;
}

export type DeliveryChanged = { readonly kind: 'changed'; readonly delivery: StoredDelivery } | Refusal;

/** Each is kept: whoever changes one more often plans something else. */
const MOST_CHANGES = 100;

/**
 * Changes what a delivery says, and when, as long as it waits for its time. Under its row's lock: the scheduler either
 * started it before, or starts what was changed.
 */
export function createChangeDelivery(deps: WriteDeps) {
  return async function changeDelivery(order: ChangeOrder): Promise<DeliveryChanged> {
    const read = await readGivenPictures(deps, order, order.body);
    if (read.kind !== 'read') return read;
    const ending = await deps.database.transaction((sql) => changeIn(sql, order, read));
    if (ending.kind === 'changed' && ending.delivery.status === 'pending') deps.wakeRelay();
    return ending;
  };

  /** Everything that can be wrong is found before anything is written. */
  async function changeIn(sql: Sql, order: ChangeOrder, pictures: PicturesRead): Promise<DeliveryChanged> {
    const { app, id, body, actor } = order;
    if (body.scheduled_at !== undefined) await lockBreaking(sql, actor.organizationId);
    await lockWaiting(sql, id);
    const before = await lockChangeable(sql, app.id, id);
    if (before === null) return { kind: 'missing' };
    const why = (await whyNotByAuthor(sql, order, { delivery: id }, 'changes')) ?? whyNot(before, body);
    if (why !== null) return { kind: 'refused', errors: why };
    const rebuilt = changed(order, before, pictures);
    if (rebuilt.kind === 'refused') return rebuilt;
    const isHeld = before.status === 'pending' || needsApproval(app, rebuilt.delivery);
    const wanted = { ...rebuilt.delivery, isHeld };
    const way = wayOf(app, wanted, body);
    if (way?.kind === 'refused') return way;
    const late = wanted.expiresAt !== null && wanted.expiresAt <= (wanted.scheduledAt ?? new Date());
    if (late)
      return {
        kind: 'refused',
        errors: { expires_at: ['The expires_at field must be after scheduled_at.'] },
      };
    const takesPlace = before.lane === 'breaking' && (body.scheduled_at !== undefined || isHeld);
    const refused = takesPlace ? await refuseTime(sql, order, before, wanted) : null;
    if (refused !== null) return refused;

    await keepVersion(sql, before, actor);
    const isSameCampaign = way === null && !isHeld;
    if (!isSameCampaign) await endQuietCampaign(sql, before);
    const stored = await writeDelivery(sql, order, {
      delivery: isSameCampaign ? wanted : withoutCampaign(wanted),
      ...{ images: pictures.images, takesPlace, during: body.during_quiet_hours },
      ...(way === null ? {} : { way }),
      update: (_, delivery) => writeContent(sql, before, delivery, { actor, isSameCampaign }),
      note: { action: 'delivery.changed', detail: { name: wanted.name } },
    });
    return { kind: 'changed', delivery: stored };
  }

  /** A breaking one counts on the day of its time; one that waits for approval counts once it has that. */
  async function refuseTime(
    sql: Sql,
    { actor: { organizationId }, role }: ChangeOrder,
    { id, scheduled_at: before }: Changeable,
    { scheduledAt, isHeld = false }: NewDelivery,
  ): Promise<Refusal | null> {
    await giveBreakingBack(sql, id);
    const refused = await refuseBreaking(sql, {
      ...{ organizationId, role, scheduledAt, isHeld },
      perDay: deps.breakingPerDay,
    });
    if (refused !== null && !isHeld) await useBreaking(sql, organizationId, before, id);
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
      status: [`The delivery does not wait for its time any more (${status}), and can no longer be changed.`],
    };
  if (campaign !== null && !isOfQuietHours)
    return {
      campaign_id: [`The delivery is part of campaign ${campaign}: cancel that, and create it again.`],
    };
  if (expected !== undefined && expected !== null && expected !== before.changes)
    return { expected_changes: ['Somebody has changed the delivery meanwhile: read it again.'] };
  return before.changes < MOST_CHANGES
    ? null
    : { status: [`The delivery was changed ${MOST_CHANGES} times: cancel it, and create another one.`] };
}

/**
 * Of a text alone, its time stays as it is: whether it waits for quiet hours was decided when the time was set.
 * @returns null then.
 */
function wayOf(
  app: StoredApp,
  wanted: NewDelivery,
  { scheduled_at, expires_at, during_quiet_hours: during }: DeliveryChanges,
) {
  if ([scheduled_at, expires_at, during].every((field) => field === undefined)) return null;
  return deliveryWayOf(app, wanted, during ?? undefined);
}

/** What was approved is not what it says now: somebody checks it again, and its way is chosen then. */
const withoutCampaign = (wanted: NewDelivery): NewDelivery => ({
  ...wanted,
  campaign: null,
  approvedRules: wanted.isHeld === true ? null : (wanted.approvedRules ?? null),
});

/** As a new one with these words and times would be; its identifier stays, and a correction replaces what it did before. */
function changed(order: ChangeOrder, before: Changeable, { picture, icons }: PicturesRead) {
  const { body } = order;
  const stored = asItStands(before);
  const given = textsOf(body, icons);
  const { iconUrl, ...image } = picture;
  const buttons = body.action_buttons === undefined ? stored.buttons : (body.action_buttons ?? []);
  const delivery = {
    ...stored,
    name: body.name ?? stored.name,
    title: body.title ?? stored.title,
    body: body.body ?? stored.body,
    url: body.url ?? stored.url,
    buttons,
    ...(body.image_url === undefined ? {} : image),
    ...(body.icon_url === undefined ? {} : { iconUrl }),
    language: body.language === undefined ? stored.language : given.language,
    translations: body.translations === undefined ? stored.translations : given.translations,
    scheduledAt: timeOf(body.scheduled_at, stored.scheduledAt),
    expiresAt: timeOf(body.expires_at, stored.expiresAt),
  };
  const replaces = stored.corrects === null ? undefined : tagOf(stored.plaintext);
  return wordDelivery(order, delivery, originOf(before.plaintext), replaces);
}
