import { CliError } from '../../../engine/kit/command-line/endings.ts';
import { createPatientFetch } from '../../http-client/patient-fetch.ts';
import { readReportConnection } from '../../settings/config.ts';
import { reasonOf } from './answer.ts';
import { tellOfWait } from './connection.ts';

export interface ReportingApi {
  /** An answer of any status except 401. @param path below `/api/v1/reports`. */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options?: SendOptions): Promise<Response>;
  readonly url: string;
}

interface SendOptions {
  readonly accept?: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** To the end of the largest download: the patience of other requests ends with their answer. */
const DOWNLOAD_TIMEOUT_MS = 3_600_000;

/** @throws CliError where there is no token. */
export function openReportingApi(reporting: string | undefined): ReportingApi {
  const { reportingUrl, reportToken } = readReportConnection(reporting);
  if (reportToken === null)
    throw new CliError('BROADSIDE_REPORT_TOKEN is not set: "broadside report-token issue" makes a token');
  const fetchPatiently = createPatientFetch({ onWait: tellOfWait, answerTimeoutMs: DOWNLOAD_TIMEOUT_MS });
  return {
    url: reportingUrl,
    send: async (method, path, { accept = 'application/json', body, signal } = {}) => {
      const request = new Request(`${reportingUrl}/api/v1/reports${path}`, {
        method,
        headers: {
          authorization: `Bearer ${reportToken}`,
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const response = await fetchPatiently(request).catch((error: unknown) => {
        if (signal?.aborted === true) throw signal.reason;
        throw new CliError(
          `the reporting API does not answer (${reasonOf(error)}): check that it runs, and that --reporting or BROADSIDE_REPORTING_URL has its address`,
          { cause: error },
        );
      });
      if (response.status === 401)
        throw new CliError(
          'the report token is not valid: check BROADSIDE_REPORT_TOKEN, or make one with "broadside report-token issue"',
        );
      return response;
    },
  };
}

/** What a refusal names → what a command has for it. */
const options = [
  ['POST /reports/jobs', '--job <file>'],
  ['a shorter selectedDate, or filter_groups', 'fewer days, or --filter'],
  ['set source_days to true', 'add --source-days'],
] as const;

/** As the typed client gives an answer; a refusal names this command's options. */
export async function answered(response: Response) {
  const text = await response.text();
  const said = parsed(
    response.ok ? text : options.reduce((all, [words, option]) => all.replaceAll(words, option), text),
  );
  return response.ok ? { data: said as Response, response } : { error: said, response };
}

/** Whatever another server answers. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

export const noReportingAt = (url: string): CliError =>
  new CliError(
    `there is no reporting API at ${url}: check that --reporting or BROADSIDE_REPORTING_URL has its address`,
  );
