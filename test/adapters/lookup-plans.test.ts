// tier: system
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertSubscriptions as storeTransferred } from '../../api/cli/app-transfer/import-store.ts';
import type { ImportRow } from '../../api/cli/import/row.ts';
import { storeBatch as storeImported } from '../../api/cli/import/store.ts';
import { createReadLeftAfter } from '../../api/client/deliveries/create/left-after.ts';
import type { StoredDelivery } from '../../api/client/deliveries/store.ts';
import { findSeq, findSubscription } from '../../api/client/subscriptions/store.ts';
import { resolveNames } from '../../api/public/beacons/store.ts';
import type { BrowserName } from '../../api/public/browser-name.ts';
import type { ParsedSubscription } from '../../api/public/subscribe/parse-subscription.ts';
import { createStoreBatch } from '../../api/public/subscribe/store-batch.ts';
import { writeTags } from '../../api/public/tags/store.ts';
import { leave, touch } from '../../api/public/update/store.ts';
import type { Visitor } from '../../api/visitor/visitor.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createEngagementStore } from '../../engine/adapters/postgres/record/engagement-store.ts';
import { BITMAP_BYTES } from '../../engine/contract/bitmap.ts';
import type { AppId, DeliveryId } from '../../engine/contract/ids.ts';
import { buildApp, buildDelivery, buildSubscriptions } from '../support/builders.ts';
import { someOf } from '../support/cases.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createPlanReader, type PlanReader, rowsRead, walks } from '../support/read-plans.ts';

/** Between 15,000 and 160,000 the primary key's tree is lower than the endpoints': its walk looks cheapest. */
const ROWS = 20_000;

/** Possible statistics when an app's rows are looked up. */
const states: Record<string, (database: Database, app: AppId) => Promise<void>> = {
  'never analysed': async (database, app) => buildSubscriptions(database, app, ROWS),
  'analysed as it is': async (database, app) => {
    await buildSubscriptions(database, app, ROWS);
    await analyse(database);
  },
  'analysed when empty': async (database, app) => {
    await analyse(database);
    await buildSubscriptions(database, app, ROWS);
  },
  'analysed when another app was alone': async (database, app) => {
    const neighbour = await neighbourOf(database, app);
    await buildSubscriptions(database, neighbour, ROWS);
    await analyse(database);
    await buildSubscriptions(database, app, ROWS);
  },
  'analysed when all but a few rows had been deleted': async (database, app) => {
    const neighbour = await neighbourOf(database, app);
    await buildSubscriptions(database, neighbour, ROWS);
    await database.query(`ALTER TABLE subscriptions DISABLE TRIGGER USER`);
    await database.query(`DELETE FROM subscriptions WHERE app_id = $1 AND seq < $2`, [neighbour, ROWS - 10]);
    await database.query(`ALTER TABLE subscriptions ENABLE TRIGGER USER`);
    await analyse(database);
    await buildSubscriptions(database, app, ROWS);
  },
};

const analyse = (database: Database) => database.query('VACUUM ANALYZE');

/** An app whose rows are in the same partition. */
async function neighbourOf(database: Database, app: AppId): Promise<AppId> {
  for (;;) {
    const { id } = await buildApp(database);
    const [row] = await database.query<{ same: boolean }>(
      `SELECT (SELECT min(part) FROM generate_series(0, 15) AS part
         WHERE satisfies_hash_partition('subscriptions'::regclass, 16, part, $1::integer)) =
         (SELECT min(part) FROM generate_series(0, 15) AS part
         WHERE satisfies_hash_partition('subscriptions'::regclass, 16, part, $2::integer)) AS same`,
      [app, id],
    );
    if (row?.same) return id;
  }
}

const visitor: Visitor = {
  deviceType: 'mobile',
  browserName: 'Firefox',
  browserVersion: '140',
  osName: null,
  osVersion: null,
  country: 'PL',
};
/** Of the browser with that number. */
const secretOf = (n: number): Buffer => hash('sha256', String(n), 'buffer');
const user = (identity: string): BrowserName => ({ kind: 'user', identity });
const withSecret = (n: number): BrowserName => ({ kind: 'secret', hash: secretOf(n) });

const browser = (
  endpoint: string,
  userIdentity: string | null,
  secretHash: Buffer | null = null,
): ParsedSubscription => ({
  endpoint,
  p256dh: Buffer.alloc(65, 4),
  auth: Buffer.alloc(16, 10),
  userIdentity,
  secretHash,
  externalIds: {},
  categoryIds: null,
  vapidKeyNumber: null,
  visitor,
  timeZone: 'Europe/Berlin',
  language: null,
});
const importRow = (endpoint: string): ImportRow => ({
  endpoint,
  p256dh: Buffer.alloc(65, 4),
  auth: Buffer.alloc(16, 11),
  userIdentity: null,
  tags: '{"topic":"sports"}',
  country: 'PL',
  device: null,
  timeZone: 'Europe/Berlin',
  language: null,
  createdAt: null,
  lastSeenAt: null,
  externalIds: '{}',
  vapidKeyNumber: null,
});
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

