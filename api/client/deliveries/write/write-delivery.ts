import {
  type DeliveryParts,
  type NewDelivery,
  storeDelivery,
} from '../../../../engine/adapters/postgres/deliveries/store-delivery.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import { type AuditAction, noteChange } from '../../../auth/audit.ts';
import { useBreaking } from '../../../auth/breaking.ts';
import { askForApproval } from '../../approvals/store.ts';
import type { StoredApp } from '../../apps/store.ts';
import { beginQuietCampaign, type DeliveryWay, type DuringQuietHours } from '../create/quiet-hours.ts';
import { findDelivery, type StoredDelivery } from '../store.ts';
import type { Order } from './order.ts';

/** What the paths differ in. Each has found before that nothing refuses it. */
export interface DeliveryWrite extends DeliveryParts {
  readonly delivery: NewDelivery;
  /** How it goes through the app's quiet hours. Absent: it goes at its time, whatever they say. */
  readonly way?: DeliveryWay;
  /** What was chosen for quiet hours; whoever approves it needs it. */
  readonly during?: DuringQuietHours | null | undefined;
  /** Whether one of the breaking lane takes a place of its day. Tests and corrections take none. */
  readonly takesPlace?: boolean;
  /** Null: the caller notes it. */
  readonly note: { readonly action: AuditAction; readonly detail: Readonly<Record<string, unknown>> } | null;
}

/**
 * The one way by which the API writes a delivery, in the caller's transaction: its quiet hours, its image, its row, what takes
 * it to the log or to whoever approves it, its place in the breaking lane, and the audit log. In this order: locks of rows
 * that exist come before, in the caller.
 */
export async function writeDelivery(
  sql: Sql,
  { app, actor }: Pick<Order, 'app' | 'actor'>,
  { delivery: wanted, way = { kind: 'as-is' }, during, takesPlace = false, note, ...parts }: DeliveryWrite,
): Promise<StoredDelivery> {
  const { appId, name, lane, isHeld = false } = wanted;
  // Of one that is held, the way is chosen when it goes.
  const delivery = isHeld ? wanted : await goingBy(sql, app, wanted, way);
  const id = await storeDelivery(sql, delivery, parts);
  if (takesPlace && lane === 'breaking' && !isHeld)
    await useBreaking(sql, actor.organizationId, delivery.scheduledAt, id);
  if (isHeld) await askForApproval(sql, appId, { delivery: id }, { during });
  if (note !== null) await noteChange(sql, actor, { ...note, subjectId: id, appId });
  if (way.kind === 'passes' && !isHeld) {
    const detail = { name, lane };
    await noteChange(sql, actor, { action: 'delivery.passed-quiet-hours', subjectId: id, appId, detail });
  }
  const stored = await findDelivery(sql, appId, id);
  if (stored === null) throw new Error('the delivery just written is not there');
  return stored;
}

async function goingBy(
  sql: Sql,
  app: StoredApp,
  delivery: NewDelivery,
  way: DeliveryWay,
): Promise<NewDelivery> {
  if (way.kind === 'later') return { ...delivery, scheduledAt: way.at };
  return way.kind === 'by-reader' ? beginQuietCampaign(sql, app, delivery, way) : delivery;
}
