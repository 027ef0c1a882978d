import { bitsOf } from '../../../engine/contract/bitmap.ts';
import type { DeliveryId } from '../../../engine/contract/ids.ts';
import type { World } from './world.ts';

/** Of all blocks of a delivery. */
export const seqsOf = (
  { tables }: World,
  id: DeliveryId,
  map: 'accepted' | 'audience',
): ReadonlySet<number> =>
  new Set(
    tables.blocks.all().flatMap((row) => (row.deliveryId === id ? [...bitsOf(row[map], row.block)] : [])),
  );

/** Whom a delivery reached, as Postgres reads it from the blocks: bit `seq`. */
export function readAccepted(world: World, id: DeliveryId): Uint8Array {
  const seqs = seqsOf(world, id, 'accepted');
  const map = new Uint8Array(seqs.size === 0 ? 0 : (Math.max(...seqs) >> 3) + 1);
  for (const seq of seqs) map[seq >> 3] = (map[seq >> 3] ?? 0) | (1 << (seq & 7));
  return map;
}
