import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';

export const SITE_WEEKS = 8;

export interface SiteWeek {
  /** Its first day, UTC. */
  readonly since: string;
  readonly seconds: number;
  readonly pushes: number;
  readonly prompts: number;
}

/** Chrome judges by pushes and prompts for the time on the site. The newest week first, which ends today. */
export const readSiteWeeks = (sql: Sql, appId: AppId): Promise<SiteWeek[]> =>
  sql.query<SiteWeek>(
    `WITH weeks AS (
       SELECT (now() AT TIME ZONE 'UTC')::date - 6 - 7 * week AS since FROM generate_series(0, ${SITE_WEEKS - 1}) AS week
     ),
     sent AS (
       SELECT (started_at AT TIME ZONE 'UTC')::date AS day, coalesce(live.accepted, success_count) AS accepted
       FROM deliveries LEFT JOIN LATERAL (
         SELECT sum(accepted_count) AS accepted FROM shards WHERE delivery_id = deliveries.id
       ) AS live ON status IN ('processing', 'cancelled')
       WHERE app_id = $1 AND NOT rehearsal AND NOT test AND started_at > now() - interval '${7 * SITE_WEEKS + 1} days'
     )
     SELECT since::text,
       (SELECT coalesce(sum(seconds), 0) FROM site_time_days WHERE app_id = $1 AND ${inWeek})::bigint AS seconds,
       (SELECT coalesce(sum(accepted), 0) FROM sent WHERE ${inWeek})::bigint AS pushes,
       (SELECT coalesce(sum(accepted), 0) FROM prompt_counts WHERE app_id = $1 AND ${inWeek})::bigint AS prompts
     FROM weeks ORDER BY since DESC`,
    [appId],
  );

const inWeek = 'day >= weeks.since AND day < weeks.since + 7';
