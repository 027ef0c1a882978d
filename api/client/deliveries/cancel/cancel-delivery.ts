import type { Database } from '../../../../engine/adapters/postgres/database.ts';
import { sumShards } from '../../../../engine/adapters/postgres/deliveries/shard-sums.ts';
import type { Sql } from '../../../../engine/adapters/postgres/sql.ts';
import type { DeliveryStatus } from '../../../../engine/contract/delivery.ts';
import type { AppId, DeliveryId } from '../../../../engine/contract/ids.ts';
import type { FieldErrors } from '../../../../engine/kit/http/problem.ts';
import type { AppRole } from '../../../auth/app-roles.ts';
import { type Actor, noteChange } from '../../../auth/audit.ts';
import { giveBreakingBack } from '../../../auth/breaking.ts';
import { whyNotByAuthor } from '../../approvals/may-write.ts';
import { lockChangeable } from '../change/store.ts';
import { findDelivery, type StoredDelivery } from '../store.ts';
import { stopShards } from './stop-shards.ts';

export type DeliveryCancelled =
  | { readonly kind: 'cancelled'; readonly delivery: StoredDelivery }
  | { readonly kind: 'refused'; readonly errors: FieldErrors }
  | { readonly kind: 'missing' };

/** @param role the actor's, on the app. */
export type CancelDelivery = (
  actor: Actor,
  role: AppRole,
  appId: AppId,
  id: DeliveryId,
) => Promise<DeliveryCancelled>;

/**
 * Cancels a delivery. One statement decides under the row's lock, so of two cancels one wins, and a cancel
 * comes wholly before or wholly after the completion. A scheduled one never starts, a queued one is not
 * planned; engines that hold shards of it finish the blocks in flight. An author cancels what they wrote until
 * somebody approves it.
 */
export function createCancelDelivery(database: Database): CancelDelivery {
  return function cancelDelivery(actor, role, appId, id) {
    return database.transaction(async (sql) => {
      await lockWaiting(sql, id);
      if ((await lockChangeable(sql, appId, id)) === null) return { kind: 'missing' };
      const errors = await whyNotByAuthor(sql, { role, actor }, { delivery: id }, 'cancels');
      if (errors !== null) return { kind: 'refused', errors };
      const won = await cancelIn(sql, actor, appId, id);
      const delivery = await findDelivery(sql, appId, id);
      if (delivery === null) return { kind: 'missing' };
      return won
        ? { kind: 'cancelled', delivery }
        : { kind: 'refused', errors: { status: [whyNot(delivery.status)] } };
    });
  };
}

/** In the caller's transaction. @returns false where it was over already. */
export async function cancelIn(sql: Sql, actor: Actor, appId: AppId, id: DeliveryId): Promise<boolean> {
  const won = await markCancelled(sql, appId, id);
  if (won) {
    await stopShards(sql, id);
    await stopWaiting(sql, id);
    await giveBreakingBack(sql, id);
    await noteChange(sql, actor, { action: 'delivery.cancelled', subjectId: id, appId });
  }
  return won;
}

/** Before the delivery's own row, as the cancel of a campaign does. */
export async function lockWaiting(sql: Sql, id: DeliveryId): Promise<void> {
  await sql.query(
    `SELECT 1 FROM campaigns JOIN deliveries ON campaign_id = campaigns.id
     WHERE deliveries.id = $1 AND kind = 'quiet_hours' FOR UPDATE OF campaigns`,
    [id],
  );
}

/** Readers in their quiet hours wait for the same message. */
export async function stopWaiting(sql: Sql, id: DeliveryId): Promise<void> {
  await sql.query(
    `UPDATE campaigns SET status = 'cancelled', next_step_at = NULL, step = step + 1, updated_at = now()
     WHERE id = (SELECT campaign_id FROM deliveries WHERE id = $1) AND kind = 'quiet_hours' AND status = 'running'`,
    [id],
  );
}

/** Its counts of this moment go into the row: webhooks say them. Blocks in flight may still add to its shards. */
async function markCancelled(sql: Sql, appId: AppId, id: DeliveryId): Promise<boolean> {
  const sums = (await sumShards(sql, [id])).get(id);
  const rows = await sql.query(
    `UPDATE deliveries SET status = 'cancelled', updated_at = now(), capped_subscribers = $3, success_count = $4,
       failed_count = $5, ambiguous_count = $6, guarded_subscribers = $7, wished_subscribers = $8
     WHERE app_id = $1 AND id = $2 AND status IN ('pending', 'scheduled', 'queued', 'processing') RETURNING id`,
    [
      ...[appId, id, sums?.capped ?? 0, sums?.accepted ?? 0, sums?.failed ?? 0],
      ...[sums?.ambiguous ?? 0, sums?.guarded ?? 0, sums?.wished ?? 0],
    ],
  );
  return rows.length === 1;
}

const whyNot = (status: DeliveryStatus): string =>
  status === 'cancelled'
    ? 'The delivery is cancelled already.'
    : `The delivery has completed (${status}) and can no longer be cancelled.`;
