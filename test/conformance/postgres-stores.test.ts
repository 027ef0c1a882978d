// tier: postgres
import { markCancelled } from '../../api/client/campaigns/store.ts';
import { stopShards } from '../../api/client/deliveries/cancel/stop-shards.ts';
import { createCampaignStore } from '../../engine/adapters/postgres/campaigns/campaign-store.ts';
import { insertCampaign } from '../../engine/adapters/postgres/campaigns/insert-campaign.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import { createBlockStore } from '../../engine/adapters/postgres/dispatch/block-store.ts';
import { createBudgetStore } from '../../engine/adapters/postgres/dispatch/budget-store.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { createPlanStore } from '../../engine/adapters/postgres/plan/plan-store.ts';
import { createReleaseStore } from '../../engine/adapters/postgres/plan/release-store.ts';
import { createScheduleStore } from '../../engine/adapters/postgres/plan/schedule-store.ts';
import { createEngagementStore } from '../../engine/adapters/postgres/record/engagement-store.ts';
import { createRelayStep } from '../../engine/adapters/postgres/relay.ts';
import { createStandingStore } from '../../engine/adapters/postgres/standing/standing-store.ts';
import type { Log } from '../../engine/contract/log.ts';
import { buildApp, buildDelivery, buildSubscriptions, testSealer } from '../support/builders.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { setWishes } from '../support/reader-wishes.ts';
import { describeStores } from './stores.ts';
import { type DeliveryState, type ShardState, type StoresWorld, WINDOW } from './stores-world.ts';

const topics = ['deliveries', 'deliveries.breaking', 'shards.breaking', 'shards.bulk', 'outcomes'] as const;

