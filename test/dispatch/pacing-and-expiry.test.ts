import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScheduleStore } from '../../engine/adapters/postgres/schedule-store.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import type { Outcome } from '../../engine/contract/outcome.ts';
import type { SendBlock } from '../../engine/worker/protocol.ts';
import { buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const SUBSCRIBERS = 5_000;

describe('a delivery with a rate or an expiry', () => {
  let test: TestDatabase;
  let appId: AppId;
  let logStore: ReturnType<typeof createLogStore>;
  let engines: EngineHarness[];
  let tasks: { block: number; at: number; ttlSeconds: number; notAfterMs: number | null }[];
  let sender: ReturnType<typeof createFakeSender>;
  let outcome: (seq: number) => Outcome;
  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: SUBSCRIBERS })).id;
    logStore = createLogStore();
    engines = [];
    tasks = [];
    outcome = () => 'accepted';
    sender = createFakeSender((seq) => outcome(seq));
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close(500)));
    await test.drop();
  });

  const start = async (owner = 'engine-1') => {
    const noting = {
      sendBlock: (task: SendBlock) => {
        const { notAfterMs, notification } = task;
        const block = (wantedSeqs(task)[0] ?? 0) >> 10;
        tasks.push({ block, at: Date.now(), ttlSeconds: notification.ttlSeconds, notAfterMs });
        return sender.sendBlock(task);
      },
    };
    const { database } = test;
    engines.push(await startEngineHarness({ database, logStore, sender: noting, owner, shardBlocks: 4 }));
  };
  const post = async (columns: Readonly<Record<string, unknown>>): Promise<DeliveryId> => {
    const id = await buildDelivery(test.database, appId);
    for (const [name, value] of Object.entries(columns)) {
      await test.database.query(`UPDATE deliveries SET ${name} = $2 WHERE id = $1`, [id, value]);
    }
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [id],
    );
    return id;
  };
  const ends = (id: DeliveryId) =>
    until('the delivery to complete', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(test.database, id)).status),
    );
  const shards = () =>
    test.database.query<{ state: string; targets: number; after: number }>(
      `SELECT state, planned_targets AS targets,
         round(extract(epoch FROM starts_at - min(starts_at) OVER ()))::int AS after FROM shards ORDER BY number`,
    );

  it('is planned in steps of five seconds of its rate, each due when those before it are through', async () => {
    // 24,576 a minute: two blocks in five seconds.
    await post({ rate_per_minute: 24_576 });
    await start();
    await until('the plan', async () => (await shards()).length > 0);
    const [first, ...later] = await shards();
    expect(first).toMatchObject({ targets: 2_048, after: 0 });
    expect(later).toEqual([
      { state: 'waiting', targets: 2_048, after: 5 },
      { state: 'waiting', targets: 904, after: 10 },
    ]);
  });

  it('is sent by two engines, no block before the time of its step', async () => {
    // 2,048 a second: four blocks at once, the fifth after two seconds.
    const id = await post({ rate_per_minute: 122_880 });
    await Promise.all([start('engine-1'), start('engine-2')]);
    await ends(id);
    expect(await readDelivery(test.database, id)).toMatchObject({
      status: 'success',
      success_count: SUBSCRIBERS,
      total_subscribers: SUBSCRIBERS,
    });
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    const steps = await test.database.query<{ blocks: number[]; starts_at: Date }>(
      `SELECT blocks, starts_at FROM shards ORDER BY number`,
    );
    expect(steps.map(({ blocks }) => blocks)).toEqual([[0, 1, 2, 3], [4]]);
    for (const { blocks, starts_at } of steps) {
      for (const { at } of tasks.filter(({ block }) => blocks.includes(block))) {
        expect(at).toBeGreaterThanOrEqual(starts_at.getTime());
      }
    }
  });

  it('keeps each step until its time, whoever looks', async () => {
    await post({ rate_per_minute: 1_024 });
    await start();
    await until('the first block', () => tasks.length === 1);
    expect(await createScheduleStore(test.database).releaseDueShards(100)).toBe(0);
    expect((await shards()).map(({ after }) => after)).toEqual([0, 60, 120, 180, 240]);
    await test.database.query(`UPDATE shards SET due_at = now() WHERE number = 1`);
    await until('the second block', () => tasks.length === 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // The settling of one released no other.
    expect(tasks).toHaveLength(2);
    expect((await shards()).map(({ state }) => state)).toEqual([
      ...['settled', 'settled', 'waiting', 'waiting', 'waiting'],
    ]);
  });

  it('sends nothing after its expiry, and its counts add up at once', async () => {
    const id = await post({ rate_per_minute: 1_024, expires_at: new Date(Date.now() + 2_500) });
    await start();
    await until('the first block', () => tasks.length === 1);
    await ends(id);
    expect(await readDelivery(test.database, id)).toMatchObject({
      status: 'partial',
      total_subscribers: SUBSCRIBERS,
      success_count: 1_024,
      failed_count: SUBSCRIBERS - 1_024,
      error_message: expect.stringContaining('expired'),
    });
    expect(tasks).toHaveLength(1);
  });

  it('that expired before it was planned fails whole, without a request', async () => {
    const id = await post({ expires_at: new Date(Date.now() - 1) });
    await start();
    await ends(id);
    expect(await readDelivery(test.database, id)).toMatchObject({
      status: 'failed',
      failed_count: SUBSCRIBERS,
    });
    expect(tasks).toEqual([]);
  });

  it('asks no push service to keep a message longer, and tells the workers when to stop', async () => {
    const expiresAt = new Date(Date.now() + 60_000);
    const id = await post({ expires_at: expiresAt });
    await start();
    await ends(id);
    expect(tasks).toHaveLength(5);
    for (const { ttlSeconds, notAfterMs } of tasks) {
      expect(ttlSeconds).toBeLessThanOrEqual(60);
      expect(ttlSeconds).toBeGreaterThan(30);
      expect(notAfterMs).toBe(expiresAt.getTime());
    }
    tasks.length = 0;
    await ends(await post({ expires_at: new Date(Date.now() + 7_200_000) }));
    expect(new Set(tasks.map(({ ttlSeconds }) => ttlSeconds))).toEqual(new Set([3_600]));
  });

  it('does not try again what could only be tried after the expiry', async () => {
    outcome = (seq) => (seq === 7 ? 'throttled' : 'accepted');
    const id = await post({ expires_at: new Date(Date.now() + 3_000) });
    await start();
    await ends(id);
    expect(await readDelivery(test.database, id)).toMatchObject({
      status: 'partial',
      success_count: SUBSCRIBERS - 1,
      failed_count: 1,
    });
  });
});
