// tier: postgres
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { keptTables, ownedTables } from '../../engine/adapters/postgres/removal/owned-rows.ts';
import { createRemovalStore } from '../../engine/adapters/postgres/removal/removal-store.ts';
import { type AppId, type ShardId, toId } from '../../engine/contract/ids.ts';
import { buildApp, buildDelivery, testSealer } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { buildLimit, buildMinute } from '../support/standings.ts';
import { forgetSubscriptions } from '../support/subscriptions.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const count = async (table: string, appId: AppId): Promise<number> => {
  const [row] = await test.database.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM ${table} WHERE app_id = $1`,
    [appId],
  );
  return row?.rows ?? 0;
};
const remove = (limit: number): Promise<number> =>
  createRemovalStore(test.database, { graceSeconds: 0 }).removeOfDeletedApp(limit);
const markDeleted = (appId: AppId, secondsAgo = 1) =>
  test.database.query(`UPDATE apps SET deleted_at = now() - make_interval(secs => $2) WHERE id = $1`, [
    appId,
    secondsAgo,
  ]);

/** An app with rows in every table that it can own. */
async function buildFullApp(subscribers: number): Promise<AppId> {
  const app = await buildApp(test.database, { subscribers });
  const delivery = await buildDelivery(test.database, app.id, { status: 'processing' });
  await test.database.query(
    `WITH shard AS (
       INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets) VALUES ($1, $2, 0, '{0}', 1) RETURNING id
     )
     INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled)
     SELECT $2, $1, 0, id, $3, $3, $3 FROM shard`,
    [delivery, app.id, Buffer.alloc(128)],
  );
  await forgetSubscriptions(test.database, app.id, [1_000]);
  await buildLimit(test.database, app.id, {});
  await buildMinute(test.database, app.id, { minutesAgo: 1 });
  for (const statement of [
    `INSERT INTO campaigns (app_id, kind, name, settings) VALUES ($1, 'ab_test', 'Test', '{}')`,
    `INSERT INTO approvals (app_id, campaign_id, authors) SELECT app_id, id, '{}' FROM campaigns WHERE app_id = $1`,
    `INSERT INTO feed_keys (campaign_id, app_id, key) SELECT id, app_id, 'key' FROM campaigns WHERE app_id = $1`,
    `INSERT INTO feed_items (campaign_id, app_id, role, status, content)
     SELECT id, app_id, 'item key', 'draft', '{}' FROM campaigns WHERE app_id = $1`,
    `INSERT INTO reader_wishes (app_id, seq, max_notifications, window_minutes) VALUES ($1, 9, 1, 1440)`,
    `INSERT INTO welcomes (app_id, seq, due_at) VALUES ($1, 9, now())`,
    `INSERT INTO welcome_templates (app_id, enabled, title, body, url, delay_minutes) VALUES ($1, true, '', '', '', 0)`,
    `WITH organization AS (INSERT INTO organizations (name) VALUES ('Desk of ' || $1::integer) RETURNING id), person AS (
       INSERT INTO users (organization_id, email, name, role, narrowed)
       SELECT id, $1::integer || '@desk.example', '', 'member', 'guest' FROM organization RETURNING id)
     INSERT INTO app_grants (user_id, app_id, role) SELECT id, $1, 'author' FROM person`,
    `INSERT INTO prompts (app_id, settings) VALUES ($1, '{}')`,
    `INSERT INTO prompt_counts (app_id, round, variant, day) VALUES ($1, 1, 'a', now())`,
    'INSERT INTO permission_days (app_id, day) VALUES ($1, now())',
    'INSERT INTO site_time_days (app_id, day) VALUES ($1, now())',
    `WITH image AS (INSERT INTO images (hash, content_type, bytes)
       VALUES (sha256($1::integer::text::bytea), 'image/png', '\\x00') RETURNING hash)
     INSERT INTO app_images (app_id, hash) SELECT $1, hash FROM image`,
    `INSERT INTO test_browsers (app_id, seq, name, registered_by) VALUES ($1, 9999, 'Phone', '')`,
    `INSERT INTO drafts (app_id, kind, name, "values", changed_by) VALUES ($1, 'draft', 'Begun', '{}', '')`,
    `INSERT INTO segments (app_id, name, rules) VALUES ($1, 'All', '[]')`,
    `INSERT INTO delivery_categories (app_id, name) VALUES ($1, 'News')`,
    `INSERT INTO subscription_tags (app_id, key, value, created_at, seq) VALUES ($1, 'plan', 'free', now(), 0)`,
    `INSERT INTO block_counts (app_id, block, sent) VALUES ($1, 9, array_fill(0, ARRAY[1024]))`,
    `INSERT INTO accepted_endpoints (app_id, block, seqs) VALUES ($1, 9, decode(repeat('00', 128), 'hex'))`,
    `INSERT INTO failing_endpoints (app_id, seq, endpoint, delivery_id, times, last_at, reason)
     VALUES ($1, 9, 1, 1, 1, now(), '403')`,
    `INSERT INTO erasures (app_id, named_by, subscriptions, seqs) VALUES ($1, 'endpoint', 1, '{9}')`,
    `INSERT INTO erasure_parts (erasure_id, part, app_id, seqs)
     SELECT id, 0, app_id, '{8}' FROM erasures WHERE app_id = $1`,
    `INSERT INTO new_subscriptions (app_id, address, since, count) VALUES ($1, '', now(), 1)`,
    `INSERT INTO vapid_keys (app_id, number, public_key, state, created_at) VALUES ($1, 9, 'old', 'retired', now())`,
    `INSERT INTO release_turns (app_id, lane, turn) VALUES ($1, 'bulk', now())`,
    `INSERT INTO analytics_cache (app_id, question, answer, until) VALUES ($1, 'overview', '{}', now())`,
    `INSERT INTO alerts (organization_id, app_id, kind, key)
     SELECT organization_id, id, 'delivery-failed', 'key' FROM apps WHERE id = $1`,
    `INSERT INTO webhook_cursors (app_id, told_until) VALUES ($1, now())`,
    `INSERT INTO webhook_messages (endpoint_id, app_id, type, subject, data)
     VALUES (1, $1, 'delivery.success', 'delivery 1', '{}')`,
    `INSERT INTO subscription_prunings (app_id, day) VALUES ($1, current_date)`,
    `INSERT INTO unfolded_facets (app_id, below) VALUES ($1, 9)`,
    `INSERT INTO idempotency_keys (app_id, key, body_hash) VALUES ($1, 'key', '')`,
    `INSERT INTO audit_log (organization_id, via, action, subject_id, app_id)
     SELECT organization_id, 'service', 'app.deleted', identifier, id FROM apps WHERE id = $1`,
  ]) {
    await test.database.query(statement, [app.id]);
  }
  return app.id;
}

describe('the removal of a deleted app', () => {
  it('knows every table that has an app’s rows', async () => {
    const tables = await test.database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns JOIN pg_class ON relname = table_name
       WHERE table_schema = 'public' AND column_name = 'app_id' AND NOT relispartition ORDER BY 1`,
    );
    // A table that is missing here keeps the rows of apps that are gone: add it to owned-rows.ts.
    expect([...ownedTables, ...keptTables].toSorted()).toEqual(tables.map(({ name }) => name));
  });

  it('leaves no row of it in any table, and its audit log', async () => {
    const appId = await buildFullApp(10);
    for (const table of ownedTables) expect([table, await count(table, appId)]).not.toEqual([table, 0]);
    await markDeleted(appId);
    while ((await remove(100)) > 0);
    for (const table of ownedTables) expect([table, await count(table, appId)]).toEqual([table, 0]);
    expect(await test.database.query(`SELECT 1 FROM apps WHERE id = $1`, [appId])).toEqual([]);
    expect([await count('audit_log', appId), await count('removed_apps', appId)]).toEqual([1, 1]);
  });

  it('takes no more rows at a time than it may, and goes on where it stopped', async () => {
    const appId = await buildFullApp(50);
    await markDeleted(appId);
    const steps: number[] = [];
    for (let removed = await remove(7); removed > 0; removed = await remove(7)) steps.push(removed);
    // Each step is a transaction of its own, so stopping after any of them is one of these steps.
    expect(Math.max(...steps)).toBeLessThanOrEqual(7);
    expect(steps.length).toBeGreaterThan(8);
    expect(await count('subscriptions', appId)).toBe(0);
  });

  it('touches no other app, and none that was deleted only just now', async () => {
    const [deleted, kept] = [await buildFullApp(5), await buildFullApp(5)];
    await markDeleted(deleted, 30);
    const store = createRemovalStore(test.database);
    expect(await store.removeOfDeletedApp(100)).toBe(0);
    await markDeleted(deleted, 61);
    while ((await store.removeOfDeletedApp(100)) > 0);
    for (const table of ownedTables) expect([table, await count(table, kept)]).not.toEqual([table, 0]);
  });

  it('by several engines at once removes each row once', async () => {
    const apps = [await buildFullApp(300), await buildFullApp(300)];
    for (const appId of apps) await markDeleted(appId);
    const engine = async (): Promise<number> => {
      let total = 0;
      for (let idle = 0; idle < 20; ) {
        const removed = await remove(20);
        total += removed;
        idle = removed === 0 ? idle + 1 : 0;
      }
      return total;
    };
    const totals = await Promise.all([engine(), engine(), engine()]);
    expect(totals.reduce((sum, each) => sum + each)).toBeGreaterThan(2 * 300);
    expect(await test.database.query(`SELECT 1 FROM apps`)).toEqual([]);
    for (const appId of apps) expect(await count('removed_apps', appId)).toBe(1);
  });

  it('never waits: rows that an engine holds are left for a later step', async () => {
    const appId = await buildFullApp(3);
    await markDeleted(appId);
    await test.database.transaction(async (sql) => {
      await sql.query(`SELECT 1 FROM shards WHERE app_id = $1 FOR UPDATE`, [appId]);
      expect(await remove(100)).toBe(0);
    });
    expect(await remove(100)).toBeGreaterThan(3);
  });
});

