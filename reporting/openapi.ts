import type { FastifyInstance } from 'fastify';
import { registerDocs } from '../engine/kit/http/docs/register.ts';

const description = `Reports on ad earnings, for dashboards and for analysts. \`POST /reports/generate\` answers at once; larger
reports are made in the background (\`POST /reports/jobs\`).

**Tokens** are issued by the operator (\`broadside report-token issue\`) and sent as
\`Authorization: Bearer <token_id>|<secret>\`, with \`Content-Type: application/json\`. A token sees the rows of its
publisher domains and wholesalers, and no other; a request does not name them.

**Bodies** are JSON in UTF-8; other bytes are 400. A field that is not named here is 422, with the name that was
probably meant.

**Errors** have \`status: error\` and a \`message\` for people; a 422 also names the \`errors\` of each field. Every
answer carries \`X-Request-Id\`, which the logs know too. 429 and 503 say in \`Retry-After\` how many seconds to
wait. A user has 5 requests a minute unless the operator set another number, whatever their report is answered with.
They may come at once: the reports of one user wait for their permit, and a request that is refused does not count.
Jobs have a rate of their own, and so do questions about jobs.

**Jobs** take the body of a report, for up to 24 months. A job belongs to the token that made it: nobody else finds it,
it sees what the token sees when it runs, and it goes with the token. Its result is kept for seven days, in parts of
500,000 rows (Parquet is one file). Rows of JSON can also be read in pages; they stay as they are, whatever is imported or
replaced meanwhile. Where the token sees other rows than when the job ran, the result is 410.

**Why.** \`POST /reports/discrepancies\` compares two sources, \`POST /reports/anomalies\` finds unusual days; each counts as
a report. Notes and muted series belong to the organization of the token's user.

**Final days.** \`meta.days\` says of each day whether more may come (\`open\`), all is there (\`complete\`) or nothing of it
changes any more (\`final\`). What changed afterwards is in \`GET /reports/restatements\`.

**Compression.** Text answers of reports and jobs come as zstd, br or gzip where \`Accept-Encoding\` names one.

**What counts.** Filters on dimensions apply to single rows of the statistics, filters on metrics to the totals of a
row of the report. Filters in a group combine with AND, groups with OR. Amounts are converted with the rate of
their own day and rounded once, half away from zero. \`ecpm\` is 0 where there are no impressions. \`month\` is
\`YYYY-MM\`, \`year\` is \`YYYY\`, both texts.`;

/** The reporting API's OpenAPI text at `/api/v1/openapi.json`, and the page to read it at `/docs`. */
export const registerOpenapi = (app: FastifyInstance, publicBaseUrl: string | null): Promise<void> =>
  registerDocs(app, {
    title: 'Broadside Reporting',
    description,
    tags: [{ name: 'Reports', description: 'Ad earnings.' }],
    guides: [],
    sampleVariables: { base: 'BROADSIDE_REPORTING_URL', token: 'BROADSIDE_REPORT_TOKEN' },
    publicBaseUrl,
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: '`<token_id>|<secret>`' },
    },
  });
