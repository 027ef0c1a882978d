import { type Static, Type } from 'typebox';
import { MOST_SAVED } from '../../engine/adapters/postgres/saved-reports/saved.ts';
import { relativePeriods } from '../../engine/contract/relative-days.ts';
import type { Rule } from '../../engine/kit/http/rules.ts';
import { invalid, problem } from '../problems.ts';
import { MAX_JOB_MONTHS } from '../report/period.ts';
import { requestOf } from '../report/request.ts';

const MOST_REQUEST_CHARACTERS = 32_768;
const MOST_VIEW_CHARACTERS = 4_096;

const period = Type.Enum([...relativePeriods], {
  type: 'string',
  description:
    'Days that move with the calendar of `timezone`, in place of `selectedDate`. Those that end with `to_date` go up to today; all others but `today` end before it. Weeks begin on Monday.',
});
const view = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 50,
  propertyNames: { maxLength: 100 },
  description: `How a page shows it, at most ${MOST_VIEW_CHARACTERS} characters of JSON: kept as it is.`,
});

const lengthOf = (value: unknown): number => JSON.stringify(value ?? null).length;

const rules: readonly Rule[] = [
  {
    field: 'name',
    words: 'must not be blank',
    holds: ({ name }) => typeof name !== 'string' || name === '' || name.trim() !== '',
  },
  {
    field: 'period',
    words: 'must not stand beside selectedDate: give one of them',
    holds: ({ period: word, selectedDate }) => word === undefined || selectedDate === undefined,
  },
  {
    field: 'compare_to',
    words: 'must be previous_period or previous_year beside a period, whose days move',
    holds: ({ period: word, compare_to }) => word === undefined || !Array.isArray(compare_to),
  },
  {
    field: 'view',
    words: `must have at most ${MOST_VIEW_CHARACTERS} characters of JSON`,
    holds: (body) => lengthOf(body.view) <= MOST_VIEW_CHARACTERS,
  },
  {
    field: 'filter_groups',
    words: `must be short enough for ${MOST_REQUEST_CHARACTERS} characters of JSON in all`,
    holds: ({ view: _, ...body }) => lengthOf(body) <= MOST_REQUEST_CHARACTERS,
  },
];

const exampleBody = {
  name: 'Domains of last week',
  period: 'last_week',
  dimensions: ['domain'],
  metrics: ['impressions', 'earnings'],
  currency: 'EUR',
};

/** The body of `POST /reports/saved`: a report, with its name. */
export const savedRequest = requestOf('SavedReportRequest', MAX_JOB_MONTHS, {
  fields: {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Another one of the organization must not have it, in whatever case.',
    }),
    period: Type.Optional(period),
    view: Type.Optional(view),
  },
  rules,
  example: exampleBody,
});
export type SavedRequest = Static<typeof savedRequest>;

const exampleSaved = {
  id: 3,
  name: exampleBody.name,
  period: 'last_week',
  request: {
    dimensions: ['domain'],
    metrics: ['impressions', 'earnings'],
    currency: 'EUR',
    selectedDate: ['2026-01-19', '2026-01-25'],
  },
  view: null,
  made_by: 'anna@news.example',
  created_at: '2026-01-02T08:00:00.000Z',
  updated_at: '2026-01-02T08:00:00.000Z',
  may_change: true,
};
const saved = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    period: Type.Union([period, Type.Null()], { description: 'Null: its days do not move.' }),
    request: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'The body of a report or a job, with the days as they are now.',
    }),
    view: Type.Union([view, Type.Null()]),
    made_by: Type.Union([Type.String(), Type.Null()], {
      description: 'Null: they have left the organization.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    may_change: Type.Boolean({
      description: 'Whether you may replace and delete it: it is yours, or you are an admin.',
    }),
  },
  { title: 'SavedReport', examples: [exampleSaved] },
);
const success = Type.Literal('success');
const oneSaved = Type.Object(
  { status: success, data: saved },
  { title: 'SavedReportAnswer', examples: [{ status: 'success', data: exampleSaved }] },
);
const savedList = Type.Object(
  { status: success, data: Type.Array(saved) },
  { title: 'SavedReports', examples: [{ status: 'success', data: [exampleSaved] }] },
);

/** Of routes about what an organization shares. */
export const refused = {
  400: problem('The request is malformed.'),
  401: problem('Unauthenticated.'),
  413: problem('The request body is too large.'),
  415: problem('The request body must be application/json.'),
  422: invalid,
  429: problem('Too many requests. Try again later.'),
  503: problem('The service is unavailable for the moment. Try again shortly.'),
};
const common = { tags: ['Reports'], security: [{ token: [] }] };
const missing = { 404: problem('Not found.') };
const forbidden = { 403: problem('Only the maker or an admin of the organization may change it.') };
const taken = { 409: problem('Another saved report has this name.') };
const params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

export const createSchema = {
  ...common,
  operationId: 'saveReport',
  summary: 'Save a report',
  description: `Keeps the question, no figures, by a name, for everybody of the organization. An organization has at most ${MOST_SAVED}.`,
  body: savedRequest,
  response: { 201: oneSaved, ...forbidden, ...taken, ...refused },
};
export const listSchema = {
  ...common,
  operationId: 'listSavedReports',
  summary: 'List saved reports',
  description: 'Those of the organization, by name. Whoever makes one sees the rows of their own token.',
  response: { 200: savedList, ...refused },
};
export const showSchema = {
  ...common,
  operationId: 'getSavedReport',
  summary: 'Show a saved report',
  params,
  response: { 200: oneSaved, ...missing, ...refused },
};
export const replaceSchema = {
  ...common,
  operationId: 'replaceSavedReport',
  summary: 'Replace a saved report',
  description: 'Its schedules go on with the new question.',
  params,
  body: savedRequest,
  response: { 200: oneSaved, ...missing, ...forbidden, ...taken, ...refused },
};
export const removeSchema = {
  ...common,
  operationId: 'deleteSavedReport',
  summary: 'Delete a saved report',
  description: 'Its schedules end with it.',
  params,
  response: {
    204: Type.Null({ description: 'It is gone.' }),
    ...missing,
    ...forbidden,
    ...refused,
  },
};
