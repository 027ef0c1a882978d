import { eachStep } from '../../../contract/concurrency/each-step.ts';
import type { Lane } from '../../../contract/topics.ts';
import type { Database } from '../database.ts';
import { isDatabaseAway } from '../database-away.ts';
import { createRowsApart } from '../rows-apart.ts';
import type { Sql } from '../sql.ts';
import { endBudgets, firstBudgeted, firstOfEndedBudget, releaseBudgeted } from './release-budgeted.ts';
import { firstPaced, releasePaced } from './release-paced.ts';
import {
  awaitRelease,
  DEFAULT_RELEASE_WINDOW,
  firstId,
  firstToRelease,
  mayRelease,
  REPUBLISH_AFTER_SECONDS,
  releaseShards,
  shardMessage,
} from './release-shards.ts';

const isOverdue = `state IN ('released', 'running') AND due_at <= now()`;
/** Nothing is, where no delivery runs and no shard is left of one that ended. */
export const shardsAreDue = `EXISTS (SELECT FROM deliveries WHERE status = 'processing')
  OR EXISTS (SELECT FROM shards WHERE ${isOverdue})`;

const lanes: readonly Lane[] = ['breaking', 'bulk'];

/** `engine/plan/release.ts` says the rules. */
export function createReleaseStore(database: Database, window = DEFAULT_RELEASE_WINDOW) {
  const alone = (work: (sql: Sql) => Promise<number>): Promise<number> =>
    database.transaction(async (sql) => ((await mayRelease(sql)) ? work(sql) : 0));
  const fill = async (sql: Sql): Promise<number> => {
    let released = 0;
    for (const lane of lanes) released += await releaseShards(sql, lane, { window });
    await endBudgets(sql);
    return released + (await releasePaced(sql)) + (await releaseBudgeted(sql));
  };
  const apart = (
    take: (sql: Sql, most: number, except: readonly number[]) => Promise<number>,
    first: (sql: Sql, except: readonly number[]) => Promise<number | null>,
  ) =>
    createRowsApart({
      take: (most, except) => alone((sql) => take(sql, most, except)),
      first: (except) => first(database, except),
    });
  const fillApart = [
    ...lanes.map((lane) =>
      apart(
        (sql, most, except) => releaseShards(sql, lane, { window, most, except }),
        (sql, except) => firstToRelease(sql, lane, { window, except }),
      ),
    ),
    apart(endBudgets, firstOfEndedBudget),
    apart(releasePaced, firstPaced),
    apart(releaseBudgeted, firstBudgeted),
  ];
  const again = apart(releaseAgain, firstOverdue);
  return {
    releaseFirst: (lane: Lane, isPaced: boolean): Promise<number> =>
      database.transaction(async (sql) => {
        await awaitRelease(sql);
        return isPaced ? releasePaced(sql) : releaseShards(sql, lane, { window });
      }),

    /** In one transaction. Where that fails, each part has one of its own: a shard that cannot be released stops no other. */
    releaseDue: (limit: number): Promise<number> =>
      alone(async (sql) => (await releaseAgain(sql, limit, [])) + (await fill(sql))).catch(
        (error: unknown) => {
          if (isDatabaseAway(error)) throw error;
          return eachStep([again, ...fillApart].map((step) => () => step(limit)));
        },
      ),
  };
}

const firstOverdue = (sql: Sql, except: readonly number[]): Promise<number | null> =>
  firstId(
    sql,
    `SELECT id FROM shards WHERE ${isOverdue} AND id <> ALL($1::bigint[]) ORDER BY due_at LIMIT 1`,
    [except],
  );

async function releaseAgain(sql: Sql, limit: number, except: readonly number[]): Promise<number> {
  const rows = await sql.query(
    `WITH due AS (
       SELECT id FROM shards WHERE ${isOverdue} AND id <> ALL($3::bigint[])
       ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), released AS (
       UPDATE shards SET state = 'released', lease_owner = NULL, lease_epoch = lease_epoch + 1,
         lost_leases = lost_leases + (shards.state = 'running')::int, due_at = now() + make_interval(secs => $2)
       FROM due, deliveries WHERE shards.id = due.id AND deliveries.id = shards.delivery_id
       RETURNING shards.id, shards.delivery_id, shards.app_id, deliveries.lane
     )
     INSERT INTO outbox (topic, key, value)
     SELECT 'shards.' || lane, id::text, ${shardMessage}
     FROM released RETURNING id`,
    [limit, REPUBLISH_AFTER_SECONDS, except],
  );
  return rows.length;
}
