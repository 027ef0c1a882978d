import { type TSchema, Type } from 'typebox';
import { codedFields } from '../../engine/contract/ad-values/coded-values.ts';
import { dayStates } from '../../engine/contract/day-states.ts';
import { OLD_DAYS } from '../../engine/contract/rate-table.ts';
import { invalid, problem, withoutRate } from '../problems.ts';
import { dimensions, type Metric, metricKeys, metrics } from '../report/keys.ts';
import { MAX_VALUES_EXPLAINED } from '../report/limits.ts';
import { RATES_KEPT_SECONDS } from '../report/recent-rates.ts';
import { reportRequest } from '../report/request.ts';

const date = Type.String({ format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-01-31'] });

const amounts: ReadonlySet<string> = new Set<Metric>(['earnings', 'ecpm']);
const metric = (name: Metric, description: string): TSchema =>
  amounts.has(name)
    ? Type.Optional(Type.Number({ description: `${description}; at most 6 places` }))
    : Type.Optional(Type.Integer({ description }));
const change = Type.Optional(
  Type.Union([Type.Number(), Type.Null()], {
    description: 'Percent of the previous value; null where that is 0.',
  }),
);

const metricFields = Object.fromEntries(
  metricKeys.flatMap((name) => [
    [name, metric(name, metrics[name])],
    [`${name}_previous`, metric(name, 'the same in the period compared with')],
    [`${name}_change`, change],
  ]),
);
const dimensionFields = Object.fromEntries(
  Object.entries(dimensions).map(([name, description]) => [
    name,
    Type.Optional(Type.String({ description })),
  ]),
);

/** One property per selected dimension and metric; with `compare_to` two more per metric. */
export const reportRow = Type.Object(
  { ...dimensionFields, ...metricFields },
  { title: 'ReportRow', examples: [{ day: '2026-01-31', impressions: 120_000, earnings: 84.512_5 }] },
);

export const oldRates = Type.Array(
  Type.Object({ currency: Type.String(), rate_day: date, used_until: date }),
  {
    description: `Currencies whose last rate was more than ${OLD_DAYS} days before a day that is converted with it: import newer rates (\`broadside fx import\`). Empty: all are recent. Files name them in the header \`X-Old-Rates\`.`,
  },
);

const dayState = Type.Enum([...dayStates], { type: 'string' });

const provenance = Type.Object(
  {
    loads: Type.Array(
      Type.Object({
        load: Type.Optional(Type.Integer({ description: 'For tokens that see everything.' })),
        source: Type.String(),
        kind: Type.Enum(['import', 'restatement', 'batch'], { type: 'string' }),
        imported_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
        first_day: date,
        last_day: date,
        rows: Type.Integer({ minimum: 1, description: 'That the token sees on the days of the report.' }),
        files: Type.Array(
          Type.Object({
            sha256: Type.String({ description: 'Of its bytes.' }),
            name: Type.Optional(Type.String({ description: 'For tokens that see everything.' })),
          }),
        ),
      }),
      { description: 'The newest first, 200 at most. Days are in UTC.' },
    ),
    loads_left_out: Type.Integer({ minimum: 0 }),
    rates: Type.Array(Type.Object({ day: date, currency: Type.String(), rate: Type.String() }), {
      description: 'What one unit of the currency was in that of the report, 1,000 at most.',
    }),
    rates_left_out: Type.Integer({ minimum: 0 }),
  },
  { title: 'ReportSources', description: 'Where the figures come from: `include` asks for it.' },
);

const meta = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Rows in `data`.' }),
    start_date: date,
    end_date: date,
    currency: Type.String({ description: '`EUR` or `USD`.' }),
    old_rates: oldRates,
    total_count: Type.Integer({
      minimum: 0,
      description: 'Rows of the whole report, before `limit` and `offset`.',
    }),
    timezone: Type.String({ description: 'Whose days these are, as the request named it.' }),
    complete_until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'Until when the data is complete: the earliest time that the ad servers of the last weeks stated. Null: none stated one.',
    }),
    restated: Type.Boolean({ description: 'Whether a day of the report was replaced by a later statement.' }),
    days: Type.Array(
      Type.Object({ first_day: date, last_day: date, state: Type.Union([dayState, Type.Null()]) }),
      {
        description:
          'How certain the days of the report are, in runs: the least certain state of the sources of which the token sees rows. `open`: more may come; `complete`: all is there, and may be corrected; `final`: it does not change. Null: the token sees no source that has anything of them.',
      },
    ),
    source_states: Type.Array(
      Type.Object({
        source: Type.String(),
        first_day: date,
        last_day: date,
        state: dayState,
        said_by: Type.Union([
          Type.Enum(['import', 'person', 'rule', 'time'], { type: 'string' }),
          Type.Null(),
        ]),
        said_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      }),
      {
        description:
          'The same of each source, and who said so: an import, a person, a rule of the source, or (`time`) the time until which it is complete. Null: nobody did. 500 runs at most; `source_states_left_out` counts the others.',
      },
    ),
    source_states_left_out: Type.Optional(Type.Integer({ minimum: 1 })),
    sources: Type.Optional(provenance),
    rates: Type.Array(Type.Object({ source: Type.String(), first_day: date, last_day: date }), {
      description: `Exchange rates used: whose, and of which days. Empty where nothing was converted. Rates that came in less than ${RATES_KEPT_SECONDS} seconds ago may not be among them yet.`,
    }),
    source_days: Type.Optional(
      Type.Array(Type.Object({ source: Type.String(), timezone: Type.String() }), {
        description:
          'Ad servers that deliver days without hours, in another timezone than the report’s: their whole days were counted.',
      }),
    ),
    left_out: Type.Array(Type.Object({ currency: Type.String(), rows: Type.Integer({ minimum: 1 }) }), {
      description:
        'Rows of the statistics that are in no figure of a report with money: they earned something in a currency of which there is no rate of their day or a day before it. Files name them in the header `X-Rows-Left-Out`.',
    }),
    filter_values: Type.Optional(
      Type.Array(
        Type.Object({
          dimension: Type.Enum([...codedFields], { type: 'string' }),
          value: Type.String(),
          read_as: Type.Union([Type.String(), Type.Null()]),
        }),
        {
          description: `Values of filters that are read as another one: rows have a country, a device, a media type and a kind of deal as codes, and names of networks (\`Germany\`, \`Smartphone\`) stand for these. Null: it names none that is known, and is compared as it is written. ${MAX_VALUES_EXPLAINED} at most.`,
        },
      ),
    ),
    compared_to: Type.Optional(
      Type.Object({
        start_date: date,
        end_date: date,
        left_out: Type.Optional(
          Type.String({
            format: 'date',
            description:
              '29 February of the year before, where the period has no such date to set it against.',
          }),
        ),
      }),
    ),
    totals: Type.Optional(
      Type.Object(metricFields, {
        description: 'The metrics over all rows of the report.',
        title: 'ReportTotals',
      }),
    ),
  },
  { title: 'ReportMeta' },
);

