import type { RelativePeriod } from '../../../contract/relative-days.ts';
import type { Database } from '../database.ts';
import { insertJob } from '../report-jobs/jobs.ts';
import { admittedTokens, type ReportScope } from '../report-tokens.ts';
import type { Sql } from '../sql.ts';
import { type Destination, type Owner, ownerColumns, ownerJoin, stopSchedule } from './schedules.ts';

/**
 * A run of a schedule lives in `report_runs`:
 *
 *   due → reporting → delivering → done     the report is a job like any other, of the schedule's token
 *    ↑        │            │
 *    └────────┴────────────┴──→ failed      after `MOST_ATTEMPTS`, or where the schedule may not run any more
 *
 * One process at a time takes the next step of a run: it claims the run under the next epoch, and every write names it.
 * If its owner dies: the lease ends with `due_at`, and another process takes the step again. A delivery whose end was
 * not noted is so repeated, under the same id.
 */
export type RunState = 'due' | 'reporting' | 'delivering' | 'done' | 'failed';

const LEASE_SECONDS = 60;
export const LEASE_KEPT_MS = 15_000;
/** Before each further attempt; after the last one the run has failed. */
const PAUSES_S = [60, 300, 1_800, 7_200, 21_600] as const;
const MOST_ATTEMPTS = PAUSES_S.length + 1;
/** Between two checks of a job that is made. */
const LOOK_SECONDS = 1;
/** Of ended runs; of one schedule, at most this number. */
const KEPT_DAYS = 90;
const MOST_KEPT = 200;

export interface ClaimedRun extends Owner {
  readonly id: number;
  readonly epoch: number;
  readonly attempts: number;
  readonly state: Exclude<RunState, 'done' | 'failed'>;
  readonly key: string;
  readonly today: string;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly jobId: number | null;
  readonly deliveredTo: readonly string[];
  readonly scheduleId: number;
  readonly organizationId: number;
  readonly name: string;
  readonly period: RelativePeriod | null;
  readonly request: object;
  readonly format: string;
  readonly destination: Destination;
  readonly secretSealed: Uint8Array | null;
}

type Run = Pick<ClaimedRun, 'id' | 'epoch'>;
const isOwn = `id = $1 AND epoch = $2 AND state NOT IN ('done', 'failed')`;

export const runIsDue = `state NOT IN ('done', 'failed') AND due_at <= now()`;

/** The next step that is due. @param busy organizations whose steps wait. @returns null: none. */
export async function claimRun(sql: Sql, busy: readonly number[] = []): Promise<ClaimedRun | null> {
  const [claimed] = await sql.query<ClaimedRun>(
    `WITH chosen AS (
       SELECT report_runs.id FROM report_runs JOIN report_schedules ON report_schedules.id = schedule_id
       WHERE ${runIsDue} AND organization_id <> ALL ($1)
       ORDER BY due_at, report_runs.id LIMIT 1 FOR UPDATE OF report_runs SKIP LOCKED
     ), claimed AS (
       UPDATE report_runs SET epoch = epoch + 1, due_at = now() + interval '${LEASE_SECONDS} seconds',
         started_at = coalesce(started_at, now())
       FROM chosen WHERE report_runs.id = chosen.id RETURNING report_runs.*
     )
     SELECT claimed.id, epoch, attempts, state, key, today::text AS today, first_day::text AS "firstDay",
       last_day::text AS "lastDay", job_id AS "jobId", delivered_to AS "deliveredTo", schedule_id AS "scheduleId",
       report_schedules.organization_id AS "organizationId", saved_reports.name, period, request, format, destination, secret_sealed AS "secretSealed",
       ${ownerColumns}
     FROM claimed JOIN report_schedules ON report_schedules.id = schedule_id
       JOIN saved_reports ON saved_reports.id = saved_id ${ownerJoin}`,
    [busy],
  );
  return claimed ?? null;
}

/** The job and the note of it are one transaction. @returns false: there is no room for a job now, or the run is lost. */
export function beginReport(
  database: Pick<Database, 'transaction'>,
  run: Run,
  owner: { readonly tokenId: number; readonly userId: number },
  request: object & { readonly selectedDate: readonly [string, string] },
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const [held] = await sql.query(`SELECT id FROM report_runs WHERE ${isOwn} FOR UPDATE`, [
      run.id,
      run.epoch,
    ]);
    if (held === undefined) return false;
    const job = await insertJob(sql, owner, request);
    if (typeof job === 'string') return false;
    await sql.query(
      `UPDATE report_runs SET state = 'reporting', job_id = $3, first_day = $4, last_day = $5, due_at = now()
       WHERE ${isOwn}`,
      [run.id, run.epoch, job, ...request.selectedDate],
    );
    return true;
  });
}

/** Until later, as it is. */
export async function leaveRun(sql: Sql, { id, epoch }: Run, seconds: number = LOOK_SECONDS): Promise<void> {
  await sql.query(
    `UPDATE report_runs SET due_at = now() + make_interval(secs => $3::float8) WHERE ${isOwn}`,
    [id, epoch, seconds],
  );
}

/** @returns false: the run is another process's. */
export async function keepRun(sql: Sql, { id, epoch }: Run): Promise<boolean> {
  const kept = await sql.query(
    `UPDATE report_runs SET due_at = now() + interval '${LEASE_SECONDS} seconds' WHERE ${isOwn} RETURNING id`,
    [id, epoch],
  );
  return kept.length > 0;
}

