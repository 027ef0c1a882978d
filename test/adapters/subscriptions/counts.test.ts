// tier: postgres
import { afterAll, describe, expect, it } from 'vitest';
import { insertSubscriptions } from '../../../api/cli/app-transfer/import-store.ts';
import { storeBatch as importBatch } from '../../../api/cli/import/store.ts';
import { changePreferences } from '../../../api/public/preferences/store.ts';
import { createStoreBatch } from '../../../api/public/subscribe/store-batch.ts';
import { leave } from '../../../api/public/update/store.ts';
import type { Database } from '../../../engine/adapters/postgres/database.ts';
import { createBlockStore } from '../../../engine/adapters/postgres/dispatch/block-store.ts';
import { createEngagementStore } from '../../../engine/adapters/postgres/record/engagement-store.ts';
import { eraseSubscriptions } from '../../../engine/adapters/postgres/removal/erase.ts';
import { createPruneStore } from '../../../engine/adapters/postgres/removal/prune-store.ts';
import { createRemovalStore } from '../../../engine/adapters/postgres/removal/removal-store.ts';
import { createVapidReaper } from '../../../engine/adapters/postgres/vapid-store.ts';
import { bitmapOf, emptyBitmap } from '../../../engine/contract/bitmap.ts';
import { pause, systemClock } from '../../../engine/contract/concurrency/clock.ts';
import type { AppId, DeliveryId, ShardId } from '../../../engine/contract/ids.ts';
import type { BlockEnd, LeasedShard } from '../../../engine/contract/shard.ts';
import { buildApp, buildDelivery } from '../../support/builders.ts';
import { createTestDatabase } from '../../support/postgres.ts';

const key = (byte: number, length: number): Buffer => Buffer.alloc(length, byte);
const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
const keys = { p256dh: key(4, 65), auth: key(10, 16) };
const endpointOf = (seq: number | string): string => `https://push.example/${seq}`;
const DAY_MS = 86_400_000;

/** The order that every writer keeps, row by row: whoever waits for one holds none behind it. */
const places = [
  'failing_endpoints WHERE seq = 1 AND app_id',
  'failing_endpoints WHERE seq = 2 AND app_id',
  'subscriptions WHERE seq = 1 AND app_id',
  'subscriptions WHERE seq = 2 AND app_id',
  'accepted_endpoints WHERE block = 0 AND app_id',
  'apps WHERE id',
] as const;

interface World {
  readonly database: Database;
  readonly appId: AppId;
  /** Of reader 1. */
  readonly subscriptionId: number;
  readonly lease: LeasedShard;
}

/** What some writers need beside that. */
const prepare: Readonly<Record<string, string>> = {
  'the deletion of expired ones': `UPDATE apps SET auto_delete_unsubscribed_enabled = true,
    auto_delete_unsubscribed_days = 1 WHERE id = $1`,
  pruning: 'UPDATE apps SET prune_unreachable_days = 90 WHERE id = $1',
  'the end of a key pair': `WITH ended AS (
      INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, created_at, state, ended_at)
      SELECT id, 7, '', '', now(), 'ended', now() FROM apps WHERE id = $1
    ) UPDATE subscriptions SET vapid_key_number = 7 WHERE app_id = $1 AND seq IN (1, 2)`,
};