const report = Type.Object(
  { status: Type.Literal('success'), data: Type.Array(reportRow), meta },
  {
    title: 'Report',
    examples: [
      {
        status: 'success',
        data: [{ day: '2026-01-31', domain: 'news.example', impressions: 120_000, earnings: 84.512_5 }],
        meta: {
          count: 1,
          start_date: '2026-01-01',
          end_date: '2026-01-31',
          currency: 'EUR',
          old_rates: [],
          total_count: 1,
          timezone: 'UTC',
          complete_until: '2026-01-31T23:00:00+00:00',
          restated: false,
          days: [{ first_day: '2026-01-01', last_day: '2026-01-31', state: 'final' }],
          source_states: [
            {
              ...{ source: 'gam', first_day: '2026-01-01', last_day: '2026-01-31', state: 'final' },
              ...{ said_by: 'rule', said_at: '2026-02-03T23:00:00.000Z' },
            },
          ],
          rates: [{ source: 'ECB', first_day: '2026-01-02', last_day: '2026-01-30' }],
          left_out: [],
        },
      },
    ],
  },
);

const file = (description: string, example: string): { schema: TSchema } => ({
  schema: Type.String({ description, examples: [example] }),
});

/** Answers that are files, by their types. */
export const fileContent = {
  'text/csv': file('RFC 4180, with headings.', '"day","impressions"\r\n"2026-01-31",120000\r\n'),
  'application/x-ndjson': file('A row a line.', '{"day":"2026-01-31","impressions":120000}\n'),
  'application/vnd.apache.parquet': file('Parquet.', 'PAR1…'),
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': file('A spreadsheet.', 'PK…'),
};
const zipContent = {
  'application/zip': file('CSV or NDJSON, and the sources beside it: where `include` asks for them.', 'PK…'),
};

/** For generators and readers; the body's schema validates. */
export const generateSchema = {
  operationId: 'generateReport',
  summary: 'Generate a report',
  tags: ['Reports'],
  description:
    'Metrics grouped by dimensions over a range of days. Only rows that the token sees count: its publisher domains and wholesalers are added to every query.',
  security: [{ token: [] }],
  body: reportRequest,
  response: {
    200: {
      description:
        'The report. A `format` other than `json` is sent as a file; one that breaks off is not whole.',
      content: {
        'application/json': { schema: report },
        ...fileContent,
        ...zipContent,
      },
    },
    400: problem('The request body is not valid JSON.'),
    401: problem('Unauthenticated.'),
    406: {
      description: '`Accept` names neither JSON nor the type of the format.',
      content: {
        'application/json': { schema: problem('The report is not available in a type that Accept names.') },
      },
    },
    413: problem('The request body is too large.'),
    415: problem('The request body must be application/json.'),
    422: invalid,
    429: problem('Too many requests. Try again later.'),
    503: withoutRate,
  },
};
