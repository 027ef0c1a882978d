import { jsonOrNull, type NewDelivery } from '../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import { noteChange } from '../../auth/audit.ts';
import { giveBreakingBack, lockBreaking } from '../../auth/breaking.ts';
import { asItStands, type Changeable, lockChangeable } from '../deliveries/change/store.ts';
import { refuseBreaking } from '../deliveries/create/breaking.ts';
import { deliveryWayOf } from '../deliveries/create/quiet-hours.ts';
import type { Refusal } from '../deliveries/send-refusal.ts';
import { findDelivery, type StoredDelivery } from '../deliveries/store.ts';
import type { Order, WriteDeps } from '../deliveries/write/order.ts';
import { writeDelivery } from '../deliveries/write/write-delivery.ts';
import { rulesNow, segmentDetail } from '../segments/store.ts';
import { whyNotDecided } from './may-decide.ts';
import type { DecisionBody } from './schema.ts';
import { type LockedApproval, lockApproval, noteDecision } from './store.ts';

export interface DeliveryOrder extends Pick<Order, 'app' | 'actor' | 'role'> {
  readonly id: DeliveryId;
  readonly body: DecisionBody;
}

export type DeliveryDecided = { readonly kind: 'decided'; readonly delivery: StoredDelivery } | Refusal;

type Deps = Pick<WriteDeps, 'database' | 'wakeRelay' | 'breakingPerDay'>;

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
async function decideIn(sql: Sql, order: DeliveryOrder, perDay: number | null): Promise<DeliveryDecided> {
  const { app, id, actor, body } = order;
  // Before the delivery, as a change does.
  await lockBreaking(sql, actor.organizationId);
  const before = await lockChangeable(sql, app.id, id);
  if (before === null) return { kind: 'missing' };
  const subject = { delivery: id };
  const approval = await lockApproval(sql, subject);
  const errors = await whyNotDecided(sql, approval, body, actor, app, before.changes);
  if (errors !== null) return { kind: 'refused', errors };
  if (approval === null || before.status !== 'pending')
    return {
      kind: 'refused',
      errors: { status: [`The delivery is ${before.status}: it does not wait for approval.`] },
    };
  const { note = null } = body;
  if (body.decision === 'approve') {
    const refused = await release(sql, order, before, { ...approval, perDay });
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
  order: DeliveryOrder,
  before: Changeable,
  {
    during_quiet_hours: during,
    perDay,
  }: Pick<LockedApproval, 'during_quiet_hours'> & { readonly perDay: number | null },
): Promise<Refusal | null> {
  const { app, role, actor } = order;
  const now = new Date();
  const { id, scheduled_at: asked, expires_at: expiresAt } = before;
  const scheduledAt = asked !== null && asked > now ? asked : null;
  if (expiresAt !== null && expiresAt <= (scheduledAt ?? now))
    return { kind: 'refused', errors: { expires_at: ['It has expired: give it another time.'] } };
  const parts = { update: start(id), note: null };
  if (before.corrects_delivery_id !== null) {
    // Whoever has the wrong text gets this one, at any hour.
    const delivery = { ...asItStands(before), scheduledAt: null, campaign: null, approvedRules: null };
    await writeDelivery(sql, order, { ...parts, delivery });
    return null;
  }
  const approvedRules = await rulesNow(sql, app.id, before.segment_id);
  const delivery = { ...asItStands(before), scheduledAt, approvedRules };
  const way = deliveryWayOf(app, delivery, during ?? undefined);
  if (way.kind === 'refused') return way;
  if (before.lane === 'breaking') {
    const { organizationId } = actor;
    const refused = await refuseBreaking(sql, { organizationId, role, scheduledAt, perDay });
    if (refused !== null) return refused;
    // What the release before wrote has its place already.
    await giveBreakingBack(sql, id);
  }
  await writeDelivery(sql, order, { ...parts, delivery, way, takesPlace: true });
  return null;
}

/** Its life begins here: what it is kept for is counted from now, not from when it was written. */
const start =
  (id: DeliveryId) =>
  async (sql: Sql, { scheduledAt, campaign, approvedRules = null }: NewDelivery): Promise<DeliveryId> => {
    await sql.query(
      `UPDATE deliveries SET status = $2, scheduled_at = coalesce($3, now()), campaign_id = $4, campaign_role = $5,
         campaign_part = $6, approved_rules = $7, updated_at = now() WHERE id = $1`,
      [
        id,
        scheduledAt === null ? 'pending' : 'scheduled',
        scheduledAt,
        campaign?.id,
        campaign?.role,
        jsonOrNull(campaign?.part ?? null),
        jsonOrNull(approvedRules),
      ],
    );
    return id;
  };