export async function moveToDelivery(sql: Sql, { id, epoch }: Run): Promise<void> {
  await sql.query(`UPDATE report_runs SET state = 'delivering', due_at = now() WHERE ${isOwn}`, [id, epoch]);
}

export async function noteDeliveredTo(sql: Sql, { id, epoch }: Run, address: string): Promise<void> {
  await sql.query(`UPDATE report_runs SET delivered_to = delivered_to || $3::text WHERE ${isOwn}`, [
    id,
    epoch,
    address,
  ]);
}

export async function finishRun(
  sql: Sql,
  { id, epoch }: Run,
  { rows, bytes }: { readonly rows: number; readonly bytes: number },
): Promise<void> {
  await sql.query(
    `UPDATE report_runs SET state = 'done', ended_at = now(), problem = NULL, rows = $3, bytes = $4 WHERE ${isOwn}`,
    [id, epoch, rows, bytes],
  );
}

/** Another attempt after a pause, or none. @param from `due`: the report is made again. */
export async function repeatRun(
  sql: Sql,
  { id, epoch, attempts }: Pick<ClaimedRun, 'id' | 'epoch' | 'attempts'>,
  from: 'due' | 'delivering',
  problem: string,
): Promise<'again' | 'failed'> {
  const pause = PAUSES_S[attempts];
  const isLast = pause === undefined || attempts + 1 >= MOST_ATTEMPTS;
  await sql.query(
    `UPDATE report_runs SET attempts = attempts + 1, state = $3, problem = $4,
       due_at = now() + make_interval(secs => $5), ended_at = CASE WHEN $3 = 'failed' THEN now() END
     WHERE ${isOwn}`,
    [id, epoch, isLast ? 'failed' : from, problem, pause ?? 0],
  );
  return isLast ? 'failed' : 'again';
}

/** Where no attempt can help. @param stops the schedule has the same reason. */
export async function failRun(
  sql: Sql,
  { id, epoch, scheduleId }: Pick<ClaimedRun, 'id' | 'epoch' | 'scheduleId'>,
  problem: string,
  stops: boolean,
): Promise<void> {
  const failed = await sql.query(
    `UPDATE report_runs SET state = 'failed', problem = $3, ended_at = now() WHERE ${isOwn} RETURNING id`,
    [id, epoch, problem],
  );
  if (stops && failed.length > 0) await stopSchedule(sql, scheduleId, problem);
}

/** By hand, from the beginning. @returns false where it is not a failed run of the schedule. */
export async function restartRun(sql: Sql, scheduleId: number, id: number): Promise<boolean> {
  const again = await sql.query(
    `UPDATE report_runs SET state = 'due', attempts = 0, due_at = now(), ended_at = NULL, started_at = NULL, job_id = NULL
     WHERE schedule_id = $1 AND id = $2 AND state = 'failed' RETURNING id`,
    [scheduleId, id],
  );
  return again.length > 0;
}

export interface ShownRun {
  readonly id: number;
  readonly state: RunState;
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly problem: string | null;
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
}

/** The newest first. */
export const listRuns = (sql: Sql, scheduleId: number): Promise<ShownRun[]> =>
  sql.query(
    `SELECT id, state, first_day::text, last_day::text, attempts,
       CASE WHEN attempts > 0 AND state NOT IN ('done', 'failed') THEN due_at END AS next_attempt_at, problem, rows, bytes,
       created_at, started_at, ended_at
     FROM report_runs WHERE schedule_id = $1 ORDER BY id DESC LIMIT ${MOST_KEPT}`,
    [scheduleId],
  );

/** Whose result an address of a file leads to. */
export interface RunFile {
  readonly jobId: number;
  readonly tokenId: number;
  readonly userId: number;
  readonly scope: ReportScope;
}

/** @returns null where there is no such run, or its schedule may not run any more. */
export async function findRunFile(sql: Sql, id: number): Promise<RunFile | null> {
  const [found] = await sql.query<RunFile>(
    `SELECT job_id AS "jobId", token_id AS "tokenId", users.id AS "userId",
       jsonb_build_object('domains', admitted.domains, 'wholesalers', admitted.wholesalers, 'unrestricted',
         admitted.unrestricted) AS scope
     FROM report_runs JOIN report_schedules ON report_schedules.id = schedule_id
       JOIN users ON users.id = made_by AND users.organization_id = report_schedules.organization_id
       JOIN (${admittedTokens('true')}) AS admitted ON admitted.id = token_id
     WHERE report_runs.id = $1 AND job_id IS NOT NULL`,
    [id],
  );
  return found ?? null;
}

/** History, by age and number. What a schedule that waits for final days has reported stays until it is too old to come again. */
export async function removeOldRuns(sql: Sql): Promise<void> {
  await sql.query(
    `DELETE FROM report_runs USING (
       SELECT id, row_number() OVER (PARTITION BY schedule_id ORDER BY id DESC) AS place FROM report_runs
     ) AS placed
     WHERE placed.id = report_runs.id AND state IN ('done', 'failed')
       AND (place > ${MOST_KEPT} OR ended_at < now() - interval '${KEPT_DAYS} days')
       AND (key NOT LIKE '%/%' OR report_runs.created_at < now() - interval '${KEPT_DAYS} days')`,
  );
}
