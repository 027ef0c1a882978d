import { Type } from 'typebox';
import { MOST_RUNS_A_DAY } from '../../engine/adapters/postgres/report-schedules/fire.ts';
import { MOST_SCHEDULES } from '../../engine/adapters/postgres/report-schedules/schedules.ts';
import { fileContent } from '../generate/schema.ts';
import { partOfReport } from '../jobs/schema.ts';
import { problem } from '../problems.ts';
import { refused } from '../saved/schema.ts';
import { scheduleRequest } from './request.ts';

const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const day = Type.Union([Type.String(), Type.Null()]);
const exampleSchedule = {
  id: 5,
  saved_id: 3,
  saved_name: 'Domains of last week',
  cron: '0 7 * * MON',
  timezone: 'Europe/Berlin',
  format: 'xlsx',
  destination: { kind: 'email', addresses: ['anna@news.example'] },
  next_at: '2026-02-02T06:00:00.000Z',
  stopped_why: null,
  made_by: 'anna@news.example',
  created_at: '2026-01-30T08:00:00.000Z',
  may_change: true,
};
const schedule = Type.Object(
  {
    id: Type.Integer(),
    saved_id: Type.Integer(),
    saved_name: Type.String(),
    cron: Type.Union([Type.String(), Type.Null()], { description: 'Null: when the days are final.' }),
    timezone: Type.String(),
    format: Type.String(),
    destination: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description:
        '`kind` is `webhook`, `email` or `bucket`; the other fields are as given, without a secret.',
    }),
    next_at: time('Null: when the days are final, or never again.'),
    stopped_why: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it stopped; null: it goes on.',
    }),
    made_by: Type.Union([Type.String(), Type.Null()], {
      description:
        'Whose token it has: who made it, or resumed it last. Null: they have left the organization.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    may_change: Type.Boolean({ description: 'Whether you may start, pause and delete it.' }),
    secret: Type.Optional(
      Type.String({ description: 'Of a webhook: checks its signatures. Shown once, when it is made.' }),
    ),
  },
  { title: 'ReportSchedule', examples: [exampleSchedule] },
);
const exampleRun = {
  id: 12,
  state: 'done',
  first_day: '2026-01-26',
  last_day: '2026-02-01',
  attempts: 0,
  next_attempt_at: null,
  problem: null,
  rows: 52,
  bytes: 4_182,
  created_at: '2026-02-02T06:00:00.412Z',
  started_at: '2026-02-02T06:00:00.530Z',
  ended_at: '2026-02-02T06:00:03.118Z',
};
const run = Type.Object(
  {
    id: Type.Integer(),
    state: Type.Enum(['due', 'reporting', 'delivering', 'done', 'failed'], {
      type: 'string',
      description:
        '`due`: it begins as soon as there is room; `reporting`: its job waits or runs; `delivering`: the result is on its way.',
    }),
    first_day: day,
    last_day: day,
    attempts: Type.Integer({ minimum: 0, description: 'That failed.' }),
    next_attempt_at: time('Null: none is to come.'),
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Of the latest attempt that failed.' }),
    rows: Type.Union([Type.Integer(), Type.Null()]),
    bytes: Type.Union([Type.Integer(), Type.Null()]),
    created_at: Type.String({ format: 'date-time' }),
    started_at: time('Of the first attempt.'),
    ended_at: time('When it was done or failed.'),
  },
  { title: 'ReportRun', examples: [exampleRun] },
);
const success = Type.Literal('success');
const oneSchedule = Type.Object(
  { status: success, data: schedule },
  { title: 'ReportScheduleAnswer', examples: [{ status: 'success', data: exampleSchedule }] },
);
const scheduleList = Type.Object(
  {
    status: success,
    data: Type.Array(schedule),
    meta: Type.Object({
      available: Type.Boolean({
        description:
          'Whether the operator has set up what schedules need: a place for results, the master key and the address of the reporting API.',
      }),
      email: Type.Boolean({ description: 'Whether there is a mail server.' }),
    }),
  },
  {
    title: 'ReportSchedules',
    examples: [{ status: 'success', data: [exampleSchedule], meta: { available: true, email: true } }],
  },
);
const startedRun = Type.Object(
  { status: success, data: Type.Array(run) },
  {
    title: 'ReportRunStarted',
    description: 'The run: it begins as soon as there is room.',
    examples: [{ status: 'success', data: [{ ...exampleRun, state: 'due' }] }],
  },
);
const runList = Type.Object(
  { status: success, data: Type.Array(run) },
  { title: 'ReportRuns', examples: [{ status: 'success', data: [exampleRun] }] },
);

