// tier: postgres
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWelcomeStore } from '../../engine/adapters/postgres/campaigns/welcome-store.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { createScheduleStore } from '../../engine/adapters/postgres/plan/schedule-store.ts';
import { createFoldFacets } from '../../engine/adapters/postgres/removal/fold-facets.ts';
import { createRemovalStore } from '../../engine/adapters/postgres/removal/removal-store.ts';
import { createStandingStore } from '../../engine/adapters/postgres/standing/standing-store.ts';
import { createVapidReaper } from '../../engine/adapters/postgres/vapid-store.ts';
import { createWelcomeStep } from '../../engine/campaigns/welcome-step.ts';
import type { AppId, ShardId } from '../../engine/contract/ids.ts';
import type { LeasedShard } from '../../engine/contract/shard.ts';
import { createScheduleTick } from '../../engine/plan/schedule.ts';
import { createStandingStep } from '../../engine/standing/step.ts';
import { buildApp, buildDelivery, testSealer } from '../support/builders.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';

/**
 * Loops that take what is due of all apps. One app's row refuses every change, as a broken page or a check of a newer
 * release would; it comes first, and the other apps' work is done all the same.
 */
interface Loop {
  /** Whose rows refuse to be changed. */
  readonly table: string;
  /** Makes work of the app that is due; called for the poisoned one first. */
  readonly due: (database: Database, app: AppId) => Promise<unknown>;
  readonly step: (database: Database) => () => Promise<unknown>;
  /** SQL of app `$1`. */
  readonly isDone: string;
}

const delivery =
  (status: string, more: string) =>
  async (database: Database, app: AppId): Promise<void> => {
    const id = await buildDelivery(database, app, { status });
    await database.query(`UPDATE deliveries SET ${more} WHERE id = $1`, [id]);
  };
const tick = (database: Database) =>
  createScheduleTick({
    store: createScheduleStore(database),
    release: createReleaseStore(database),
    wakeRelay: () => {},
  });
const hasOutbox = `EXISTS (SELECT FROM outbox JOIN deliveries ON outbox.key = deliveries.id::text WHERE app_id = $1)`;

/** Each due for an hour. */
function shardsThat(
  state: 'planned' | 'released' | 'waiting',
  delivery = 'rate_per_minute = NULL',
  shard = 'budgeted = false',
): Loop {
  return {
    table: 'shards',
    due: async (database, app) => {
      const id = await buildDelivery(database, app, { status: 'processing' });
      await database.query(`UPDATE deliveries SET ${delivery} WHERE id = $1`, [id]);
      await database.query(
        `INSERT INTO shards (delivery_id, app_id, number, blocks, state, planned_targets, due_at)
         VALUES ($1, $2, 0, '{0}', $3, 1, now() - interval '1 hour')`,
        [id, app, state],
      );
      await database.query(`UPDATE shards SET ${shard} WHERE delivery_id = $1`, [id]);
    },
    step: tick,
    isDone: `EXISTS (SELECT FROM outbox JOIN shards ON outbox.key = shards.id::text
      WHERE topic = 'shards.bulk' AND app_id = $1)`,
  };
}

const budgeted = shardsThat('waiting', 'rate_per_minute = NULL', 'budgeted = true, due_at = NULL');

/** By a push service that throttled the app this long ago: until the day after, it gets no more. */
const limit = (database: Database, app: AppId, ago: string) =>
  database.query(
    `INSERT INTO push_service_standings (app_id, service, limited_since, allowed_per_minute, lowest_per_minute,
       throttled_at, grow_at, grow_wait_minutes)
     SELECT $1, 'fcm', at - interval '10 days', 10, 10, at, at + interval '1 day', 1 FROM (SELECT now() - $2::interval AS at) AS given`,
    [app, ago],
  );

