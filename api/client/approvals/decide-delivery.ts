import {
  insertOutbox,
  jsonOrNull,
  type NewDelivery,
} from '../../../engine/adapters/postgres/deliveries/insert-delivery.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../engine/kit/http/problem.ts';
import type { AppRole } from '../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../auth/audit.ts';
import { giveBreakingBack, lockBreaking, useBreaking } from '../../auth/breaking.ts';
import type { StoredApp } from '../apps/store.ts';
import { asItStands } from '../deliveries/change/change-delivery.ts';
import { type Changeable, lockChangeable } from '../deliveries/change/store.ts';
import { type BreakingAsked, type BreakingRefused, refuseBreaking } from '../deliveries/create/breaking.ts';
import type { CreateDeliveryDeps } from '../deliveries/create/create-delivery.ts';
import { beginQuietCampaign, deliveryWayOf } from '../deliveries/create/quiet-hours.ts';
import { findDelivery, type StoredDelivery } from '../deliveries/store.ts';
import { rulesNow, segmentDetail } from '../segments/store.ts';
import { whyNotDecided } from './may-decide.ts';
import type { DecisionBody } from './schema.ts';
import { type LockedApproval, lockApproval, noteDecision } from './store.ts';

export interface DeliveryOrder {
  readonly app: StoredApp;
  readonly id: DeliveryId;
  readonly actor: Actor;
  /** On the app. */
  readonly role: AppRole;
  readonly body: DecisionBody;
}

export type DeliveryDecided =
  | { readonly kind: 'decided'; readonly delivery: StoredDelivery }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | BreakingRefused
  | { readonly kind: 'missing' };

type Deps = Pick<CreateDeliveryDeps, 'database' | 'wakeRelay' | 'breakingPerDay'>;

/**
 * Lets a delivery go that waits for a second person, or sends it back. Its way is chosen now, as if it had been asked for
 * now: quiet hours and its time are those of this moment.
 */
export function createDecideDelivery({ database, wakeRelay, breakingPerDay }: Deps) {
  return async function decideDelivery(order: DeliveryOrder): Promise<DeliveryDecided> {
    const ending = await database.transaction((sql) => decideIn(sql, order, breakingPerDay));
    if (ending.kind === 'decided' && ending.delivery.status === 'pending') wakeRelay();
    return ending;
  };
}

/** Everything that can be wrong is found before anything is written. */
async function decideIn(
  sql: Sql,
  { app, id, actor, role, body }: DeliveryOrder,
  perDay: number | null,
): Promise<DeliveryDecided> {
  // Before the delivery, as a change does.
  await lockBreaking(sql, actor.organizationId);
  const before = await lockChangeable(sql, app.id, id);
  if (before === null) return { kind: 'missing' };
  const subject = { delivery: id };
  const approval = await lockApproval(sql, subject);
  const errors = whyNotDecided(approval, body, actor, app, before.changes);
  if (errors !== null) return { kind: 'refused', errors };
  if (approval === null || before.status !== 'pending')
    return {
      kind: 'refused',
      errors: { status: [`The delivery is ${before.status}: it does not wait for approval.`] },
    };
  const { note = null } = body;
  if (body.decision === 'approve') {
    const refused = await release(sql, { app, actor, role, perDay }, before, approval);
    if (refused !== null) return refused;
  }
  const state = body.decision === 'approve' ? 'approved' : 'declined';
  await noteDecision(sql, subject, actor, { state, note });
  const detail = { name: before.name, ...(await segmentDetail(sql, app.id, before.segment_id)) };
  await noteChange(sql, actor, { action: `delivery.${state}`, subjectId: id, appId: app.id, detail });
  const delivery = await findDelivery(sql, app.id, id);
  if (delivery === null) throw new Error('the delivery just decided is not there');
  return { kind: 'decided', delivery };
}

/** @returns why it cannot go. */
async function release(
  sql: Sql,
  {
    app,
    actor,
    role,
    perDay,
  }: Pick<DeliveryOrder, 'app' | 'actor' | 'role'> & { readonly perDay: number | null },
  before: Changeable,
  { during_quiet_hours: during }: LockedApproval,
): Promise<Exclude<DeliveryDecided, { readonly kind: 'decided' }> | null> {
  const now = new Date();
  const { scheduled_at: asked, expires_at: expiresAt } = before;
  const scheduledAt = asked !== null && asked > now ? asked : null;
  if (expiresAt !== null && expiresAt <= (scheduledAt ?? now))
    return { kind: 'refused', errors: { expires_at: ['It has expired: give it another time.'] } };
  if (before.corrects_delivery_id !== null) {
    // Whoever has the wrong text gets this one, at any hour.
    await start(sql, before, { scheduledAt: null, campaign: null });
    return null;
  }
  const approvedRules = await rulesNow(sql, app.id, before.segment_id);
  const wanted = { ...asItStands(app, before), scheduledAt, approvedRules };
  const way = deliveryWayOf(app, wanted, during ?? undefined);
  if (way.kind === 'refused') return way;
  const { organizationId } = actor;
  const full =
    before.lane === 'breaking'
      ? await takeBreaking(sql, before, { organizationId, role, scheduledAt, perDay })
      : null;
  if (full !== null) return full;
  const delivery = way.kind === 'by-reader' ? await beginQuietCampaign(sql, app, wanted, way) : wanted;
  await start(sql, before, way.kind === 'later' ? { ...delivery, scheduledAt: way.at } : delivery);
  if (way.kind === 'passes') {
    const detail = { name: before.name, lane: before.lane };
    const action = 'delivery.passed-quiet-hours';
    await noteChange(sql, actor, { action, subjectId: before.id, appId: app.id, detail });
  }
  return null;
}

/** @returns why the lane does not take it. What the release before wrote has its place already. */
async function takeBreaking(
  sql: Sql,
  { id }: Pick<Changeable, 'id'>,
  asked: BreakingAsked,
): Promise<BreakingRefused | null> {
  const refused = await refuseBreaking(sql, asked);
  if (refused !== null) return refused;
  await giveBreakingBack(sql, id);
  await useBreaking(sql, asked.organizationId, asked.scheduledAt, id);
  return null;
}

/** Its life begins here: what it is kept for is counted from now, not from when it was written. */
async function start(
  sql: Sql,
  before: Changeable,
  {
    scheduledAt,
    campaign,
    approvedRules = null,
  }: Pick<NewDelivery, 'scheduledAt' | 'campaign' | 'approvedRules'>,
): Promise<void> {
  await sql.query(
    `UPDATE deliveries SET status = $2, scheduled_at = coalesce($3, now()), campaign_id = $4, campaign_role = $5,
       campaign_part = $6, approved_rules = $7, updated_at = now() WHERE id = $1`,
    [
      before.id,
      scheduledAt === null ? 'pending' : 'scheduled',
      scheduledAt,
      campaign?.id,
      campaign?.role,
      campaign === null || campaign.part === null ? null : JSON.stringify(campaign.part),
      jsonOrNull(approvedRules),
    ],
  );
  if (scheduledAt === null) await insertOutbox(sql, before.id, before);
}
