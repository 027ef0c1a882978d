import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import { type AppId, type DeliveryId, toId } from '../../../engine/contract/ids.ts';
import { ofSecrets } from '../lookups.ts';

/** A report's browser and delivery, as browsers name them. */
export interface Named {
  readonly appId: AppId;
  readonly delivery: string;
  /** SHA-256 of the browser's secret. */
  readonly secretHash: Buffer | null;
}

export interface Resolved {
  readonly deliveryId: DeliveryId;
  /** When the delivery was to be sent: nothing can have happened to it before. */
  readonly dueAtMs: number;
  /** Null: no subscription that the delivery was accepted for has this secret. */
  readonly seq: number | null;
  /** It went to test browsers. */
  readonly isTest: boolean;
}

interface Row {
  readonly id: number | null;
  readonly due_at: Date | null;
  readonly seq: number | null;
  readonly test: boolean;
}

/** One row by the primary keys of both, whatever statistics say: a block and a delivery identify it. */
const isReceived = `EXISTS (
  SELECT 1 FROM blocks JOIN shards ON shards.id = blocks.shard_id
  WHERE blocks.app_id = named.app_id AND block = readers.seq >> 10 AND blocks.delivery_id = found.id
    AND (get_bit(accepted, readers.seq & 1023) = 1 OR shards.state = 'running'
      AND get_bit(blocks.audience, readers.seq & 1023) = 1 AND get_bit(settled, readers.seq & 1023) = 0)
)`;

/**
 * One entry a name, in their order; null where the delivery was deleted. Lookups one by one within the
 * statement (LATERAL): joined, a plan that misjudges their number would read every subscription. Its LIMIT
 * leaves a delivery's identifier as the only condition, so that no plan walks through the app's deliveries.
 *
 * A browser may show a message and report it before its block has ended: while the block is in flight, an
 * unsettled subscription of its audience counts as accepted.
 */
export async function resolveNames(sql: Sql, names: readonly Named[]): Promise<(Resolved | null)[]> {
  const rows = await sql.query<Row>(
    `WITH named AS MATERIALIZED (
       SELECT * FROM unnest($1::integer[], $2::text[], $3::bytea[])
         WITH ORDINALITY AS named (app_id, delivery, secret_hash, n)
     ),
     asked AS MATERIALIZED (
       SELECT app_id, array_agg(DISTINCT secret_hash) AS secrets FROM named WHERE secret_hash IS NOT NULL GROUP BY app_id
     ),
     readers AS MATERIALIZED (
       SELECT app_id, secret_hash, seq
       FROM asked CROSS JOIN LATERAL (SELECT secret_hash, seq FROM ${ofSecrets('secrets', 'app_id')}) AS reader
     )
     SELECT found.id, found.due_at, found.test, CASE WHEN ${isReceived} THEN readers.seq END AS seq FROM named
     LEFT JOIN LATERAL (
       SELECT id, app_id, test, coalesce(scheduled_at, created_at) AS due_at FROM deliveries
       WHERE identifier = named.delivery LIMIT 1
     ) AS found ON found.app_id = named.app_id
     LEFT JOIN readers ON readers.app_id = named.app_id AND readers.secret_hash = named.secret_hash
     ORDER BY n`,
    [
      names.map(({ appId }) => appId),
      names.map(({ delivery }) => delivery),
      names.map(({ secretHash }) => secretHash),
    ],
  );
  return rows.map(({ id, due_at, seq, test: isTest }) =>
    id === null || due_at === null ? null : { deliveryId: toId(id), dueAtMs: due_at.getTime(), seq, isTest },
  );
}
