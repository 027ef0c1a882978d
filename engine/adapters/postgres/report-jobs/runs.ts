import type { OldRate } from '../../../contract/rate-table.ts';
import type { Database } from '../database.ts';
import { admittedTokens, type ReportScope } from '../report-tokens.ts';
import type { Sql } from '../sql.ts';
import { type JobProblem, lockJobs } from './jobs.ts';

/** One run of a job. Nothing that it writes counts once another run has begun. */
export interface JobRun {
  readonly id: number;
  readonly epoch: number;
}

export interface ClaimedJob extends JobRun {
  readonly userId: number;
  readonly request: unknown;
  readonly created_at: Date;
  /** What the token sees now. */
  readonly scope: ReportScope;
}

/** A process that shows no sign of life for this long has lost its job. */
export const LEASE_SECONDS = 30;
/** Of one user at a time, over all processes. */
const MOST_RUNNING_OF_USER = 2;
/** A job that ended its process this often would end the next one. */
const MOST_BROKEN = 3;

const brokenProblem: JobProblem = {
  message: `The job broke off ${MOST_BROKEN} times. Make it again with fewer dimensions or a shorter selectedDate.`,
};

const scopeOf = `jsonb_build_object('domains', domains, 'wholesalers', wholesalers, 'unrestricted', unrestricted)`;
/** Of the job's token, as it is now; none where it lets nobody in. */
const scopeNow = `(SELECT ${scopeOf} FROM (${admittedTokens('report_tokens.id = report_jobs.token_id')}) AS admitted)`;
const hasEnded = `(state = 'running' AND lease_until < now())`;
const isOwn = `id = $1 AND epoch = $2 AND state = 'running'`;

/**
 * The next job that waits, or whose process is gone: of the organization with the fewest running ones, then of the one
 * that has waited the longest for a start, and among its users the same. @returns null: none.
 */
export async function claimReportJob(
  database: Pick<Database, 'query' | 'transaction'>,
): Promise<ClaimedJob | null> {
  // Without the lock and the transaction, for a process that finds nothing every few seconds.
  const open = await database.query(`SELECT FROM report_jobs WHERE state = 'queued' OR ${hasEnded} LIMIT 1`);
  if (open.length === 0) return null;
  return database.transaction(async (sql) => {
    await lockJobs(sql);
    await sql.query(
      `UPDATE report_jobs SET state = 'failed', ended_at = now(), problem = $1
       WHERE ${hasEnded} AND broken + 1 >= ${MOST_BROKEN}`,
      [JSON.stringify(brokenProblem)],
    );
    const [claimed] = await sql.query<ClaimedJob>(
      `WITH owners AS (
         SELECT user_id, organization_id, count(*) FILTER (WHERE state = 'running' AND NOT ${hasEnded}) AS running,
           max(started_at) AS latest
         FROM report_jobs JOIN users ON users.id = user_id GROUP BY user_id, organization_id
       ), turns AS (
         SELECT owners.*, sum(running) OVER near AS running_near, max(latest) OVER near AS latest_near
         FROM owners WINDOW near AS (PARTITION BY organization_id)
       ), chosen AS (
         SELECT id, ${scopeNow} AS seen FROM report_jobs JOIN turns USING (user_id)
         WHERE (state = 'queued' OR ${hasEnded}) AND running < ${MOST_RUNNING_OF_USER} AND ${scopeNow} IS NOT NULL
         ORDER BY running_near, latest_near NULLS FIRST, running, latest NULLS FIRST, id LIMIT 1
       )
       UPDATE report_jobs SET state = 'running', epoch = epoch + 1, started_at = now(), rows = 0, read_share = NULL,
         broken = broken + ${hasEnded}::int, lease_until = now() + interval '${LEASE_SECONDS} seconds', scope = seen
       FROM chosen WHERE report_jobs.id = chosen.id AND (state = 'queued' OR ${hasEnded})
       RETURNING report_jobs.id, epoch, user_id AS "userId", request, created_at, scope`,
    );
    return claimed ?? null;
  });
}

/** @returns false: the job is no longer this run's, or its token sees other rows now. */
export async function keepReportJob(
  sql: Sql,
  { id, epoch }: JobRun,
  { rows, readShare }: { readonly rows: number; readonly readShare: number | null },
): Promise<boolean> {
  const kept = await sql.query(
    `UPDATE report_jobs SET lease_until = now() + interval '${LEASE_SECONDS} seconds', rows = $3, read_share = $4
     WHERE ${isOwn} AND scope = ${scopeNow} RETURNING id`,
    [id, epoch, rows, readShare],
  );
  return kept.length > 0;
}

export interface JobResult {
  readonly rows: number;
  readonly meta: string | null;
  readonly leftOut: readonly { readonly currency: string; readonly rows: number }[];
  readonly oldRates: readonly OldRate[];
}

/** @returns false as `keepReportJob` does: nothing counts. */
export async function finishReportJob(
  sql: Sql,
  { id, epoch }: JobRun,
  { rows, meta, leftOut, oldRates }: JobResult,
): Promise<boolean> {
  const done = await sql.query(
    `UPDATE report_jobs SET state = 'done', ended_at = now(), rows = $3, read_share = 1, meta = $4, left_out = $5,
       old_rates = $6
     WHERE ${isOwn} AND scope = ${scopeNow} RETURNING id`,
    [id, epoch, rows, meta, JSON.stringify(leftOut), JSON.stringify(oldRates)],
  );
  return done.length > 0;
}

/** It would fail again. */
export async function failReportJob(sql: Sql, { id, epoch }: JobRun, problem: JobProblem): Promise<void> {
  await sql.query(`UPDATE report_jobs SET state = 'failed', ended_at = now(), problem = $3 WHERE ${isOwn}`, [
    id,
    epoch,
    JSON.stringify(problem),
  ]);
}

/** To be run again, by any process. @param isBroken it broke off for a reason that may be its own. */
export async function releaseReportJob(sql: Sql, { id, epoch }: JobRun, isBroken: boolean): Promise<void> {
  await sql.query(
    `UPDATE report_jobs SET broken = broken + $3::int,
       state = CASE WHEN broken + $3::int >= ${MOST_BROKEN} THEN 'failed' ELSE 'queued' END,
       ended_at = CASE WHEN broken + $3::int >= ${MOST_BROKEN} THEN now() END,
       problem = CASE WHEN broken + $3::int >= ${MOST_BROKEN} THEN $4::json END
     WHERE ${isOwn}`,
    [id, epoch, Number(isBroken), JSON.stringify(brokenProblem)],
  );
}
