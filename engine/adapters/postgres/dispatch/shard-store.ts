import { type ChromeGuard, guardRules } from '../../../contract/chrome-guard.ts';
import type { DeliveryStatus, Urgency } from '../../../contract/delivery.ts';
import { LAST_ROUND } from '../../../contract/expected-clicks.ts';
import { isTest, parseAudience } from '../../../contract/frozen-audience.ts';
import type { AppId, DeliveryId, ShardId } from '../../../contract/ids.ts';
import type {
  CapRule,
  Lease,
  LeasedShard,
  LeaseState,
  SettleEnding,
  WishesHeeded,
} from '../../../contract/shard.ts';
import { startAt, wordingStartedAt } from '../../../contract/timestamp.ts';
import type { Lane } from '../../../contract/topics.ts';
import { parseWording } from '../../../contract/wording.ts';
import type { Database } from '../database.ts';
import { isDatabaseAway } from '../database-away.ts';
import { completeDelivery } from '../deliveries/complete-delivery.ts';
import { DEFAULT_RELEASE_WINDOW, mayRelease, releaseShards } from '../plan/release-shards.ts';
import type { Sealer } from '../sealed-secret.ts';
import type { Sql } from '../sql.ts';
import { type FormerKeyRow, formerKeysOfApp, openFormerKeys } from '../vapid-store.ts';

/**
 * A shard's states, and what moves it:
 *
 *     planned ──release──► released ──lease──► running ──settle──► settled
 *                             ▲                 │  ▲ │
 *                             │              suspend │ └──stop──► stopped   (delivery cancelled)
 *                       scheduler: due          ▼  │ lease (the old one has ended)
 *                             └───────────── waiting
 *
 * - `planned`: written by plan; released into the lane's window by plan, by every shard that settles, and by the
 *   scheduler's tick, in an order that is fair to all apps (`release-shards.ts`).
 * - `released`: a message is on the log; `due_at` is when it is published again.
 * - `running`: leased by `lease_owner` under `lease_epoch` until `due_at`. The next lease raises the
 *   epoch, and from then on the old holder's writes match no row.
 * - `waiting`: targets are left for another attempt at `due_at`; of a shard that is `budgeted` earlier, when the budget
 *   of a push service has room (`release-budgeted.ts`).
 *
 * Cancelling a delivery moves its planned, released and waiting shards to stopped; one that is being leased at
 * that moment is stopped by its holder. A paced delivery's shards are waiting from the start, each for its own
 * time (`pace-shards.ts`).
 *
 * A shard is open from planned to waiting; `deliveries.open_shards` counts those.
 */
export function createShardStore(database: Database, sealer: Sealer, releaseWindow = DEFAULT_RELEASE_WINDOW) {
  return {
    /** Null: settled, waiting for its time, or leased by another engine whose lease still holds. */
    lease: async (shardId: ShardId, owner: string, leaseMs: number): Promise<LeasedShard | null> => {
      const [row] = await database.query<LeaseRow>(leaseStatement, [shardId, owner, leaseMs]);
      return row === undefined ? null : toLeasedShard(row, sealer);
    },

    /** Extends the lease, and reports whether the delivery was cancelled. */
    renew: async (lease: Lease, leaseMs: number): Promise<LeaseState> => {
      const [row] = await database.query<{ cancelled: boolean }>(
        `UPDATE shards SET due_at = now() + make_interval(secs => $4 / 1000.0) FROM deliveries
         WHERE shards.id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running'
           AND deliveries.id = shards.delivery_id RETURNING deliveries.status = 'cancelled' AS cancelled`,
        [lease.shardId, lease.epoch, lease.owner, leaseMs],
      );
      if (row === undefined) return 'lost';
      return row.cancelled ? 'cancelled' : 'held';
    },

    /** Leaves the rest of the shard for `delayMs` from now; false where the lease was lost. */
    suspend: async (lease: Lease, delayMs: number, how: Suspended = asAttempt): Promise<boolean> => {
      if (how.trouble !== null) await noteTrouble(database, lease, how.trouble);
      const rows = await database.query(
        `WITH ${deliveryHeldOpen}
         UPDATE shards SET state = ${waitingUnlessCancelled}, lease_owner = NULL,
           due_at = now() + make_interval(secs => $5 / 1000.0), attempts = greatest(attempts - $6::integer, 0),
           activity_round = least(greatest(activity_round, $7::integer), $8), budgeted = $9
         FROM delivery WHERE shards.id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running'
         RETURNING shards.id`,
        [
          ...[lease.shardId, lease.epoch, lease.owner, lease.deliveryId, delayMs],
          ...[how.heldBack ? 1 : 0, how.nextRound ?? 0, LAST_ROUND, how.budgeted === true],
        ],
      );
      return rows.length === 1;
    },

    /** Hands the shard back untouched, to be leased at once by another engine: a drain, a lost worker. */
    handBack: async (lease: Lease): Promise<void> => {
      await database.query(
        `WITH ${deliveryHeldOpen}
         UPDATE shards SET state = ${waitingUnlessCancelled}, lease_owner = NULL, due_at = now(),
           attempts = greatest(attempts - 1, 0)
         FROM delivery WHERE shards.id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running'`,
        [lease.shardId, lease.epoch, lease.owner, lease.deliveryId],
      );
    },

    /**
     * Ends the shard: completes its delivery when it was the last, and releases the next ones in its lane. The
     * row lock on the delivery orders the ends of its shards, so exactly one is last, and a cancel comes before
     * or after each: a cancelled delivery neither continues nor completes. It is taken first: ending a shard
     * locks the counts of its blocks, and a cancel takes the two in this order.
     */
    settle: (lease: Lease & { readonly lane: Lane }): Promise<SettleEnding> => {
      const settle = (releases: boolean): Promise<SettleEnding> =>
        database.transaction(async (sql) => {
          await lockDelivery(sql, lease.deliveryId);
          if (!(await endShard(sql, lease, 'settled'))) return { kind: 'lease-lost' };
          const { status, open_shards: open } = await closeOneShard(sql, lease.deliveryId);
          const completes = status !== 'cancelled' && open === 0;
          const completed = completes ? await completeDelivery(sql, lease.deliveryId) : null;
          // Last: a transaction that waits for the release lock waits for nothing else afterwards.
          if (releases && (await mayRelease(sql)))
            await releaseShards(sql, lease.lane, { window: releaseWindow });
          return completed === null ? { kind: 'settled' } : { kind: 'completed', delivery: completed };
        });
      return settle(true).catch((error: unknown) => {
        if (isDatabaseAway(error)) throw error;
        // One that cannot be released stops no other: the tick finds which.
        return settle(false);
      });
    },

    /** Ends the shard of a cancelled delivery: the rest of it is never sent. */
    stop: (lease: Lease): Promise<boolean> => database.transaction((sql) => endShard(sql, lease, 'stopped')),
  };
}

