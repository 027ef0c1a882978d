import { lostProblem, Problem, problemOf } from '../data/http/problem.ts';
import { t } from '../texts/t.ts';

/** Longer than the reporting role works on one by default. */
const REPORT_TIMEOUT_MS = 300_000;

/** A report's errors beside those of any request. */
export class ReportProblem extends Problem {
  readonly why: 'token' | 'wait' | 'not-set-up' | 'other';
  /** Seconds until it may be tried again; 0 at once. */
  readonly waitSeconds: number;

  constructor(why: ReportProblem['why'], problem: Problem, waitSeconds = 0) {
    super(problem.status, problem.message, problem.fields);
    this.why = why;
    this.waitSeconds = waitSeconds;
  }
}

export interface ReportSender {
  /** Broadside's base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly csrfToken: string;
  /** The session has ended, which is not the report's business. */
  readonly onLoggedOut: () => void;
}

/** A question to the reporting API; its path is below `/reports`. */
export interface ReportQuestion {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** @returns the answer, good. @throws ReportProblem for any other. */
export async function sendReport(
  { baseUrl, csrfToken, onLoggedOut }: ReportSender,
  token: string,
  { method, path, body }: ReportQuestion,
): Promise<Response> {
  const answer = await fetch(`${baseUrl}/dashboard/reports${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      accept: 'application/json',
      'x-csrf-token': csrfToken,
      'x-report-token': token,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(REPORT_TIMEOUT_MS),
  }).catch((failure: unknown) => {
    throw new ReportProblem('other', lostProblem(failure));
  });
  if (answer.ok) return answer;
  const isFromReporting = answer.headers.get('x-report-answer') === 'passed';
  if (answer.status === 401 && !isFromReporting) onLoggedOut();
  throw whyOf(answer, isFromReporting, problemOf(answer.status, await answer.json().catch(() => null)));
}

function whyOf(answer: Response, isFromReporting: boolean, problem: Problem): ReportProblem {
  if (answer.status === 401 && isFromReporting) return new ReportProblem('token', problem);
  if (answer.status === 429) {
    return new ReportProblem('wait', problem, Number(answer.headers.get('retry-after') ?? 1));
  }
  if ((answer.status === 404 && !isFromReporting) || answer.status === 502) {
    return new ReportProblem('not-set-up', new Problem(answer.status, t.reports.notSetUp));
  }
  return new ReportProblem('other', problem);
}
