import type { Sql } from './database.ts';

/** What record needs of Postgres (`engine/record/ports.ts`). */
export interface EngagementStore {
  noteClicks(clicks: readonly Click[]): Promise<void>;
}

interface Click {
  readonly appId: number;
  readonly seq: number;
  readonly atMs: number;
}

/**
 * `last_clicked_at` never goes back, so that clicks may come late, again, and in any order. Who clicks is
 * seen, too: the row is written anyway. Subscriptions are locked in the order of app and seq, like everywhere;
 * one that was deleted meanwhile is passed over.
 */
export function createEngagementStore(sql: Sql): EngagementStore {
  return {
    noteClicks: async (clicks) => {
      await sql.query(
        `WITH news AS (
           SELECT app_id, seq, click.at FROM unnest($1::integer[], $2::integer[], $3::timestamptz[]) AS click (app_id, seq, at)
             JOIN subscriptions USING (app_id, seq)
           WHERE app_id = ANY($4::integer[]) AND (last_clicked_at IS NULL OR last_clicked_at < click.at)
           ORDER BY app_id, seq FOR UPDATE OF subscriptions
         )
         UPDATE subscriptions SET last_clicked_at = greatest(last_clicked_at, news.at),
           last_seen_at = greatest(last_seen_at, news.at)
         FROM news WHERE subscriptions.app_id = ANY($4::integer[]) AND subscriptions.app_id = news.app_id AND subscriptions.seq = news.seq`,
        [
          clicks.map(({ appId }) => appId),
          clicks.map(({ seq }) => seq),
          clicks.map(({ atMs }) => new Date(atMs).toISOString()),
          // Says to the planner which partitions to leave out; with all of them it takes longer than the work.
          [...new Set(clicks.map(({ appId }) => appId))],
        ],
      );
    },
  };
}
