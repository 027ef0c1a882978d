// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AudienceRules } from '../../engine/contract/audience.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import type { BlockSender } from '../../engine/dispatch/ports.ts';
import type { ReadReach } from '../../engine/plan/plan-delivery.ts';
import { buildApp, buildDelivery, readDelivery } from '../support/builders.ts';
import { cases } from '../support/cases.ts';
import {
  createFakeSender,
  createLogStore,
  type EngineHarness,
  type EngineHarnessOptions,
  startEngineHarness,
  until,
} from '../support/engine-harness.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const SUBSCRIBERS = cases(3_500, 5_000);
const gold: AudienceRules = {
  match: 'all',
  conditions: [{ field: 'tag', key: 'plan', operator: 'equals', value: 'gold' }],
};
/** Every tenth, in the blocks 0 and 3 alone. */
const isGold = (seq: number): boolean => seq % 10 === 0 && [0, 3].includes(seq >> 10);
const everyone = Array.from({ length: SUBSCRIBERS }, (_, seq) => seq);
const golden = everyone.filter(isGold);

describe('a delivery to an audience', () => {
  let test: TestDatabase;
  let appId: AppId;
  let deliveryId: DeliveryId;
  let logStore: ReturnType<typeof createLogStore>;
  let engines: EngineHarness[];

  beforeEach(async () => {
    test = await createTestDatabase();
    appId = (await buildApp(test.database, { subscribers: SUBSCRIBERS })).id;
    await setPlan(golden, 'gold');
    logStore = createLogStore();
    engines = [];
  });
  afterEach(async () => {
    await Promise.all(engines.map((engine) => engine.close(500)));
    await test.drop();
  });

  const sql = (text: string, values: unknown[] = []) =>
    test.database.query<Record<string, number>>(text, values);
  const setPlan = (seqs: readonly number[], plan: string) =>
    sql(
      `UPDATE subscriptions SET tags = jsonb_build_object('plan', $2::text) WHERE app_id = $1 AND seq = ANY($3::integer[])`,
      [appId, plan, seqs],
    );

  const start = async (options: Partial<EngineHarnessOptions> & { readonly sender: BlockSender }) => {
    const engine = await startEngineHarness({ database: test.database, logStore, ...options });
    engines.push(engine);
    return engine;
  };

  const build = async (given: { rules?: AudienceRules; category?: number }): Promise<void> => {
    deliveryId = await buildDelivery(test.database, appId);
    const [segment] = await sql(
      `INSERT INTO segments (app_id, name, rules) SELECT $1, 'Gold', $2 WHERE $2::jsonb IS NOT NULL RETURNING id`,
      [appId, given.rules === undefined ? null : JSON.stringify(given.rules)],
    );
    await sql('UPDATE deliveries SET segment_id = $2, delivery_category_id = $3 WHERE id = $1', [
      deliveryId,
      segment?.id ?? null,
      given.category ?? null,
    ]);
  };
  /** Leaves the planned delivery to the next engine. */
  const planIt = () => planNow(test.database, deliveryId, 100);
  const post = () =>
    sql(
      `INSERT INTO outbox (topic, key, value) VALUES ('deliveries', $1::text, jsonb_build_object('delivery_id', $1::bigint))`,
      [deliveryId],
    );

  const completed = async () => {
    await until('the delivery to complete', async () =>
      ['success', 'partial', 'failed'].includes((await readDelivery(test.database, deliveryId)).status),
    );
    return readDelivery(test.database, deliveryId);
  };
  const served = (sender: { readonly sent: Map<number, number> }): number[] =>
    [...sender.sent.keys()].sort((a, b) => a - b);

  it('goes to exactly the matching subscribers, each once, and to no block without them', async () => {
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    await build({ rules: gold });
    await post();
    expect(await completed()).toMatchObject({
      status: 'success',
      total_subscribers: golden.length,
      success_count: golden.length,
      failed_count: 0,
    });
    expect(served(sender)).toEqual(golden);
    expect([...sender.sent.values()].every((times) => times === 1)).toBe(true);
    expect(await sql('SELECT block FROM blocks ORDER BY block')).toEqual([{ block: 0 }, { block: 3 }]);
  });

  it('to whom an earlier one did not reach goes to exactly those, however often the earlier one is accepted later', async () => {
    await start({ sender: createFakeSender((seq) => (isGold(seq) ? 'accepted' : 'gone')), owner: 'first' });
    await build({ rules: gold });
    const earlier = deliveryId;
    await post();
    await completed();
    await Promise.all(engines.splice(0).map((engine) => engine.close(500)));

    const sender = createFakeSender(() => 'accepted');
    await start({ sender, owner: 'second' });
    const condition = { field: 'delivery', operator: 'not_accepted', delivery_id: earlier } as const;
    await build({ rules: { match: 'all', conditions: [condition] } });
    await post();
    const rest = everyone.filter((seq) => !isGold(seq));
    expect(await completed()).toMatchObject({ total_subscribers: rest.length, success_count: rest.length });
    expect(served(sender)).toEqual(rest);
    expect(await sql('SELECT reach, length(seqs) AS bytes FROM frozen_reaches')).toEqual([
      { reach: 'accepted', bytes: 4 * 128 },
    ]);
  });

  it('waits where whom it names cannot be read, and is planned once that answers', async () => {
    let away = true;
    const readReach: ReadReach = async () => {
      if (away) throw new Error('no answer');
      return Uint8Array.of(0b110);
    };
    const sender = createFakeSender(() => 'accepted');
    await start({ sender, readReach });
    await build({
      rules: { match: 'all', conditions: [{ field: 'delivery', operator: 'clicked', delivery_id: 7 }] },
    });
    await post();
    await until('the delivery to be postponed', async () => {
      const [row] = await sql('SELECT plan_after > now() AS later FROM deliveries WHERE id = $1', [
        deliveryId,
      ]);
      return Boolean(row?.later);
    });
    expect(await readDelivery(test.database, deliveryId)).toMatchObject({ status: 'queued' });
    away = false;
    await sql('UPDATE deliveries SET plan_after = now() WHERE id = $1', [deliveryId]);
    expect(await completed()).toMatchObject({ status: 'success', success_count: 2 });
    expect(served(sender)).toEqual([1, 2]);
  });

  it('in a category goes to subscribers who chose it and who never stated any, not to those who stated others or none', async () => {
    await sql(
      `UPDATE subscriptions SET category_ids = CASE WHEN seq < 30 THEN ARRAY[5, 6] WHEN seq < 40 THEN ARRAY[6]
         ELSE ARRAY[]::integer[] END WHERE seq < 50`,
    );
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    await build({ category: 5 });
    await post();
    expect(await completed()).toMatchObject({
      total_subscribers: SUBSCRIBERS - 20,
      success_count: SUBSCRIBERS - 20,
    });
    expect(served(sender)).toEqual(everyone.filter((seq) => seq < 30 || seq >= 50));
    await build({ category: 5, rules: gold });
    await post();
    expect(await completed()).toMatchObject({ success_count: golden.length - 2 });
  });

  it('in a category that an earlier version planned still goes to those alone who chose it', async () => {
    await sql('UPDATE subscriptions SET category_ids = ARRAY[5] WHERE seq < 30');
    await build({ category: 5 });
    await planIt();
    await sql(`UPDATE deliveries SET audience = audience - 'never_stated'`);
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    expect(await completed()).toMatchObject({ total_subscribers: 30, success_count: 30 });
    expect(served(sender)).toEqual(everyone.slice(0, 30));
  });

  it('without subscribers succeeds at once', async () => {
    await start({ sender: createFakeSender(() => 'accepted') });
    await setPlan(golden, 'silver');
    await build({ rules: gold });
    await post();
    expect(await completed()).toMatchObject({ status: 'success', total_subscribers: 0 });
  });

  it('is fixed when a block first runs: subscribers who left since the plan are not served, new ones in its blocks are', async () => {
    await build({ rules: gold });
    expect(await planIt()).toMatchObject({ targets: golden.length });
    await setPlan([0], 'silver');
    await sql(`UPDATE subscriptions SET status = 'unsubscribed' WHERE seq = 10`);
    // The second one's block is not in the plan.
    await setPlan([1, 2_000], 'gold');
    expect((await readDelivery(test.database, deliveryId)).total_subscribers).toBe(golden.length);
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    expect(await completed()).toMatchObject({
      status: 'success',
      total_subscribers: golden.length - 1,
      success_count: golden.length - 1,
    });
    expect(served(sender)).toEqual([1, ...golden.filter((seq) => seq > 10)]);
  });

  it('means its segment’s rules at planning time, whatever changes later', async () => {
    await build({ rules: gold });
    await planIt();
    await sql(
      `UPDATE segments SET deleted_at = now(), rules = jsonb_set(rules, '{conditions,0,value}', '"silver"')`,
    );
    await sql('DELETE FROM segments');
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    await completed();
    expect(served(sender)).toEqual(golden);
  });

  it('reckons days from the moment of the plan', async () => {
    await build({
      rules: { match: 'all', conditions: [{ field: 'last_seen', operator: 'within_days', days: 30 }] },
    });
    await planIt();
    await sql(
      `UPDATE subscriptions SET last_seen_at = (audience ->> 'at')::timestamptz - interval '720 hours'
         - CASE WHEN seq = 7 THEN interval '1 ms' ELSE interval '0' END
       FROM deliveries WHERE deliveries.id = $1 AND seq IN (7, 8)`,
      [deliveryId],
    );
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    await completed();
    expect(served(sender)).toEqual(everyone.filter((seq) => seq !== 7));
  });

  it('stays as it was fixed through a crash before anything was sent', async () => {
    await build({ rules: gold });
    await planIt();
    let blocks = 0;
    const stuck = await start({
      owner: 'engine-1',
      sender: {
        sendBlock: () => {
          blocks++;
          return new Promise(() => {});
        },
      },
    });
    await until('both blocks to be fixed', () => blocks === 2);
    await stuck.crash();
    engines = [];
    await setPlan(golden, 'silver');
    await setPlan([1], 'gold');
    await sql(
      `UPDATE shards SET lease_epoch = lease_epoch + 1, due_at = now() WHERE state = 'running' AND lease_owner = 'engine-1'`,
    );
    const sender = createFakeSender(() => 'accepted');
    await start({ owner: 'engine-2', sender });
    expect(await completed()).toMatchObject({
      status: 'success',
      total_subscribers: golden.length,
      success_count: golden.length,
    });
    expect(served(sender)).toEqual(golden);
  });

  it('keeps throttled subscribers, though they stopped matching before the next attempt', async () => {
    const sender = createFakeSender((seq) => (seq === 20 && !sender.sent.has(-1) ? 'throttled' : 'accepted'));
    await start({
      retryBaseMs: 300,
      sender: {
        sendBlock: async (task) => {
          const sent = await sender.sendBlock(task);
          // The other block may be sent before the audience of this one is fixed.
          if (!sender.sent.has(20)) return sent;
          await setPlan([20], 'silver');
          sender.sent.set(-1, 0);
          return sent;
        },
      },
    });
    await build({ rules: gold });
    await post();
    expect(await completed()).toMatchObject({ status: 'success', success_count: golden.length });
    expect([sender.sent.get(20), sender.sent.get(30)]).toEqual([2, 1]);
  });

  it('counts only matching subscribers when a shard fails that never ran', async () => {
    await build({ rules: gold });
    await planIt();
    await sql('UPDATE shards SET attempts = 1000, lost_leases = 1000');
    const sender = createFakeSender(() => 'accepted');
    await start({ sender });
    expect(await completed()).toMatchObject({
      status: 'failed',
      total_subscribers: golden.length,
      failed_count: golden.length,
    });
    expect(served(sender)).toEqual([]);
  });

  it('costs no statement where it is everyone', async () => {
    const texts: string[] = [];
    const { database } = test;
    const watched: typeof database = {
      ...database,
      query: (text, values) => {
        texts.push(text);
        return database.query(text, values);
      },
    };
    const sender = createFakeSender(() => 'accepted');
    await start({ sender, database: watched });
    await build({});
    await post();
    expect(await completed()).toMatchObject({ success_count: SUBSCRIBERS });
    expect(texts.filter((text) => text.includes('array_agg(seq)'))).toEqual([]);
    await build({ rules: gold });
    await post();
    await completed();
    expect(texts.filter((text) => text.includes('array_agg(seq)'))).toHaveLength(2);
  });
});