/** A delivery to every row of this number of blocks, accepted for all of them. */
async function buildSettled(database: Database, app: AppId, blocks: number): Promise<DeliveryId> {
  const id = await buildDelivery(database, app, { status: 'success' });
  const everyone = Buffer.alloc(BITMAP_BYTES, 0xff);
  await database.query(
    `WITH shard AS (
       INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state)
       SELECT $2, $1, 0, array_agg(block), $3 * 1024, 'settled' FROM generate_series(0, $3 - 1) AS block RETURNING id
     )
     INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled)
     SELECT $1, $2, block, shard.id, $4, $4, $4 FROM shard, generate_series(0, $3 - 1) AS block`,
    [app, id, blocks, everyone],
  );
  return id;
}

describe.each(someOf(Object.entries(states), 2))('lookups in a table %s', (_, prepare) => {
  let test: TestDatabase;
  let reader: PlanReader;
  let app: AppId;
  beforeAll(async () => {
    test = await createTestDatabase();
    app = (await buildApp(test.database)).id;
    for (const table of [
      'subscriptions',
      'subscription_facets',
      'subscription_activity',
      'subscription_tags',
    ])
      for (const part of numbers(0, 16))
        await test.database.query(
          `ALTER TABLE ${table}_${String(part).padStart(2, '0')} SET (autovacuum_enabled = off)`,
        );
    await test.database.query(`ALTER TABLE blocks SET (autovacuum_enabled = off)`);
    await prepare(test.database, app);
    reader = await createPlanReader(test.url);
  });
  afterAll(async () => {
    await reader.close();
    await test.drop();
  });
  const walksOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    reader.take();
    await work();
    const plans = reader.take();
    expect(plans.some(({ statement }) => statement.includes('subscriptions'))).toBe(true);
    return plans.flatMap(walks);
  };
  const database = () => reader.database as Database;
  const store = (items: readonly ParsedSubscription[]) => createStoreBatch(database())(app, items);

  it('a subscribe of new browsers reads no other', async () => {
    const items = numbers(0, 64).map((n) => browser(`https://push.example/new-${n}`, `new-${n}`));
    expect(await walksOf(() => store(items))).toEqual([]);
  });

  it('a subscribe of browsers that are known reads no other', async () => {
    const known = numbers(300, 64).map((n) => browser(`https://push.example/${n}`, `user-${n}`));
    expect(await walksOf(() => store(known))).toEqual([]);
    expect(await walksOf(() => store(known))).toEqual([]);
  });

  it('a subscribe of browsers with another endpoint or another user reads no other', async () => {
    const moved = numbers(600, 32).map((n) => browser(`https://push.example/moved-${n}`, `user-${n}`));
    const merged = numbers(700, 32).map((n) => browser(`https://push.example/${n}`, `user-${n + 100}`));
    expect(await walksOf(() => store([...moved, ...merged]))).toEqual([]);
  });

  it('one browser’s subscribe, update, tags and unsubscribe read no other', async () => {
    const external = { externalIds: { oid: '1' }, visitor, timeZone: 'Asia/Tokyo', language: null };
    expect(await walksOf(() => store([browser('https://push.example/1', 'user-1')]))).toEqual([]);
    expect(await walksOf(() => touch(database(), app, user('user-2'), external))).toEqual([]);
    expect(await walksOf(() => writeTags(database(), app, user('user-3'), { topic: 'sports' }))).toEqual([]);
    expect(await walksOf(() => leave(database(), app, user('user-4')))).toEqual([]);
  });

  it('browsers with a secret read no other row: new, known, moved, tagged and unsubscribed', async () => {
    // Half of them take over a row that has none.
    const taking = numbers(1_000, 32).map((n) =>
      browser(`https://push.example/${n}`, 'one user', secretOf(n)),
    );
    const fresh = numbers(40_000, 32).map((n) =>
      browser(`https://push.example/${n}`, 'one user', secretOf(n)),
    );
    for (let time = 0; time < 2; time++)
      expect(await walksOf(() => store([...taking, ...fresh]))).toEqual([]);
    const moved = numbers(1_000, 16).map((n) =>
      browser(`https://push.example/elsewhere-${n}`, 'one user', secretOf(n)),
    );
    expect(await walksOf(() => store(moved))).toEqual([]);
    expect(await walksOf(() => store([browser('https://push.example/2000', null, secretOf(1_001))]))).toEqual(
      [],
    );
    const external = { externalIds: { oid: '1' }, visitor, timeZone: 'Asia/Tokyo', language: null };
    expect(await walksOf(() => touch(database(), app, withSecret(1_002), external))).toEqual([]);
    expect(await walksOf(() => writeTags(database(), app, withSecret(1_003), { a: 'b' }))).toEqual([]);
    expect(await walksOf(() => leave(database(), app, withSecret(1_004)))).toEqual([]);
    // Without a secret by the name that all of them have.
    expect(await walksOf(() => leave(database(), app, user('one user')))).toEqual([]);
  });

  it('beacons read only the subscriptions that they name', async () => {
    const id = await buildDelivery(test.database, app, {});
    const [{ identifier } = { identifier: '' }] = await test.database.query<{ identifier: string }>(
      `SELECT identifier FROM deliveries WHERE id = $1`,
      [id],
    );
    const named = numbers(0, 200).map((n) => ({
      appId: app,
      delivery: identifier,
      secretHash: secretOf(1_000 + n),
    }));
    expect(await walksOf(() => resolveNames(database(), named))).toEqual([]);
  });

  it('an import of new and of known lines reads no other, and joins nothing row by row', async () => {
    const known = numbers(1_000, 2_000).map((n) => importRow(`https://push.example/${n}`));
    const fresh = numbers(0, 2_000).map((n) => importRow(`https://push.example/imported-${n}`));
    expect(await walksOf(() => storeImported(database(), app, [...known, ...fresh]))).toEqual([]);
    expect(await walksOf(() => storeImported(database(), app, [...known, ...fresh]))).toEqual([]);
  });

  it('a transfer of new and of known lines reads no other', async () => {
    const line = (endpoint: string, n: number) => ({
      ...{
        n,
        endpoint,
        p256dh: `\\x${'04'.repeat(65)}`,
        auth: `\\x${'0a'.repeat(16)}`,
        tags: {},
        external_ids: {},
      },
      secret_hash: n % 2 === 0 ? `\\x${secretOf(50_000 + n).toString('hex')}` : null,
      ...{ vapid_key_number: 1, category_ids: null, wishes: null, status: 'subscribed' as const },
    });
    const known = numbers(3_000, 500).map((n) => line(`https://push.example/${n}`, n));
    const fresh = numbers(0, 500).map((n) => line(`https://push.example/transferred-${n}`, n));
    expect(await walksOf(() => storeTransferred(database(), app, [...known, ...fresh]))).toEqual([]);
    expect(await walksOf(() => storeTransferred(database(), app, [...known, ...fresh]))).toEqual([]);
  });

  it('a client that names one reads no other', async () => {
    const [row] = await test.database.query<{ id: number }>(
      `SELECT id FROM subscriptions WHERE app_id = $1 ORDER BY seq LIMIT 1 OFFSET 4000`,
      [app],
    );
    expect(await walksOf(() => findSubscription(database(), app, row?.id ?? 0))).toEqual([]);
    expect(await walksOf(() => findSeq(database(), app, row?.id ?? 0))).toEqual([]);
  });

  it('noted clicks read only the subscriptions that clicked', async () => {
    const clicks = numbers(4_000, 200).map((seq) => ({ appId: app, seq, atMs: Date.UTC(2026, 0, 31) }));
    expect(await walksOf(() => createEngagementStore(database()).noteClicks(clicks))).toEqual([]);
  });

  it('deleted rows leave their lists without reading others', async () => {
    const seqs = numbers(5_000, 20);
    expect(
      await walksOf(() =>
        database().query('DELETE FROM subscriptions WHERE app_id = $1 AND seq = ANY($2)', [app, seqs]),
      ),
    ).toEqual([]);
  });

  it('readers who unsubscribed after a delivery are counted without the blocks of other deliveries', async () => {
    const startedAt = new Date(Date.now() - 240 * 3_600_000);
    const blocks = Math.ceil(ROWS / 1_024);
    const ids = [];
    for (let n = 0; n < 40; n++) ids.push(await buildSettled(test.database, app, blocks));
    await test.database.query(
      `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = $2::timestamptz + CASE
         WHEN seq % 10 = 0 THEN interval '1 hour' ELSE interval '-1 day' END
       WHERE app_id = $1 AND seq >= 10000 AND seq < 20000 AND seq % 5 = 0`,
      [app, startedAt],
    );
    const delivery = { id: ids[20], started_at: startedAt, rehearsal: false } as StoredDelivery;
    reader.take();
    expect(await createReadLeftAfter(database())(app, delivery, Date.now())).toBe(1_000);
    const plans = reader.take();
    expect(plans.flatMap(walks)).toEqual([]);
    expect(rowsRead(plans, 'blocks')).toBe(blocks);
  });
});
