import type { Answers, AppService, Budget, Reservation } from '../../../contract/standing.ts';
import type { Lane } from '../../../contract/topics.ts';
import type { Database } from '../database.ts';

/** As of a delivery's pace: a longer pause of all engines shifts the schedule, and is not made up. */
const MADE_UP_SECONDS = 0.25;
/** Bulk messages wait for this long after a breaking one has reserved. */
const BREAKING_SECONDS = 2;

/** `engine/dispatch/ports.ts`: one row for each app that a push service limits, shared by all engines. */
export function createBudgetStore(database: Database) {
  return {
    readBudgets: (): Promise<Budget[]> =>
      database.query<Budget>(
        `SELECT app_id AS "appId", service, allowed_per_minute AS "allowedPerMinute"
         FROM push_service_standings WHERE ended_at IS NULL`,
      ),

    reserve: async ({ appId, service }: AppService, lane: Lane, targets: number): Promise<Reservation> => {
      const isBreaking = lane === 'breaking';
      const [row] = await database.query<{ wait_ms: number }>(
        `UPDATE push_service_standings SET
           next_at = greatest(next_at, now() - make_interval(secs => $4)) + make_interval(secs => 60.0 * $3 / allowed_per_minute),
           breaking_until = CASE WHEN $5 THEN now() + make_interval(secs => $6) ELSE breaking_until END
         WHERE app_id = $1 AND service = $2 AND ended_at IS NULL AND ($5 OR breaking_until <= now())
         RETURNING (1000 * (extract(epoch FROM next_at - now()) - 60.0 * $3 / allowed_per_minute))::float8 AS wait_ms`,
        [appId, service, targets, MADE_UP_SECONDS, isBreaking, BREAKING_SECONDS],
      );
      if (row !== undefined) return { kind: 'reserved', waitMs: row.wait_ms };
      const [left] = await database.query<{ wait_ms: number }>(
        `SELECT (1000 * extract(epoch FROM breaking_until - now()))::float8 AS wait_ms FROM push_service_standings
         WHERE app_id = $1 AND service = $2 AND ended_at IS NULL`,
        [appId, service],
      );
      return left === undefined
        ? { kind: 'unlimited' }
        : { kind: 'later', waitMs: Math.max(0, left.wait_ms) };
    },

    noteAnswers: async ({ appId, service }: AppService, { accepted, throttled }: Answers): Promise<void> => {
      await database.query(
        `INSERT INTO push_service_minutes (app_id, service, minute, accepted, throttled)
         SELECT $1, $2, date_trunc('minute', now()), $3, $4 WHERE EXISTS (SELECT FROM apps WHERE id = $1 AND deleted_at IS NULL)
         ON CONFLICT (app_id, service, minute) DO UPDATE SET
           accepted = push_service_minutes.accepted + excluded.accepted,
           throttled = push_service_minutes.throttled + excluded.throttled`,
        [appId, service, accepted, throttled],
      );
    },
  };
}
