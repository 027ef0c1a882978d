import type { Sql } from '../../../engine/adapters/postgres/database.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import { ofUsers } from '../look-ups.ts';

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
 * (LATERAL): joined, a plan that misjudges their number would read every subscription there is. Its LIMIT leaves
 * a delivery's identifier as the only condition, so that no plan walks through the app's deliveries. Of several
 * rows of one identity, which only imports leave behind, the subscribed and newest is meant.
 */
export async function resolveNames(sql: Sql, names: readonly Named[]): Promise<(Resolved | null)[]> {
  const rows = await sql.query<Row>(
    `WITH named AS MATERIALIZED (
       SELECT * FROM unnest($1::integer[], $2::text[], $3::text[])
         WITH ORDINALITY AS named (app_id, delivery, user_identity, n)
     ),
     asked AS MATERIALIZED (
       SELECT app_id, array_agg(DISTINCT user_identity) AS users FROM named WHERE user_identity IS NOT NULL GROUP BY app_id
     ),
     readers AS MATERIALIZED (
       SELECT DISTINCT ON (app_id, user_identity) app_id, user_identity, seq
       FROM asked CROSS JOIN LATERAL (SELECT user_identity, status, seq FROM ${ofUsers('users', 'app_id')}) AS reader
       ORDER BY app_id, user_identity, status = 'subscribed' DESC, seq DESC
     )
     SELECT found.id, found.due_at, readers.seq FROM named
     LEFT JOIN LATERAL (
       SELECT id, app_id, coalesce(scheduled_at, created_at) AS due_at FROM deliveries
       WHERE identifier = named.delivery LIMIT 1
     ) AS found ON found.app_id = named.app_id
     LEFT JOIN readers ON readers.app_id = named.app_id AND readers.user_identity = named.user_identity
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