/** Six readers, quiet for long, of whom one has left, two failed lately and all accepted before. */
async function buildWorld(database: Database): Promise<World> {
  const { id: appId } = await buildApp(database, { subscribers: 6 });
  const deliveryId = await buildDelivery(database, appId);
  await database.query(
    `WITH old AS (
       UPDATE subscriptions SET created_at = now() - interval '120 days', last_seen_at = now() - interval '120 days',
         secret_hash = CASE WHEN seq >= 4 THEN sha256(seq::text::bytea) END WHERE app_id = $1
     ), known AS (
       INSERT INTO accepted_endpoints (app_id, block, seqs) VALUES ($1, 0, decode(repeat('ff', 128), 'hex'))
     )
     INSERT INTO failing_endpoints (app_id, seq, endpoint, delivery_id, times, last_at, reason)
     SELECT app_id, seq, hashtextextended(endpoint, 0), 0, 2, now(), 'rejected' FROM subscriptions
     WHERE app_id = $1 AND seq IN (1, 2)`,
    [appId],
  );
  const [shard] = await database.query<{ id: ShardId }>(
    `WITH shard AS (
       INSERT INTO shards (delivery_id, app_id, number, blocks, planned_targets, state, lease_epoch, lease_owner)
       VALUES ($1, $2, 0, '{0}', 6, 'running', 1, 'engine') RETURNING id
     )
     INSERT INTO blocks (app_id, delivery_id, block, shard_id, audience, accepted, settled, slots_at)
     SELECT $2, $1, 0, id, $3, $3, $3, '-infinity' FROM shard RETURNING shard_id AS id`,
    [deliveryId, appId, Buffer.alloc(128)],
  );
  const [reader] = await database.query<{ id: number }>(
    `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() - interval '30 days'
     WHERE app_id = $1 AND seq = 3 RETURNING (SELECT id FROM subscriptions WHERE app_id = $1 AND seq = 1) AS id`,
    [appId],
  );
  await database.query(
    'UPDATE apps SET active_subscriber_count = active_subscriber_count - 1 WHERE id = $1',
    [appId],
  );
  const lease = leaseOf(appId, deliveryId, shard?.id);
  return { database, appId, subscriptionId: reader?.id ?? 0, lease };
}

const leaseOf = (appId: AppId, deliveryId: DeliveryId, shardId: ShardId | undefined): LeasedShard =>
  ({ appId, deliveryId, shardId, epoch: 1, owner: 'engine' }) as unknown as LeasedShard;

const endWith = (end: Pick<BlockEnd, 'gone' | 'invalid' | 'newlyKnown'>) => {
  const maps = { block: 0, audience: emptyBitmap(), accepted: emptyBitmap(), settled: emptyBitmap() };
  const counts = { newlyAccepted: 0, newlyFailed: 0, unknown: 0, reasons: {}, packedOutcomes: null };
  return ({ database, lease }: World) =>
    createBlockStore(database).endBlock(lease, { maps, ...counts, readAtMs: Date.now(), ...end }, 10_000);
};

const noAgent = { deviceType: null, browserName: null, browserVersion: null, osName: null, osVersion: null };
const browser = (endpoint: string, userIdentity: string) => ({
  ...keys,
  ...{ endpoint, userIdentity, secretHash: null, externalIds: {}, categoryIds: null, vapidKeyNumber: null },
  ...{ visitor: { country: 'PL', ...noAgent }, timeZone: null, language: null },
});

const imported = (endpoint: string) => ({
  ...keys,
  ...{ endpoint, userIdentity: null, tags: '{"plan":"new"}', country: null, device: null, timeZone: null },
  ...{ language: null, createdAt: null, lastSeenAt: null, externalIds: '{}', vapidKeyNumber: null },
});

const moved = (endpoint: string) =>
  ({
    endpoint,
    ...{ p256dh: hex(keys.p256dh), auth: hex(keys.auth), secret_hash: null, status: 'subscribed' },
    ...{ vapid_key_number: 0, category_ids: null, wishes: null, tags: {}, external_ids: {} },
  }) as unknown as Parameters<typeof insertSubscriptions>[2][number];

