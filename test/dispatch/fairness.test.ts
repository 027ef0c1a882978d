// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { LeasedShard } from '../../engine/contract/shard.ts';
import { packShards } from '../../engine/plan/pack-shards.ts';
import { buildApp, buildDelivery, buildSubscriptions, testSealer } from '../support/builders.ts';
import { planNow } from '../support/plan-now.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

const WINDOW = 2;

/** Shards of one block each, taken from the log in its order, as an engine with one running shard would. */
describe('the engines, shared between apps', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const stores = () => ({
    shards: createShardStore(test.database, testSealer, WINDOW),
    release: createReleaseStore(test.database, WINDOW),
  });
  const send = async (appId: AppId): Promise<DeliveryId> => {
    const id = await buildDelivery(test.database, appId);
    await planNow(test.database, id, WINDOW, (counts) => packShards(counts, 1, 1));
    return id;
  };
  /** One in each block. */
  const subscribe = (appId: AppId, blocks: number) =>
    buildSubscriptions(test.database, appId, blocks, BLOCK_SIZE);
  const build = async (blocks: number): Promise<AppId> => {
    const { id } = await buildApp(test.database);
    await subscribe(id, blocks);
    return id;
  };
  const next = async (): Promise<LeasedShard | null> => {
    const [row] = await test.database.query<{ shard: ShardId }>(
      `DELETE FROM outbox WHERE id = (SELECT min(id) FROM outbox) RETURNING (value->>'shard_id')::bigint AS shard`,
    );
    return row === undefined ? null : stores().shards.lease(row.shard, 'engine-1', 60_000);
  };
  /** Works off `count` shards one after the other. @returns whose each was. */
  const work = async (count: number): Promise<AppId[]> => {
    const apps: AppId[] = [];
    for (let at = 0; at < count; at++) {
      const shard = await next();
      if (shard === null) break;
      apps.push(shard.appId);
      await stores().shards.settle(shard);
    }
    return apps;
  };

  it('gives a small delivery in the middle of a big one its share at once', async () => {
    const [big, small] = [await build(20), await build(3)];
    await send(big);
    await work(5);
    await send(small);
    const after = await work(20);
    const end = after.lastIndexOf(small);
    expect(after.filter((app) => app === small)).toHaveLength(3);
    // Its three shards, as many of the other's, and what lay on the log already.
    expect(end).toBeLessThan(3 * 2 + WINDOW);
    expect(after).toHaveLength(20 - 5 + 3);
  });

  it('goes round all apps, also those that the window has no room for', async () => {
    const apps = await Promise.all(Array.from({ length: 5 }, () => build(4)));
    for (const app of apps) await send(app);
    const order = await work(20);
    expect(order).toHaveLength(20);
    // Once the window's first two are through, each five in a row are five different ones.
    for (let at = WINDOW; at + 5 <= 15; at++) expect(new Set(order.slice(at, at + 5)).size).toBe(5);
  });

  describe('of organizations', { timeout: 300_000 }, () => {
    const SHARDS = 1;
    /** @returns the organization's apps, each with a delivery of as many shards once it sends. */
    const publisher = async (apps: number, shards = SHARDS) => {
      const built = [await buildApp(test.database)];
      for (let at = 1; at < apps; at++) {
        built.push(await buildApp(test.database, { organizationId: built[0]?.organizationId ?? 0 }));
      }
      for (const { id } of built) await subscribe(id, shards);
      const sendAll = async () => {
        for (const { id } of built) await send(id);
      };
      return { apps: new Set(built.map(({ id }) => id)), send: sendAll };
    };
    const shareOf = ({ apps }: { apps: Set<AppId> }, order: readonly AppId[]): number =>
      order.filter((app) => apps.has(app)).length;

    it('gives one with a single app as much as one with fifty', async () => {
      const many = await publisher(50);
      const single = await publisher(1, 20);
      await many.send();
      await work(4);
      await single.send();
      const order = await work(2 * 20 + WINDOW + 1);
      expect(shareOf(single, order)).toBe(20);
      // From the first permit that was issued after it came, every second one is its own.
      for (let at = WINDOW; at + 2 <= 38; at += 2) expect(shareOf(single, order.slice(at, at + 2))).toBe(1);
      // Nothing is held back for an unused share.
      expect(shareOf(many, await work(200))).toBe(50 * SHARDS - 4 - (order.length - 20));
    });

    it('goes round all of them, though each app of the largest has one shard only', async () => {
      const [many, two, one] = [await publisher(12, 1), await publisher(2, 5), await publisher(1, 10)];
      for (const each of [many, two, one]) await each.send();
      const order = await work(29);
      for (let at = WINDOW + 1; at + 3 <= 27; at += 3) {
        const three = order.slice(at, at + 3);
        expect([many, two, one].map((each) => shareOf(each, three))).toEqual([1, 1, 1]);
      }
    });

    it('shares one’s part evenly between its apps', async () => {
      const [pair, single] = [await publisher(2, 8), await publisher(1, 16)];
      await pair.send();
      await single.send();
      const order = await work(32);
      const ofPair = order.slice(WINDOW).filter((app) => pair.apps.has(app));
      for (let at = 1; at + 2 <= 12; at += 2) expect(new Set(ofPair.slice(at, at + 2)).size).toBe(2);
    });

    it('puts the paced deliveries of one beside those of another, not before them', async () => {
      const many = await publisher(12, 1);
      const single = await publisher(1, 1);
      for (const each of [many, single]) await each.send();
      await test.database.query(`DELETE FROM outbox`);
      await test.database.query(`UPDATE deliveries SET rate_per_minute = 1000000`);
      await test.database.query(
        `UPDATE shards SET state = 'waiting', due_at = now() - make_interval(secs => 1000 - id)`,
      );
      await stores().release.releaseDue(100);
      const rows = await test.database.query<{ app: AppId }>(
        `SELECT (value->>'app_id')::integer AS app FROM outbox ORDER BY id`,
      );
      expect(rows).toHaveLength(13);
      expect(
        shareOf(
          single,
          rows.slice(0, 2).map(({ app }) => app),
        ),
      ).toBe(1);
    });
  });

  it('of one app, works on the older delivery first', async () => {
    const app = await build(4);
    const [first, second] = [await send(app), await send(app)];
    const deliveries: DeliveryId[] = [];
    for (let shard = await next(); shard !== null; shard = await next()) {
      deliveries.push(shard.deliveryId);
      await stores().shards.settle(shard);
    }
    expect(deliveries).toEqual([...Array(4).fill(first), ...Array(4).fill(second)]);
  });

  it('keeps the log short: as many wait on it as are worked on, and at least the window', async () => {
    await send(await build(20));
    const waiting = async () =>
      (await test.database.query(`SELECT 1 FROM shards WHERE state = 'released'`)).length;
    expect(await waiting()).toBe(WINDOW);
    const inHand: (LeasedShard | null)[] = [];
    for (let at = 0; at < 3; at++) {
      inHand.push(await next());
      await stores().release.releaseDue(100);
    }
    expect(inHand.every((shard) => shard !== null)).toBe(true);
    expect(await waiting()).toBe(3);
    await stores().release.releaseDue(100);
    expect(await waiting()).toBe(3);
  });

  it('releases each shard once and not past the window, however many engines look at once', async () => {
    await send(await build(20));
    await test.database.query(`UPDATE shards SET state = 'planned'`);
    await test.database.query(`DELETE FROM outbox`);
    const looks = Array.from({ length: 6 }, () => stores().release.releaseDue(100));
    const moved = await Promise.all(looks);
    expect(moved.reduce((sum, n) => sum + n)).toBe(WINDOW);
    expect(await test.database.query(`SELECT 1 FROM outbox`)).toHaveLength(WINDOW);
  });

  it('goes on with the tick of the next engine where all died', async () => {
    await send(await build(4));
    for (let at = 0; at < WINDOW; at++) await next();
    // No engine settles them: their leases end.
    await test.database.query(`UPDATE shards SET due_at = now() WHERE state = 'running'`);
    await stores().release.releaseDue(100);
    expect(await work(10)).toHaveLength(4);
  });

  it('lets a flood of shards due for another attempt wait for its share like any other', async () => {
    const [throttled, other] = [await build(20), await build(3)];
    await send(throttled);
    await test.database.query(`UPDATE shards SET state = 'waiting', due_at = now()`);
    await test.database.query(`DELETE FROM outbox`);
    await stores().release.releaseDue(100);
    await send(other);
    expect((await work(3 * 2 + WINDOW)).filter((app) => app === other)).toHaveLength(3);
  });
});
