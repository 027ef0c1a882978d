import type { RelativePeriod } from '../../../contract/relative-days.ts';
import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

/** Of one organization in 24 hours; further ones are failed runs. */
export const MOST_RUNS_A_DAY = 500;
const tooMany = `The organization has had ${MOST_RUNS_A_DAY} runs of schedules in 24 hours, the most that it may have.`;

export interface DueSchedule {
  readonly id: number;
  readonly cron: string | null;
  readonly zone: string;
  readonly period: RelativePeriod | null;
  readonly request: object;
  readonly nextAt: Date;
  readonly createdAt: Date;
}

/** A run that a schedule shall have, once. */
export interface Firing {
  readonly key: string;
  /** `YYYY-MM-DD`: the day from which the period counts. */
  readonly today: string;
}

/** What a schedule does now, and when it is looked at again; `nextAt` null: never, and why. */
export type Fired = (
  schedule: DueSchedule,
  sql: Sql,
) => Promise<{ readonly firings: readonly Firing[]; readonly nextAt: Date | null }>;

/**
 * Takes a schedule that is due and writes its runs. In one transaction with the next time: a process that dies has done
 * all of it or nothing, and of two at once one finds nothing.
 * @returns how many were due: one or none.
 */
export function fireNext(database: Pick<Database, 'transaction'>, fired: Fired): Promise<number> {
  return database.transaction(async (sql) => {
    const [due] = await sql.query<DueSchedule>(
      `SELECT report_schedules.id, cron, zone, period, request, next_at AS "nextAt",
         report_schedules.created_at AS "createdAt"
       FROM report_schedules JOIN saved_reports ON saved_reports.id = saved_id
       WHERE stopped_at IS NULL AND next_at <= now()
       ORDER BY next_at, report_schedules.id LIMIT 1 FOR UPDATE OF report_schedules SKIP LOCKED`,
    );
    if (due === undefined) return 0;
    const { firings, nextAt } = await fired(due, sql);
    for (const firing of firings) await insertRun(sql, due.id, firing);
    if (nextAt !== null)
      await sql.query('UPDATE report_schedules SET next_at = $2 WHERE id = $1', [due.id, nextAt]);
    else
      await sql.query(
        `UPDATE report_schedules SET stopped_at = now(), stopped_why = 'Its cron line names no further time.' WHERE id = $1`,
        [due.id],
      );
    return 1;
  });
}

/** SQL: whether the organization of schedule $1 has used its runs of a day. */
const isFull = `(SELECT count(*) FROM report_runs JOIN report_schedules AS others ON others.id = schedule_id
    WHERE others.organization_id = (SELECT organization_id FROM report_schedules WHERE id = $1)
      AND report_runs.created_at > now() - interval '24 hours') >= ${MOST_RUNS_A_DAY}`;

/** @returns null where there is one of this key already. */
async function insertRun(sql: Sql, scheduleId: number, { key, today }: Firing): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO report_runs (schedule_id, key, today, state, problem, ended_at)
     SELECT $1, $2, $3, CASE WHEN is_full THEN 'failed' ELSE 'due' END, CASE WHEN is_full THEN $4 END,
       CASE WHEN is_full THEN now() END
     FROM (SELECT ${isFull} AS is_full) AS room
     ON CONFLICT (schedule_id, key) DO NOTHING RETURNING id`,
    [scheduleId, key, today, tooMany],
  );
  return row?.id ?? null;
}

/** By hand. @returns null where the organization has had all runs of a day. */
export function insertRunByHand(
  database: Pick<Database, 'transaction'>,
  scheduleId: number,
  firing: Firing,
): Promise<number | null> {
  return database.transaction(async (sql) => {
    await sql.query('SELECT FROM report_schedules WHERE id = $1 FOR UPDATE', [scheduleId]);
    const [room] = await sql.query<{ is_full: boolean }>(`SELECT ${isFull} AS is_full`, [scheduleId]);
    return room?.is_full === true ? null : insertRun(sql, scheduleId, firing);
  });
}

/** Of the schedule. */
export const runKeys = async (sql: Sql, scheduleId: number): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await sql.query<{ key: string }>('SELECT key FROM report_runs WHERE schedule_id = $1', [scheduleId])
    ).map(({ key }) => key),
  );
