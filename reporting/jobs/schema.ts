import { type TSchema, Type } from 'typebox';
import { KEPT_DAYS } from '../../engine/adapters/postgres/report-jobs/jobs.ts';
import { fileContent, oldRates, reportRow } from '../generate/schema.ts';
import { invalid, problem } from '../problems.ts';
import { MAX_JOB_MONTHS } from '../report/period.ts';
import { jobRequest } from '../report/request.ts';

const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

const part = Type.Object({
  part: Type.Integer({ minimum: 0, description: 'Its number, from 0.' }),
  kind: Type.Enum(['rows', 'sources'], {
    type: 'string',
    description:
      '`sources`: JSON of where the figures come from, the last part of CSV and NDJSON where `include` asks for it.',
  }),
  rows: Type.Integer({ minimum: 0, description: 'Rows in it; 0 of Parquet, which says so itself.' }),
  bytes: Type.Integer({ minimum: 0, description: 'In the store; of JSON the rows alone.' }),
});

const exampleJob = {
  id: 7,
  state: 'done',
  format: 'csv',
  created_at: '2026-02-01T08:00:00.000Z',
  started_at: '2026-02-01T08:00:01.000Z',
  ended_at: '2026-02-01T08:00:09.000Z',
  expires_at: '2026-02-08T08:00:09.000Z',
  rows: 620_000,
  seconds_left: null,
  parts: [
    { part: 0, kind: 'rows', rows: 500_000, bytes: 21_500_000 },
    { part: 1, kind: 'rows', rows: 120_000, bytes: 5_160_000 },
  ],
  left_out: [],
  old_rates: [],
  problem: null,
  request: { dimensions: ['day', 'domain'], metrics: ['earnings'], currency: 'EUR', format: 'csv' },
};

const job = Type.Object(
  {
    id: Type.Integer(),
    state: Type.Enum(['queued', 'running', 'done', 'failed'], { type: 'string' }),
    format: Type.String({ description: 'Of the result.' }),
    created_at: Type.String({ format: 'date-time' }),
    started_at: time('Of the latest run.'),
    ended_at: time('When it was done or failed.'),
    expires_at: time(`Until when the result is kept: ${KEPT_DAYS} days after the end.`),
    rows: Type.Integer({ minimum: 0, description: 'Written so far, whole parts at a time.' }),
    seconds_left: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Until ClickHouse has read everything, if it goes on as it did; null where that is unknown, as in the embedded ClickHouse.',
    }),
    parts: Type.Array(part, { description: 'Of the result, in order; empty until it is done.' }),
    left_out: Type.Array(Type.Object({ currency: Type.String(), rows: Type.Integer({ minimum: 1 }) }), {
      description: 'Rows of the statistics in no figure, as in `meta` of a report.',
    }),
    old_rates: oldRates,
    problem: Type.Union(
      [
        Type.Object({
          message: Type.String({ description: 'For people.' }),
          errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
        }),
        Type.Null(),
      ],
      { description: 'Why it failed, as a request would be refused.' },
    ),
    request: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'The body that made it, with its days; not in a list.',
      }),
    ),
  },
  {
    title: 'ReportJob',
    examples: [exampleJob],
  },
);
const success = Type.Literal('success');
const oneJob = Type.Object(
  { status: success, data: job },
  { title: 'ReportJobAnswer', examples: [{ status: 'success', data: exampleJob }] },
);
const jobList = Type.Object(
  {
    status: success,
    data: Type.Array(job),
    meta: Type.Object({
      available: Type.Boolean({ description: 'Whether the operator has set up a place for results.' }),
    }),
  },
  {
    title: 'ReportJobs',
    examples: [{ status: 'success', data: [exampleJob], meta: { available: true } }],
  },
);
const exampleRow = { day: '2026-01-31', impressions: 120_000, earnings: 84.512_5 };
const exampleMeta = {
  ...{ count: 1, start_date: '2026-01-01', end_date: '2026-01-31', currency: 'EUR', total_count: 620_000 },
  ...{ timezone: 'UTC', complete_until: null, restated: false, rates: [], old_rates: [], left_out: [] },
};