const loops: Readonly<Record<string, Loop>> = {
  'deliveries whose time has come': {
    table: 'deliveries',
    due: delivery('scheduled', `scheduled_at = now() - interval '1 hour'`),
    step: tick,
    isDone: hasOutbox,
  },
  'deliveries whose message is lost': {
    table: 'deliveries',
    due: delivery('queued', `updated_at = now() - interval '1 hour'`),
    step: tick,
    isDone: hasOutbox,
  },
  'shards that nobody ran': shardsThat('released'),
  'shards that nobody released': shardsThat('planned'),
  'shards of paced deliveries': shardsThat('waiting', 'rate_per_minute = 600'),
  'shards that wait for a budget': {
    ...budgeted,
    due: async (database, app) => {
      await budgeted.due(database, app);
      await limit(database, app, '0 days');
    },
  },
  'shards whose budget ended': {
    ...budgeted,
    isDone: `EXISTS (SELECT FROM shards WHERE app_id = $1 AND NOT budgeted)`,
  },
  'ended key pairs': {
    table: 'subscriptions',
    due: async (database, app) => {
      await database.query(
        `INSERT INTO vapid_keys (app_id, number, public_key, private_key_sealed, state, created_at, ended_at)
         VALUES ($1, 9, 'old', '\\x00', 'ended', now(), now())`,
        [app],
      );
      await database.query(`UPDATE subscriptions SET vapid_key_number = 9 WHERE app_id = $1 AND seq = 0`, [
        app,
      ]);
    },
    step: (database) => createVapidReaper(database),
    isDone: `EXISTS (SELECT FROM subscriptions WHERE app_id = $1 AND seq = 0 AND status = 'unsubscribed')`,
  },
  'words that readers are searched by': {
    table: 'subscription_facets',
    due: async (database, app) => {
      await database.query(`UPDATE subscription_facets SET words = 'ÄB-1' WHERE app_id = $1 AND seq = 0`, [
        app,
      ]);
      await database.query(`INSERT INTO unfolded_facets (app_id, below) VALUES ($1, 3)`, [app]);
    },
    step: createFoldFacets,
    isDone: `NOT EXISTS (SELECT FROM unfolded_facets WHERE app_id = $1)`,
  },
  'people who are erased': {
    table: 'subscriptions',
    due: (database, app) =>
      database.query(
        `INSERT INTO erasure_parts (erasure_id, part, app_id, seqs) VALUES ($1::integer, 1, $1, '{1}')`,
        [app],
      ),
    step: (database) => createRemovalStore(database).eraseNextPart,
    isDone: `NOT EXISTS (SELECT FROM subscriptions WHERE app_id = $1 AND seq = 1)`,
  },
  'readers who left': {
    table: 'subscriptions',
    due: async (database, app) => {
      await database.query(
        `UPDATE subscriptions SET status = 'unsubscribed', unsubscribed_at = now() - interval '31 days'
         WHERE app_id = $1 AND seq = 0`,
        [app],
      );
      await database.query(
        `UPDATE apps SET active_subscriber_count = active_subscriber_count - 1,
           auto_delete_unsubscribed_enabled = true, auto_delete_unsubscribed_days = 30 WHERE id = $1`,
        [app],
      );
    },
    step: (database) => {
      const store = createRemovalStore(database);
      return () => store.deleteExpired(100);
    },
    isDone: `NOT EXISTS (SELECT FROM subscriptions WHERE app_id = $1 AND seq = 0)`,
  },
  'deleted apps': {
    table: 'deliveries',
    due: async (database, app) => {
      await buildDelivery(database, app);
      await database.query(`UPDATE apps SET deleted_at = now() - interval '1 hour' WHERE id = $1`, [app]);
    },
    step: (database) => {
      const store = createRemovalStore(database);
      return () => store.removeOfDeletedApp(500);
    },
    isDone: `NOT EXISTS (SELECT FROM apps WHERE id = $1)`,
  },
  'how push services treat apps': {
    table: 'push_service_standings',
    due: (database, app) => limit(database, app, '80 days'),
    step: (database) => createStandingStep({ store: createStandingStore(database), onChanged: () => {} }),
    isDone: `EXISTS (SELECT FROM push_service_standings WHERE app_id = $1 AND (ended_at IS NOT NULL OR allowed_per_minute > 10))`,
  },
  welcomes: {
    table: 'welcomes',
    due: async (database, app) => {
      await database.query(
        `INSERT INTO welcome_templates (app_id, enabled, title, body, url, delay_minutes, next_at)
         VALUES ($1, true, 'Welcome', 'Good to see you', 'https://news.example/', 0, now() - interval '1 hour')`,
        [app],
      );
      await database.query(
        `INSERT INTO welcomes (app_id, seq, due_at) VALUES ($1, 0, now() - interval '1 hour')`,
        [app],
      );
    },
    step: (database) =>
      createWelcomeStep({
        store: createWelcomeStore(database),
        identify: (app) => ({ app, delivery: `dlv_${app}`, proof: 'proof' }),
        wakeRelay: () => {},
        onPostponed: () => {},
      }),
    isDone: `NOT EXISTS (SELECT FROM welcomes WHERE app_id = $1)`,
  },
};

