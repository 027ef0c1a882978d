import { type NamedReach, reachKey } from '../../../contract/audience.ts';
import { BITMAP_BYTES, BLOCK_SIZE, either, without } from '../../../contract/bitmap.ts';
import type { AppId, DeliveryId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';
import type { ReachMaps } from './audience.ts';

/**
 * Whose push service accepted a delivery: bit `seq` of the app. A rehearsal was sent to nobody.
 * @param withUnknown also who was begun and has no end, in a shard whose engine died or that had no answer to a message:
 * they may have got it, and nothing tells them from those next to them who did not.
 */
export async function readAccepted(
  sql: Sql,
  appId: AppId,
  deliveryId: DeliveryId,
  withUnknown: boolean,
): Promise<Uint8Array> {
  const rows = await sql.query<{
    block: number;
    accepted: Uint8Array;
    begun: Uint8Array | null;
    settled: Uint8Array | null;
  }>(
    `SELECT block, accepted, CASE WHEN unsure THEN blocks.audience END AS begun, CASE WHEN unsure THEN settled END AS settled
     FROM blocks JOIN shards ON shards.id = shard_id JOIN deliveries ON deliveries.id = blocks.delivery_id AND NOT rehearsal,
       LATERAL (SELECT $3 AND (lost_leases > 0 OR unknown_count > 0) AS unsure) AS known
     WHERE blocks.app_id = $1 AND blocks.shard_id = ANY(ARRAY(SELECT id FROM shards WHERE shards.delivery_id = $2))
     ORDER BY block`,
    [appId, deliveryId, withUnknown],
  );
  const last = rows.at(-1);
  const map = new Uint8Array(last === undefined ? 0 : (last.block + 1) * BITMAP_BYTES);
  for (const { block, accepted, begun, settled } of rows) {
    const unsure = begun !== null && settled !== null ? without(begun, settled) : null;
    map.set(unsure === null ? accepted : either(accepted, unsure), block * BITMAP_BYTES);
  }
  return map;
}

interface FrozenReach {
  readonly of: number;
  readonly reach: NamedReach['reach'];
  readonly seqs: Uint8Array;
}

/** The reaches that were frozen for a delivery, whole. */
export async function frozenReaches(sql: Sql, deliveryId: DeliveryId): Promise<ReachMaps> {
  const rows = await sql.query<FrozenReach>(
    `SELECT of_delivery_id AS of, reach, seqs FROM frozen_reaches WHERE delivery_id = $1`,
    [deliveryId],
  );
  return mapsOf(rows, 0);
}

/** Of one block: Postgres reads its 128 bytes of each alone. */
export async function frozenReachesOfBlock(sql: Sql, deliveryId: number, block: number): Promise<ReachMaps> {
  const rows = await sql.query<FrozenReach>(
    `SELECT of_delivery_id AS of, reach, substring(seqs FROM $2 FOR ${BITMAP_BYTES}) AS seqs
     FROM frozen_reaches WHERE delivery_id = $1`,
    [deliveryId, block * BITMAP_BYTES + 1],
  );
  return mapsOf(rows, block * BLOCK_SIZE);
}

const mapsOf = (rows: readonly FrozenReach[], first: number): ReachMaps =>
  new Map(
    rows.map(({ of, reach, seqs }) => [
      reachKey({ deliveryId: of as DeliveryId, reach }),
      { first, bits: seqs },
    ]),
  );

/**
 * Two engines may plan the same delivery: what the first one wrote stays.
 * Whom other deliveries reached, as the audience names them, lives in `frozen_reaches`. If its owner dies, the next
 * planning goes on with what is frozen, and reads the rest.
 */
export async function freezeReach(
  sql: Sql,
  deliveryId: DeliveryId,
  { deliveryId: of, reach }: NamedReach,
  seqs: Uint8Array,
): Promise<void> {
  await sql.query(
    `INSERT INTO frozen_reaches (delivery_id, of_delivery_id, reach, seqs) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [deliveryId, of, reach, Buffer.from(seqs.buffer, seqs.byteOffset, seqs.byteLength)],
  );
}
