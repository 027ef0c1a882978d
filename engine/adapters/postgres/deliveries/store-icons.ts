import { iconHashesOf } from '../../../contract/icon-hashes.ts';
import type { DeliveryId } from '../../../contract/ids.ts';
import type { Sql } from '../sql.ts';
import type { NewDelivery } from './store-delivery.ts';

/** Names the icons of a delivery that was just inserted. */
export async function insertIcons(sql: Sql, id: DeliveryId, delivery: NewDelivery): Promise<void> {
  const hashes = iconHashesOf(delivery);
  if (hashes.length === 0) return;
  await sql.query(`INSERT INTO delivery_icons (hash, delivery_id) SELECT unnest($2::bytea[]), $1`, [
    id,
    hashes,
  ]);
}

/** Of one that was changed. */
export async function replaceIcons(sql: Sql, id: DeliveryId, delivery: NewDelivery): Promise<void> {
  await sql.query(`DELETE FROM delivery_icons WHERE delivery_id = $1`, [id]);
  await insertIcons(sql, id, delivery);
}
