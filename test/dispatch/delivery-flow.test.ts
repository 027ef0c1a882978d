// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { type Outcome, outcomeCode } from '../../engine/contract/outcome.ts';
import { unpackBlockOutcomes } from '../../engine/contract/packed-outcomes.ts';
import { WorkerFailure } from '../../engine/dispatch/errors.ts';
import { buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import {
  blockSent,
  createFakeSender,
  createLogStore,
  type EngineHarness,
  type EngineHarnessOptions,
  startEngineHarness,
  until,
  wantedSeqs,
} from '../support/engine-harness.ts';
import { createOutage } from '../support/outage.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const SUBSCRIBERS = 5_000;

describe('a delivery through plan and dispatch', () => {
  let test: TestDatabase;
  let appId: AppId;
  let deliveryId: DeliveryId;
  let logStore: ReturnType<typeof createLogStore>;
  let engines: EngineHarness[];

  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: SUBSCRIBERS })).id;
    logStore = createLogStore();
    engines = [];
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close(500)));
    await test.drop();
  });

  const start = async (options: Partial<EngineHarnessOptions> & Pick<EngineHarnessOptions, 'sender'>) => {
    const engine = await startEngineHarness({ database: test.database, logStore, ...options });
    engines.push(engine);
    return engine;
  };

  const post = async (given?: Parameters<typeof buildDelivery>[2]): Promise<void> => {
    deliveryId = await buildDelivery(test.database, appId, given);
    await test.database.query(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [deliveryId],
    );
  };

  const completed = async () => {
    await until('the delivery to complete', async () => {
      const { status } = await readDelivery(test.database, deliveryId);
      return ['success', 'partial', 'failed', 'cancelled'].includes(status);
    });
    return readDelivery(test.database, deliveryId);
  };

  /** The outcomes that wait in the outbox for ClickHouse, by outcome. */
  const outcomesOnTheWay = async (): Promise<Partial<Record<Outcome, number>>> => {
    const counts: Record<string, number> = {};
    const rows = await test.database.query<{ packed: Buffer }>(
      `SELECT packed FROM outbox WHERE topic = 'outcomes'`,
    );
    for (const { packed } of rows) {
      for (const code of unpackBlockOutcomes(packed).outcomes) {
        const name = Object.entries(outcomeCode).find(([, value]) => value === code)?.[0] ?? 'none';
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }
    return counts;
  };

  it('sends to every subscriber once and the books agree', async () => {
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    await post();
    expect(await completed()).toMatchObject({
      status: 'success',
      total_subscribers: SUBSCRIBERS,
      success_count: SUBSCRIBERS,
      failed_count: 0,
      capped_subscribers: 0,
    });
    expect(sender.sent.size).toBe(SUBSCRIBERS);
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    expect(await outcomesOnTheWay()).toEqual({ accepted: SUBSCRIBERS });
  });

  it('tries the throttled again later, and only them', async () => {
    const seen = new Set<number>();
    const sender = createFakeSender((seq) => {
      const first = !seen.has(seq);
      seen.add(seq);
      return first && seq % 10 === 0 ? 'throttled' : 'accepted';
    });
    await start({ sender });
    await post();
    expect(await completed()).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
    expect([...sender.sent].every(([seq, times]) => times === (seq % 10 === 0 ? 2 : 1))).toBe(true);
    expect(await outcomesOnTheWay()).toEqual({ accepted: SUBSCRIBERS, throttled: SUBSCRIBERS / 10 });
  });

  it('counts the gone and the rejected as failed, and unsubscribes the gone alone', async () => {
    await start({
      sender: createFakeSender((seq) => (seq < 10 ? 'gone' : seq < 30 ? 'rejected' : 'accepted')),
    });
    await post();
    expect(await completed()).toMatchObject({
      status: 'partial',
      success_count: SUBSCRIBERS - 30,
      failed_count: 30,
    });
    const left = await test.database.query(`SELECT seq FROM subscriptions WHERE status = 'unsubscribed'`);
    expect(left).toHaveLength(10);
  });

  it('fails targets that stay unreachable, after the allowed attempts', async () => {
    const sender = createFakeSender((seq) => (seq === 7 ? 'unreachable' : 'accepted'));
    await start({ sender, maxAttempts: 3 });
    await post();
    const delivery = await completed();
    expect(delivery).toMatchObject({ status: 'partial', success_count: SUBSCRIBERS - 1, failed_count: 1 });
    expect(delivery.error_message).toContain('failed after 3 attempts');
    expect(sender.sent.get(7)).toBe(3);
    expect(await outcomesOnTheWay()).toMatchObject({ unreachable: 3, expired: 1 });
  });

  it('does not count the death of an engine as a delivery attempt at its subscribers', async () => {
    let failures = 0;
    const sender = createFakeSender((seq) => (seq === 7 && failures++ < 2 ? 'unreachable' : 'accepted'));
    await test.database.query(
      'ALTER TABLE shards ALTER attempts SET DEFAULT 5, ALTER lost_leases SET DEFAULT 5',
    );
    await start({ sender, maxAttempts: 3 });
    await post();
    expect(await completed()).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
  });

  it('tries a notification with a TTL of 0 once', async () => {
    const sender = createFakeSender((seq) => (seq === 7 ? 'unreachable' : 'accepted'));
    await start({ sender });
    await post({ ttlSeconds: 0 });
    expect(await completed()).toMatchObject({ status: 'partial', failed_count: 1 });
    expect(sender.sent.get(7)).toBe(1);
  });

  it('sends a block again whose worker died, and counts it once', async () => {
    const sender = createFakeSender(() => 'accepted');
    let died = false;
    const dying = {
      sendBlock: async (task: Parameters<typeof sender.sendBlock>[0]) => {
        if (died) return sender.sendBlock(task);
        died = true;
        throw new WorkerFailure('worker-lost', 'the thread is gone');
      },
    };
    await start({ sender: dying });
    await post();
    expect(await completed()).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
  });

  it('fails a shard whose workers die every time, and counts its subscribers as failed', async () => {
    await start({
      maxAttempts: 2,
      sender: {
        sendBlock: () => Promise.reject(new WorkerFailure('worker-lost', 'out of memory')),
      },
    });
    await post();
    const delivery = await completed();
    expect(delivery).toMatchObject({
      status: 'failed',
      total_subscribers: SUBSCRIBERS,
      failed_count: SUBSCRIBERS,
    });
    expect(delivery.error_message).toContain('failed after 2 attempts');
  });

  it('continues at the first unsettled block when an engine dies, and counts no subscriber twice', async () => {
    const firstSender = createFakeSender(() => 'accepted');
    let blocksSent = 0;
    const stuck = await start({
      owner: 'engine-1',
      leaseMs: 2_000,
      sender: {
        // The third block never comes back: the engine is as good as dead, but for what it wrote.
        sendBlock: (task) => (++blocksSent > 2 ? new Promise(() => {}) : firstSender.sendBlock(task)),
      },
    });
    await post();
    await until('two blocks to be sent', () => blocksSent > 2);
    // What was sent and not written when an engine dies is sent again.
    await until('two blocks to be settled', async () => {
      const [row] = await test.database.query<{ accepted: number }>(
        `SELECT sum(accepted_count)::int AS accepted FROM shards`,
      );
      return row?.accepted === firstSender.sent.size;
    });
    await stuck.crash();
    engines = [];
    const secondSender = createFakeSender(() => 'accepted');
    await start({ owner: 'engine-2', sender: secondSender, leaseMs: 2_000 });
    // The dead engine's timer would keep its lease in this one process; in a process of its own it ends.
    await test.database.query(
      `UPDATE shards SET lease_epoch = lease_epoch + 1, due_at = now() WHERE state = 'running' AND lease_owner = 'engine-1'`,
    );
    expect(await completed()).toMatchObject({
      status: 'success',
      success_count: SUBSCRIBERS,
      total_subscribers: SUBSCRIBERS,
    });
    expect(new Set([...firstSender.sent.keys(), ...secondSender.sent.keys()]).size).toBe(SUBSCRIBERS);
    const twice = [...secondSender.sent.keys()].filter((seq) => firstSender.sent.has(seq));
    expect(twice).toEqual([]);
  });

  it('hands its shards back when it drains, for another engine to go on at once', async () => {
    const release: (() => void)[] = [];
    const slow = await start({
      sender: {
        sendBlock: async (task) => {
          await new Promise<void>((resolve) => release.push(resolve));
          return blockSent(wantedSeqs(task), () => 'accepted');
        },
      },
    });
    await post();
    await until('blocks in flight', () => release.length > 0);
    const closing = slow.close();
    engines = [];
    for (let n = 0; n < 20; n++) {
      for (const go of release.splice(0)) go();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await closing;
    expect((await readDelivery(test.database, deliveryId)).status).toBe('processing');
    expect(await test.database.query(`SELECT 1 FROM shards WHERE state = 'running'`)).toEqual([]);
    await start({ sender: createFakeSender(() => 'accepted'), owner: 'engine-2' });
    expect(await completed()).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
  });

  it('counts subscribers who left after the audience was fixed as failed, and sends them nothing', async () => {
    let attempts = 0;
    const sender = createFakeSender((seq) => (seq === 3 || seq === 4 ? 'throttled' : 'accepted'));
    await start({
      sender: {
        sendBlock: async (task) => {
          const sent = await sender.sendBlock(task);
          // Blocks run side by side: that of the two may not be the first one.
          if (sent.seqs.includes(3) && ++attempts === 1) {
            await test.database.query(`UPDATE subscriptions SET status = 'unsubscribed' WHERE seq IN (3, 4)`);
          }
          return sent;
        },
      },
    });
    await post();
    expect(await completed()).toMatchObject({
      status: 'partial',
      total_subscribers: SUBSCRIBERS,
      success_count: SUBSCRIBERS - 2,
      failed_count: 2,
    });
    expect(sender.sent.get(3)).toBe(1);
  });

  it('waits while Postgres is away, blames no message for it, and goes on', async () => {
    const outage = createOutage(test.database);
    const sender = createFakeSender(() => 'accepted');
    let blocks = 0;
    const engine = await start({
      database: outage.database,
      leaseMs: 1_000,
      sender: {
        sendBlock: (task) => {
          if (++blocks === 2) outage.begin();
          return sender.sendBlock(task);
        },
      },
    });
    await post();
    // Longer than a lease: until then a block's end waits for Postgres.
    await until('a pause of the intake', () => engine.pauses() > 0);
    outage.end();
    expect(await completed()).toMatchObject({
      status: 'success',
      success_count: SUBSCRIBERS,
      failed_count: 0,
    });
    expect(logStore.deadLetters('shards.bulk')).toEqual([]);
    expect(await outcomesOnTheWay()).toEqual({ accepted: SUBSCRIBERS });
  });

  it('starts a scheduled delivery when its time has come', async () => {
    await start({ sender: createFakeSender(() => 'accepted') });
    deliveryId = await buildDelivery(test.database, appId, {
      status: 'scheduled',
      scheduledAt: new Date(Date.now() + 300),
    });
    expect((await readDelivery(test.database, deliveryId)).status).toBe('scheduled');
    expect(await completed()).toMatchObject({ status: 'success', success_count: SUBSCRIBERS });
  });
});