const common = { tags: ['Reports'], security: [{ token: [] }] };
const { 401: _, ...withoutToken } = refused;
const missing = { 404: problem('Not found.') };
const forbidden = { 403: problem('Only the maker or an admin of the organization may change it.') };
const conflict = { 409: problem('Its state or a bound forbids it; `message` says which.') };
const integer = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const params = Type.Object({ id: integer });
const runParams = Type.Object({ id: integer, run: integer });

export const createSchema = {
  ...common,
  operationId: 'createReportSchedule',
  summary: 'Schedule a saved report',
  description: `Each run is a job of the token that made the schedule: it sees what that token sees then, and the schedule stops when the token is revoked or its owner leaves. A failed attempt is repeated after 1, 5 and 30 minutes, 2 and 6 hours. An organization has at most ${MOST_SCHEDULES} schedules, and ${MOST_RUNS_A_DAY} runs in 24 hours.`,
  body: scheduleRequest,
  response: { 201: oneSchedule, ...missing, ...forbidden, ...conflict, ...refused },
};
export const listSchema = {
  ...common,
  operationId: 'listReportSchedules',
  summary: 'List schedules',
  description: 'Those of the organization.',
  response: { 200: scheduleList, ...refused },
};
export const showSchema = {
  ...common,
  operationId: 'getReportSchedule',
  summary: 'Show a schedule',
  params,
  response: { 200: oneSchedule, ...missing, ...refused },
};
export const removeSchema = {
  ...common,
  operationId: 'deleteReportSchedule',
  summary: 'Delete a schedule',
  description: 'With its history. Addresses of its files lead nowhere any more.',
  params,
  response: { 204: Type.Null({ description: 'It is gone.' }), ...missing, ...forbidden, ...refused },
};
export const pauseSchema = {
  ...common,
  operationId: 'pauseReportSchedule',
  summary: 'Pause a schedule',
  description: 'It begins no run until it is resumed. Runs that began end, and it can still be run by hand.',
  params,
  response: { 200: oneSchedule, ...missing, ...forbidden, ...refused },
};
export const resumeSchema = {
  ...common,
  operationId: 'resumeReportSchedule',
  summary: 'Resume a schedule',
  description:
    'One that was paused, or that stopped by itself. From then on it is yours: its runs see what your token sees. Times of `cron` in between are left out; days that became final are made up for.',
  params,
  response: { 200: oneSchedule, ...missing, ...forbidden, ...conflict, ...refused },
};
export const runsSchema = {
  ...common,
  operationId: 'listReportRuns',
  summary: 'List the runs of a schedule',
  description: 'The newest first, with sizes and times: the last 200, of 90 days.',
  params,
  response: { 200: runList, ...missing, ...refused },
};
export const startSchema = {
  ...common,
  operationId: 'startReportRun',
  summary: 'Run a schedule now',
  params,
  response: { 202: startedRun, ...missing, ...forbidden, ...conflict, ...refused },
};
export const repeatSchema = {
  ...common,
  operationId: 'repeatReportRun',
  summary: 'Repeat a failed run',
  description: 'From the beginning, for the same days.',
  params: runParams,
  response: { 202: startedRun, ...missing, ...forbidden, ...conflict, ...refused },
};
export const fileSchema = {
  tags: ['Reports'],
  operationId: 'getReportFile',
  summary: 'Download a file of a run',
  description:
    'The address, as a webhook or an e-mail has it, is the authority: its signature is over everything else in it. It ends with the result, after seven days, and with the schedule.',
  security: [],
  params: Type.Object({
    run: integer,
    job: integer,
    part: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  }),
  querystring: Type.Object({
    until: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    signature: Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
  }),
  response: {
    200: {
      description: 'The file, in the format of the schedule.',
      content: { 'application/json': { schema: partOfReport }, ...fileContent },
    },
    403: problem('The address is not signed by this installation.'),
    410: {
      description: 'The address ended, or its schedule or token did.',
      content: { 'application/json': { schema: problem('The file is not there any more.') } },
    },
    ...missing,
    ...withoutToken,
  },
};
