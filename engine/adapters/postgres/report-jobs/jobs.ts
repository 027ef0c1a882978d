import type { OldRate } from '../../../contract/rate-table.ts';
import type { Database } from '../database.ts';
import type { ReportScope } from '../report-tokens.ts';
import type { Sql } from '../sql.ts';

/**
 * A report that is made in the background lives in `report_jobs`, its result in the store of results, object by object
 * as `report_job_parts` names them:
 *
 *   queued → running → done      one process at a time runs it, see `runs.ts`
 *               │  └─→ failed    it would fail again, or broke off too often
 *               └─→ queued       its process stopped
 *   any of them → gone           by its owner, with its token or user, or after `KEPT_DAYS`
 *
 * If its owner dies: the lease of a running job ends and another process runs it again, under the next epoch. What the
 * first one still writes has no row that counts, and `parts.ts` removes it.
 */
export type ReportJobState = 'queued' | 'running' | 'done' | 'failed';

/** From the end of a job; one that nobody runs goes after as long. */
export const KEPT_DAYS = 7;
/** A list that people and programs still read; each holds a request of up to 1 MB. */
const MOST_OF_USER = 100;
/** Of these, that wait or run. */
const MOST_OPEN_OF_USER = 10;
const MOST_OPEN_OF_ORGANIZATION = 250;
const MOST_OPEN = 1_000;

/** Who made a job, and with which token: nobody else sees it. */
export interface JobOwner {
  readonly tokenId: number;
  readonly userId: number;
}

export interface ReportJob {
  readonly id: number;
  readonly epoch: number;
  /** The body, with its days; in a list, its format alone. */
  readonly request: unknown;
  readonly state: ReportJobState;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly expires_at: Date | null;
  readonly rows: number;
  /** Seconds until all is read, if it goes on as it did; null: unknown. */
  readonly seconds_left: number | null;
  readonly meta: string | null;
  readonly left_out: readonly { readonly currency: string; readonly rows: number }[];
  readonly old_rates: readonly OldRate[];
  readonly problem: JobProblem | null;
  /** Whether the token still sees what it saw when the job ran. */
  readonly sees_same: boolean;
  readonly parts: readonly {
    readonly part: number;
    readonly kind: 'rows' | 'sources';
    readonly rows: number;
    readonly bytes: number;
  }[];
}

/** As the synchronous answer would have been. */
export interface JobProblem {
  readonly message: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export const scopeText = ({ domains, wholesalers, unrestricted }: ReportScope): string =>
  JSON.stringify({ domains, wholesalers, unrestricted });

/** In one place, so that two requests at once do not exceed a bound together, nor two claims. */
export const lockJobs = (sql: Sql): Promise<unknown> =>
  sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('report jobs', 0))`);

/** SQL: that a `user_id` is that of $1 or of a colleague. */
export const isOfOrganization = `(user_id = $1 OR user_id IN (
    SELECT id FROM users WHERE organization_id = (SELECT organization_id FROM users WHERE id = $1)))`;

/** SQL: a run of a schedule made it. Those are bounded by their own, and their history is the schedule's. */
const isOfSchedule = 'EXISTS (SELECT FROM report_runs WHERE job_id = report_jobs.id)';

/** The bound that is reached: of the user's jobs, of those that are open, of the organization's, or of all. */
type FullOfJobs = 'kept' | 'own' | 'organization' | 'all';

/** @returns the job's id, or the bound that is reached. */
export const insertReportJob = (
  database: Pick<Database, 'transaction'>,
  owner: JobOwner,
  request: object,
): Promise<number | FullOfJobs> => database.transaction((sql) => insertJob(sql, owner, request, true));

/** As `insertReportJob`, in a transaction. @param isAsked by a person: then the jobs that the user keeps are bounded. */
export async function insertJob(
  sql: Sql,
  { tokenId, userId }: JobOwner,
  request: object,
  isAsked = false,
): Promise<number | FullOfJobs> {
  await lockJobs(sql);
  const [counts] = await sql.query<{ kept: number; own: number; near: number; open: number }>(
    `SELECT (SELECT count(*)::int FROM report_jobs WHERE user_id = $1 AND NOT ${isOfSchedule}) AS kept,
       count(*) FILTER (WHERE user_id = $1)::int AS own,
       count(*) FILTER (WHERE ${isOfOrganization})::int AS near, count(*)::int AS open
     FROM report_jobs WHERE state IN ('queued', 'running')`,
    [userId],
  );
  if ((counts?.own ?? 0) >= MOST_OPEN_OF_USER) return 'own';
  if (isAsked && (counts?.kept ?? 0) >= MOST_OF_USER) return 'kept';
  if ((counts?.near ?? 0) >= MOST_OPEN_OF_ORGANIZATION) return 'organization';
  if ((counts?.open ?? 0) >= MOST_OPEN) return 'all';
  const [row] = await sql.query<{ id: number }>(
    `INSERT INTO report_jobs (token_id, user_id, request) VALUES ($1, $2, $3) RETURNING id`,
    [tokenId, userId, JSON.stringify(request)],
  );
  if (row === undefined) throw new Error('no job was inserted');
  return row.id;
}

/** Below this, what was read says little about the rest. */
const LEAST_SHARE = 0.02;

const shownJobs = (
  request: string,
): string => `SELECT id, epoch, ${request} AS request, state, created_at, started_at, ended_at,
    ended_at + interval '${KEPT_DAYS} days' AS expires_at, rows,
    CASE WHEN state = 'running' AND read_share BETWEEN ${LEAST_SHARE} AND 1
      THEN ceil(extract(epoch FROM now() - started_at) * (1 - read_share) / read_share)::int END AS seconds_left,
    meta, left_out, old_rates, problem, scope IS NULL OR scope = $3::jsonb AS sees_same,
    coalesce((
      SELECT json_agg(json_build_object('part', part, 'kind', kind, 'rows', parts.rows, 'bytes', bytes) ORDER BY part)
      FROM report_job_parts AS parts WHERE state = 'done' AND job_id = id AND parts.epoch = report_jobs.epoch
    ), '[]') AS parts
  FROM report_jobs WHERE token_id = $1 AND user_id = $2`;

/** @returns null where the owner has no such job. */
export async function findReportJob(
  sql: Sql,
  { tokenId, userId }: JobOwner,
  scope: ReportScope,
  id: number,
): Promise<ReportJob | null> {
  const [job] = await sql.query<ReportJob>(`${shownJobs('request')} AND id = $4`, [
    ...[tokenId, userId, scopeText(scope), id],
  ]);
  return job ?? null;
}

/** Those that were asked for, the newest first, and of their requests the format alone: a hundred whole ones may be megabytes. */
export const listReportJobs = (
  sql: Sql,
  { tokenId, userId }: JobOwner,
  scope: ReportScope,
): Promise<ReportJob[]> =>
  sql.query(
    `${shownJobs(`json_build_object('format', request -> 'format')`)} AND NOT ${isOfSchedule} ORDER BY id DESC`,
    [tokenId, userId, scopeText(scope)],
  );

/** Whatever state it is in: its run ends with its next sign of life. @returns false where there is none. */
export async function removeReportJob(sql: Sql, { tokenId, userId }: JobOwner, id: number): Promise<boolean> {
  const gone = await sql.query(
    `DELETE FROM report_jobs WHERE id = $1 AND token_id = $2 AND user_id = $3 RETURNING id`,
    [id, tokenId, userId],
  );
  return gone.length > 0;
}