describe('rows due for deletion in ClickHouse', () => {
  it('is one day’s, under one key, twice, and then the key goes too', async () => {
    const store = createRemovalStore(test.database);
    const appId = 7 as AppId;
    await forgetSubscriptions(test.database, appId, [1, 2]);
    await forgetSubscriptions(test.database, appId, [2, 3]);
    await test.database.query(
      `UPDATE forgotten_subscriptions SET day = day - 2, due_at = now() - interval '2 days' WHERE seq < 3`,
    );
    const first = await store.dueSubscriptions(100);
    expect(first?.subscriptions.map(({ seq }) => seq)).toEqual([1, 2]);
    // Asked again after a crash in between: the same, with the same key.
    const again = await store.dueSubscriptions(100);
    expect(again).toEqual(first);
    if (first === null) throw new Error('nothing was due');
    await store.noteSubscriptionsForgotten(first);
    const other = await store.dueSubscriptions(100);
    expect(other?.subscriptions.map(({ seq }) => seq)).toEqual([3]);
    expect(other?.key).not.toEqual(first.key);

    await test.database.query(
      `UPDATE forgotten_subscriptions SET due_at = now() - interval '3 days' WHERE last_pass`,
    );
    const last = await store.dueSubscriptions(100);
    expect(last).toEqual({
      key: first.key,
      subscriptions: [1, 2].map((seq) => expect.objectContaining({ seq, lastPass: true })),
    });
    if (last !== null) await store.noteSubscriptionsForgotten(last);
    expect(await test.database.query(`SELECT seq FROM forgotten_subscriptions`)).toEqual([{ seq: 3 }]);
    expect(await test.database.query(`SELECT key FROM forgetting_keys`)).toEqual([
      { key: Buffer.from(other?.key ?? randomBytes(16)) },
    ]);
  });

  it('is an app that is gone, at once and once more later', async () => {
    const store = createRemovalStore(test.database);
    await test.database.query(`INSERT INTO removed_apps (app_id) VALUES (7)`);
    const due = await store.dueApps(10);
    expect(due).toEqual([{ appId: 7, lastPass: false }]);
    await store.noteAppsForgotten(due);
    expect(await store.dueApps(10)).toEqual([]);
    await test.database.query(`UPDATE removed_apps SET due_at = now()`);
    await store.noteAppsForgotten(await store.dueApps(10));
    expect(await test.database.query(`SELECT 1 FROM removed_apps`)).toEqual([]);
  });

  it('has one turn at a time, over all callers', async () => {
    const store = createRemovalStore(test.database);
    const turns = await Promise.all([1, 2, 3].map(() => store.takeTurn('forget', 60_000)));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(await store.takeTurn('sweep', 0)).toBe(true);
    expect(await store.takeTurn('sweep', 0)).toBe(true);
  });
});

describe('an engine that still works on a removed app', () => {
  it('finds its lease lost, writes nothing, and throws nothing', async () => {
    const app = await buildApp(test.database, { subscribers: 3 });
    const delivery = await buildDelivery(test.database, app.id, { status: 'processing' });
    const [shard] = await test.database.query<{ id: ShardId }>(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state)
       VALUES ($1, $2, 0, '{0,1}', 3, 'released') RETURNING id`,
      [delivery, app.id],
    );
    const shards = createShardStore(test.database, testSealer);
    const blocks = createBlockStore(test.database);
    const lease = await shards.lease(toId(shard?.id), 'engine', 60_000);
    if (lease === null) throw new Error('the shard was not leased');
    await markDeleted(app.id);
    while ((await remove(100)) > 0);
    expect(await shards.renew(lease, 60_000)).toBe('lost');
    expect(await blocks.fixAudience(lease, 1, new Uint8Array(128))).toBeNull();
    expect(await shards.settle(lease)).toEqual({ kind: 'lease-lost' });
    expect(await shards.stop(lease)).toBe(false);
    expect(await shards.lease(toId(shard?.id), 'engine', 60_000)).toBeNull();
    expect(await count('blocks', app.id)).toBe(0);
  });
});
