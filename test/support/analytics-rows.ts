import type { Database } from '../../engine/adapters/postgres/database.ts';
import { type DeliveryId, toId } from '../../engine/contract/ids.ts';
import type { BuiltApp } from './builders.ts';
import { buildDelivery } from './builders.ts';

/** `YYYY-MM-DD` in UTC, this number of days before today. */
export const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** A delivery that came to an end, made and due at noon (UTC) this number of days ago; today: now. */
export async function buildPastDelivery(
  database: Database,
  app: BuiltApp,
  given: { daysAgo: number; status?: string; accepted?: number; title?: string },
): Promise<DeliveryId> {
  const { daysAgo, status = 'success', accepted = 0, title = 'Hello' } = given;
  const id = await buildDelivery(database, app.id, { status });
  await database.query(
    `UPDATE deliveries SET success_count = $2, title = $3, created_at = $4,
       completed_at = CASE WHEN status IN ('success', 'partial', 'failed') THEN $4::timestamptz END WHERE id = $1`,
    [id, accepted, title, daysAgo === 0 ? new Date() : `${dayBefore(daysAgo)}T12:00:00Z`],
  );
  return toId(id);
}