async function refuseChanges(database: Database, table: string, rows: string): Promise<void> {
  await database.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a broken page'; END $$`,
  );
  await database.query(
    `CREATE TRIGGER refuse BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW WHEN (${rows}) EXECUTE FUNCTION refuse()`,
  );
}

describe('work that is due of all apps', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  it.each(Object.entries(loops))(
    'goes on behind an app whose rows cannot be changed: %s',
    async (_name, { table, due, step, isDone }) => {
      const { database } = test;
      const apps: AppId[] = [];
      for (let n = 0; n < 3; n++) {
        const { id } = await buildApp(database, { subscribers: 3 });
        await due(database, id);
        apps.push(id);
      }
      const [odd, ...sound] = apps;
      await refuseChanges(database, table, `OLD.app_id = ${odd}`);
      const next = step(database);
      for (let time = 0; time < 12; time++)
        await next().catch((error: Error & { errors?: Error[] }) =>
          expect((error.errors ?? [error]).map(({ message }) => message)).toContain('a broken page'),
        );
      const done = await Promise.all(
        apps.map(
          async (app) => (await database.query<{ done: boolean }>(`SELECT ${isDone} AS done`, [app]))[0],
        ),
      );
      expect(done).toEqual([{ done: false }, ...sound.map(() => ({ done: true }))]);
    },
  );

  it('ends a shard though the next one cannot be released', async () => {
    const { database } = test;
    const { id: app } = await buildApp(database);
    const delivery = await buildDelivery(database, app, { status: 'processing' });
    const [first, next] = await database.query<{ id: ShardId }>(
      `INSERT INTO shards (delivery_id, app_id, number, blocks, state, planned_targets)
       SELECT $1, $2, number, '{0}', state, 1 FROM (VALUES (0, 'released'), (1, 'planned')) AS given (number, state)
       RETURNING id`,
      [delivery, app],
    );
    await database.query('UPDATE deliveries SET open_shards = 2 WHERE id = $1', [delivery]);
    await refuseChanges(database, 'shards', `OLD.id = ${next?.id}`);
    const shards = createShardStore(database, testSealer);
    const lease = await shards.lease(first?.id as ShardId, 'engine-1', 10_000);
    expect(await shards.settle(lease as LeasedShard)).toEqual({ kind: 'settled' });
  });
});

describe('words that readers are searched by', () => {
  it('are folded of each app in turn, whatever the size of another one and whatever is locked in it', async () => {
    const test = await createTestDatabase();
    const { database } = test;
    const [large, small] = [
      await buildApp(database, { subscribers: 3 }),
      await buildApp(database, { subscribers: 3 }),
    ];
    await database.query(`UPDATE subscription_facets SET words = 'ÄB-1'`);
    await database.query(`INSERT INTO unfolded_facets (app_id, below) VALUES ($1, 10000000), ($2, 3)`, [
      large.id,
      small.id,
    ]);
    const left = () => database.query(`SELECT app_id, below FROM unfolded_facets ORDER BY app_id`);
    const fold = createFoldFacets(database);
    for (let time = 0; time < 2; time++) expect(await fold()).toBe(1);
    expect(await left()).toEqual([{ app_id: large.id, below: 9_990_000 }]);
    // A row that somebody holds keeps its own app alone, and ends a turn in which nothing else is left.
    await database.query(`UPDATE unfolded_facets SET below = 3`);
    await database.transaction(async (sql) => {
      await sql.query(`SELECT FROM subscription_facets WHERE app_id = $1 FOR UPDATE`, [large.id]);
      expect([await fold(), await fold()]).toEqual([1, 0]);
      await database.query(`UPDATE subscription_facets SET words = 'ÄB-1' WHERE app_id = $1`, [small.id]);
      await database.query(`INSERT INTO unfolded_facets (app_id, below) VALUES ($1, 3)`, [small.id]);
      while ((await fold()) > 0);
      expect(await left()).toEqual([{ app_id: large.id, below: 3 }]);
    });
    while ((await fold()) > 0);
    expect(await left()).toEqual([]);
    await test.drop();
  });
});