// A cancel waits for this lock or has committed before it: a shard that is put down is never overlooked by both.
const deliveryHeldOpen = `delivery AS (SELECT status FROM deliveries WHERE id = $4 FOR SHARE)`;
const waitingUnlessCancelled = `CASE WHEN delivery.status = 'cancelled' THEN 'stopped' ELSE 'waiting' END`;

const leaseStatement = `
  UPDATE shards SET state = 'running', lease_owner = $2, lease_epoch = lease_epoch + 1,
    due_at = now() + make_interval(secs => $3 / 1000.0), attempts = attempts + 1,
    lost_leases = lost_leases + (shards.state = 'running')::int
  FROM deliveries, apps
  WHERE shards.id = $1 AND deliveries.id = shards.delivery_id AND apps.id = shards.app_id
    AND (shards.state = 'released' OR (shards.state = 'running' AND shards.due_at < now()))
  RETURNING shards.id, shards.delivery_id, shards.app_id, shards.blocks, shards.lease_owner, shards.lease_epoch,
    shards.attempts, shards.activity_round, shards.budgeted, shards.lost_leases, deliveries.lane, deliveries.status = 'cancelled' AS cancelled, deliveries.created_at,
    deliveries.scheduled_at, deliveries.expires_at, deliveries.rate_per_minute, shards.starts_at, deliveries.ttl_seconds, deliveries.urgency, deliveries.topic, deliveries.plaintext, deliveries.wording,
    deliveries.audience, deliveries.rehearsal, deliveries.ignore_frequency_cap,
    deliveries.corrects_delivery_id IS NOT NULL AS corrects, deliveries.plan_position::text, apps.chrome_guard, apps.has_wishes,
    apps.frequency_cap_window_minutes, apps.frequency_cap_max_notifications, apps.identifier, apps.site_domain, apps.vapid_public_key, apps.vapid_private_key_sealed,
    apps.vapid_key_number, ${formerKeysOfApp}`;

interface LeaseRow {
  readonly id: ShardId;
  readonly delivery_id: DeliveryId;
  readonly app_id: AppId;
  readonly blocks: number[];
  readonly lease_owner: string;
  readonly lease_epoch: number;
  readonly attempts: number;
  readonly activity_round: number;
  readonly budgeted: boolean;
  readonly lost_leases: number;
  readonly lane: Lane;
  readonly cancelled: boolean;
  readonly created_at: Date;
  readonly scheduled_at: Date | null;
  readonly expires_at: Date | null;
  readonly rate_per_minute: number | null;
  readonly starts_at: Date | null;
  readonly ttl_seconds: number;
  readonly urgency: Urgency;
  readonly topic: string | null;
  readonly plaintext: Buffer;
  readonly wording: unknown;
  readonly audience: unknown;
  readonly ignore_frequency_cap: boolean;
  readonly corrects: boolean;
  readonly plan_position: string | null;
  readonly chrome_guard: ChromeGuard | null;
  readonly has_wishes: boolean;
  readonly frequency_cap_window_minutes: number | null;
  readonly frequency_cap_max_notifications: number | null;
  readonly rehearsal: boolean;
  readonly identifier: string;
  readonly site_domain: string;
  readonly vapid_public_key: string;
  readonly vapid_private_key_sealed: Buffer;
  readonly vapid_key_number: number;
  readonly former_keys: readonly FormerKeyRow[] | null;
}

