import type { RelativePeriod } from '../../../contract/relative-days.ts';
import type { Database } from '../database.ts';
import { claimFinalDays, type FinalDays } from '../final-days.ts';
import type { ReportScope } from '../report-tokens.ts';
import type { Sql } from '../sql.ts';
import { type Owner, ownerColumns, ownerJoin, stopSchedule, whyNotRun } from './schedules.ts';

/** Of one organization in 24 hours; further ones are failed runs. */
export const MOST_RUNS_A_DAY = 500;
const tooMany = `The organization has had ${MOST_RUNS_A_DAY} runs of schedules in 24 hours, the most that it may have.`;
/** Before a schedule is checked again where the check before broke off. */
const AFTER_FAULT_SECONDS = 300;
const MOST_EVENTS = 100;
/** Schedules whose rights are read in one statement. */
const WAITING_AT_ONCE = 1_000;
/** SQL: of schedules. */
export const scheduleIsDue = 'stopped_at IS NULL AND next_at <= now()';

interface Found extends Owner {
  readonly id: number;
  readonly cron: string | null;
  readonly zone: string;
  readonly period: RelativePeriod | null;
  readonly request: object;
  readonly nextAt: Date;
  readonly createdAt: Date;
}

export type DueSchedule = Omit<Found, 'scope'> & { readonly scope: ReportScope };

/** A run that a schedule shall have, once. */
export interface Firing {
  readonly key: string;
  /** `YYYY-MM-DD`: the day from which the period counts. */
  readonly today: string;
}

/**
 * What a schedule does now, and when it is checked again; `nextAt` null: never.
 * @param keys of the runs that it has had.
 */
export type Fired = (
  schedule: DueSchedule,
  keys: () => Promise<ReadonlySet<string>>,
) => Promise<{ readonly firings: readonly Firing[]; readonly nextAt: Date | null }>;

/**
 * Takes a schedule that is due and writes its runs. In one transaction with the next time: a process that dies has done
 * all of it or nothing, and of two at once one finds nothing.
 * @param kind those that wait for final days ask ClickHouse: one that is slow must not hold up the others' times.
 * @param onFault the schedule waits, so that those behind it come.
 * @returns how many were due: one or none.
 */
export function fireNext(
  database: Pick<Database, 'transaction'>,
  kind: 'cron' | 'final',
  fired: Fired,
  onFault: (error: unknown) => void,
): Promise<number> {
  return database.transaction(async (sql) => {
    const [due] = await sql.query<Found>(
      `SELECT report_schedules.id, cron, zone, period, request, next_at AS "nextAt",
         report_schedules.created_at AS "createdAt", ${ownerColumns}
       FROM report_schedules JOIN saved_reports ON saved_reports.id = saved_id ${ownerJoin}
       WHERE ${scheduleIsDue} AND (cron IS NULL) = $1
       ORDER BY next_at, report_schedules.id LIMIT 1 FOR UPDATE OF report_schedules SKIP LOCKED`,
      [kind === 'final'],
    );
    if (due === undefined) return 0;
    const { scope } = due;
    const why = whyNotRun(due);
    if (why !== null || scope === null) {
      await stopSchedule(sql, due.id, why ?? '');
      return 1;
    }
    const next = await fired({ ...due, scope }, () => runKeys(sql, due.id)).catch((error: unknown) => {
      onFault(error);
      return null;
    });
    for (const firing of next?.firings ?? []) await insertRun(sql, due.id, firing);
    if (next === null)
      await sql.query(
        `UPDATE report_schedules SET next_at = now() + interval '${AFTER_FAULT_SECONDS} seconds' WHERE id = $1`,
        [due.id],
      );
    else if (next.nextAt === null) await stopSchedule(sql, due.id, 'Its cron line names no further time.');
    else await sql.query('UPDATE report_schedules SET next_at = $2 WHERE id = $1', [due.id, next.nextAt]);
    return 1;
  });
}

/** A schedule that waits for final days. */
export type WaitingSchedule = Pick<Found, 'id' | 'scope'>;

/**
 * Which schedules the days that became final may concern: it is asked with the domains that any of them names, and answers
 * with a condition on each.
 */
export type Concerned = (
  sql: Sql,
  events: readonly FinalDays[],
  wanted: ReadonlySet<string>,
) => Promise<(scope: WaitingSchedule['scope']) => boolean>;

/** Days became final: every schedule that they may concern checks its own. @returns how many events there were. */
export const lookAtFinalDays = (
  database: Pick<Database, 'transaction'>,
  concerned: Concerned,
): Promise<number> =>
  database.transaction(async (sql) => {
    const events = await claimFinalDays(sql, 'schedules', MOST_EVENTS);
    if (events.length === 0) return 0;
    const wanted = new Set<string>();
    await eachWaiting(sql, async (some) => {
      for (const domain of some.flatMap(({ scope }) => scope?.domains ?? [])) wanted.add(domain);
    });
    const isConcerned = await concerned(sql, events, wanted);
    await eachWaiting(sql, async (some) => {
      const ids = some.filter(({ scope }) => mayConcern(scope, wanted, isConcerned)).map(({ id }) => id);
      // In the order of ids, as whoever locks several of them does.
      await sql.query(
        `UPDATE report_schedules SET next_at = now() WHERE id IN (
           SELECT id FROM report_schedules WHERE id = ANY($1) AND stopped_at IS NULL ORDER BY id FOR UPDATE)`,
        [ids],
      );
    });
    return events.length;
  });

/** One whose rights changed meanwhile checks its days. */
const mayConcern = (
  scope: WaitingSchedule['scope'],
  wanted: ReadonlySet<string>,
  isConcerned: (scope: WaitingSchedule['scope']) => boolean,
): boolean => isConcerned(scope) || scope?.domains.some((domain) => !wanted.has(domain)) === true;

/** All that wait for final days, some at a time. */
async function eachWaiting(
  sql: Sql,
  work: (some: readonly WaitingSchedule[]) => Promise<void>,
): Promise<void> {
  for (let after = 0; ; ) {
    const some = await sql.query<WaitingSchedule>(
      `SELECT report_schedules.id, ${ownerColumns} FROM report_schedules ${ownerJoin}
       WHERE cron IS NULL AND stopped_at IS NULL AND report_schedules.id > $1
       ORDER BY report_schedules.id LIMIT ${WAITING_AT_ONCE}`,
      [after],
    );
    const last = some.at(-1);
    if (last === undefined) return;
    await work(some);
    after = last.id;
  }
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

/** By hand, as often as it is asked for. @returns null where the organization has had all runs of a day. */
export function insertRunByHand(
  database: Pick<Database, 'transaction'>,
  scheduleId: number,
  { key, today }: Firing,
): Promise<number | null> {
  return database.transaction(async (sql) => {
    await sql.query('SELECT FROM report_schedules WHERE id = $1 FOR UPDATE', [scheduleId]);
    const [found] = await sql.query<{ is_full: boolean; same: number }>(
      `SELECT ${isFull} AS is_full, (SELECT count(*)::int FROM report_runs WHERE schedule_id = $1
         AND (key = $2 OR starts_with(key, $2 || ' #'))) AS same`,
      [scheduleId, key],
    );
    if (found === undefined || found.is_full) return null;
    // Two may ask in the same millisecond.
    return insertRun(sql, scheduleId, { key: found.same === 0 ? key : `${key} #${found.same + 1}`, today });
  });
}

const runKeys = async (sql: Sql, scheduleId: number): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await sql.query<{ key: string }>('SELECT key FROM report_runs WHERE schedule_id = $1', [scheduleId])
    ).map(({ key }) => key),
  );
