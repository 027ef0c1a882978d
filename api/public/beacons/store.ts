import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';

/** Who says what about which delivery, as browsers name them. */
export interface Named {
  readonly appId: AppId;
  readonly delivery: string;
  readonly userId: string | null;
}

export interface Resolved {
  readonly deliveryId: DeliveryId;
  /** When the delivery was to be sent: nothing can have happened to it before. */
  readonly dueAtMs: number;
  /** Null: nobody of the app has this identity. */
  readonly seq: number | null;
}

interface Row {
  readonly id: number | null;
  readonly due_at: Date | null;
  readonly seq: number | null;
}

/**
 * One entry a name, in their order; null where the delivery is gone. Look-ups one by one within the statement
 * (LATERAL): joined, a plan that misjudges their number would read every subscription there is. Of several
 * rows of one identity, which only imports leave behind, the subscribed and newest is meant.
 */
export async function resolveNames(sql: Sql, names: readonly Named[]): Promise<(Resolved | null)[]> {
  const rows = await sql.query<Row>(
    `SELECT found.id, found.due_at, reader.seq
     FROM unnest($1::integer[], $2::text[], $3::text[]) WITH ORDINALITY AS named (app_id, delivery, user_identity, n)
     LEFT JOIN LATERAL (
       SELECT id, coalesce(scheduled_at, created_at) AS due_at FROM deliveries
       WHERE identifier = named.delivery AND app_id = named.app_id
     ) AS found ON true
     LEFT JOIN LATERAL (
       SELECT seq FROM subscriptions
       WHERE app_id = named.app_id AND user_identity = named.user_identity
       ORDER BY status = 'subscribed' DESC, seq DESC LIMIT 1
     ) AS reader ON true
     ORDER BY n`,
    [
      names.map(({ appId }) => appId),
      names.map(({ delivery }) => delivery),
      names.map(({ userId }) => userId),
    ],
  );
  return rows.map(({ id, due_at, seq }) =>
    id === null || due_at === null ? null : { deliveryId: toId(id), dueAtMs: due_at.getTime(), seq },
  );
}