function toLeasedShard(row: LeaseRow, sealer: Sealer): LeasedShard {
  const acceptedAtMs = (row.starts_at ?? row.scheduled_at ?? row.created_at).getTime();
  return {
    shardId: row.id,
    deliveryId: row.delivery_id,
    appId: row.app_id,
    owner: row.lease_owner,
    epoch: row.lease_epoch,
    lane: row.lane,
    blocks: row.blocks,
    planPosition: row.plan_position,
    audience: parseAudience(row.audience),
    capRules: capRulesOf(row),
    wishes: wishesHeeded(row),
    cancelled: row.cancelled,
    attempt: row.attempts,
    activityRound: row.activity_round,
    budgeted: row.budgeted,
    lostLeases: row.lost_leases,
    acceptedAtMs,
    ttlSeconds: row.ttl_seconds,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    ratePerMinute: row.rate_per_minute,
    urgency: row.urgency,
    topic: row.topic,
    plaintext: startAt(new Uint8Array(row.plaintext), acceptedAtMs),
    wording: wordingStartedAt(parseWording(row.wording), acceptedAtMs),
    rehearsal: row.rehearsal,
    siteDomain: row.site_domain,
    vapidPublicKey: row.vapid_public_key,
    vapidPrivateKey: sealer.open(row.vapid_private_key_sealed, row.identifier).toString(),
    vapidKeyNumber: row.vapid_key_number,
    formerVapidKeys: openFormerKeys(row.former_keys, row.identifier, sealer),
  };
}

/**
 * A delivery may ignore the frequency cap, not the guard. A correction goes to whoever got the text that it corrects, and
 * a test to the team's own browsers.
 */
function capRulesOf(row: LeaseRow): readonly CapRule[] {
  const windowMinutes = row.frequency_cap_window_minutes;
  const maxNotifications = row.frequency_cap_max_notifications;
  const passes = row.corrects || isTest(parseAudience(row.audience));
  const guard = row.chrome_guard === null || passes ? [] : guardRules(row.chrome_guard);
  if (row.ignore_frequency_cap || windowMinutes === null || maxNotifications === null) return guard;
  return [{ windowMinutes, maxNotifications, concerns: null }, ...guard];
}

function wishesHeeded({ has_wishes: hasSome, corrects, audience, lane }: LeaseRow): WishesHeeded {
  if (!hasSome || corrects || isTest(parseAudience(audience))) return 'none';
  return lane === 'breaking' ? 'all-but-quiet-hours' : 'all';
}

async function lockDelivery(sql: Sql, deliveryId: DeliveryId): Promise<void> {
  await sql.query(`SELECT 1 FROM deliveries WHERE id = $1 FOR NO KEY UPDATE`, [deliveryId]);
}

interface Suspended {
  readonly heldBack: boolean;
  readonly nextRound?: number;
  readonly budgeted?: boolean;
  readonly trouble: string | null;
}

const asAttempt: Suspended = { heldBack: false, trouble: null };

/** Shown until the delivery completes, and its final message replaces it. */
async function noteTrouble(sql: Sql, lease: Lease, trouble: string): Promise<void> {
  await sql.query(
    `UPDATE deliveries SET error_message = $2, updated_at = now() WHERE id = $1 AND status = 'processing'
       AND EXISTS (SELECT FROM shards WHERE id = $3 AND lease_epoch = $4 AND lease_owner = $5)`,
    [lease.deliveryId, trouble, lease.shardId, lease.epoch, lease.owner],
  );
}

async function endShard(sql: Sql, lease: Lease, state: 'settled' | 'stopped'): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE shards SET state = $4, lease_owner = NULL, due_at = NULL
     WHERE id = $1 AND lease_epoch = $2 AND lease_owner = $3 AND state = 'running' RETURNING id`,
    [lease.shardId, lease.epoch, lease.owner, state],
  );
  return rows.length === 1;
}

interface OpenDelivery {
  readonly status: DeliveryStatus;
  readonly open_shards: number;
}

async function closeOneShard(sql: Sql, deliveryId: DeliveryId): Promise<OpenDelivery> {
  const [row] = await sql.query<OpenDelivery>(
    `UPDATE deliveries SET open_shards = open_shards - 1,
       updated_at = CASE WHEN status = 'cancelled' THEN updated_at ELSE now() END
     WHERE id = $1 RETURNING status, open_shards`,
    [deliveryId],
  );
  if (row === undefined) throw new Error(`delivery ${deliveryId} is gone while its shards run`);
  return row;
}
