import { type Static, Type } from 'typebox';
import { withExplainers, withRules } from '../../../engine/kit/http/rules.ts';
import { problem } from '../../problems.ts';
import { explainPeriod } from '../../report/explain-dates.ts';
import { MAX_MONTHS } from '../../report/period.ts';
import {
  common,
  currencyField,
  date,
  dayField,
  dayPairField,
  domainField,
  exact,
  exactOrNull,
  moneyAnswers,
  moneyMetaFields,
  nameField,
  readAnswers,
  reasonField,
  success,
  writeAnswers,
  writtenBy,
  zoneField,
} from '../fields.ts';

export const DEFAULT_ROWS = 100;
const MOST_ROWS = 1_000;
const MOST_OFFSET = 10_000_000;
const MOST_AMOUNT = 1_000_000_000;

const sources = Type.Unsafe<[string, string]>(
  Type.Array(nameField('As an import named it.'), {
    minItems: 2,
    maxItems: 2,
    description: 'The two sources; percentages are of the first.',
  }),
);
const twoSources = {
  field: 'sources',
  words: 'must name two different sources',
  holds: ({ sources: given }: Readonly<Record<string, unknown>>) =>
    !Array.isArray(given) || given.length !== 2 || given[0] !== given[1],
};

export const discrepancyRequest = withRules(
  withExplainers(
    Type.Object(
      {
        sources,
        currency: currencyField,
        selectedDate: Type.Optional(
          dayPairField(
            '[start, end], both included; today when left out. The end is at most three months later.',
          ),
        ),
        timezone: zoneField,
        domains: Type.Optional(
          Type.Array(domainField, { minItems: 1, maxItems: 100, description: 'Only these domains.' }),
        ),
        min_amount: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MOST_AMOUNT,
            description: 'Only rows whose earnings differ by at least this amount. Default: 0.',
          }),
        ),
        min_percent: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: MOST_AMOUNT,
            description:
              'And by at least this many percent of the first source’s. A row without a percentage passes where its earnings differ at all. Default: 0.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: MOST_ROWS, description: `Rows. Default: ${DEFAULT_ROWS}.` }),
        ),
        offset: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: MOST_OFFSET,
            description: 'Rows before the first one: `meta.next_offset` of the page before. Default: 0.',
          }),
        ),
      },
      {
        title: 'DiscrepancyRequest',
        additionalProperties: false,
        examples: [
          {
            sources: ['gam', 'prebid'],
            currency: 'EUR',
            selectedDate: ['2026-01-01', '2026-01-31'],
            min_amount: 5,
            min_percent: 2,
          },
        ],
      },
    ),
    { selectedDate: explainPeriod(MAX_MONTHS) },
  ),
  [twoSources],
);
export type DiscrepancyRequest = Static<typeof discrepancyRequest>;

const note = Type.Object(
  {
    reason: Type.String(),
    written_by: writtenBy,
    written_at: Type.String({ format: 'date-time' }),
    version: Type.Integer({ minimum: 1, description: 'Rises with each change.' }),
  },
  { title: 'DiscrepancyNote' },
);

