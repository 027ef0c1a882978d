import { bodyOf, type ReportDraft } from './report.ts';

/** The same report over the reporting API, for a shell: its address and the token come from the environment. */
export const asCurl = (draft: ReportDraft): string =>
  [
    'curl "$BROADSIDE_REPORTING_URL/api/v1/reports/generate"',
    '-H "authorization: Bearer $BROADSIDE_REPORT_TOKEN"',
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify(bodyOf(draft)))}`,
  ].join(' \\\n  ');

/** In single quotes, as POSIX shells take any text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
