import { Type } from 'typebox';
import { AD_SOURCE_PATTERN } from '../../engine/contract/ad-stats.ts';
import { dayStates } from '../../engine/contract/day-states.ts';
import { invalid, problem } from '../problems.ts';

const day = Type.String({ format: 'date' });
const figures = Type.Object({
  rows: Type.Integer({ minimum: 0 }),
  impressions: Type.Integer({ minimum: 0 }),
  viewable: Type.Integer({ minimum: 0 }),
  earnings: Type.String({ description: 'An exact decimal in the currency.' }),
});
const refused = {
  400: problem('The request is malformed.'),
  401: problem('Unauthenticated.'),
  422: invalid,
  429: problem('Too many requests. Try again later.'),
  503: problem('The service is unavailable for the moment. Try again shortly.'),
};
const common = { tags: ['Reports'], security: [{ token: [] }] };
const exampleFigures = { rows: 1_000, impressions: 120_000, viewable: 80_000, earnings: '84.5125' };

export const restatementsSchema = {
  ...common,
  operationId: 'listRestatements',
  summary: 'List restatements',
  description:
    'Days that a source replaced, and final days that it added to: what changed of the rows that the token sees, before and after. A restatement is here some seconds after it counts in reports. With `order=oldest` and the last `next_cursor`, a reader misses none.',
  querystring: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: 'Days. Default: 100.' }),
    ),
    order: Type.Optional(
      Type.Enum(['newest', 'oldest'], {
        type: 'string',
        default: 'newest',
        description: 'Default: `newest`.',
      }),
    ),
    cursor: Type.Optional(Type.String({ maxLength: 64, description: '`next_cursor` of the page before.' })),
  }),
  response: {
    200: Type.Object(
      {
        status: Type.Literal('success'),
        data: Type.Array(
          Type.Object({
            id: Type.Integer({
              description: 'Of the restatement, which may have several days: when it was, in microseconds.',
            }),
            day: Type.String({ format: 'date', description: 'On the calendar of the source.' }),
            source: Type.String(),
            change: Type.Enum(['replaced', 'added'], { type: 'string' }),
            was_final: Type.Boolean(),
            load: Type.Optional(Type.Integer({ description: 'For tokens that see everything.' })),
            restated_at: Type.String({ format: 'date-time' }),
            restated_by: Type.Optional(
              Type.Union([Type.String(), Type.Null()], {
                description: 'The account that imported; for tokens that see everything.',
              }),
            ),
            currencies: Type.Array(Type.Object({ currency: Type.String(), before: figures, after: figures })),
          }),
        ),
        meta: Type.Object({
          next_cursor: Type.Union([Type.String(), Type.Null()], {
            description: 'Gives what follows; null: nothing was found.',
          }),
        }),
      },
      {
        title: 'Restatements',
        examples: [
          {
            status: 'success',
            data: [
              {
                ...{
                  id: 1_770_278_400_000_000,
                  day: '2026-01-31',
                  source: 'gam',
                  change: 'replaced',
                  was_final: true,
                },
                restated_at: '2026-02-05T08:00:00.000Z',
                currencies: [{ currency: 'EUR', before: exampleFigures, after: exampleFigures }],
              },
            ],
            meta: { next_cursor: 'MTc3MDI3ODQwMDAwMDAwMDoyMDI2LTAxLTMx' },
          },
        ],
      },
    ),
    ...refused,
  },
};

export const sayDaysSchema = {
  ...common,
  operationId: 'sayReportDays',
  summary: 'Say how certain days are',
  description:
    'Makes days of a source open, complete or final. For tokens that see everything: it concerns all readers of the source.',
  body: Type.Object(
    {
      source: Type.String({ pattern: AD_SOURCE_PATTERN, maxLength: 64 }),
      first_day: day,
      last_day: day,
      state: Type.Enum([...dayStates], { type: 'string' }),
    },
    {
      additionalProperties: false,
      title: 'ReportDays',
      examples: [{ source: 'gam', first_day: '2026-01-01', last_day: '2026-01-31', state: 'final' }],
    },
  ),
  response: {
    200: Type.Object(
      {
        status: Type.Literal('success'),
        data: Type.Object({ changed: Type.Array(day, { description: 'The days that had another state.' }) }),
      },
      { title: 'ReportDaysSaid', examples: [{ status: 'success', data: { changed: ['2026-01-31'] } }] },
    ),
    403: problem('Only a token that sees everything may say so.'),
    413: problem('The request body is too large.'),
    415: problem('The request body must be application/json.'),
    ...refused,
  },
};
