import type { Database } from '../../engine/adapters/postgres/database.ts';
import { fixAudience } from '../../engine/adapters/postgres/dispatch/fix-audience.ts';
import { createShardStore } from '../../engine/adapters/postgres/dispatch/shard-store.ts';
import { BLOCK_SIZE } from '../../engine/contract/bitmap.ts';
import { chromeGuardDefaults, guardRules } from '../../engine/contract/chrome-guard.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { CapRule, LeasedShard } from '../../engine/contract/shard.ts';
import { packShards } from '../../engine/plan/pack-shards.ts';
import { buildApp, buildDelivery, buildSubscriptions, testSealer } from '../../test/support/builders.ts';
import { planNow } from '../../test/support/plan-now.ts';
import { everyBit } from '../../test/worker/support.ts';
import { median } from '../median.ts';
import { startPostgres } from '../stand/databases.ts';

export interface CapOptions {
  readonly rounds: number;
  readonly blocks: number;
  readonly say: (text: string) => void;
}

export interface CapRow {
  readonly rules: string;
  /** µs a block. */
  readonly minimum: number;
  readonly median: number;
}

type Rules = Pick<LeasedShard, 'capRules' | 'wishes'>;

/** Nobody has reached it: what is compared is the reading. */
const cap: CapRule = { windowMinutes: 1_440, maxNotifications: 100, concerns: null };
const variants: Readonly<Record<string, Rules>> = {
  'the frequency cap': { capRules: [cap], wishes: 'none' },
  'the cap and Chrome’s guard: three rules': {
    capRules: [cap, ...guardRules(chromeGuardDefaults)],
    wishes: 'none',
  },
  'the three rules and readers’ wishes': {
    capRules: [cap, ...guardRules(chromeGuardDefaults)],
    wishes: 'all',
  },
};

/** As an engine cuts them by default. */
const SHARD_BLOCKS = 8;
/** Deliveries of the last week, each with slots in every block. */
const HISTORY = 14;
/** Of a hundred readers one wants fewer, and one in four of those has quiet hours. */
const WISHING = `INSERT INTO reader_wishes (app_id, seq, max_notifications, window_minutes, quiet_from, quiet_to)
  SELECT app_id, seq, 90, 1440, CASE WHEN seq % 400 = 0 THEN '22:00' END, CASE WHEN seq % 400 = 0 THEN '07:00' END
  FROM subscriptions WHERE app_id = $1 AND seq % 100 = 0`;

/** Each round fixes the same blocks for a new delivery of each variant, the first one in turns. */
export async function measureCap({ rounds, blocks, say }: CapOptions): Promise<CapRow[]> {
  await using opened = new AsyncDisposableStack();
  say('starting Postgres');
  const { database } = await startPostgres(opened);
  const { id: appId } = await buildApp(database);
  await buildSubscriptions(database, appId, blocks * BLOCK_SIZE);
  await database.query(WISHING, [appId]);
  for (let n = 0; n < HISTORY; n++) await makeHistory(database, appId, n);
  await database.query('ANALYZE');
  const names = Object.keys(variants);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  // The first one warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const us = await fixAll(database, appId, variants[name] as Rules);
      if (round > 0) times.get(name)?.push(us);
    }
  }
  return Array.from(times, ([rules, of]) => ({ rules, minimum: Math.min(...of), median: median(of) }));
}

/** One that has accepted half of every block, some hours ago. */
async function makeHistory(database: Database, appId: AppId, n: number): Promise<void> {
  for (const shard of await leaseAll(database, await planned(database, appId)))
    for (const block of shard.blocks)
      await fixAudience(database, { ...shard, ...noRules }, block, everyBit());
  await database.query(
    `UPDATE blocks SET settled = audience, accepted = decode(repeat('aa', 128), 'hex'), slots_at = at, accepted_at = ARRAY[at]
     FROM (SELECT now() - make_interval(hours => $2) AS at) AS ended WHERE app_id = $1 AND slots_at = 'infinity'`,
    [appId, 3 + n * 11],
  );
}

const noRules: Rules = { capRules: [], wishes: 'none' };

/** @returns µs a block. Its slots are gone afterwards, so that every round reads the same. */
async function fixAll(database: Database, appId: AppId, rules: Rules): Promise<number> {
  const deliveryId = await planned(database, appId);
  const shards = await leaseAll(database, deliveryId);
  const startedAt = performance.now();
  let fixed = 0;
  for (const leased of shards) {
    const shard = { ...leased, ...rules };
    for (const block of shard.blocks) {
      const maps = await fixAudience(database, shard, block, everyBit());
      if (maps === null) throw new Error('the lease was lost');
      fixed++;
    }
  }
  const us = ((performance.now() - startedAt) * 1_000) / fixed;
  await database.query('DELETE FROM blocks WHERE app_id = $1 AND delivery_id = $2', [appId, deliveryId]);
  return us;
}

async function planned(database: Database, appId: AppId): Promise<DeliveryId> {
  const id = await buildDelivery(database, appId);
  await planNow(database, id, 0, (counts) => packShards(counts, SHARD_BLOCKS));
  return id;
}

async function leaseAll(database: Database, deliveryId: DeliveryId): Promise<LeasedShard[]> {
  await database.query(`UPDATE shards SET state = 'released' WHERE delivery_id = $1`, [deliveryId]);
  const ids = await database.query<{ id: ShardId }>('SELECT id FROM shards WHERE delivery_id = $1', [
    deliveryId,
  ]);
  const store = createShardStore(database, testSealer);
  const leased: LeasedShard[] = [];
  for (const { id } of ids) {
    const shard = await store.lease(id, 'bench', 600_000);
    if (shard !== null) leased.push(shard);
  }
  return leased;
}
