import { clicksAt } from '../dispatch/read-history.ts';
import type { Sql } from '../sql.ts';
import { lockedRows } from '../subscriptions/counts.ts';

/** Postgres as record needs it (`engine/record/ports.ts`). */
export interface EngagementStore {
  noteClicks(clicks: readonly Click[]): Promise<void>;
}

interface Click {
  readonly appId: number;
  readonly seq: number;
  readonly atMs: number;
}

/**
 * `last_clicked_at` never goes back, so that clicks may come late, repeatedly, and in any order. A click also
 * counts as seen: the row is written anyway. Subscriptions are locked in the order of seq, like everywhere; one
 * that was deleted meanwhile is skipped.
 *
 * Each one also counts among the reader's clicks, of which older ones count for less
 * (`contract/expected-clicks.ts`); one that is older than the stored time does not, so that a repetition changes nothing.
 *
 * One statement per app, whose subscriptions are named by a condition on their table: joined with the clicks,
 * all of the app could be read where the statistics are missing.
 */
export function createEngagementStore(sql: Sql): EngagementStore {
  return {
    noteClicks: async (clicks) => {
      for (const [appId, ofApp] of Map.groupBy(clicks, (click) => click.appId)) {
        const latest = new Map<number, number>();
        for (const { seq, atMs } of ofApp) latest.set(seq, Math.max(atMs, latest.get(seq) ?? 0));
        const times = Array.from(latest, ([seq, atMs]) => [seq, new Date(atMs).toISOString()]);
        await sql.query(noteClicksOfApp, [
          appId,
          [...latest.keys()],
          JSON.stringify(Object.fromEntries(times)),
        ]);
      }
    },
  };
}

const clickedAt = '($3::jsonb ->> seq::text)::timestamptz';
const noteClicksOfApp = `
  WITH clicking AS (
    ${lockedRows(`seq = ANY($2::integer[]) AND (last_clicked_at IS NULL OR last_clicked_at < ${clickedAt})`)}
  )
  UPDATE subscriptions SET last_clicked_at = greatest(last_clicked_at, ${clickedAt}),
    last_seen_at = greatest(last_seen_at, ${clickedAt}), clicks = 1 + ${clicksAt(clickedAt)}
  WHERE app_id = $1 AND seq = ANY(ARRAY(SELECT seq FROM clicking))`;