/** Everything that writes subscriptions, each at readers 1 and 2. */
const writers: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'a block’s end with strikes, gone endpoints and first acceptances': endWith({
    gone: [2],
    invalid: [{ seq: 1, reason: 'rejected' }],
    newlyKnown: bitmapOf([2]),
  }),
  'a block’s end that strikes one and clears another': endWith({
    gone: [1],
    invalid: [{ seq: 2, reason: 'rejected' }],
    newlyKnown: bitmapOf([1]),
  }),
  'a block’s end with first acceptances': endWith({ gone: [], newlyKnown: bitmapOf([1, 2]) }),
  'an erasure': ({ database, appId }) => eraseSubscriptions(database, appId, [2, 1]),
  'the deletion of expired ones': ({ database }) => createRemovalStore(database).deleteExpired(10),
  pruning: ({ database, appId }) =>
    createPruneStore(database).prune(
      { appId, days: 90, day: '2026-01-01', nextBlock: 0, blocks: 1 },
      [1, 2, 4, 5],
    ),
  'the end of a key pair': ({ database }) => createVapidReaper(database, { graceSeconds: 0 })(),
  'a subscribe that moves two browsers': ({ database, appId }) =>
    createStoreBatch(database)(appId, [
      browser(endpointOf('two'), 'user-2'),
      browser(endpointOf('one'), 'user-1'),
      browser(endpointOf('three'), 'user-new'),
    ]),
  'a subscribe that repeats itself': ({ database, appId }) =>
    createStoreBatch(database)(appId, [browser(endpointOf(2), 'user-2'), browser(endpointOf(1), 'user-1')]),
  'an unsubscribe': ({ database, appId }) => leave(database, appId, { kind: 'user', identity: 'user-1' }),
  'the preference centre': ({ database, appId, subscriptionId }) =>
    changePreferences(database, { appId, subscriptionId }, { kind: 'leave' }),
  clicks: ({ database, appId }) =>
    createEngagementStore(database).noteClicks(
      [2, 1].map((seq) => ({ appId, seq, atMs: Date.now() - DAY_MS })),
    ),
  'an import': ({ database, appId }) =>
    importBatch(database, appId, [2, 1, 'new'].map(endpointOf).map(imported)),
  'an app’s transfer': ({ database, appId }) =>
    insertSubscriptions(database, appId, [2, 1, 'new'].map(endpointOf).map(moved)),
};

describe('whoever writes subscriptions', async () => {
  const test = await createTestDatabase();
  afterAll(() => test.drop());

  const isWaiting = async (): Promise<boolean> =>
    (
      await test.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).length > 0;

  /** Places behind the held one that the waiting writer has locked. */
  async function heldTooEarly(world: World, place: number): Promise<string[]> {
    const later = places.slice(place + 1);
    const free = await test.database.transaction((sql) =>
      Promise.all(
        later.map(async (each) => {
          const of = `FROM ${each} = $1`;
          const rows = await sql.query(`SELECT ${of} FOR NO KEY UPDATE SKIP LOCKED`, [world.appId]);
          const all = await sql.query(`SELECT ${of}`, [world.appId]);
          return rows.length === all.length;
        }),
      ),
    );
    return later.filter((_, index) => !free[index]);
  }

  /** @returns whether it had to wait for the place. */
  async function playAgainst(place: number, name: string): Promise<boolean> {
    const world = await buildWorld(test.database);
    const setUp = prepare[name];
    if (setUp !== undefined) await test.database.query(setUp, [world.appId]);
    let isDone = false;
    let written: Promise<unknown> | undefined;
    const waited = await test.database.transaction(async (sql) => {
      await sql.query(`SELECT FROM ${places[place]} = $1 FOR NO KEY UPDATE`, [world.appId]);
      written = writers[name]?.(world).finally(() => {
        isDone = true;
      });
      while (!(isDone || (await isWaiting()))) await pause(systemClock, 5);
      expect(await heldTooEarly(world, place), places[place]).toEqual([]);
      return !isDone;
    });
    await written;
    expect(await differences(world)).toEqual({ all: 0, active: 0 });
    // Some writers look for an app that is due: the next one is to be theirs.
    await test.database.query('UPDATE apps SET deleted_at = now() WHERE id = $1', [world.appId]);
    return waited;
  }

  /** By how much the app's row differs from its rows. */
  const differences = async ({ database, appId }: World): Promise<unknown> => {
    const [row] = await database.query(
      `SELECT subscriber_count - count(seq)::integer AS all,
         active_subscriber_count - (count(seq) FILTER (WHERE status = 'subscribed'))::integer AS active
       FROM apps LEFT JOIN subscriptions ON app_id = apps.id WHERE apps.id = $1 GROUP BY apps.id`,
      [appId],
    );
    return row;
  };

  it.each(Object.keys(writers))(
    'holds no lock behind the one that it waits for, and counts: %s',
    async (name) => {
      let waits = 0;
      for (const place of places.keys()) waits += (await playAgainst(place, name)) ? 1 : 0;
      expect(waits).toBeGreaterThan(0);
    },
  );
});
