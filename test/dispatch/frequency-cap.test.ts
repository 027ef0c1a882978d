// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stopShards } from '../../api/client/deliveries/cancel/stop-shards.ts';
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
} from '../support/engine-harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const SUBSCRIBERS = 2_500;
const hang = (): Promise<never> => new Promise(() => {});

describe('the frequency cap of an app', () => {
  let test: TestDatabase;
  let appId: AppId;
  let logStore: ReturnType<typeof createLogStore>;
  let engines: EngineHarness[];
  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: SUBSCRIBERS })).id;
    await setCap(1);
    logStore = createLogStore();
    engines = [];
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close(500)));
    await test.drop();
  });

  const setCap = (max: number) =>
    test.database.query(
      `UPDATE apps SET frequency_cap_window_minutes = 60, frequency_cap_max_notifications = $2 WHERE id = $1`,
      [appId, max],
    );
  const start = async (
    sendBlock: (task: SendBlock) => ReturnType<ReturnType<typeof createFakeSender>['sendBlock']>,
    owner = 'engine-1',
  ): Promise<EngineHarness> => {
    const { database } = test;
    const sender = { sendBlock };
    // A throttled endpoint stays so until the test changes it.
    const engine = await startEngineHarness({ database, logStore, sender, owner, maxAttempts: 10_000 });
    engines.push(engine);
    return engine;
  };
  const post = async (columns: Readonly<Record<string, unknown>> = {}): Promise<DeliveryId> => {
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
  /** Its counts once it has completed. */
  const ended = async (id: DeliveryId) => {
    await until('the delivery to complete', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(test.database, id)).status),
    );
    const row = await readDelivery(test.database, id);
    expect(row.total_subscribers).toBe(row.success_count + row.failed_count + row.capped_subscribers);
    return [row.success_count, row.failed_count, row.capped_subscribers];
  };
  const postAndEnd = async (columns: Readonly<Record<string, unknown>> = {}) => ended(await post(columns));

  it('lets each subscriber through once when two deliveries start at the same instant on two engines', async () => {
    const sender = createFakeSender(() => 'accepted');
    await Promise.all([start(sender.sendBlock, 'engine-1'), start(sender.sendBlock, 'engine-2')]);
    const counts = await Promise.all([post(), post()].map(async (id) => ended(await id)));
    expect(sender.sent.size).toBe(SUBSCRIBERS);
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    expect(counts.map(([accepted]) => accepted).reduce((sum, n = 0) => (sum ?? 0) + n, 0)).toBe(SUBSCRIBERS);
    expect(counts.map(([, , capped]) => capped).reduce((sum, n = 0) => (sum ?? 0) + n, 0)).toBe(SUBSCRIBERS);
  });

  it('keeps the reservations of an engine that died before it sent: the next delivery finds no room, the first completes', async () => {
    let asked = 0;
    const dying = await start(() => {
      asked++;
      return hang();
    });
    const first = await post();
    await until('every block in flight', () => asked === 3);
    await dying.crash();
    engines = [];
    const sender = createFakeSender(() => 'accepted');
    await start(sender.sendBlock, 'engine-2');
    expect(await postAndEnd()).toEqual([0, 0, SUBSCRIBERS]);
    // The dead engine's timer keeps its lease in this one process; in a process of its own it ends.
    await test.database.query(
      `UPDATE shards SET lease_epoch = lease_epoch + 1, due_at = now() WHERE lease_owner = 'engine-1'`,
    );
    expect(await ended(first)).toEqual([SUBSCRIBERS, 0, 0]);
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
  });

  it('completes a delivery whole that it holds back whole, as a success without a request', async () => {
    const sender = createFakeSender(() => 'accepted');
    await start(sender.sendBlock);
    await postAndEnd();
    sender.sent.clear();
    const id = await post();
    expect(await ended(id)).toEqual([0, 0, SUBSCRIBERS]);
    expect(await readDelivery(test.database, id)).toMatchObject({ status: 'success', error_message: null });
    expect(sender.sent.size).toBe(0);
  });

  it('gives the slot of a failed attempt back', async () => {
    const third = Math.ceil(SUBSCRIBERS / 3);
    let outcome = (seq: number): Outcome => (seq % 3 === 0 ? 'rejected' : 'accepted');
    await start(createFakeSender((seq) => outcome(seq)).sendBlock);
    expect(await postAndEnd()).toEqual([SUBSCRIBERS - third, third, 0]);
    outcome = () => 'accepted';
    expect(await postAndEnd()).toEqual([third, 0, SUBSCRIBERS - third]);
  });

  it('holds the slot of a throttled subscriber until another attempt is accepted', async () => {
    let throttled = true;
    const decide = (seq: number): Outcome => (throttled && seq === 7 ? 'throttled' : 'accepted');
    const sender = createFakeSender(decide);
    await start(sender.sendBlock);
    const first = await post();
    await until('the first attempt', () => sender.sent.has(7));
    const second = await post();
    expect(await ended(second)).toEqual([0, 0, SUBSCRIBERS]);
    throttled = false;
    expect(await ended(first)).toEqual([SUBSCRIBERS, 0, 0]);
  });

  it('is not read by a delivery that ignores it, which counts for the next one all the same', async () => {
    await start(createFakeSender(() => 'accepted').sendBlock);
    await postAndEnd();
    expect(await postAndEnd({ ignore_frequency_cap: true })).toEqual([SUBSCRIBERS, 0, 0]);
    await setCap(2);
    expect(await postAndEnd()).toEqual([0, 0, SUBSCRIBERS]);
    await setCap(3);
    expect(await postAndEnd()).toEqual([SUBSCRIBERS, 0, 0]);
  });

  it('has room again when the window has passed', async () => {
    await start(createFakeSender(() => 'accepted').sendBlock);
    await postAndEnd();
    const passMinutes = (minutes: number) =>
      test.database.query(
        `UPDATE blocks SET slots_at = slots_at - make_interval(mins => $1),
           accepted_at = ARRAY(SELECT at - make_interval(mins => $1) FROM unnest(accepted_at) AS at)`,
        [minutes],
      );
    await passMinutes(59);
    expect(await postAndEnd()).toEqual([0, 0, SUBSCRIBERS]);
    await passMinutes(1);
    expect(await postAndEnd()).toEqual([SUBSCRIBERS, 0, 0]);
  });

  it('releases the unsent reservations of a cancelled delivery', async () => {
    const sender = createFakeSender((seq) => (seq < 1_000 ? 'accepted' : 'throttled'));
    const sending = await start(sender.sendBlock);
    const id = await post();
    await until('the attempts', () => sender.sent.size === SUBSCRIBERS);
    await test.database.transaction(async (sql) => {
      await sql.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
      await stopShards(sql, id);
    });
    await until('its shards to stop', async () => {
      const open = await test.database.query(
        `SELECT 1 FROM shards WHERE state NOT IN ('stopped', 'settled')`,
      );
      return open.length === 0;
    });
    await sending.close(500);
    await start(createFakeSender(() => 'accepted').sendBlock, 'engine-2');
    expect(await postAndEnd()).toEqual([SUBSCRIBERS - 1_000, 0, 1_000]);
  });

  it('shows in a rehearsal the subscribers it would hold back, and gives it no slot', async () => {
    await start(createFakeSender(() => 'accepted').sendBlock);
    expect(await postAndEnd({ rehearsal: true })).toEqual([SUBSCRIBERS, 0, 0]);
    expect(await postAndEnd()).toEqual([SUBSCRIBERS, 0, 0]);
    expect(await postAndEnd({ rehearsal: true })).toEqual([0, 0, SUBSCRIBERS]);
  });
});
