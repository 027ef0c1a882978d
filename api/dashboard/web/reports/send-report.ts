import { Problem, problemOf } from '../http/problem.ts';
import { t } from '../texts/t.ts';

/** What goes wrong with a report beside what goes wrong with any request. */
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
  /** Where Broadside is, without a slash at its end. */
  readonly baseUrl: string;
  readonly csrfToken: string;
  /** The session has ended, which is not the report's business. */
  readonly onLoggedOut: () => void;
}

/** @returns the answer, good. @throws ReportProblem for any other. */
export async function sendReport(
  { baseUrl, csrfToken, onLoggedOut }: ReportSender,
  token: string,
  body: object,
): Promise<Response> {
  const answer = await fetch(`${baseUrl}/dashboard/reports/generate`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-csrf-token': csrfToken,
      'x-report-token': token,
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ReportProblem('other', problemOf(0, null));
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
  if (answer.status === 404 || answer.status === 502) {
    return new ReportProblem('not-set-up', new Problem(answer.status, t.reports.notSetUp));
  }
  return new ReportProblem('other', problem);
}