const figures = {
  first_impressions: Type.Integer(),
  first_earnings: exact('Rounded once, to 6 places.'),
  second_impressions: Type.Integer(),
  second_earnings: exact('Rounded once, to 6 places.'),
  impressions_difference: Type.Integer({ description: 'The second’s less the first’s.' }),
  impressions_percent: exactOrNull('Of the first’s, two decimals; null where that is not above 0.'),
  earnings_difference: exact('The second’s less the first’s, from exact sums.'),
  earnings_percent: exactOrNull('Of the first’s, two decimals; null where that is not above 0.'),
};
const row = Type.Object(
  {
    day: date,
    domain: Type.String(),
    missing: Type.Union([Type.Enum(['first', 'second'], { type: 'string' }), Type.Null()], {
      description:
        'The source that has no row of this day and domain: nothing was delivered, or nothing served.',
    }),
    ...figures,
    note: Type.Union([note, Type.Null()], { description: 'What somebody of your organization noted.' }),
  },
  { title: 'Discrepancy' },
);
const noteExample = {
  reason: 'The video tag was missing until noon.',
  written_by: 'Ada',
  written_at: '2026-02-01T09:00:00.000Z',
  version: 1,
};
const figuresExample = {
  first_impressions: 120_000,
  first_earnings: 100.5,
  second_impressions: 118_000,
  second_earnings: 96.48,
  impressions_difference: -2_000,
  impressions_percent: -1.67,
  earnings_difference: -4.02,
  earnings_percent: -4,
};
const discrepancies = Type.Object(
  {
    status: success,
    data: Type.Array(row),
    meta: Type.Object({
      count: Type.Integer({ minimum: 0, description: 'Rows in `data`.' }),
      total_count: Type.Integer({ minimum: 0, description: 'Rows that reach both thresholds.' }),
      next_offset: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
        description: 'The `offset` of the rows that are not in this answer. Null: there are none.',
      }),
      compared: Type.Integer({
        minimum: 0,
        description: 'Days of domains of which either source has a row.',
      }),
      sources: Type.Array(Type.String()),
      start_date: date,
      end_date: date,
      currency: Type.String(),
      timezone: Type.String(),
      totals: Type.Object(figures, { description: 'Over all that was compared, whatever the thresholds.' }),
      ...moneyMetaFields,
    }),
  },
  {
    title: 'Discrepancies',
    examples: [
      {
        status: 'success',
        data: [
          { day: '2026-01-14', domain: 'news.example', missing: null, ...figuresExample, note: noteExample },
        ],
        meta: {
          ...{ count: 1, total_count: 1, next_offset: null, compared: 31, sources: ['gam', 'prebid'] },
          ...{ start_date: '2026-01-01', end_date: '2026-01-31', currency: 'EUR', timezone: 'UTC' },
          totals: figuresExample,
          ...{ old_rates: [], rates: [], source_days: [], left_out: [] },
        },
      },
    ],
  },
);

export const discrepanciesSchema = {
  ...common,
  operationId: 'compareSources',
  summary: 'Compare two sources',
  description:
    'What two ad servers counted on the same days of the same domains, the largest difference of money first. Whole days of a source count as delivered; `meta.source_days` names those whose timezone is another one.',
  body: discrepancyRequest,
  response: { 200: discrepancies, ...moneyAnswers },
};

export const sourcesSchema = {
  ...common,
  operationId: 'listReportSources',
  summary: 'List sources',
  description: 'Sources of which the token sees rows of the last 92 days.',
  response: {
    200: Type.Object(
      { status: success, data: Type.Array(Type.String()) },
      { title: 'ComparedSources', examples: [{ status: 'success', data: ['gam', 'prebid'] }] },
    ),
    ...readAnswers,
  },
};

export const noteRequest = withRules(
  Type.Object(
    {
      sources,
      day: dayField('Of the row.'),
      domain: domainField,
      reason: Type.Union([reasonField('Why they differ.'), Type.Null()], {
        description: 'Null removes the note.',
      }),
      version: Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Of the note that you saw; 0 where there was none.',
      }),
    },
    {
      title: 'DiscrepancyNoteRequest',
      additionalProperties: false,
      examples: [
        {
          sources: ['gam', 'prebid'],
          day: '2026-01-14',
          domain: 'news.example',
          reason: noteExample.reason,
          version: 0,
        },
      ],
    },
  ),
  [twoSources],
);
export type NoteRequest = Static<typeof noteRequest>;

export const noteSchema = {
  ...common,
  operationId: 'noteDiscrepancy',
  summary: 'Note why sources differ',
  description:
    'On a day and domain of which the token sees a row of either source. Everybody of your organization who sees the row reads it.',
  body: noteRequest,
  response: {
    200: Type.Object(
      { status: success, data: Type.Union([note, Type.Null()]) },
      { title: 'DiscrepancyNoteAnswer', examples: [{ status: 'success', data: noteExample }] },
    ),
    409: {
      description: 'Another person changed the note meanwhile: read it again.',
      content: {
        'application/json': {
          schema: problem('This note was changed meanwhile. Read it again, then write yours.'),
        },
      },
    },
    ...writeAnswers,
  },
};