const metaOf = (fields: Readonly<Record<string, TSchema>>) =>
  Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Rows in `data`.' }),
      total_count: Type.Integer({ minimum: 0, description: 'Rows of the whole report.' }),
      ...fields,
    },
    { additionalProperties: true, description: 'That of the report, as it was when the job ran.' },
  );
const page = Type.Object(
  {
    status: success,
    data: Type.Array(reportRow),
    meta: metaOf({
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Gives the next page; null: this is the last one.',
      }),
    }),
  },
  {
    title: 'ReportJobRows',
    examples: [{ status: 'success', data: [exampleRow], meta: { ...exampleMeta, next_cursor: 'MDo4OTAw' } }],
  },
);
/** A part of JSON. */
export const partOfReport = Type.Object(
  { status: success, data: Type.Array(reportRow), meta: metaOf({}) },
  { title: 'ReportJobPart', examples: [{ status: 'success', data: [exampleRow], meta: exampleMeta }] },
);

const common = { tags: ['Reports'], security: [{ token: [] }] };
const refused = {
  400: problem('The request is malformed.'),
  401: problem('Unauthenticated.'),
  422: invalid,
  429: problem('Too many requests. Try again later.'),
};
const away = { 503: problem('The service is unavailable for the moment. Try again shortly.') };
const missing = { 404: problem('Not found.') };
const notReady = {
  409: {
    description: 'The job is not done, or failed, or its result is not read in this way.',
    content: {
      'application/json': {
        schema: problem('The job is not done yet: its result is there when its state is done.'),
      },
    },
  },
  410: {
    description: 'The result does not exist any more: make the job again.',
    content: {
      'application/json': {
        schema: problem('The token sees other rows than when the job ran. Make the job again.'),
      },
    },
  },
};
const idParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
const partParams = Type.Object({
  ...idParams.properties,
  part: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});

export const createSchema = {
  ...common,
  operationId: 'createReportJob',
  summary: 'Make a report in the background',
  description: `Takes the body of a report, for up to ${MAX_JOB_MONTHS} months and far more rows, and answers at once. The job belongs to the token that made it, and sees what the token sees when it runs.`,
  body: jobRequest,
  response: {
    202: {
      description: 'The job, whose address is in `Location`.',
      content: { 'application/json': { schema: oneJob } },
    },
    413: problem('The request body is too large.'),
    415: problem('The request body must be application/json.'),
    ...refused,
    ...missing,
    ...away,
  },
};
export const listSchema = {
  ...common,
  operationId: 'listReportJobs',
  summary: 'List jobs',
  description: 'The jobs of the token, the newest first.',
  response: { 200: jobList, ...refused, ...missing, ...away },
};
export const showSchema = {
  ...common,
  operationId: 'getReportJob',
  summary: 'Show a job',
  params: idParams,
  response: { 200: oneJob, ...refused, ...missing, ...away },
};
export const removeSchema = {
  ...common,
  operationId: 'deleteReportJob',
  summary: 'Cancel or delete a job',
  description: 'A job that waits or runs ends; its result is deleted.',
  params: idParams,
  response: {
    204: Type.Null({ description: 'It is gone.' }),
    413: problem('The request body is too large.'),
    415: problem('The request body must be application/json.'),
    ...refused,
    ...missing,
    ...away,
  },
};
export const partSchema = {
  ...common,
  operationId: 'getReportJobPart',
  summary: 'Download a part of the result',
  description:
    'A file of its own: a part of CSV has headings, one of JSON has `meta`. One that breaks off is not whole.',
  params: partParams,
  response: {
    200: {
      description: 'The part, in the format of the job.',
      content: { 'application/json': { schema: partOfReport }, ...fileContent },
    },
    ...refused,
    ...missing,
    ...notReady,
    ...away,
  },
};
export const pageSchema = {
  ...common,
  operationId: 'getReportJobRows',
  summary: 'Read the result in pages',
  description:
    'The rows of a job with the format `json`, page by page. They stay as they are, whatever is imported or replaced meanwhile.',
  params: idParams,
  querystring: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000, description: 'Rows. Default: 1,000.' }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: 64,
        description: '`next_cursor` of the page before; left out: from the first row.',
      }),
    ),
  }),
  response: { 200: page, ...refused, ...missing, ...notReady, ...away },
};
