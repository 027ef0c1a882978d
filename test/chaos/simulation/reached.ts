import { bitsOf, without } from '../../../engine/contract/bitmap.ts';
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

/** Of whom nobody knows whether they got it: begun and not ended, where an engine died or an answer was missing. */
export const unsureOf = ({ tables }: World, id: DeliveryId): ReadonlySet<number> =>
  new Set(
    tables.blocks.all().flatMap((row) => {
      const shard = tables.shards.get(row.shardId);
      if (row.deliveryId !== id || shard === undefined || shard.lostLeases + shard.unknown === 0) return [];
      return [...bitsOf(without(row.audience, row.settled), row.block)];
    }),
  );

/** Whom a delivery reached, as Postgres reads it from the blocks: bit `seq`. */
export function readAccepted(world: World, id: DeliveryId, withUnknown: boolean): Uint8Array {
  const seqs = new Set([...seqsOf(world, id, 'accepted'), ...(withUnknown ? unsureOf(world, id) : [])]);
  const map = new Uint8Array(seqs.size === 0 ? 0 : (Math.max(...seqs) >> 3) + 1);
  for (const seq of seqs) map[seq >> 3] = (map[seq >> 3] ?? 0) | (1 << (seq & 7));
  return map;
}
