// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPaceStore } from '../../engine/adapters/postgres/dispatch/pace-store.ts';
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
    test.database.query<{ targets: number }>(
      `SELECT planned_targets AS targets FROM shards ORDER BY delivery_id, number`,
    );

  it('is planned in steps of five seconds of its rate, each due ten seconds before its turn', async () => {
    // 24,576 a minute: two blocks in five seconds. 2,048: a block is the least, and takes 30 seconds.
    await post({ rate_per_minute: 24_576 });
    await start();
    await until('the plan', async () => (await shards()).length > 0);
    expect((await shards()).map(({ targets }) => targets)).toEqual([2_048, 2_048, 904]);
    const slow = await post({ rate_per_minute: 2_048 });
    const planned = () =>
      test.database.query<{ state: string; starts: number; due: number }>(
        `SELECT state, round(extract(epoch FROM starts_at - started_at))::int AS starts,
           round(extract(epoch FROM starts_at - due_at))::int AS due
         FROM shards JOIN deliveries ON deliveries.id = delivery_id WHERE delivery_id = $1 ORDER BY number`,
        [slow],
      );
    await until('the slow plan', async () => (await planned()).length > 0);
    expect((await planned()).slice(1)).toEqual(
      [30, 60, 90, 120].map((starts) => ({ state: 'waiting', starts, due: 10 })),
    );
  });

  it('is sent by two engines at its rate, which retries keep to', async () => {
    // 100 a second. With retries there are 1.6 requests for each subscriber: some 160 a second, were they not bounded.
    const random = (seq: number) => (seq * 2_654_435_761) % 10;
    outcome = (seq) => (random(seq) < 3 && (sender.sent.get(seq) ?? 0) < 3 ? 'throttled' : 'accepted');
    const id = await post({ rate_per_minute: 6_000 });
    await Promise.all([start('engine-1'), start('engine-2')]);
    const requests = () => [...sender.sent.values()].reduce((sum, times) => sum + times, 0);
    await until('the first', () => tasks.length > 0);
    // Permits are issued from here on; on a busy machine the first task begins later.
    const [row] = await test.database.query<{ at: Date }>(
      'SELECT started_at AS at FROM deliveries WHERE id = $1',
      [id],
    );
    const startedAt = row?.at.getTime() ?? 0;
    // However long a busy machine takes for them: at the rate it is four seconds.
    await until('400 requests', () => requests() >= 400);
    const seconds = (Date.now() - startedAt) / 1_000;
    // A step of half a second and what may be made up for, on top.
    expect(requests()).toBeLessThanOrEqual(100 * seconds + 50 + 25);
  });

  it('continues where another engine stopped, and serves every subscriber once', async () => {
    // 20,480 a second: over in a moment.
    const id = await post({ rate_per_minute: 1_228_800 });
    await start('engine-1');
    await until('the first block', () => tasks.length > 0);
    await engines.pop()?.close(0);
    await start('engine-2');
    await ends(id);
    expect(await readDelivery(test.database, id)).toMatchObject({
      status: 'success',
      success_count: SUBSCRIBERS,
      total_subscribers: SUBSCRIBERS,
    });
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
  });

  it('gives out its send times in order to any caller, and loses those of a pause', async () => {
    const id = await post({ rate_per_minute: 6_000 });
    await start();
    await until('the plan', async () => (await shards()).length > 0);
    await engines.pop()?.close(0);
    const { reserveSendTime } = createPaceStore(test.database);
    const setNext = (seconds: number) =>
      test.database.query(`UPDATE delivery_paces SET next_at = now() + make_interval(secs => $1)`, [seconds]);
    await setNext(60);
    const waits = await Promise.all(Array.from({ length: 10 }, () => reserveSendTime(id, 50)));
    const sorted = waits.toSorted((a, b) => a - b);
    for (let at = 1; at < sorted.length; at++) {
      // 50 permits take half a second; a permit has the same time whenever it is requested.
      const gap = (sorted[at] ?? 0) - (sorted[at - 1] ?? 0);
      expect(gap).toBeGreaterThan(0);
      expect(gap).toBeLessThan(1_000);
    }
    await setNext(-3_600);
    expect(await reserveSendTime(id, 50)).toBeGreaterThanOrEqual(-251);
  });

  it('sends nothing after its expiry, and its counts add up at once', async () => {
    const expiresAt = Date.now() + 4_000;
    const id = await post({ rate_per_minute: 1_024, expires_at: new Date(expiresAt) });
    await start();
    await until('the first step', () => tasks.length > 0);
    await ends(id);
    const sent = sender.sent.size;
    expect(sent).toBeLessThan(200);
    expect(await readDelivery(test.database, id)).toMatchObject({
      status: 'partial',
      total_subscribers: SUBSCRIBERS,
      success_count: sent,
      failed_count: SUBSCRIBERS - sent,
      error_message: expect.stringContaining('expired'),
    });
    expect(tasks.every(({ notAfterMs }) => notAfterMs === expiresAt)).toBe(true);
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

  it('lets no push service keep a message longer, and gives the workers the time to stop', async () => {
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

  it('does not retry after the expiry', async () => {
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
