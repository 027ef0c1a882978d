// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopShards } from '../../api/client/deliveries/cancel/stop-shards.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { SendBlock } from '../../engine/worker/protocol.ts';
import { buildApp, buildDelivery, readDelivery, testSealer } from '../support/builders.ts';
import {
  blockSent,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../support/engine-harness.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

describe('a cancel', () => {
  let test: TestDatabase;
  let appId: AppId;
  let engines: EngineHarness[];
  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: 4 * 1_024 })).id;
    engines = [];
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close(0)));
    await test.drop();
  });

  /** As the API's. */
  const cancel = (id: DeliveryId) =>
    test.database.transaction(async (sql) => {
      await sql.query(`UPDATE deliveries SET status = 'cancelled', updated_at = now() WHERE id = $1`, [id]);
      await stopShards(sql, id);
    });
  const shardsOf = (id: DeliveryId) =>
    test.database.query<{ id: ShardId; state: string }>(
      `SELECT id, state FROM shards WHERE delivery_id = $1 ORDER BY number`,
      [id],
    );
  const stores = () => createShardStore(test.database, testSealer);
  const plan = async (): Promise<DeliveryId> => {
    const id = await buildDelivery(test.database, appId);
    await planNow(test.database, id, 4);
    return id;
  };
  const lease = async (id: ShardId) => {
    const shard = await stores().lease(id, 'engine-1', 60_000);
    if (shard === null) throw new Error(`shard ${id} could not be leased`);
    return shard;
  };

  it('stops the long running blocks of two engines, of this delivery alone', async () => {
    const other = (await buildApp(test.database, { subscribers: 1_024 })).id;
    const running: { app: string; sent: number }[] = [];
    /** Until the cancel no block ends, however slow the machine is. */
    let pauseMs = 50;
    /** Sends one message after the other, as slow push services make a worker do. */
    const sender = {
      sendBlock: async (task: SendBlock) => {
        const seqs = wantedSeqs(task);
        const block = { app: task.vapid.publicKey, sent: 0 };
        running.push(block);
        while (block.sent < seqs.length && Atomics.load(task.stop, 0) === 0) {
          block.sent++;
          await new Promise((resolve) => setTimeout(resolve, pauseMs));
        }
        return blockSent(seqs, (seq) => (seqs.indexOf(seq) < block.sent ? 'accepted' : 'unsent'));
      },
    };
    const logStore = createLogStore();
    const { database } = test;
    for (const owner of ['engine-1', 'engine-2']) {
      engines.push(await startEngineHarness({ database, logStore, sender, owner, shardBlocks: 1 }));
    }
    const post = async (app: AppId) => {
      const id = await buildDelivery(database, app);
      await database.query(
        `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
        [id],
      );
      return id;
    };
    const [unwanted, wanted] = [await post(appId), await post(other)];
    await until('blocks of both', () => new Set(running.map(({ app }) => app)).size === 2);
    await cancel(unwanted);
    const open = ['planned', 'released', 'running', 'waiting'];
    await until('its shards to stop', async () =>
      (await shardsOf(unwanted)).every(({ state }) => !open.includes(state)),
    );
    const sums = await database.query<{ delivery_id: DeliveryId; accepted: number }>(
      `SELECT delivery_id, sum(accepted_count)::int AS accepted FROM shards GROUP BY 1 ORDER BY 1`,
    );
    const [key] = await database.query<{ key: string }>(
      `SELECT vapid_public_key AS key FROM apps WHERE id = $1`,
      [appId],
    );
    const mine = running.filter(({ app }) => app === key?.key);
    expect(mine.every(({ sent }) => sent < 1_024)).toBe(true);
    pauseMs = 1;
    // What was handed over is in the books.
    expect(sums[0]?.accepted).toBe(mine.reduce((sum, { sent }) => sum + sent, 0));
    await until(
      'the other delivery',
      async () => (await readDelivery(database, wanted)).status === 'success',
    );
    expect((await readDelivery(database, wanted)).success_count).toBe(1_024);
  });

  it('and a shard that is put down at the same time never overlook each other', async () => {
    for (const puttingDown of ['suspend', 'handBack'] as const) {
      const id = await plan();
      const [first] = await shardsOf(id);
      if (first === undefined) throw new Error('no shard');
      const shard = await lease(first.id);
      await test.database.transaction(async (sql) => {
        await sql.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
        await stopShards(sql, id);
        const put = stores()[puttingDown](shard, 0);
        await waitsForLock();
        void put;
      });
      await until('the shard', async () => (await shardsOf(id))[0]?.state === 'stopped');
      await createReleaseStore(test.database).releaseDue(10);
      expect((await shardsOf(id)).every(({ state }) => state === 'stopped')).toBe(true);
    }
  });

  it('stops a shard that was being released when it came', async () => {
    const id = await plan();
    await test.database.query(`UPDATE shards SET state = 'waiting', due_at = now()`);
    let cancelled: Promise<unknown> = Promise.resolve();
    await test.database.transaction(async (sql) => {
      await sql.query(`UPDATE shards SET state = 'released' WHERE delivery_id = $1`, [id]);
      cancelled = cancel(id);
      await waitsForLock();
    });
    await cancelled;
    expect((await shardsOf(id)).map(({ state }) => state)).toEqual(Array(4).fill('stopped'));
  });

  it('waits for the end of a shard without holding a lock that the end needs', async () => {
    const id = await plan();
    const [first] = await shardsOf(id);
    if (first === undefined) throw new Error('no shard');
    const shard = await lease(first.id);
    await test.database.query(
      `INSERT INTO block_counts (app_id, block, sent) VALUES ($1, 0, array_fill(0, ARRAY[1024]))`,
      [appId],
    );
    await test.database.query(
      `INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled)
       SELECT $1, $2, 0, $3, map, map, map FROM decode(repeat('ff', 128), 'hex') AS map`,
      [appId, id, first.id],
    );
    let settled: Promise<unknown> = Promise.resolve();
    await test.database.transaction(async (sql) => {
      // A cancel holds the delivery first, and the counts of blocks next.
      await sql.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
      settled = stores().settle(shard);
      await waitsForLock();
      await sql.query(`SELECT 1 FROM block_counts WHERE app_id = $1 AND block = 0 FOR UPDATE NOWAIT`, [
        appId,
      ]);
    });
    expect(await settled).toEqual({ kind: 'settled' });
  });

  const waitsForLock = () =>
    until('a transaction to wait for a lock', async () => {
      const rows = await test.database.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    });
});
