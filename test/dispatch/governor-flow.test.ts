// tier: system
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPushServices } from '../../api/client/deliveries/progress/push-services.ts';
import { findDelivery } from '../../api/client/deliveries/store.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { createWorkerPool, type WorkerPool } from '../../engine/dispatch/worker-pool.ts';
import { type BuiltApp, buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { createLogStore, type EngineHarness, startEngineHarness, until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';
import { makeWorkerOptions } from '../worker/support.ts';

const ONE_BLOCK = 1_000;
const SUBSCRIBERS = 1_200;

/** Real threads, a real Postgres and push services in a process of their own. */
describe('a delivery to push services in trouble', () => {
  let test: TestDatabase;
  let push: PushServiceDouble;
  let pool: WorkerPool;
  let engine: EngineHarness;
  beforeEach(async () => {
    test = await createTestDatabase();
    push = await startPushService({ origins: [{ kind: 'fcm' }, { kind: 'mozilla' }], keyPairs: 8 });
    const given = { extraCa: push.ca, answerTimeoutMs: 5_000, maxInFlight: 128 };
    pool = createWorkerPool({
      ...{
        threads: 1,
        tasksPerThread: 3,
        maxQueued: 8,
        maxHeapMb: 256,
        onThreadLost: () => {},
        onThreadStarted: () => {},
        heartbeatMs: 1_000,
        onStuckForGood: () => {},
      },
      workerOptions: makeWorkerOptions(given),
    });
    engine = await startEngineHarness({
      ...{ database: test.database, logStore: createLogStore(), sender: pool },
      ...{ retryBaseMs: 50, leaseMs: 20_000, maxAttempts: 6 },
    });
  });
  afterEach(async () => {
    await engine.close(2_000);
    await pool.close(2_000);
    await push.stop();
    await test.drop();
  });

  /** Indexes from `from` on, in turns at the first and the second push service. */
  const appWith = async (count: number, from = 0): Promise<BuiltApp> => {
    const app = await buildApp(test.database, { subscribers: count });
    const all = Array.from({ length: count }, (_, n) => push.subscriber(from + n, app.vapidPublicKey));
    await test.database.query(
      `UPDATE subscriptions SET endpoint = given.endpoint, p256dh = given.p256dh, auth = given.auth
       FROM unnest($2::text[], $3::bytea[], $4::bytea[]) WITH ORDINALITY AS given (endpoint, p256dh, auth, place)
       WHERE app_id = $1 AND seq = place - 1`,
      [
        app.id,
        all.map(({ endpoint }) => endpoint),
        all.map(({ p256dh }) => Buffer.from(p256dh, 'base64url')),
        all.map(({ auth }) => Buffer.from(auth, 'base64url')),
      ],
    );
    return app;
  };
  const post = async (app: BuiltApp): Promise<DeliveryId> => {
    const id = await buildDelivery(test.database, app.id);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [id],
    );
    return id;
  };
  const ended = async (id: DeliveryId) => {
    await until(
      'the delivery to complete',
      async () => ['success', 'partial', 'failed'].includes((await readDelivery(test.database, id)).status),
      40_000,
    );
    return readDelivery(test.database, id);
  };
  const servicesOf = async (app: BuiltApp, id: DeliveryId) => {
    const delivery = await findDelivery(test.database, app.id, id);
    if (delivery === null) throw new Error('no delivery');
    return { delivery, services: await readPushServices(test.database, delivery) };
  };
  const acceptedOf = async (app: BuiltApp, id: DeliveryId) =>
    (await servicesOf(app, id)).services.reduce((sum, { accepted }) => sum + accepted, 0);

  it('completes at the others while one throttles, then there too: once each, and its counts add up', async () => {
    const app = await appWith(SUBSCRIBERS);
    await push.setFaults([{ action: { kind: 'throttle', retryAfter: 2 }, service: 'mozilla' }]);
    const id = await post(app);
    await until('half to be accepted', async () => (await acceptedOf(app, id)) === SUBSCRIBERS / 2);
    const { delivery, services } = await servicesOf(app, id);
    expect(delivery).toMatchObject({ status: 'processing', success_count: SUBSCRIBERS / 2 });
    expect(services).toMatchObject([{ push_service: 'other', waiting: SUBSCRIBERS / 2, failed: 0 }]);
    expect(services[0]?.rate).toBeGreaterThan(0);
    const throttled = services[0]?.throttled ?? 0;
    expect(throttled).toBeGreaterThanOrEqual(8);
    // Two blocks, at most a window each: the rest was never sent in vain.
    expect(throttled).toBeLessThanOrEqual(2 * 64);
    await push.setFaults([]);
    expect(await ended(id)).toMatchObject({ status: 'success', success_count: SUBSCRIBERS, failed_count: 0 });
    expect(await push.ledger()).toMatchObject({ distinct: SUBSCRIBERS, duplicates: 0 });
    const after = await servicesOf(app, id);
    expect(after.services).toMatchObject([{ accepted: SUBSCRIBERS, failed: 0, waiting: 0, rate: null }]);
  });

  it('leaves another app alone that sends to the same push service', async () => {
    const throttled = await appWith(SUBSCRIBERS);
    const other = await appWith(SUBSCRIBERS, SUBSCRIBERS);
    await push.setFaults([{ action: { kind: 'throttle', retryAfter: 30 }, to: SUBSCRIBERS }]);
    const [held, free] = [await post(throttled), await post(other)];
    expect(await ended(free)).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
    expect(await readDelivery(test.database, held)).toMatchObject({ status: 'processing' });
    expect(await acceptedOf(throttled, held)).toBe(0);
  });

  it('goes on at the others while one hangs, opens its breaker, and ends there when it answers again', async () => {
    const app = await appWith(SUBSCRIBERS);
    const other = await appWith(SUBSCRIBERS, SUBSCRIBERS);
    await push.setFaults([{ action: { kind: 'hang' }, service: 'fcm', to: SUBSCRIBERS }]);
    const hung = await post(app);
    expect(await ended(await post(other))).toMatchObject({ success_count: SUBSCRIBERS });
    await until('half to be accepted', async () => (await acceptedOf(app, hung)) === SUBSCRIBERS / 2);
    await push.setFaults([]);
    expect(await ended(hung)).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
    expect(await push.ledger()).toMatchObject({ distinct: 2 * SUBSCRIBERS, duplicates: 0 });
  });

  it('reaches the most recently active subscribers first, while its app is throttled', async () => {
    // One block: the order is kept within a block.
    const app = await appWith(ONE_BLOCK);
    await test.database.query(
      `UPDATE subscriptions SET last_seen_at = now() - make_interval(mins => (seq * 7919) % 1024)`,
    );
    // A push service that takes a few, asks for a pause, and takes a few more.
    const throttled = { action: { kind: 'throttle', retryAfter: 1 } } as const;
    await push.setFaults([throttled]);
    const id = await post(app);
    await until('it to be throttled', async () =>
      (await servicesOf(app, id)).services.some(({ throttled: times }) => times >= 16),
    );
    await push.setFaults([
      { ...throttled, action: { kind: 'latency', ms: 50 } },
      { ...throttled, rate: 0.6 },
    ]);
    await until('some to be accepted', async () => (await acceptedOf(app, id)) >= 30);
    await push.setFaults([throttled]);
    const [ranks] = await test.database.query<{ accepted: number; others: number }>(
      `WITH one AS (
         SELECT seq, percent_rank() OVER (ORDER BY last_seen_at DESC) AS rank,
           get_bit(accepted, (seq % 8) + 8 * (seq / 8)) = 1 AS took
         FROM subscriptions JOIN blocks ON block = 0 AND delivery_id = $1
         WHERE subscriptions.app_id = $2 AND seq < 1024
       ) SELECT avg(rank) FILTER (WHERE took)::float8 AS accepted, avg(rank) FILTER (WHERE NOT took)::float8 AS others
       FROM one`,
      [id, app.id],
    );
    expect(ranks?.accepted).toBeLessThan((ranks?.others ?? 0) / 2);
    await push.setFaults([]);
    expect(await ended(id)).toMatchObject({ status: 'success', success_count: ONE_BLOCK });
  });

  it('reaches them over all blocks, while its app is throttled, and all subscribers in the end', async () => {
    // The first block was here today; the second, much smaller, was away for long.
    const app = await appWith(SUBSCRIBERS);
    await test.database.query(
      `UPDATE subscriptions SET last_seen_at = now() - make_interval(days => CASE WHEN seq < 1024 THEN 0 ELSE 60 END)`,
    );
    await push.setFaults([{ action: { kind: 'throttle', retryAfter: 1 } }]);
    const id = await post(app);
    await until('it to be throttled', async () =>
      (await servicesOf(app, id)).services.some(({ throttled }) => throttled >= 16),
    );
    await push.setFaults([]);
    const acceptedByBlock = async () => {
      const rows = await test.database.query<{ count: number }>(
        'SELECT bit_count(accepted)::int AS count FROM blocks WHERE delivery_id = $1 ORDER BY block',
        [id],
      );
      return rows.map(({ count }) => count);
    };
    await until(
      'some of the second block to be accepted',
      async () => ((await acceptedByBlock())[1] ?? 0) > 0,
    );
    expect((await acceptedByBlock())[0]).toBe(1_024);
    expect(await ended(id)).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
    expect(await push.ledger()).toMatchObject({ distinct: SUBSCRIBERS, duplicates: 0 });
  });

  it('pauses where bursts are rejected, reports it, and serves the unsent subscribers after the pause', async () => {
    const app = await appWith(SUBSCRIBERS);
    await push.setFaults([
      { action: { kind: 'status', status: 403, reason: 'wrong sender' }, service: 'fcm' },
    ]);
    const id = await post(app);
    await until(
      'the publisher’s message',
      async () => (await readDelivery(test.database, id)).error_message !== null,
    );
    expect((await readDelivery(test.database, id)).error_message).toMatch(/^Paused: .*403.*wrong sender/);
    await push.setFaults([]);
    const delivery = await ended(id);
    const { failed_count: failed, success_count: accepted } = delivery;
    expect(accepted + failed).toBe(SUBSCRIBERS);
    // Those in flight when it showed, answered themselves: in each of two blocks a window of them at most.
    expect(failed).toBeGreaterThanOrEqual(20);
    expect(failed).toBeLessThanOrEqual(2 * 64);
    const reasons = await test.database.query<{ reasons: Record<string, number> }>(
      'SELECT failure_reasons AS reasons FROM shards',
    );
    expect(new Set(reasons.flatMap(({ reasons: why }) => Object.keys(why)))).toEqual(
      new Set(['rejected, other answered 403: wrong sender']),
    );
  });
});
