import {
  type AnswersInMinute,
  type AppService,
  CLEAN_DAYS,
  type Judged,
  type Limited,
  LOOK_BACK_MINUTES,
} from '../../../contract/standing.ts';
import type { Database } from '../database.ts';

/** Of one check. */
const MAX_JUDGED = 1_000;

const ms = (time: string): string => `(1000 * extract(epoch FROM ${time}))::float8`;
const time = (place: string): string => `to_timestamp(${place}::float8 / 1000)`;
const open = 'app_id = $1 AND service = $2 AND ended_at IS NULL';
/** As it was judged: $3 to $5. */
const asJudged = `${open} AND allowed_per_minute = $3 AND throttled_at = ${time('$4')} AND grow_at = ${time('$5')}`;
const judgedBy = ({ appId, service }: AppService, before: Limited): unknown[] => [
  appId,
  service,
  before.allowedPerMinute,
  before.throttledAtMs,
  before.growAtMs,
];

interface Row extends AppService {
  readonly limited: Limited | null;
  readonly earlier: number;
  readonly minutes: readonly AnswersInMinute[] | null;
  readonly nowMs: number;
}

/**
 * `engine/standing/ports.ts`.
 *
 * How a push service treats an app lives in `push_service_standings`, judged by `push_service_minutes`. If its owner
 * dies, any engine judges the next minute: each change names what it was judged by, so a second one changes nothing.
 */
export function createStandingStore(database: Database) {
  return {
    readJudged: async (): Promise<readonly (AppService & Judged)[]> => {
      const rows = await database.query<Row>(readStatement, [LOOK_BACK_MINUTES, CLEAN_DAYS, MAX_JUDGED]);
      return rows.map((row) => ({ ...row, minutes: row.minutes ?? [] }));
    },

    begin: async ({ appId, service }: AppService, now: Limited): Promise<boolean> => {
      const rows = await database.query(
        `INSERT INTO push_service_standings (app_id, service, limited_since, allowed_per_minute, lowest_per_minute,
           probable_end_at, throttled_at, grow_at, grow_wait_minutes)
         SELECT $1, $2, ${time('$3')}, $4, $5, ${time('$6')}, ${time('$7')}, ${time('$8')}, $9
         WHERE EXISTS (SELECT FROM apps WHERE id = $1 AND deleted_at IS NULL)
         ON CONFLICT (app_id, service) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
        [
          ...[appId, service, now.limitedSinceMs, now.allowedPerMinute, now.lowestPerMinute],
          ...[now.probableEndAtMs, now.throttledAtMs, now.growAtMs, now.growWaitMinutes],
        ],
      );
      return rows.length === 1;
    },

    change: async (of: AppService, before: Limited, now: Limited): Promise<boolean> => {
      const rows = await database.query(
        `UPDATE push_service_standings SET allowed_per_minute = $6, lowest_per_minute = $7, throttled_at = ${time('$8')},
           grow_at = ${time('$9')}, grow_wait_minutes = $10 WHERE ${asJudged} RETURNING id`,
        [
          ...judgedBy(of, before),
          ...[now.allowedPerMinute, now.lowestPerMinute, now.throttledAtMs, now.growAtMs],
          now.growWaitMinutes,
        ],
      );
      return rows.length === 1;
    },

    end: async (of: AppService, before: Limited): Promise<boolean> => {
      const rows = await database.query(
        `UPDATE push_service_standings SET ended_at = now() WHERE ${asJudged} RETURNING id`,
        judgedBy(of, before),
      );
      return rows.length === 1;
    },
  };
}

const readStatement = `
  WITH judged AS (
    SELECT * FROM (
      SELECT app_id, service FROM push_service_standings WHERE ended_at IS NULL
      UNION
      SELECT app_id, service FROM push_service_minutes
      WHERE minute > now() - make_interval(mins => $1) AND throttled > 0
    ) AS known
    -- Where there are more, each has its turn sooner or later.
    ORDER BY random() LIMIT $3
  )
  SELECT app_id AS "appId", service, ${ms('now()')} AS "nowMs", (
      SELECT jsonb_build_object('limitedSinceMs', ${ms('limited_since')}, 'allowedPerMinute', allowed_per_minute,
        'lowestPerMinute', lowest_per_minute, 'probableEndAtMs', ${ms('probable_end_at')},
        'throttledAtMs', ${ms('throttled_at')}, 'growAtMs', ${ms('grow_at')}, 'growWaitMinutes', grow_wait_minutes)
      FROM push_service_standings AS standing
      WHERE standing.app_id = judged.app_id AND standing.service = judged.service AND ended_at IS NULL
    ) AS limited, (
      SELECT count(*)::integer FROM push_service_standings AS standing
      WHERE standing.app_id = judged.app_id AND standing.service = judged.service
        AND ended_at > now() - make_interval(days => $2)
    ) AS earlier, (
      SELECT jsonb_agg(jsonb_build_object('minuteMs', ${ms('minute')}, 'accepted', accepted, 'throttled', throttled)
        ORDER BY minute)
      FROM push_service_minutes AS answers
      WHERE answers.app_id = judged.app_id AND answers.service = judged.service
        AND minute > now() - make_interval(mins => $1)
    ) AS minutes
  FROM judged`;
