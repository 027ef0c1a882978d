import { expect } from 'vitest';
import { stopShards } from '../../api/client/deliveries/cancel/stop-shards.ts';
import type { Database } from '../../engine/adapters/postgres/database.ts';
import type { ChromeGuard } from '../../engine/contract/chrome-guard.ts';
import type { AppId, DeliveryId, ShardId } from '../../engine/contract/ids.ts';
import type { FrequencyCap } from '../../engine/contract/shard.ts';
import { buildApp, buildDelivery, buildSubscriptions } from '../support/builders.ts';
import { blockSent } from '../support/engine-harness.ts';
import { planNow } from '../support/plan-now.ts';
import { hoursAround, hoursOff, setWishes } from '../support/reader-wishes.ts';
import { createCapFollower, type OutcomeOf, type Part, SEQS } from './cap-follower.ts';
import { newCapModel, stop, type Wish } from './cap-model.ts';
import { die, runShardOnce, type ShardRan } from './cap-runner.ts';

/** An app on the real Postgres and the plain model: both take every step, and are compared. */
export async function createCapWorld(database: Database) {
  const appId = await buildCapApp(database);
  const model = newCapModel(CHROME);
  const parts: Part[] = [];
  const { follow, fits, reserveIfNew } = createCapFollower(model);

  const makeDue = async (part: Part): Promise<void> => {
    part.runs++;
    await database.query(
      `UPDATE shards SET state = CASE state WHEN 'running' THEN state ELSE 'released' END,
         due_at = now() - interval '1 second' WHERE id = $1 AND state <> 'stopped'`,
      [part.shardId],
    );
  };

  return {
    openParts: () => parts.filter((part) => !part.ended),

    setCap: async (cap: FrequencyCap | null): Promise<void> => {
      model.cap = cap;
      await database.query(
        `UPDATE apps SET frequency_cap_window_minutes = $2, frequency_cap_max_notifications = $3 WHERE id = $1`,
        [appId, cap?.windowMinutes ?? null, cap?.maxNotifications ?? null],
      );
    },

    setGuard: async (guard: ChromeGuard | null): Promise<void> => {
      model.guard = guard;
      await database.query('UPDATE apps SET chrome_guard = $2 WHERE id = $1', [appId, guard]);
    },

    visit: async (seq: number): Promise<void> => {
      model.visitedAt.set(seq, model.nowMinutes);
      await database.query('UPDATE subscriptions SET last_seen_at = now() WHERE app_id = $1 AND seq = $2', [
        appId,
        seq,
      ]);
    },

    /** With a pause in minutes from now; a night by the clock of a reader who is far from UTC. */
    wish: async (
      seq: number,
      { pausedFor, fewer, isNight }: Pick<Wish, 'fewer' | 'isNight'> & { readonly pausedFor: number | null },
    ): Promise<void> => {
      const pausedUntil = pausedFor === null ? null : model.nowMinutes + pausedFor;
      model.wishes.set(seq, { fewer, isNight, pausedUntil });
      const inTokyo = new Date(Date.now() + 9 * 3_600_000);
      await setWishes(database, appId, seq, {
        fewer,
        pausedUntil: pausedFor === null ? null : new Date(Date.now() + pausedFor * 60_000),
        quietHours: isNight ? hoursAround(inTokyo) : hoursOff(inTokyo),
      });
    },

    post: async (ignores: boolean): Promise<void> => {
      const posted = await postDelivery(database, appId, ignores);
      parts.push(...posted);
    },

    /** Time passes: everything that happened is this much longer ago. */
    advance: async (minutes: number): Promise<void> => {
      model.nowMinutes += minutes;
      await database.query(
        `UPDATE blocks SET slots_at = slots_at - make_interval(mins => $2),
           accepted_at = ARRAY(SELECT at - make_interval(mins => $2) FROM unnest(accepted_at) AS at)
         WHERE app_id = $1`,
        [appId, minutes],
      );
      await database.query(
        'UPDATE reader_wishes SET paused_until = paused_until - make_interval(mins => $2) WHERE app_id = $1',
        [appId, minutes],
      );
      await database.query(
        'UPDATE subscriptions SET last_seen_at = last_seen_at - make_interval(mins => $2) WHERE app_id = $1',
        [appId, minutes],
      );
    },

    run: async (part: Part, owner: string, outcome: OutcomeOf | 'dies'): Promise<void> => {
      await makeDue(part);
      const ran = await runShardOnce(database, part.shardId, owner, async (seqs) =>
        outcome === 'dies' ? die() : blockSent(seqs, outcome),
      );
      follow(part, ran, outcome === 'dies' ? () => 'throttled' : outcome);
    },

    /** Two engines at the same block at once. Whichever came first, it must be as if it had come first alone. */
    runTogether: async (one: Part, other: Part, outcome: OutcomeOf): Promise<void> => {
      const both = [one, other];
      await Promise.all(both.map(makeDue));
      const there = both.map(() => Promise.withResolvers<void>());
      const runs = await Promise.all(
        both.map(async (part, index) => {
          const ran = await runShardOnce(database, part.shardId, `engine-${index}`, async (seqs) => {
            there[index]?.resolve();
            // No outcome gives a slot back before the other engine has requested its own.
            await Promise.all(there.map(({ promise }) => promise));
            return blockSent(seqs, outcome);
          });
          there[index]?.resolve();
          return ran;
        }),
      );
      const inOrder = both.map((part, index) => ({ part, ran: runs[index] as ShardRan }));
      if (!fits(inOrder)) inOrder.reverse();
      for (const { part } of inOrder) reserveIfNew(part);
      for (const { part, ran } of inOrder) follow(part, ran, outcome);
    },

    cancel: async ({ deliveryId }: Part): Promise<void> => {
      await database.transaction(async (sql) => {
        await sql.query(`UPDATE deliveries SET status = 'cancelled' WHERE id = $1`, [deliveryId]);
        await stopShards(sql, deliveryId);
      });
      const stopped = await stoppedShards(database, deliveryId);
      for (const part of parts.filter((each) => each.deliveryId === deliveryId && !each.ended)) {
        part.cancelled = true;
        part.ended = stopped.includes(part.shardId);
        if (part.ended) stop(model, part.key);
      }
    },

    /** The counters of every shard that ran, against those of the model. */
    checkCounts: async (): Promise<void> => {
      const rows = await database.query<{ id: number }>(
        `SELECT id, capped_count AS capped, guarded_count AS guarded, wished_count AS wished, accepted_count AS accepted, failed_count AS failed
         FROM shards WHERE app_id = $1`,
        [appId],
      );
      const nothing = { capped: 0, guarded: 0, wished: 0, accepted: 0, failed: 0 };
      for (const { key, shardId } of parts) {
        expect(rows.find(({ id }) => id === shardId)).toEqual({
          id: shardId,
          ...(model.counts.get(key) ?? nothing),
        });
      }
    },

    deliveryIds: () => [...new Set(parts.map(({ deliveryId }) => deliveryId))],
  };
}

