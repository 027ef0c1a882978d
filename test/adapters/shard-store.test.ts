// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { createScheduleStore } from '../../engine/adapters/postgres/plan/schedule-store.ts';
import { countBits, emptyBitmap, setBit } from '../../engine/contract/bitmap.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { BlockEnd, BlockMaps, LeasedShard } from '../../engine/contract/shard.ts';
import { copiedSeqs } from '../../engine/dispatch/copied-seqs.ts';
import { buildApp, buildDelivery, readDelivery, testSealer } from '../support/builders.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const LEASE_MS = 10_000;

describe('shards and blocks in Postgres', () => {
  let test: TestDatabase;
  let appId: AppId;
  let deliveryId: DeliveryId;
  const stores = () => ({
    shards: createShardStore(test.database, testSealer, 1),
    blocks: createBlockStore(test.database),
    release: createReleaseStore(test.database),
    schedule: createScheduleStore(test.database),
  });

  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: 3_000 })).id;
    deliveryId = await buildDelivery(test.database, appId);
  });
  afterEach(() => test.drop());

  const plan = (releaseWindow: number) => planNow(test.database, deliveryId, releaseWindow);

  const states = async (): Promise<string[]> =>
    (await test.database.query<{ state: string }>('SELECT state FROM shards ORDER BY number')).map(
      ({ state }) => state,
    );

  const leaseNumber = async (number: number, owner = 'engine-1'): Promise<LeasedShard | null> => {
    const [row] = await test.database.query<{ id: ShardId }>('SELECT id FROM shards WHERE number = $1', [
      number,
    ]);
    return row === undefined ? null : stores().shards.lease(row.id, owner, LEASE_MS);
  };

  const mustLease = async (number: number, owner?: string): Promise<LeasedShard> => {
    const shard = await leaseNumber(number, owner);
    if (shard === null) throw new Error(`shard ${number} could not be leased`);
    return shard;
  };

  /** Every subscriber of the block accepted. */
  const wholeBlock = (block: number, audience: Uint8Array): BlockEnd => {
    const maps: BlockMaps = { block, audience, accepted: audience, settled: audience };
    const newlyAccepted = countBits(audience);
    return {
      maps,
      newlyAccepted,
      newlyFailed: 0,
      unknown: 0,
      gone: [],
      readAtMs: 0,
      reasons: {},
      packedOutcomes: audience,
    };
  };

  const serve = async (shard: LeasedShard): Promise<void> => {
    const { blocks, shards } = stores();
    for (const block of shard.blocks) {
      const audience = copiedSeqs(await blocks.readTargets(shard.appId, block));
      expect(await blocks.fixAudience(shard, block, audience)).not.toBeNull();
      expect(await blocks.endBlock(shard, wholeBlock(block, audience), LEASE_MS)).toBe('held');
    }
    await shards.settle(shard);
  };

  it('plans a shard for each run of blocks and releases only the window', async () => {
    expect(await plan(2)).toEqual({ kind: 'planned', shards: 3, targets: 3_000 });
    expect(await states()).toEqual(['released', 'released', 'planned']);
    const rows = await test.database.query<{ topic: string }>('SELECT topic FROM outbox');
    expect(rows.map(({ topic }) => topic)).toEqual(['shards.bulk', 'shards.bulk']);
  });

  it('plans a delivery once, however often its message comes', async () => {
    await plan(2);
    expect(await plan(2)).toEqual({ kind: 'nothing-to-plan' });
    expect(await states()).toHaveLength(3);
  });

  it('completes a delivery without subscribers at once', async () => {
    await test.database.query(`UPDATE subscriptions SET status = 'unsubscribed'`);
    await plan(2);
    expect(await readDelivery(test.database, deliveryId)).toMatchObject({
      status: 'success',
      total_subscribers: 0,
    });
  });

  it('leases a shard to one engine at a time', async () => {
    await plan(3);
    const [first, second] = await Promise.all([leaseNumber(0, 'engine-1'), leaseNumber(0, 'engine-2')]);
    expect([first, second].filter((lease) => lease !== null)).toHaveLength(1);
  });

  it('lets another engine take a shard whose lease has ended, and ignores later writes of the first', async () => {
    await plan(3);
    const lost = await mustLease(0);
    const audience = copiedSeqs(await stores().blocks.readTargets(appId, 0));
    await stores().blocks.fixAudience(lost, 0, audience);
    await test.database.query(`UPDATE shards SET due_at = now() - interval '1 second' WHERE id = $1`, [
      lost.shardId,
    ]);
    const taken = await mustLease(0, 'engine-2');
    expect(taken.epoch).toBe(lost.epoch + 1);
    expect(await stores().blocks.endBlock(lost, wholeBlock(0, audience), LEASE_MS)).toBe('lost');
    expect(await stores().shards.settle(lost)).toEqual({ kind: 'lease-lost' });
    expect(await stores().shards.suspend(lost, 0)).toBe(false);
    expect(await stores().shards.renew(lost, LEASE_MS)).toBe('lost');
    const [maps] = await stores().blocks.readMaps(taken);
    expect(countBits(maps?.settled ?? audience)).toBe(0);
    expect(await test.database.query(`SELECT 1 FROM outbox WHERE topic = 'outcomes'`)).toEqual([]);
  });

  it('fixes a block its audience before anything is sent, and keeps it when others join', async () => {
    await plan(3);
    const shard = await mustLease(2);
    const audience = copiedSeqs(await stores().blocks.readTargets(appId, 2));
    expect(countBits(audience)).toBe(952);
    await stores().blocks.fixAudience(shard, 2, audience);
    const [maps] = await stores().blocks.readMaps(shard);
    expect(Buffer.from(maps?.audience ?? []).equals(Buffer.from(audience))).toBe(true);
  });

  it('writes the end of a block atomically: maps, counters, gone subscriptions, and outcomes', async () => {
    await plan(3);
    const shard = await mustLease(0);
    const audience = copiedSeqs(await stores().blocks.readTargets(appId, 0));
    await stores().blocks.fixAudience(shard, 0, audience);
    // The reader came back with another endpoint after the targets were read: the old one's outcome is not its own.
    await test.database.query(
      `UPDATE subscriptions SET last_seen_at = now() + interval '1 minute' WHERE seq = 7`,
    );
    const settled = emptyBitmap();
    setBit(settled, 5);
    setBit(settled, 6);
    const accepted = emptyBitmap();
    setBit(accepted, 5);
    const maps = { block: 0, audience, accepted, settled };
    const end = {
      maps,
      newlyAccepted: 1,
      newlyFailed: 1,
      unknown: 2,
      gone: [6, 7],
      readAtMs: Date.now(),
      reasons: { 'gone, fcm answered 410': 1 },
    };
    await stores().blocks.endBlock(shard, { ...end, packedOutcomes: Uint8Array.of(1, 2) }, LEASE_MS);
    const [row] = await test.database.query(
      'SELECT audience_count, accepted_count, failed_count, unknown_count, failure_reasons FROM shards WHERE id = $1',
      [shard.shardId],
    );
    expect(row).toEqual({
      audience_count: 1_024,
      accepted_count: 1,
      failed_count: 1,
      unknown_count: 2,
      failure_reasons: { 'gone, fcm answered 410': 1 },
    });
    expect(await test.database.query(`SELECT seq FROM subscriptions WHERE status = 'unsubscribed'`)).toEqual([
      { seq: 6 },
    ]);
    expect(await test.database.query(`SELECT active_subscriber_count AS n FROM apps`)).toEqual([
      { n: 2_999 },
    ]);
    expect(await test.database.query(`SELECT packed FROM outbox WHERE topic = 'outcomes'`)).toHaveLength(1);
  });

  it('completes the delivery with its last shard, exactly once, when shards end together', async () => {
    await plan(3);
    const shards = await Promise.all([mustLease(0), mustLease(1), mustLease(2)]);
    await Promise.all(shards.map(serve));
    expect(await readDelivery(test.database, deliveryId)).toMatchObject({
      status: 'success',
      total_subscribers: 3_000,
      success_count: 3_000,
      failed_count: 0,
      open_shards: 0,
    });
  });

  it('releases the next planned shard for each one that settles', async () => {
    await plan(1);
    await serve(await mustLease(0));
    expect(await states()).toEqual(['settled', 'released', 'planned']);
  });

  it('releases a suspended shard again when it is due, and not before', async () => {
    await plan(3);
    const shard = await mustLease(0);
    await stores().shards.suspend(shard, 60_000);
    expect(await leaseNumber(0)).toBeNull();
    expect(await stores().release.releaseDue(10)).toBe(0);
    await test.database.query(`UPDATE shards SET due_at = now() WHERE id = $1`, [shard.shardId]);
    expect(await stores().release.releaseDue(10)).toBe(1);
    expect((await mustLease(0)).attempt).toBe(2);
  });

  it('releases the shard of an engine that died once its lease has ended', async () => {
    await plan(3);
    const shard = await mustLease(0);
    expect(await stores().release.releaseDue(10)).toBe(0);
    await test.database.query(`UPDATE shards SET due_at = now() WHERE id = $1`, [shard.shardId]);
    expect(await stores().release.releaseDue(10)).toBe(1);
    expect((await mustLease(0, 'engine-2')).owner).toBe('engine-2');
  });

  it('moves each due shard and each due delivery once, however many engines look', async () => {
    await plan(3);
    await test.database.query(`UPDATE shards SET due_at = now()`);
    await buildDelivery(test.database, appId, {
      status: 'scheduled',
      scheduledAt: new Date(Date.now() - 1_000),
    });
    const looks = Array.from({ length: 4 }, stores);
    const moved = await Promise.all(looks.map(({ release }) => release.releaseDue(10)));
    expect(moved.reduce((sum, n) => sum + n)).toBe(3);
    const started = await Promise.all(looks.map(({ schedule }) => schedule.startDueDeliveries(10)));
    expect(started.reduce((sum, n) => sum + n)).toBe(1);
  });

  it('names the most frequent failure when a delivery completes', async () => {
    await plan(3);
    for (const number of [0, 1, 2]) {
      const shard = await mustLease(number);
      const audience = copiedSeqs(await stores().blocks.readTargets(appId, number));
      await stores().blocks.fixAudience(shard, number, audience);
      const failed = countBits(audience);
      const maps = { block: number, audience, accepted: emptyBitmap(), settled: audience };
      const reasons = { 'rejected, fcm answered 403': failed - 1, 'gone, fcm answered 410': 1 };
      const end = {
        maps,
        newlyAccepted: 0,
        newlyFailed: failed,
        unknown: 0,
        gone: [],
        readAtMs: 0,
        reasons,
        packedOutcomes: null,
      };
      await stores().blocks.endBlock(shard, end, LEASE_MS);
      await stores().shards.settle(shard);
    }
    expect(await readDelivery(test.database, deliveryId)).toMatchObject({
      status: 'failed',
      failed_count: 3_000,
      error_message: 'Most failures (2997): rejected, fcm answered 403',
    });
  });

  it('reports the cancel of a delivery to its lease, and its settling neither releases nor completes', async () => {
    await plan(1);
    const shard = await mustLease(0);
    await test.database.query(`UPDATE deliveries SET status = 'cancelled'`);
    expect(await stores().shards.renew(shard, LEASE_MS)).toBe('cancelled');
    const audience = emptyBitmap();
    await stores().blocks.fixAudience(shard, 0, audience);
    expect(await stores().blocks.endBlock(shard, wholeBlock(0, audience), LEASE_MS)).toBe('cancelled');
    expect(await stores().shards.settle(shard)).toEqual({ kind: 'settled' });
    expect(await states()).toEqual(['settled', 'planned', 'planned']);
    await test.database.query(`UPDATE deliveries SET open_shards = 1`);
    await test.database.query(`UPDATE shards SET state = 'released' WHERE number = 1`);
    expect(await stores().shards.settle(await mustLease(1))).toEqual({ kind: 'settled' });
    expect((await readDelivery(test.database, deliveryId)).status).toBe('cancelled');
  });
});
