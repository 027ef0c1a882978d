import type { Database } from '../database.ts';
import { admittedTokens } from '../report-tokens.ts';
import type { Sql } from '../sql.ts';
import { isOfOrganization, KEPT_DAYS, lockJobs } from './jobs.ts';
import type { JobRun } from './runs.ts';

export interface JobPart extends JobRun {
  readonly part: number;
}

/** What is in it: rows, or where their figures come from. */
export type PartKind = 'rows' | 'sources';

export interface MadePart extends JobPart {
  readonly kind: PartKind;
  readonly userId: number;
  readonly rows: number;
  readonly bytes: number;
}

/** Of the store, over all results, of one organization's and of one user's. */
export interface JobSpace {
  readonly totalBytes: number;
  readonly organizationBytes: number;
  readonly userBytes: number;
}

/**
 * Before its object is written, so that none is ever without a row.
 * @returns `lost`: the job is no longer this run's; `own`, `organization`, `all`: there is no room.
 */
export function notePart(
  database: Pick<Database, 'transaction'>,
  { id, epoch, part, kind, userId, rows, bytes }: MadePart,
  { totalBytes, organizationBytes, userBytes }: JobSpace,
): Promise<'noted' | 'lost' | 'own' | 'organization' | 'all'> {
  return database.transaction(async (sql) => {
    await lockJobs(sql);
    const [used] = await sql.query<{ own: number; near: number; total: number; holds: boolean }>(
      `SELECT coalesce(sum(bytes) FILTER (WHERE user_id = $1), 0)::bigint AS own, coalesce(sum(bytes), 0)::bigint AS total,
         coalesce(sum(bytes) FILTER (WHERE ${isOfOrganization}), 0)::bigint AS near,
         EXISTS (SELECT FROM report_jobs WHERE id = $2 AND epoch = $3 AND state = 'running') AS holds
       FROM report_job_parts`,
      [userId, id, epoch],
    );
    if (used === undefined || !used.holds) return 'lost';
    if (used.own + bytes > userBytes) return 'own';
    if (used.near + bytes > organizationBytes) return 'organization';
    if (used.total + bytes > totalBytes) return 'all';
    await sql.query(
      `INSERT INTO report_job_parts (job_id, epoch, part, kind, user_id, rows, bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, epoch, part, kind, userId, rows, bytes],
    );
    return 'noted';
  });
}

/** Results that are old, and jobs whose token lets nobody in any more. @returns how many. */
export async function removeOldJobs(sql: Sql): Promise<number> {
  const gone = await sql.query(
    `DELETE FROM report_jobs
     WHERE coalesce(ended_at, created_at) < now() - interval '${KEPT_DAYS} days' AND state <> 'running'
       OR NOT EXISTS (${admittedTokens('report_tokens.id = report_jobs.token_id')})
     RETURNING id`,
  );
  return gone.length;
}

/** A run that lost its job may still be writing an object for this long. */
const WRITING_SECONDS = 300;
const PARTS_AT_ONCE = 100;

/** Those that no job has a use for. @param except names of some, which could not be removed a moment ago. */
export const findDeadParts = (sql: Sql, except: readonly string[] = []): Promise<JobPart[]> =>
  sql.query(
    `SELECT job_id AS id, epoch, part FROM report_job_parts AS parts
     WHERE made_at < now() - interval '${WRITING_SECONDS} seconds' AND NOT EXISTS (
       SELECT FROM report_jobs WHERE id = job_id AND report_jobs.epoch = parts.epoch AND state IN ('running', 'done'))
       AND job_id || ' ' || epoch || ' ' || part <> ALL($1)
     ORDER BY job_id, epoch, part LIMIT ${PARTS_AT_ONCE}`,
    [except],
  );

export const nameOfPart = ({ id, epoch, part }: JobPart): string => `${id} ${epoch} ${part}`;

/** Its object is gone. */
export async function forgetPart(sql: Sql, { id, epoch, part }: JobPart): Promise<void> {
  await sql.query(`DELETE FROM report_job_parts WHERE job_id = $1 AND epoch = $2 AND part = $3`, [
    ...[id, epoch, part],
  ]);
}
