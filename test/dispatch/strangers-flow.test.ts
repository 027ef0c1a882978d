// tier: core
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideTrace } from '../../api/client/deliveries/trace/trace.ts';
import { readTraceFacts } from '../../api/client/deliveries/trace/trace-store.ts';
import type { DeliveryId } from '../../engine/contract/ids.ts';
import { STRIKES_TO_RETIRE } from '../../engine/contract/shard.ts';
import { createWorkerPool, type WorkerPool } from '../../engine/dispatch/worker-pool.ts';
import { type BuiltApp, buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { cases } from '../support/cases.ts';
import { createLogStore, type EngineHarness, startEngineHarness, until } from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { type PushServiceDouble, startPushService } from '../support/push-service/start.ts';
import { makeWorkerOptions } from '../worker/support.ts';

const BLOCK = 1_024;

/** Strangers' subscriptions among an app's readers. Real threads, a real Postgres and push services of their own. */
describe('a delivery to readers with strangers among them', () => {
  let test: TestDatabase;
  let push: PushServiceDouble;
  let pool: WorkerPool;
  let engine: EngineHarness;
  beforeEach(async () => {
    test = await createTestDatabase();
    push = await startPushService({ origins: [{ kind: 'fcm' }], keyPairs: 8, verify: 'none' });
    pool = createWorkerPool({
      ...{ threads: 2, tasksPerThread: 3, maxQueued: 8, maxHeapMb: 256 },
      ...{ onThreadLost: () => {}, onThreadStarted: () => {}, heartbeatMs: 1_000, onStuckForGood: () => {} },
      workerOptions: makeWorkerOptions({ extraCa: push.ca, answerTimeoutMs: 5_000, maxInFlight: 256 }),
    });
    engine = await startEngineHarness({
      ...{ database: test.database, logStore: createLogStore(), sender: pool },
      ...{ retryBaseMs: 50, leaseMs: 20_000, maxAttempts: 6, releaseWindow: 4, idleMs: 100 },
    });
  });
  afterEach(async () => {
    await engine.close(2_000);
    await pool.close(2_000);
    await push.stop();
    await test.drop();
  });

  /** Endpoints of the double, in the order of its indexes; those of `madeUp` by `seq` are others. */
  async function appWith(
    count: number,
    { from = 0, madeUp = () => null }: { from?: number; madeUp?: (seq: number) => string | null } = {},
  ): Promise<BuiltApp> {
    const app = await buildApp(test.database, { subscribers: count });
    const all = Array.from({ length: count }, (_, n) => push.subscriber(from + n, app.vapidPublicKey));
    await test.database.query(
      `UPDATE subscriptions SET endpoint = given.endpoint, p256dh = given.p256dh, auth = given.auth
       FROM unnest($2::text[], $3::bytea[], $4::bytea[]) WITH ORDINALITY AS given (endpoint, p256dh, auth, place)
       WHERE app_id = $1 AND seq = place - 1`,
      [
        app.id,
        all.map(({ endpoint }, seq) => madeUp(seq) ?? endpoint),
        all.map(({ p256dh }) => Buffer.from(p256dh, 'base64url')),
        all.map(({ auth }) => Buffer.from(auth, 'base64url')),
      ],
    );
    // Endpoints that are bound to a subscription from the start: none has moved.
    await test.database.query(
      `UPDATE subscriptions SET last_seen_at = now() - interval '1 hour' WHERE app_id = $1`,
      [app.id],
    );
    return app;
  }
  async function post(app: BuiltApp): Promise<DeliveryId> {
    const id = await buildDelivery(test.database, app.id);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [id],
    );
    return id;
  }
  const acceptedOf = async (id: DeliveryId): Promise<number> => {
    const [row] = await test.database.query<{ count: number }>(
      'SELECT coalesce(sum(bit_count(accepted)), 0)::integer AS count FROM blocks WHERE delivery_id = $1',
      [id],
    );
    return row?.count ?? 0;
  };
  const served = (id: DeliveryId, readers: number) =>
    until(`${readers} readers to be served`, async () => (await acceptedOf(id)) === readers);
  const ended = async (id: DeliveryId) => {
    await until('the delivery to complete', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(test.database, id)).status),
    );
    return readDelivery(test.database, id);
  };
  const subscribedOf = async (app: BuiltApp): Promise<number[]> => {
    const [row] = await test.database.query<{ seqs: number[] | null; active: number }>(
      `SELECT array_agg(seq ORDER BY seq) AS seqs, (SELECT active_subscriber_count FROM apps WHERE id = $1) AS active
       FROM subscriptions WHERE app_id = $1 AND status = 'subscribed'`,
      [app.id],
    );
    expect(row?.seqs?.length).toBe(row?.active);
    return row?.seqs ?? [];
  };
  const reject = { action: { kind: 'status', status: 403, reason: 'wrong sender' } } as const;

  it('serves every reader, each time, beside half as many endpoints that reject, and retires those', async () => {
    const [fakes, readers] = [cases(1, 3) * BLOCK, cases(2, 6) * BLOCK];
    const app = await appWith(fakes + readers);
    await push.setFaults([{ ...reject, to: fakes }]);
    const ids: DeliveryId[] = [];
    // A rejection strikes only while the push service accepts more: their number depends on the order.
    for (let n = 0; n < STRIKES_TO_RETIRE * 5; n++) {
      const id = await post(app);
      ids.push(id);
      await served(id, readers);
      const delivery = await ended(id);
      expect(delivery).toMatchObject({ success_count: readers, capped_subscribers: 0 });
      expect(delivery.failed_count).toBeLessThanOrEqual(fakes);
      if ((await subscribedOf(app)).length === readers) break;
    }
    expect(await subscribedOf(app)).toEqual(Array.from({ length: readers }, (_, n) => fakes + n));
    const [one] = await test.database.query<{ id: number }>(
      'SELECT id FROM subscriptions WHERE app_id = $1 AND seq = 7',
      [app.id],
    );
    const facts = await readTraceFacts(test.database, app.id, ids.at(-1) as DeliveryId, one?.id ?? 0);
    if (facts === null) throw new Error('no trace');
    const { reason } = decideTrace(facts, { matchesNow: true, attempts: [], keptDays: null });
    expect(reason).toMatch(/failed 3 deliveries in a row .*403: wrong sender.*unsubscribed/);
  }, 300_000);

  it('serves every reader beside more blocks of names that do not resolve than are in hand at a time', async () => {
    const [fakes, readers] = [cases(10, 16) * BLOCK, cases(2, 4) * BLOCK];
    const madeUp = (seq: number) => (seq < fakes ? `https://nope-${seq}.invalid/send/${seq}` : null);
    const app = await appWith(fakes + readers, { madeUp });
    const id = await post(app);
    // Read after those: without an end of the wait for each, they would come after the delivery's time to live.
    await served(id, readers);
    const next = await post(app);
    await served(next, readers);
  }, 300_000);

  it('holds back and serves every subscriber later where our own key is wrong, reports it, and retires none', async () => {
    const readers = 2 * BLOCK;
    const app = await appWith(readers);
    expect(await ended(await post(app))).toMatchObject({ success_count: readers });
    await push.setFaults([reject]);
    const id = await post(app);
    await until('the publisher’s message', async () =>
      /Paused: most messages to other were answered 403: wrong sender/.test(
        (await readDelivery(test.database, id)).error_message ?? '',
      ),
    );
    await push.setFaults([]);
    const delivery = await ended(id);
    // Requests in flight when it showed were answered themselves; no other target was settled by that.
    expect(delivery.failed_count).toBeGreaterThanOrEqual(20);
    expect(delivery.failed_count).toBeLessThan(readers / 2);
    expect(delivery.success_count).toBe(readers - delivery.failed_count);
    const [reasons] = await test.database.query<{ reasons: Record<string, number> }>(
      'SELECT failure_reasons AS reasons FROM shards WHERE delivery_id = $1',
      [id],
    );
    expect(Object.keys(reasons?.reasons ?? {})).toEqual(['rejected, other answered 403: wrong sender']);
    expect(await subscribedOf(app)).toHaveLength(readers);
  }, 300_000);

  it('shows a wrong key at the first delivery to an import too, where no endpoint accepted before', async () => {
    const readers = 4 * BLOCK;
    const app = await appWith(readers);
    // Some strangers subscribed with the right key: that they accept must not hide it.
    await push.setFaults([{ ...reject, from: 4 }]);
    const id = await post(app);
    await until(
      'the publisher’s message',
      async () => (await readDelivery(test.database, id)).error_message?.includes('403') === true,
    );
    const [failed] = await test.database.query<{ count: number }>(
      'SELECT sum(failed_count)::integer AS count FROM shards WHERE delivery_id = $1',
      [id],
    );
    expect(failed?.count).toBeLessThan(readers / 2);
    await push.setFaults([]);
    const delivery = await ended(id);
    expect(delivery.failed_count).toBeLessThan(readers / 2);
    expect(delivery.success_count).toBe(readers - delivery.failed_count);
    expect(await subscribedOf(app)).toHaveLength(readers);
  }, 300_000);

  it('leaves other apps alone that send to the same push service', async () => {
    const fakes = cases(2, 3) * BLOCK;
    const poisoned = await appWith(fakes);
    const other = await appWith(BLOCK, { from: fakes });
    await push.setFaults([{ ...reject, to: fakes }]);
    const [held, free] = [await post(poisoned), await post(other)];
    expect(await ended(free)).toMatchObject({ status: 'success', success_count: BLOCK });
    expect(await readDelivery(test.database, held)).toMatchObject({ success_count: 0 });
  }, 300_000);
});
