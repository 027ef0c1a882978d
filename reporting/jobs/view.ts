import type { ReportJob } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import type { ReportRequest } from '../report/request.ts';

export const formatOf = ({ request }: Pick<ReportJob, 'request'>) =>
  (request as ReportRequest).format ?? 'json';

/** A job as its owner sees it in a list. */
export function summaryOf(job: ReportJob) {
  const { id, state, created_at, started_at, ended_at, expires_at, rows, seconds_left, parts } = job;
  return {
    ...{ id, state, format: formatOf(job), created_at, started_at, ended_at, expires_at, rows, seconds_left },
    parts,
    left_out: job.left_out,
    old_rates: job.old_rates,
    problem: job.problem,
  };
}

export const viewOf = (job: ReportJob) => ({ ...summaryOf(job), request: job.request });

/** The report's `meta` of the text, which keeps every digit, with the number of rows that are in this answer. */
export const metaFor = (meta: string, count: number, nextCursor?: string | null): string =>
  meta
    .replace(/^\{"count":\d+/, () => `{"count":${count}`)
    .replace(/\}$/, () => (nextCursor === undefined ? '}' : `,"next_cursor":${JSON.stringify(nextCursor)}}`));
