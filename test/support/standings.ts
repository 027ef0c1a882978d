import type { Sql } from '../../engine/adapters/postgres/sql.ts';
import type { PushService } from '../../engine/contract/push-service.ts';

interface LimitGiven {
  readonly service?: PushService;
  readonly hoursAgo?: number;
  readonly allowed?: number;
  readonly lowest?: number;
  /** Since the begin; none: the push service says nothing about it. */
  readonly probableHours?: number;
  readonly endedHoursAgo?: number;
}

/** As if engines had found that a push service limits the app. @returns the episode's id. */
export async function buildLimit(sql: Sql, appId: number, given: LimitGiven): Promise<number> {
  const { service = 'fcm', hoursAgo = 1, allowed = 1_000, lowest = allowed } = given;
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO push_service_standings (app_id, service, limited_since, allowed_per_minute, lowest_per_minute,
       probable_end_at, throttled_at, grow_at, grow_wait_minutes, ended_at)
     VALUES ($1, $2, now() - make_interval(hours => $3), $4, $5,
       now() - make_interval(hours => $3) + make_interval(hours => $6), now(), now(), 10,
       now() - make_interval(hours => $7)) RETURNING id`,
    [appId, service, hoursAgo, allowed, lowest, given.probableHours ?? null, given.endedHoursAgo ?? null],
  );
  return row?.id ?? 0;
}

interface MinuteGiven {
  readonly minutesAgo: number;
  readonly accepted?: number;
  readonly throttled?: number;
}

/** One minute's answers of FCM. */
export async function buildMinute(
  sql: Sql,
  appId: number,
  { minutesAgo, accepted = 1_000, throttled = 200 }: MinuteGiven,
): Promise<void> {
  await sql.query(
    `INSERT INTO push_service_minutes (app_id, service, minute, accepted, throttled)
     VALUES ($1, 'fcm', date_trunc('minute', now()) - make_interval(mins => $2), $3, $4)`,
    [appId, minutesAgo, accepted, throttled],
  );
}
