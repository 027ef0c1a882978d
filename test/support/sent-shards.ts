import { expect } from 'vitest';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { BLOCK_SIZE, both, countBits, emptyBitmap, setBit } from '../../engine/contract/bitmap.ts';
import type { DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { LeasedShard } from '../../engine/contract/shard.ts';
import { copiedSeqs } from '../../engine/dispatch/copied-seqs.ts';
import { type BuiltApp, buildDelivery, testSealer } from './builders.ts';
import { planNow } from './plan-now.ts';

const LEASE_MS = 30_000;

/** Deliveries that go through the engine's stores as if they were sent, step by step, as the test decides. */
export function createSentShards(database: Database, app: BuiltApp) {
  const shards = createShardStore(database, testSealer);
  const blocks = createBlockStore(database);

  /** A delivery that is planned into a shard a block, all of them released. */
  async function newDelivery(): Promise<DeliveryId> {
    const id = await buildDelivery(database, app.id);
    await planNow(database, id, 10);
    return id;
  }

  async function leaseAll(id: DeliveryId): Promise<LeasedShard[]> {
    const rows = await database.query<{ id: ShardId }>(
      `SELECT id FROM shards WHERE delivery_id = $1 ORDER BY number`,
      [id],
    );
    const leased = await Promise.all(rows.map((row) => shards.lease(row.id, 'engine', LEASE_MS)));
    return leased.filter((shard) => shard !== null);
  }

  /** Ends the shard's blocks: `isAccepted` decides the accepted targets, the others failed. */
  async function run(shard: LeasedShard, isAccepted: (seq: number) => boolean): Promise<void> {
    for (const block of shard.blocks) {
      const audience = copiedSeqs((await blocks.readTargets(shard.appId, block)).rows);
      await blocks.fixAudience(shard, block, audience);
      const wanted = emptyBitmap();
      for (let seq = block * BLOCK_SIZE; seq < (block + 1) * BLOCK_SIZE; seq++)
        if (isAccepted(seq)) setBit(wanted, seq);
      const accepted = both(audience, wanted);
      const end = {
        maps: { block, audience, accepted, settled: audience },
        newlyAccepted: countBits(accepted),
        newlyFailed: countBits(audience) - countBits(accepted),
        unknown: 0,
        gone: [],
        readAtMs: 0,
        reasons: {},
        packedOutcomes: null,
      };
      expect(await blocks.endBlock(shard, end, LEASE_MS)).not.toBe('lost');
    }
  }

  /** From the plan to the end. */
  async function send(isAccepted: (seq: number) => boolean): Promise<DeliveryId> {
    const id = await newDelivery();
    for (const shard of await leaseAll(id)) {
      await run(shard, isAccepted);
      await shards.settle(shard);
    }
    return id;
  }

  return { shards, newDelivery, leaseAll, run, send };
}
