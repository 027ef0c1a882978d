import type { ReportBody, ReportDraft } from './report.ts';
import { bodiesOf } from './requests.ts';

/**
 * The same report over the reporting API, for a shell: its address and the token come from the environment. A pivot beside
 * an earlier period is two, one after the other.
 */
export const asCurl = (draft: ReportDraft): string => bodiesOf(draft).map(curlOf).join('\n');

const curlOf = (body: ReportBody): string =>
  [
    'curl "$BROADSIDE_REPORTING_URL/api/v1/reports/generate"',
    '-H "authorization: Bearer $BROADSIDE_REPORT_TOKEN"',
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ');

/** In single quotes, as POSIX shells take any text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