/** Whose browser Chrome is, in both blocks; the others have Firefox. */
const CHROME = new Map([
  [1_021, 'android'],
  [1_022, 'desktop'],
  [1_024, 'desktop'],
  [1_025, 'android'],
] as const);

async function buildCapApp(database: Database): Promise<AppId> {
  const { id } = await buildApp(database);
  await database.query(`UPDATE apps SET next_seq = $2 WHERE id = $1`, [id, SEQS[0]]);
  await buildSubscriptions(database, id, SEQS.length);
  await database.query(
    `UPDATE subscriptions SET last_seen_at = now() - interval '1 year', browser_name = 'Firefox',
       time_zone_id = (SELECT id FROM time_zones WHERE name = 'Asia/Tokyo') WHERE app_id = $1`,
    [id],
  );
  for (const [seq, chrome] of CHROME) {
    await database.query(
      `UPDATE subscriptions SET browser_name = 'Chrome', os_name = $3 WHERE app_id = $1 AND seq = $2`,
      [id, seq, chrome === 'android' ? 'Android' : 'Windows'],
    );
  }
  return id;
}

async function postDelivery(database: Database, appId: AppId, ignores: boolean): Promise<Part[]> {
  const deliveryId = await buildDelivery(database, appId);
  await database.query(`UPDATE deliveries SET ignore_frequency_cap = $2 WHERE id = $1`, [
    deliveryId,
    ignores,
  ]);
  await planNow(database, deliveryId, 0, (counts) =>
    counts.map(({ block, targets }) => ({ blocks: [block], targets })),
  );
  const rows = await database.query<{ id: ShardId; block: number }>(
    `SELECT id, blocks[1] AS block FROM shards WHERE delivery_id = $1 ORDER BY number`,
    [deliveryId],
  );
  return rows.map(({ id, block }) => ({
    ...{ key: `${deliveryId}/${block}`, deliveryId, shardId: id, block, ignores },
    ...{ cancelled: false, ended: false, runs: 0 },
  }));
}

async function stoppedShards(database: Database, deliveryId: DeliveryId): Promise<ShardId[]> {
  const rows = await database.query<{ id: ShardId }>(
    `SELECT id FROM shards WHERE delivery_id = $1 AND state = 'stopped'`,
    [deliveryId],
  );
  return rows.map(({ id }) => id);
}