async function open(): Promise<StoresWorld> {
  const test = await createTestDatabase();
  const { database } = test;
  const { id: appId } = await buildApp(database);
  const only = async <Row extends object>(text: string, values: unknown[]): Promise<Row> => {
    const [row] = await database.query<Row>(text, values);
    if (row === undefined) throw new Error('no row');
    return row;
  };
  return {
    appId,
    plan: createPlanStore(database),
    shards: createShardStore(database, testSealer, WINDOW),
    blocks: createBlockStore(database),
    schedule: createScheduleStore(database),
    campaigns: createCampaignStore(database),
    release: createReleaseStore(database, WINDOW),
    budgets: createBudgetStore(database),
    standings: createStandingStore(database),
    relay: (log) =>
      createRelayStep(database, log as Log, { topics, outcomesPerBatch: 3, outcomesDelayMs: 60_000 })(),
    subscribe: (count) => buildSubscriptions(database, appId, count),
    unsubscribe: (seq) => unsubscribe(database, appId, seq),
    comeBack: async (seq) => {
      await database.query(
        `UPDATE subscriptions SET last_seen_at = now() + interval '1 minute' WHERE app_id = $1 AND seq = $2`,
        [appId, seq],
      );
    },
    click: (seq, daysAgo) =>
      createEngagementStore(database).noteClicks([{ appId, seq, atMs: Date.now() - daysAgo * 86_400_000 }]),
    moveEndpoint: async (seq) => {
      await database.query(
        `UPDATE subscriptions SET endpoint = endpoint || '/moved', last_seen_at = now() WHERE app_id = $1 AND seq = $2`,
        [appId, seq],
      );
    },
    subscribed: () =>
      only(
        `SELECT array_agg(seq ORDER BY seq) AS seqs,
           (SELECT active_subscriber_count FROM apps WHERE id = $1) AS active
         FROM subscriptions WHERE app_id = $1 AND status = 'subscribed'`,
        [appId],
      ),
    setCap: async ({ windowMinutes, maxNotifications }) => {
      await database.query(
        `UPDATE apps SET frequency_cap_window_minutes = $2, frequency_cap_max_notifications = $3 WHERE id = $1`,
        [appId, windowMinutes, maxNotifications],
      );
    },
    setGuard: async (guard) => {
      await database.query('UPDATE apps SET chrome_guard = $2 WHERE id = $1', [appId, guard]);
    },
    setChrome: async (seq, chrome, seenDaysAgo) => {
      await database.query(
        `UPDATE subscriptions SET browser_name = 'Chrome', os_name = $3,
           last_seen_at = now() - make_interval(days => $4) WHERE app_id = $1 AND seq = $2`,
        [appId, seq, chrome === 'android' ? 'Android' : 'Windows', seenDaysAgo],
      );
    },
    setWishes: (seq, wishes) => setWishes(database, appId, seq, wishes),
    createDelivery: async ({ scheduledInMs, rehearsal = false, lane = 'bulk' } = {}) => {
      const scheduledAt = scheduledInMs === undefined ? null : new Date(Date.now() + scheduledInMs);
      const given = scheduledAt === null ? {} : { status: 'scheduled', scheduledAt };
      const id = await buildDelivery(database, appId, given);
      await database.query('UPDATE deliveries SET rehearsal = $2, lane = $3 WHERE id = $1', [
        id,
        rehearsal,
        lane,
      ]);
      return id;
    },
    cancel: (id) =>
      database.transaction(async (sql) => {
        await sql.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [id]);
        await stopShards(sql, id);
      }),
    createCampaign: (settings) =>
      insertCampaign(database, {
        ...{ appId, name: 'Storm', settings, progress: {}, parent: null },
        firstStepAt: new Date(0),
      }),
    cancelCampaign: (id) => database.transaction(async (sql) => void (await markCancelled(sql, id))),
    travel: async (seq, zone) => {
      await database.query(
        `UPDATE subscriptions SET time_zone_id = (SELECT time_zones.id FROM time_zones WHERE name = $3), time_zone_changed_at = now()
         WHERE app_id = $1 AND seq = $2`,
        [appId, seq, zone],
      );
    },
    deliveriesOf: (id) =>
      database.query(
        `SELECT id, campaign_role AS role FROM deliveries WHERE campaign_id = $1 ORDER BY deliveries.id`,
        [id],
      ),
    runsOf: async (id) =>
      (
        await database.query<{ run: string }>(`SELECT run FROM campaigns WHERE parent_id = $1 ORDER BY id`, [
          id,
        ])
      ).map(({ run }) => run),
    pass: (ms) => pass(database, ms),
    delivery: (id) =>
      only<DeliveryState>(
        `SELECT status, open_shards AS open, total_subscribers AS total, capped_subscribers AS capped,
           success_count AS accepted, failed_count AS failed, error_message AS message
         FROM deliveries WHERE id = $1`,
        [id],
      ),
    shardsOf: (id) =>
      database.query<ShardState>(
        `SELECT id, state, lease_epoch AS epoch, attempts, audience_count AS audience,
           capped_count AS capped, guarded_count AS guarded, wished_count AS wished, accepted_count AS accepted, failed_count AS failed,
           unknown_count AS unknown
         FROM shards WHERE delivery_id = $1 ORDER BY number`,
        [id],
      ),
    outbox: async () =>
      (await database.query<{ topic: string }>('SELECT topic FROM outbox ORDER BY id')).map(
        ({ topic }) => topic,
      ),
    close: () => test.drop(),
  };
}

async function unsubscribe(database: Database, appId: number, seq: number): Promise<void> {
  await database.query(`UPDATE subscriptions SET status = 'unsubscribed' WHERE app_id = $1 AND seq = $2`, [
    appId,
    seq,
  ]);
  await database.query(
    `UPDATE apps SET active_subscriber_count = active_subscriber_count - 1 WHERE id = $1`,
    [appId],
  );
}

/** Postgres' time does not move for a test: due times move towards now instead. */
async function pass(database: Database, ms: number): Promise<void> {
  const earlier = `make_interval(secs => $1 / 1000.0)`;
  await database.query(`UPDATE shards SET due_at = due_at - ${earlier}`, [ms]);
  await database.query(
    `UPDATE deliveries SET scheduled_at = scheduled_at - ${earlier}, updated_at = updated_at - ${earlier},
       plan_after = plan_after - ${earlier}`,
    [ms],
  );
  await database.query(`UPDATE outbox SET created_at = created_at - ${earlier}`, [ms]);
  await database.query(
    `UPDATE campaigns SET next_step_at = next_step_at - ${earlier}, retry_at = retry_at - ${earlier}`,
    [ms],
  );
  await database.query(`UPDATE reader_wishes SET paused_until = paused_until - ${earlier}`, [ms]);
  await database.query(
    `UPDATE blocks SET slots_at = slots_at - ${earlier},
       accepted_at = ARRAY(SELECT at - ${earlier} FROM unnest(accepted_at) AS at)`,
    [ms],
  );
}

describeStores('the stores in Postgres', { open });
