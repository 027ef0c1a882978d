import type { Sql } from '../../../engine/adapters/postgres/sql.ts';
import type { AppId } from '../../../engine/contract/ids.ts';
import type { PushService } from '../../../engine/contract/push-service.ts';

/** One time that a push service limited an app; without an end it does so now. */
export interface StoredEpisode {
  readonly push_service: PushService;
  readonly limited_since: Date;
  readonly allowed_per_minute: number;
  readonly lowest_per_minute: number;
  readonly probable_end_at: Date | null;
  readonly ended_at: Date | null;
}

/** Open ones, of which a push service has one at most, first; then the newest. */
export function listEpisodes(sql: Sql, appId: AppId, most: number): Promise<StoredEpisode[]> {
  return sql.query<StoredEpisode>(
    `SELECT service AS push_service, limited_since, allowed_per_minute, lowest_per_minute, probable_end_at, ended_at
     FROM push_service_standings WHERE app_id = $1
     ORDER BY ended_at IS NOT NULL, limited_since DESC, id DESC LIMIT $2`,
    [appId, most],
  );
}

/** What limits the app now. */
export function listLimits(sql: Sql, appId: AppId): Promise<StoredEpisode[]> {
  return sql.query<StoredEpisode>(
    `SELECT service AS push_service, limited_since, allowed_per_minute, lowest_per_minute, probable_end_at, ended_at
     FROM push_service_standings WHERE app_id = $1 AND ended_at IS NULL`,
    [appId],
  );
}

export interface AnswersInHour {
  readonly hour: Date;
  readonly push_service: PushService;
  readonly accepted: number;
  readonly throttled: number;
}

/** Hours in which a push service throttled the app or limited it, oldest first. */
export function sumHours(sql: Sql, appId: AppId, days: number): Promise<AnswersInHour[]> {
  return sql.query<AnswersInHour>(
    `SELECT date_trunc('hour', minute, 'UTC') AS hour, service AS push_service,
       sum(accepted) AS accepted, sum(throttled) AS throttled
     FROM push_service_minutes WHERE app_id = $1 AND minute > now() - make_interval(days => $2)
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [appId, days],
  );
}
